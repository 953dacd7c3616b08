// SPDX-License-Identifier: Apache-2.0
#include "toile/core/large_pages.h"

#include <cstdint>
#include <cstdlib>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>

#include <malloc.h>
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if !defined(__has_feature)
#define TOILE_OWN_HEAP
#elif !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define TOILE_OWN_HEAP
#endif
#endif

namespace toile {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;
/// Below two pages at least half of what large pages would hold is other blocks'.
constexpr std::size_t kLargeBlock = 2 * kLargePage;

}  // namespace

void* allocate_on_large_pages(std::size_t bytes) noexcept {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= kLargeBlock && bytes <= SIZE_MAX - kLargePage) {
        void* block = nullptr;
        if (::posix_memalign(&block, kLargePage, bytes) != 0) return nullptr;
        // Advice only: a system that does not take it gives small pages.
        static_cast<void>(::madvise(block, bytes / kLargePage * kLargePage, MADV_HUGEPAGE));
        return block;
    }
#endif
    return std::malloc(bytes);
}

void keep_heap_on_large_pages() {
#ifdef TOILE_OWN_HEAP
    constexpr int kFirstStep = 256 << 20, kLaterStep = 32 << 20;
    mallopt(M_MMAP_MAX, 0);  // blocks of their own would be given back, and cleared again
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, kFirstStep);
    void* const block = std::malloc(kLargePage);  // grows the heap by the first step
    mallopt(M_TOP_PAD, kLaterStep);
    const auto begin = reinterpret_cast<std::uintptr_t>(block);
    const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
    const std::uintptr_t first_page = (begin + kLargePage - 1) / kLargePage * kLargePage;
    if (block && first_page < end && end - begin < 2 * static_cast<std::uintptr_t>(kFirstStep)) {
        static_cast<void>(::madvise(reinterpret_cast<void*>(first_page),
                                    (end - first_page) / kLargePage * kLargePage, MADV_HUGEPAGE));
    }
    std::free(block);
#endif
}

}  // namespace toile
