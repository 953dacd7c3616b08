// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/hub.h"
#include "toile/core/cancellation.h"
#include "toile/core/progress.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace toile::studio {

/// What a job is given to tell how far it is, and to see whether it is still wanted.
struct JobContext {
    const Cancellation& cancellation;
    ProgressCallback progress;  ///< tells all pages, a few times a second
    /// Throws Interrupted where the job was cancelled: for between two steps.
    void check() const;
};

/// Long work on a thread of its own, one piece at a time, told of by the event `job`.
class JobRunner {
  public:
    explicit JobRunner(Hub& hub);
    ~JobRunner();
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;

    /// Begins a job, whose result, an object, is added to its last event. An exception is its
    /// failure; after a request to cancel, its cancellation. Throws Busy, naming the job, where one
    /// is running.
    void start(const std::string& name, std::function<Json(const JobContext&)> work);
    /// Asks the running job, if there is one, to stop; does not wait.
    void cancel();
    /// Cancels and waits.
    void stop();

  private:
    struct Job;
    void run(const std::shared_ptr<Job>& job);
    void publish(const Job& job, const Json& more = Json::object());

    Hub& hub_;
    std::mutex mutex_;
    std::shared_ptr<Job> job_;  // null where none is running
    std::thread thread_;
};

}  // namespace toile::studio
