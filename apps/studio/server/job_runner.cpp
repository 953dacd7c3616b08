// SPDX-License-Identifier: Apache-2.0
#include "studio/server/job_runner.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace toile::studio {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenEvents = std::chrono::milliseconds(100);

}  // namespace

void JobContext::check() const {
    if (cancellation.requested()) throw Interrupted("Cancelled.");
}

struct JobRunner::Job {
    std::string name;
    std::function<Json(const JobContext&)> work;
    Cancellation cancellation;
    // Of the job's own thread.
    const char* state = "running";
    double part = 0;
    std::string text;
    Json error = nullptr;
    Clock::time_point last_event;
};

JobRunner::JobRunner(Hub& hub) : hub_(hub) {}

JobRunner::~JobRunner() {
    stop();
}

void JobRunner::start(const std::string& name, std::function<Json(const JobContext&)> work) {
    const std::lock_guard lock(mutex_);
    if (job_) {
        throw Busy(
            fmt::format("'{}' is running; '{}' can begin when it has ended.", job_->name, name));
    }
    if (thread_.joinable()) thread_.join();
    job_ = std::make_shared<Job>();
    job_->name = name;
    job_->work = std::move(work);
    try {
        publish(*job_);
        thread_ = std::thread([this, job = job_] { run(job); });
    } catch (...) {
        job_.reset();
        throw;
    }
}

void JobRunner::cancel() {
    const std::lock_guard lock(mutex_);
    if (job_) job_->cancellation.request();
}

void JobRunner::stop() {
    cancel();
    if (thread_.joinable()) thread_.join();
}

void JobRunner::run(const std::shared_ptr<Job>& job) {
    const auto progress = [&](int done, int total, const std::string& status) {
        job->part = total > 0 ? static_cast<double>(done) / total : 0;
        job->text = status;
        if (Clock::now() - job->last_event < kBetweenEvents) return;
        job->last_event = Clock::now();
        publish(*job);
    };
    Json result = Json::object();
    try {
        result = job->work({job->cancellation, progress});
        job->state = "done";
        job->part = 1;
    } catch (const Interrupted&) {
        job->state = "cancelled";
    } catch (const std::exception& e) {
        job->state = job->cancellation.requested() ? "cancelled" : "failed";
        job->error = error_json(e);
    }
    job->work = {};
    const std::lock_guard lock(mutex_);
    job_.reset();
    publish(*job, result);
}

void JobRunner::publish(const Job& job, const Json& more) {
    Json event = {{"name", job.name},
                  {"part", job.part},
                  {"text", job.text},
                  {"state", job.state},
                  {"error", job.error}};
    event.update(more);
    hub_.publish("job", event);
}

}  // namespace toile::studio
