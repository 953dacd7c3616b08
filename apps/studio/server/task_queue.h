// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace toile::studio {

/// One piece of work of a queue.
struct Task {
    std::function<void()> run;
    /// Where not empty: a waiting task of the same key makes way for this one, and `skip` of that
    /// one is called in its place.
    std::string key = {};
    std::function<void()> skip = {};
};

/// A thread that does tasks one after another, in the order in which they came. What one
/// throws is told to the log. What is waiting at the end is dropped.
class TaskQueue {
  public:
    TaskQueue();
    ~TaskQueue();
    TaskQueue(const TaskQueue&) = delete;
    TaskQueue& operator=(const TaskQueue&) = delete;

    void post(Task task);
    /// Ends after the running task; further ones are dropped. May be called twice.
    void stop();

  private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> tasks_;
    bool stopping_ = false;
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace toile::studio
