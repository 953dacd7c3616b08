// SPDX-License-Identifier: Apache-2.0
// What reaches the studio's socket, and what does not get in.
#include "studio/opened_studio.h"
#include "studio/server/request_check.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <random>

namespace toile::test {
namespace {

class ServerTest : public testing::Test {
  protected:
    [[nodiscard]] int port() const { return opened_.studio->port(); }
    [[nodiscard]] std::string token() const { return opened_.studio->token(); }
    /// The page that was there from the start still gets its answers.
    void expect_alive() { EXPECT_EQ(opened_.page->ok("hello")["items"].size(), 1U); }

    OpenedStudio opened_;
};

TEST_F(ServerTest, GivesThePageToWhoKnowsTheAddress) {
    const std::string answer = get(port(), "/?token=" + token());
    EXPECT_EQ(status_of(answer), 200);
    EXPECT_NE(body_of(answer).find("studio.js"), std::string::npos);
    const std::string script = get(port(), "/studio.js");
    EXPECT_EQ(status_of(script), 200);
    EXPECT_EQ(header_of(script, "Content-Type"), "text/javascript; charset=utf-8");
    EXPECT_EQ(status_of(get(port(), "/studio.css")), 200);
}

TEST_F(ServerTest, PutsItsSafetyHeadersOnEveryAnswer) {
    for (const std::string& target : {"/?token=" + token(), std::string("/"),
                                      std::string("/studio.js"), std::string("/nothing")}) {
        const std::string answer = get(port(), target);
        for (const auto& [name, value] : studio::safety_headers()) {
            EXPECT_EQ(header_of(answer, std::string(name)), std::string(value)) << target;
        }
    }
    EXPECT_TRUE(header_of(opened_.page->upgrade_answer(), "Content-Security-Policy"));
}

TEST_F(ServerTest, ListensOnTheLoopbackAlone) {
    ifaddrs* all = nullptr;
    ASSERT_EQ(::getifaddrs(&all), 0);
    int n_tried = 0;
    for (const ifaddrs* one = all; one; one = one->ifa_next) {
        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET) continue;
        sockaddr_in address = *reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
        address.sin_port = htons(static_cast<std::uint16_t>(port()));
        const bool is_loopback = ntohl(address.sin_addr.s_addr) == INADDR_LOOPBACK;
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        const int result =
            ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
        EXPECT_EQ(result == 0, is_loopback);
        ::close(fd);
        ++n_tried;
    }
    ::freeifaddrs(all);
    EXPECT_GE(n_tried, 1);
}

TEST_F(ServerTest, RefusesTheSocketWithoutItsToken) {
    for (const std::string& wrong :
         {std::string(), std::string(32, '0'), token() + "0", token().substr(1)}) {
        EXPECT_EQ(StudioClient(port(), wrong).upgrade_status(), 403) << wrong;
    }
    EXPECT_EQ(StudioClient(port(), token()).upgrade_status(), 101);
}

TEST_F(ServerTest, RefusesANameThatWasMadeToLeadHere) {
    const std::string wrong = "evil.example:" + std::to_string(port());
    EXPECT_EQ(status_of(get(port(), "/?token=" + token(), wrong)), 403);
    EXPECT_EQ(StudioClient(port(), token(), {.host = wrong}).upgrade_status(), 403);
    const std::string two = "Host: evil.example\r\n";
    EXPECT_EQ(status_of(get(port(), "/?token=" + token(), {}, two)), 403);
    EXPECT_EQ(status_of(raw_answer(port(), "GET / HTTP/1.1\r\n\r\n")), 403);
}

TEST_F(ServerTest, RefusesAnotherSitesPage) {
    for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1"}) {
        EXPECT_EQ(StudioClient(port(), token(), {.host = {}, .origin = origin}).upgrade_status(),
                  403)
            << origin;
    }
    const std::string own = "http://127.0.0.1:" + std::to_string(port());
    EXPECT_EQ(StudioClient(port(), token(), {.host = {}, .origin = own}).upgrade_status(), 101);
    EXPECT_EQ(status_of(get(port(), "/studio.js", {}, "Origin: http://evil.example\r\n")), 403);
}

