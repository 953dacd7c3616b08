// SPDX-License-Identifier: Apache-2.0
#include "toile/core/parallel.h"

#include "toile/core/error.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#ifdef TOILE_THREADS_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace toile {
namespace {

/// Loops of fewer pieces run on the caller's thread alone: waking the others, and waiting for one
/// that the system has put to sleep, would cost more than they could save.
constexpr int kFewestChunks = 4;

std::atomic<int>& limit() {
    static std::atomic<int> n_threads{0};
    return n_threads;
}

}  // namespace

int thread_count() {
    const int n = limit().load(std::memory_order_relaxed);
    return n > 0 ? n : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

#ifdef TOILE_THREADS_TBB

struct ThreadLimit::State {
    explicit State(int n_threads);

    tbb::global_control control;
    tbb::task_arena arena;  // made once: making one for every loop costs more than most loops
    int previous;
    tbb::task_arena* previous_arena;
};

namespace {

std::atomic<tbb::task_arena*>& current_arena() {
    static std::atomic<tbb::task_arena*> arena{nullptr};
    return arena;
}

}  // namespace

ThreadLimit::State::State(int n_threads)
    : control(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(n_threads)),
      arena(n_threads),
      previous(limit().exchange(n_threads)),
      previous_arena(current_arena().exchange(&arena)) {}

ThreadLimit::ThreadLimit(int n_threads) {
    if (n_threads < 1) throw InvalidInput("The number of threads must be 1 or more.");
    state_ = std::make_unique<State>(n_threads);
}

ThreadLimit::~ThreadLimit() {
    current_arena().store(state_->previous_arena);
    limit().store(state_->previous);
}

namespace detail {

void run_chunks(int n_chunks, const std::function<void(int)>& body) {
    if (thread_count() == 1 || n_chunks < kFewestChunks) {
        for (int chunk = 0; chunk < n_chunks; ++chunk) body(chunk);
        return;
    }
    const auto loop = [&] { tbb::parallel_for(0, n_chunks, body); };
    tbb::task_arena* arena = current_arena().load();
    if (arena) {
        arena->execute(loop);
    } else {
        loop();
    }
}

}  // namespace detail

#else

struct ThreadLimit::State {
    int previous;
};

ThreadLimit::ThreadLimit(int n_threads) {
    if (n_threads < 1) throw InvalidInput("The number of threads must be 1 or more.");
    state_.reset(new State{limit().exchange(n_threads)});
}

namespace detail {

void run_chunks(int n_chunks, const std::function<void(int)>& body) {
    if (thread_count() == 1 || n_chunks < kFewestChunks) {
        for (int chunk = 0; chunk < n_chunks; ++chunk) body(chunk);
        return;
    }
    std::atomic<int> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto work = [&] {
        try {
            for (int chunk = next++; chunk < n_chunks; chunk = next++) body(chunk);
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            next = n_chunks;
        }
    };
    {
        std::vector<std::jthread> workers;
        for (int i = 1; i < std::min(thread_count(), n_chunks); ++i) workers.emplace_back(work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace detail

ThreadLimit::~ThreadLimit() {
    limit().store(state_->previous);
}

#endif

}  // namespace toile
