// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace toile {

/// As malloc (freed by free; null where there is no memory), but a large block begins on a large
/// page and asks the system for such pages: the first touch of an array then costs one fault for
/// every 2 MB in place of 512. Where the system has no large pages it is malloc.
void* allocate_on_large_pages(std::size_t bytes) noexcept;

/// For a program's first lines, never a library's: the heap of the main thread grows in large steps
/// on large pages, and what is freed is kept for the next use instead of given back. Reserves
/// addresses, not memory. Does nothing where the C library is not glibc or a sanitizer watches the
/// heap.
void keep_heap_on_large_pages();

}  // namespace toile
