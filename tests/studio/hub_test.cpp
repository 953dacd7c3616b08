// SPDX-License-Identifier: Apache-2.0
#include "studio/server/hub.h"

#include "studio/server/job_runner.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <future>

namespace toile::studio {
namespace {

/// Keeps what a page would get.
class Collector final : public Outlet {
  public:
    void send(Outgoing message) override {
        const std::lock_guard lock(mutex_);
        messages_.push_back(Json::parse(*message.bytes));
        changed_.notify_all();
    }
    void close(int code, const std::string&) override {
        const std::lock_guard lock(mutex_);
        close_code_ = code;
        changed_.notify_all();
    }
    Json wait(const std::function<bool(const Json&)>& wanted) {
        std::unique_lock lock(mutex_);
        Json found;
        const auto look = [&] {
            for (const Json& message : messages_) {
                if (wanted(message)) found = message;
            }
            return !found.is_null();
        };
        if (!changed_.wait_for(lock, std::chrono::minutes(1), look)) {
            throw std::runtime_error("nothing came");
        }
        return found;
    }
    Json answer(int id) {
        return wait([&](const Json& m) { return m.value("id", -1) == id; });
    }
    int close_code() {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::minutes(1), [&] { return close_code_ != 0; });
        return close_code_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Json> messages_;
    int close_code_ = 0;
};

/// Counts, fails, and waits until it is let go.
class TestRoom final : public Room {
  public:
    std::vector<RequestEntry> requests() override {
        return {{"count",
                 [this](const Request&) {
                     return Answer(Json{{"count", ++count_}});
                 }},
                {"double",
                 [](const Request& r) {
                     return Answer(Json{{"twice", 2 * r.integer("value")}});
                 }},
                {"fail", [](const Request&) -> Answer { throw IoError("The disk is full."); }},
                {"forget", [](const Request&) { return Answer(Later{}); }},
                {"wait",
                 [this](const Request&) {
                     gate_.get_future().wait();
                     return Answer(Json::object());
                 }},
                {"newest",
                 [this](const Request&) {
                     return Answer(Json{{"n", ++newest_}});
                 },
                 true}};
    }
    void client_left(int client) override { left_.set_value(client); }

    int count_ = 0;
    int newest_ = 0;
    std::promise<void> gate_;
    std::promise<int> left_;
};

class HubTest : public testing::Test {
  protected:
    HubTest() {
        hub_.add_room(room_);
        client_ = hub_.join(page_);
    }
    ~HubTest() override { hub_.stop(); }

    Json ask(int id, const std::string& rest) {
        hub_.receive(client_, "{\"id\": " + std::to_string(id) + ", " + rest + "}");
        return page_->answer(id);
    }

