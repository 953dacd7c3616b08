// SPDX-License-Identifier: Apache-2.0
// What libFuzzer calls, of the reader that TOILE_FUZZED_READER names.
#include "fuzz/readers.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const toile::test::FuzzedReader& reader =
        toile::test::fuzzed_reader(TOILE_FUZZED_READER);
    (void)reader.read({reinterpret_cast<const char*>(data), size});
    return 0;
}
