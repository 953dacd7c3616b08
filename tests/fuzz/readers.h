// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stdexcept>
#include <string_view>

namespace toile::test {

/// A reader broke what it promises.
struct BrokenPromise : std::logic_error {
    using std::logic_error::logic_error;
};

/// A reader of files from strangers, as fuzzers call it.
struct FuzzedReader {
    std::string_view name;  ///< of its folders in tests/data/broken, odd and tests/fuzz/corpus
    /// Reads any bytes. Returns where they were read, and kept what the reader promises (indices in
    /// range, finite numbers, the same again when written and read), or were refused with
    /// InvalidInput. Any other exception is a fault: BrokenPromise, or one that was not caught.
    void (*read)(std::string_view bytes);
};

/// Every reader there is; the one place that lists them.
std::span<const FuzzedReader> fuzzed_readers();

}  // namespace toile::test
