// SPDX-License-Identifier: Apache-2.0
// The program's arrays of millions of elements stand on large pages: `new` asks for them.
#include "toile/core/large_pages.h"

#include <cstdlib>
#include <new>

void* operator new(std::size_t bytes) {
    for (;;) {
        if (void* const block = toile::allocate_on_large_pages(bytes > 0 ? bytes : 1)) return block;
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

void operator delete(void* block) noexcept {
    std::free(block);
}

void operator delete(void* block, std::size_t) noexcept {
    std::free(block);
}
