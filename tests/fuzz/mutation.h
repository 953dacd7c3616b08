// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace toile::test {

/// Damages files as a fuzzer does, the same way in every run: bits, bytes, numbers, words, cuts and
/// repeats.
class Mutation {
  public:
    explicit Mutation(std::uint64_t seed) : random_(seed) {}

    /// `bytes` after one to four changes, of which one may put in a part of `other`.
    [[nodiscard]] std::string mutate(std::string bytes, std::string_view other);

  private:
    [[nodiscard]] size_t below(size_t n) { return n == 0 ? 0 : random_() % n; }
    void change(std::string& bytes, std::string_view other);
    void repeat(std::string& bytes);
    void splice(std::string& bytes, std::string_view other);

    std::mt19937_64 random_;
};

}  // namespace toile::test