    TestRoom room_;
    Hub hub_;
    std::shared_ptr<Collector> page_ = std::make_shared<Collector>();
    int client_ = 0;
};

TEST_F(HubTest, AnswersWithTheNumberOfTheRequest) {
    EXPECT_EQ(ask(5, R"("do": "count")"), Json({{"id", 5}, {"ok", {{"count", 1}}}}));
    EXPECT_EQ(ask(6, R"("do": "count")")["ok"]["count"], 2);
}

TEST_F(HubTest, EndsAPageThatSendsThousandsOfKeys) {
    std::string text = R"({"id": 1, "do": "count")";
    for (int i = 0; i < 400'000; ++i) text += ", \"k" + std::to_string(i) + "\": 0";
    hub_.receive(client_, text + "}");  // would take minutes, were they looked for one by one
    EXPECT_EQ(page_->close_code(), 1007);
    EXPECT_EQ(room_.count_, 0);
}

TEST_F(HubTest, NamesTheNearestRequestWhereThereIsNoneOfTheName) {
    const Json error = ask(1, R"("do": "cuont")")["error"];
    EXPECT_EQ(error["kind"], "usage");
    EXPECT_NE(error["message"].get<std::string>().find("'count'"), std::string::npos);
}

TEST_F(HubTest, SaysWhatIsWrongWithAValue) {
    const std::string message =
        ask(1, R"("do": "double", "value": "x")")["error"]["message"].get<std::string>();
    for (const char* part : {"double", "value", "\"x\"", "whole number"}) {
        EXPECT_NE(message.find(part), std::string::npos) << message;
    }
    for (const char* value : {"1.5", "null", "[]", "{}", "1e300", "9999999999", "true"}) {
        const Json answer = ask(2, std::string(R"("do": "double", "value": )") + value);
        EXPECT_EQ(answer["error"]["kind"], "usage") << value;
    }
    EXPECT_EQ(ask(3, R"("do": "double")")["error"]["kind"], "usage");
    EXPECT_EQ(ask(4, R"("do": "double", "value": -4)")["ok"]["twice"], -8);
}

TEST_F(HubTest, TellsALibrarysErrorInItsWords) {
    EXPECT_EQ(ask(1, R"("do": "fail")")["error"],
              Json({{"message", "The disk is full."}, {"kind", "files"}}));
}

TEST_F(HubTest, NeverLeavesARequestWithoutAnAnswer) {
    EXPECT_EQ(ask(1, R"("do": "forget")")["error"]["kind"], "busy");
}

TEST_F(HubTest, ClosesThePageThatSendsNoObjectOfJson) {
    for (const char* text : {"", "x", "[]", "1", "null", "\"do\"", "{", "{\"do\": \"count\"}",
                             "{\"id\": \"1\", \"do\": \"count\"}", "{\"id\": 1.5}", "{} {}"}) {
        const auto page = std::make_shared<Collector>();
        const int client = hub_.join(page);
        hub_.receive(client, text);
        EXPECT_EQ(page->close_code(), 1007) << text;
    }
    EXPECT_EQ(room_.count_, 0);
}

TEST_F(HubTest, RefusesDeepNesting) {
    const auto page = std::make_shared<Collector>();
    const int client = hub_.join(page);
    hub_.receive(client, "{\"id\": 1, \"do\": " + std::string(100000, '['));
    EXPECT_EQ(page->close_code(), 1007);
}

TEST_F(HubTest, DoesOnlyTheNewestOfWaitingRequestsThatSaySo) {
    hub_.receive(client_, R"({"id": 1, "do": "wait"})");
    for (int id = 2; id <= 6; ++id) {
        hub_.receive(client_, "{\"id\": " + std::to_string(id) + ", \"do\": \"newest\"}");
    }
    for (int id = 2; id <= 5; ++id) {
        EXPECT_EQ(page_->answer(id)["ok"], Json({{"skipped", true}})) << id;
    }
    room_.gate_.set_value();
    EXPECT_EQ(page_->answer(6)["ok"]["n"], 1);
}

TEST_F(HubTest, TellsEventsToAllAndKeepsTheLast) {
    const auto other = std::make_shared<Collector>();
    hub_.join(other);
    hub_.publish("sim", {{"frame", 1}});
    hub_.publish("sim", {{"frame", 2}});
    hub_.announce("note", {{"text", "a"}});
    for (const auto& page : {page_, other}) {
        page->wait([](const Json& m) { return m == Json({{"event", "sim"}, {"frame", 2}}); });
        page->wait([](const Json& m) { return m == Json({{"event", "note"}, {"text", "a"}}); });
    }
    EXPECT_EQ(hub_.published(), Json({{"sim", {{"frame", 2}}}}));
}

TEST_F(HubTest, TellsRoomsThatAPageHasGone) {
    hub_.leave(client_);
    EXPECT_EQ(room_.left_.get_future().get(), client_);
    hub_.receive(client_, R"({"id": 1, "do": "count"})");
    EXPECT_EQ(room_.count_, 0);
}

class JobTest : public HubTest {
  protected:
    Json last(const std::string& state) {
        return page_->wait([&](const Json& m) {
            return m.value("event", "") == "job" && m.value("state", "") == state;
        });
    }
    JobRunner jobs_{hub_};
};

TEST_F(JobTest, TellsItsProgressAndItsResult) {
    jobs_.start("fit", [](const JobContext& job) {
        job.progress(1, 4, "step 1");
        return Json{{"result", 3}};
    });
    EXPECT_EQ(last("running")["name"], "fit");
    const Json done = last("done");
    EXPECT_EQ(done["result"], 3);
    EXPECT_EQ(done["part"], 1);
}

TEST_F(JobTest, RefusesASecondWhileOneRuns) {
    std::promise<void> gate;
    auto opened = gate.get_future().share();
    jobs_.start("fit", [opened](const JobContext&) {
        opened.wait();
        return Json::object();
    });
    EXPECT_THROW(jobs_.start("transfer", [](const JobContext&) { return Json::object(); }), Busy);
    gate.set_value();
    last("done");
    EXPECT_NO_THROW(jobs_.start("transfer", [](const JobContext&) { return Json::object(); }));
    jobs_.stop();
}

TEST_F(JobTest, IsCancelledOnRequest) {
    jobs_.start("fit", [](const JobContext& job) {
        while (true) job.check();
        return Json::object();
    });
    jobs_.cancel();
    EXPECT_EQ(last("cancelled")["name"], "fit");
}

TEST_F(JobTest, TellsWhyItFailed) {
    jobs_.start("fit", [](const JobContext&) -> Json { throw ComputationFailed("No way."); });
    EXPECT_EQ(last("failed")["error"]["message"], "No way.");
}

}  // namespace
}  // namespace toile::studio
