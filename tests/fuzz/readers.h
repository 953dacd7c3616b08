// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace toile::test {

/// A reader of files from strangers, as fuzzers call it.
struct FuzzedReader {
    std::string_view name;  ///< of its folders in tests/data/broken, odd and fuzz
    /// Reads any bytes. Returns nothing where they were read, and kept what the reader promises
    /// (indices in range, finite numbers, the same again when written and read), or else the
    /// sentence with which they were refused. Any exception is a fault: BrokenPromise, or one that
    /// was not caught.
    std::string (*read)(std::string_view bytes);
    int n_mutations = 2000;  ///< of each kept file, in every test run
};

/// Every reader there is; the one place that lists them.
std::span<const FuzzedReader> fuzzed_readers();

/// The reader of a name; throws BrokenPromise where there is none.
const FuzzedReader& fuzzed_reader(std::string_view name);

}  // namespace toile::test