TEST_F(ServerTest, AnswersOtherMethodsAndPathsWithRefusals) {
    const std::string host = "Host: 127.0.0.1:" + std::to_string(port()) + "\r\n";
    const std::string post =
        raw_answer(port(), "POST / HTTP/1.1\r\n" + host + "Content-Length: 5\r\n\r\nhello");
    EXPECT_EQ(status_of(post), 405);
    EXPECT_EQ(header_of(post, "Allow"), "GET");
    EXPECT_EQ(status_of(get(port(), "/studio.js", {}, "Content-Length: 5\r\n")), 413);
    EXPECT_EQ(status_of(get(port(), "/etc/passwd")), 404);
    EXPECT_EQ(status_of(get(port(), "/../../../../etc/passwd")), 404);
    EXPECT_EQ(status_of(get(port(), "/download/1?token=" + token())), 404);
    EXPECT_EQ(status_of(get(port(), "/socket?token=" + token())), 426);
    expect_alive();
}

TEST_F(ServerTest, RefusesALongHead) {
    const std::string answer =
        get(port(), "/studio.js", {}, "X-Long: " + std::string(20000, 'x') + "\r\n");
    EXPECT_EQ(status_of(answer), 431);
    EXPECT_EQ(
        status_of(get(port(), "/studio.js", {}, "X-Long: " + std::string(8000, 'x') + "\r\n")),
        200);
    EXPECT_EQ(status_of(get(port(), "/" + std::string(40000, 'a'))), 431);
    expect_alive();
}

TEST_F(ServerTest, EndsAConnectionWhoseMessageIsTooLong) {
    StudioClient loud(port(), token());
    loud.send_text(std::string((size_t{4} << 20) + 1, 'x'));
    EXPECT_EQ(loud.close_code(), 1009);
    expect_alive();
}

TEST_F(ServerTest, BelievesNoLengthThatAFrameClaims) {
    StudioClient loud(port(), token());
    loud.send_bytes(std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10) + "abcd");
    EXPECT_EQ(loud.close_code(), 1009);
    expect_alive();
}

/// Fifty that no page of ours sends: each ends its own connection or is answered with an error, and
/// none reaches anything.
std::vector<std::string> malformed_texts() {
    std::vector<std::string> texts = {
        "",
        " ",
        "{",
        "}",
        "[]",
        "null",
        "true",
        "0",
        "\"\"",
        "{]",
        "{}",
        "{\"id\": 1}",
        "{\"do\": \"hello\"}",
        "{\"id\": \"1\", \"do\": \"hello\"}",
        "{\"id\": 1.5, \"do\": \"hello\"}",
        "{\"id\": [], \"do\": \"hello\"}",
        "{\"id\": 1, \"do\": 5}",
        "{\"id\": 1, \"do\": null}",
        "{\"id\": 1, \"do\": \"\"}",
        "{\"id\": 1, \"do\": \"helo\"}",
        "{\"id\": 1, \"do\": \"hello\"} x",
        "{\"id\": 1, \"do\": \"mesh\"}",
        "{\"id\": 1, \"do\": \"mesh\", \"item\": -1, \"body\": 0}",
        "{\"id\": 1, \"do\": \"mesh\", \"item\": 0, \"body\": 99999}",
        "{\"id\": 1, \"do\": \"mesh\", \"item\": 1e400, \"body\": 0}",
        "{\"id\": 1, \"do\": \"frame\", \"item\": 0, \"frame\": -2147483648, \"fields\": []}",
        "{\"id\": 1, \"do\": \"frame\", \"item\": 0, \"frame\": 99999999999999999999}",
        "{\"id\": 1, \"do\": \"frame\", \"item\": 0, \"frame\": 0, \"fields\": {\"a\": 1}}",
        "{\"id\": 1, \"do\": \"frame\", \"item\": 0, \"frame\": 0, \"fields\": [\"nothing\"]}",
        "{\"id\": 1, \"do\": \"open\", \"root\": 0, \"path\": \"../secret.obj\"}",
        "{\"id\": 1, \"do\": \"open\", \"root\": 0, \"path\": \"/etc/passwd\"}",
        "{\"id\": 1, \"do\": \"open\", \"root\": 7, \"path\": \"sheet.obj\"}",
        "{\"id\": 1, \"do\": \"open\", \"root\": 0, \"path\": \"sheet.obj\\u0000.obj\"}",
        "{\"id\": 1, \"do\": \"files\", \"root\": 0, \"path\": \"..\"}",
        "{\"id\": 1, \"do\": \"save\", \"item\": 0, \"root\": 0, \"path\": \"../out.obj\"}",
        "{\"id\": 1, \"do\": \"save\", \"item\": 0, \"root\": 0, \"path\": \"sheet.obj\"}",
        "{\"id\": 1, \"do\": \"sim.play\"}",
        "{\"id\": 1, \"do\": \"sim.drag\", \"point\": [1]}",
        "{\"id\": 1, \"do\": \"sim.open\", \"item\": 0}",
        "{\"id\": 1, \"do\": \"trace\", \"item\": 0, \"frame\": 1}"};
    texts.push_back(std::string(100000, '['));
    texts.push_back("{\"id\": 1, \"do\": \"" + std::string(1000000, 'a') + "\"}");
    texts.push_back("{\"id\": 1, \"do\": " + std::string(5000, '{'));
    texts.push_back(std::string(3, '\0'));
    texts.push_back("\xff\xfe\xfd");
    texts.push_back("{\"id\": 1, \"do\": \"\xc3\x28\"}");
    return texts;
}

