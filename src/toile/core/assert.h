// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>

/// States an invariant of our own code; vanishes where NDEBUG is set. Never checks user input.
#define TOILE_ASSERT(condition) assert(condition)
