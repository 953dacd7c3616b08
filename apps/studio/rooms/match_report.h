// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/rooms/fitted_match.h"
#include "studio/server/message.h"
#include "studio/server/request.h"

namespace toile::studio {

/// The part `report` of the event `match`, without `stale`.
Json match_report(const FittedMatch& match);

/// Those of `toile correspond`, from the key `options` of a request: fit, align, nearest,
/// max_distance (percent), max_angle (degrees), both_directions. Throws UsageError for another key,
/// with the nearest, or a value of another kind.
CorrespondenceOptions fit_options_of(const Request& request);

}  // namespace toile::studio
