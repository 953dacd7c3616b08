// SPDX-License-Identifier: Apache-2.0
#include "studio/server/task_queue.h"

#include "toile/core/log.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace toile::studio {

TaskQueue::TaskQueue() : thread_([this] { work(); }) {}

TaskQueue::~TaskQueue() {
    stop();
}

void TaskQueue::post(Task task) {
    Task older;
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        const auto same = [&](const Task& other) {
            return !task.key.empty() && other.key == task.key;
        };
        const auto found = std::find_if(tasks_.begin(), tasks_.end(), same);
        if (found != tasks_.end()) {
            older = std::move(*found);
            tasks_.erase(found);
        }
        tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
    if (older.skip) older.skip();
}

void TaskQueue::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
    tasks_.clear();
}

void TaskQueue::work() {
    while (true) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
            if (stopping_) return;
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        try {
            task.run();
        } catch (const std::exception& e) {
            log_warning(e.what());  // nobody waits for an answer; handlers answer by themselves
        }
    }
}

}  // namespace toile::studio
