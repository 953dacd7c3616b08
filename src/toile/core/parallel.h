// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

namespace toile {

/// Parallel loops of Toile use at most `n_threads` threads while this lives (1 or more; the
/// machine's count without it). Results never depend on the number. Nest limits like scopes.
class ThreadLimit {
  public:
    explicit ThreadLimit(int n_threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// How many threads parallel loops use now.
int thread_count();

namespace detail {
/// Runs `body(chunk)` for chunks 0 … n_chunks-1, in any order, on the allowed threads; the first
/// exception thrown by a body is thrown again here.
void run_chunks(int n_chunks, const std::function<void(int)>& body);

inline int chunk_count(int n, int grain) {
    return (n + grain - 1) / grain;
}
}  // namespace detail

/// Calls `body(begin, end)` over [0, n) in fixed pieces of `grain` elements. Pieces run in any
/// order on any thread, so a body may write only what belongs to its own elements.
template <class Body>
void parallel_for(int n, int grain, const Body& body) {
    if (n <= grain) {
        if (n > 0) body(0, n);
        return;
    }
    detail::run_chunks(detail::chunk_count(n, grain),
                       [&](int chunk) { body(chunk * grain, std::min(n, (chunk + 1) * grain)); });
}

/// Returns the fold of `map(begin, end)` over fixed pieces of `grain` elements, combined in the
/// order of the pieces: the same bits on any number of threads.
template <class T, class Map, class Combine>
T parallel_reduce(int n, int grain, const T& identity, const Map& map, const Combine& combine) {
    std::vector<T> partial(static_cast<size_t>(detail::chunk_count(n, grain)), identity);
    parallel_for(n, grain, [&](int begin, int end) {
        partial[static_cast<size_t>(begin / grain)] = map(begin, end);
    });
    T total = identity;
    for (const T& part : partial) total = combine(total, part);
    return total;
}

/// Appends to `out` what `produce(begin, end, std::vector<T>& piece)` puts into its pieces, in the
/// order of the pieces: the same list on any number of threads.
template <class T, class Produce>
void parallel_collect(int n, int grain, const Produce& produce, std::vector<T>& out) {
    std::vector<std::vector<T>> pieces(static_cast<size_t>(detail::chunk_count(n, grain)));
    parallel_for(n, grain, [&](int begin, int end) {
        produce(begin, end, pieces[static_cast<size_t>(begin / grain)]);
    });
    for (const auto& piece : pieces) out.insert(out.end(), piece.begin(), piece.end());
}

}  // namespace toile
