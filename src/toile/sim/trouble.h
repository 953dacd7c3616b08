// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/implicit_step.h"
#include "toile/contact/contact_stencil.h"
#include "toile/contact/contact_surface.h"
#include "toile/sim/frame_report.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// Phrases such as `vertex 3 of 'towel' and triangle (0, 1, 2) of 'table'` for the first few pairs,
/// with each body's own numbers, and how many there are more.
std::vector<std::string> stencil_phrases(const ContactSurface& surface,
                                         std::span<const ContactStencil> stencils);

/// Cause and place of a cloth's step that failed; frame and times are left to the caller.
RunFailure dynamics_trouble(const StepReport& report, const std::string& cloth);

/// Cause and place of contacts that could not be resolved.
RunFailure contact_trouble(const ContactSurface& surface,
                           std::span<const ContactStencil> unresolved);

}  // namespace toile
