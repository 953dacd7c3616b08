// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace toile::test {

/// A reader broke what it promises.
struct BrokenPromise : std::logic_error {
    using std::logic_error::logic_error;
};

inline void demand(bool kept, const char* promise) {
    if (!kept) throw BrokenPromise(promise);
}

}  // namespace toile::test
