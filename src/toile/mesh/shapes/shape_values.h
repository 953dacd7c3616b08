// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/shapes/shape_catalogue.h"

#include <string>

namespace toile::detail {

/// All values of one shape, given or default, each already checked to be of its kind.
class ShapeValues {
  public:
    /// Throws InvalidInput for unknown names and values of a wrong kind.
    ShapeValues(const ShapeDescription& shape, const ShapeParameters& given);

    [[nodiscard]] double number(const std::string& name) const;
    [[nodiscard]] double degrees_as_radians(const std::string& name) const;
    [[nodiscard]] int count(const std::string& name) const;
    [[nodiscard]] int count(const std::string& name, int index) const;
    [[nodiscard]] Vec3 point(const std::string& name) const;
    /// Index of the chosen word in the parameter's choices.
    [[nodiscard]] int choice(const std::string& name) const;

  private:
    [[nodiscard]] const std::vector<double>& list(const std::string& name) const;

    const ShapeDescription& shape_;
    ShapeParameters values_;
};

}  // namespace toile::detail
