// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/handle_move.h"

#include "toile/core/error.h"
#include "toile/mesh/transform.h"

#include <fmt/format.h>

#include <cmath>

namespace toile {
namespace {

void require_usable(const HandleMove& move) {
    if (!(move.scale > 0) || !std::isfinite(move.scale)) {
        throw InvalidInput(
            fmt::format("A handle's scale must be a number above 0; found {}.", move.scale));
    }
    if (!move.translation.allFinite() || !move.rotation.allFinite() || !move.pivot.allFinite()) {
        throw InvalidInput("A handle's shift, turn and pivot must be finite numbers.");
    }
}

}  // namespace

SharedMove::SharedMove(const HandleMove& move, double share)
    : linear_(Mat3::Identity()), pivot_(move.pivot), translation_(share * move.translation) {
    require_usable(move);
    nothing_ = share == 0 || move.is_identity();
    const double angle = move.rotation.stableNorm();
    if (angle > 0) linear_ = rotation_about_axis(move.rotation, share * angle);
    linear_ *= std::pow(move.scale, share);
}

}  // namespace toile