TEST_F(ServerTest, IsNotBrokenByFiftyMalformedMessages) {
    const auto texts = malformed_texts();
    int n_sent = 0;
    for (const std::string& text : texts) {
        StudioClient strange(port(), token());
        strange.send_text(text);
        try {
            const Json answer = strange.answer(1);
            EXPECT_TRUE(answer.contains("error")) << text.substr(0, 100);
        } catch (const std::runtime_error&) {
            EXPECT_EQ(strange.close_code(), 1007) << text.substr(0, 100);
        }
        ++n_sent;
    }
    const std::pair<std::string, int> frames[] = {
        {std::string("\x82\x81\x01\x02\x03\x04\x05", 7), 1003},       // a binary message
        {std::string("\x81\x05hello", 7), 1002},                      // without a mask
        {std::string("\x83\x80\x01\x02\x03\x04", 6), 1002},           // a reserved opcode
        {std::string("\xf1\x80\x01\x02\x03\x04", 6), 1002},           // reserved bits
        {std::string("\x80\x80\x01\x02\x03\x04", 6), 1002},           // goes on with nothing
        {std::string("\x89\xfe\x01\x00\x01\x02\x03\x04", 8), 1002}};  // a ping that is too long
    for (const auto& [bytes, code] : frames) {
        StudioClient strange(port(), token());
        strange.send_bytes(bytes);
        EXPECT_EQ(strange.close_code(), code) << n_sent;
        ++n_sent;
    }
    EXPECT_GE(n_sent, 50);
    expect_alive();
    EXPECT_FALSE(std::filesystem::exists(opened_.files.outside() / "out.obj"));
}

TEST_F(ServerTest, IsNotBrokenByNoise) {
    std::mt19937 random(5);
    for (int i = 0; i < 30; ++i) {
        std::string noise(200, '\0');
        for (char& c : noise) c = static_cast<char>(random());
        static_cast<void>(raw_answer(port(), noise + "\r\n\r\n", 5));
        StudioClient strange(port(), token());
        strange.send_bytes(noise);
    }
    expect_alive();
}

TEST_F(ServerTest, ShowsASecondPageTheSameState) {
    StudioClient other(port(), token());
    EXPECT_EQ(other.ok("hello"), opened_.page->ok("hello"));
    const Json item = opened_.open("wave.pc2");
    const Json event = other.event("items", [](const Json& e) { return e["items"].size() == 2U; });
    EXPECT_EQ(event["items"][1], item);
    EXPECT_EQ(other.ok("hello")["items"].size(), 2U);
}

TEST_F(ServerTest, KeepsItsStateWhenThePageIsLoadedAgain) {
    opened_.open("wave.pc2");
    opened_.page.reset();
    opened_.page = std::make_unique<StudioClient>(port(), token());
    EXPECT_EQ(opened_.page->ok("hello")["items"].size(), 2U);
}

TEST_F(ServerTest, AnswersAPageThatAsksMuchAtOnceInOrder) {
    std::vector<int> asked;
    for (int i = 0; i < 300; ++i) asked.push_back(opened_.page->post("hello"));
    for (const int id : asked) EXPECT_TRUE(opened_.page->answer(id).contains("ok"));
}

TEST_F(ServerTest, SaysGoodbyeAtItsEnd) {
    const std::string kept = opened_.studio->end();
    EXPECT_EQ(kept, "") << "nothing was made";
    EXPECT_EQ(opened_.page->close_code(), 1001);
    EXPECT_THROW(get(port(), "/"), std::runtime_error);
}

TEST(Server, TakesAFreePortForEachStudio) {
    OpenedStudio first, second;
    EXPECT_NE(first.studio->port(), second.studio->port());
    EXPECT_NE(first.studio->token(), second.studio->token());
    EXPECT_EQ(StudioClient(second.studio->port(), first.studio->token()).upgrade_status(), 403);
    EXPECT_THROW(studio::Studio({.paths = {}, .host = "127.0.0.1", .port = first.studio->port()}),
                 IoError);
}

}  // namespace
}  // namespace toile::test
