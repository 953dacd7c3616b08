// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

namespace toile {

/// How a handle is moved from where it was: turned and scaled about the pivot, then shifted.
struct HandleMove {
    Vec3 translation = Vec3::Zero();  ///< metres
    Vec3 rotation = Vec3::Zero();     ///< an axis times radians, by the right-hand rule
    double scale = 1;                 ///< above 0
    Vec3 pivot = Vec3::Zero();        ///< metres

    [[nodiscard]] bool is_identity() const {
        return translation.isZero(0) && rotation.isZero(0) && scale == 1;
    }
};

/// A share of a move, from 0 (nothing; to the bit) to 1 (all of it): the angle, the logarithm of
/// the scale and the shift grow evenly.
class SharedMove {
  public:
    /// Throws InvalidInput where a number is not finite or the scale is not above 0.
    SharedMove(const HandleMove& move, double share);

    [[nodiscard]] Vec3 operator()(const Vec3& x) const {
        return nothing_ ? x : Vec3(linear_ * (x - pivot_) + pivot_ + translation_);
    }

  private:
    Mat3 linear_;
    Vec3 pivot_;
    Vec3 translation_;
    bool nothing_;
};

}  // namespace toile
