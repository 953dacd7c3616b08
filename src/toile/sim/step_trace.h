// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/contact_trace.h"

#include <vector>

namespace toile {

/// One step that was tried, and what contacts saw in it.
struct TracedStep {
    double start_time = 0;  ///< s
    double end_time = 0;    ///< s
    bool accepted = false;
    ContactTrace contact;  ///< empty where the cloth's own step failed before any contact
};

/// All steps of one frame, in the order in which they were tried, kept where World::step is asked
/// for them. Costs nothing otherwise, and changes no result. Positions are those of all bodies
/// after one another, as ContactSurface numbers them.
struct StepTrace {
    std::vector<TracedStep> steps;
};

}  // namespace toile
