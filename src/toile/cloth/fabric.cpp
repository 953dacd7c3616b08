// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/fabric.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"

#include <fmt/format.h>

#include <cmath>

namespace toile {
namespace {

struct Property {
    const char* name;
    double value;
    bool may_be_zero;
};

std::vector<Property> properties(const Fabric& f) {
    return {{"density", f.density, false},
            {"thickness", f.thickness, false},
            {"stretch_warp", f.stretch_warp, true},
            {"stretch_weft", f.stretch_weft, true},
            {"shear", f.shear, true},
            {"bend_warp", f.bend_warp, true},
            {"bend_weft", f.bend_weft, true},
            {"bend_twist", f.bend_twist, true},
            {"stretch_damping", f.stretch_damping, true},
            {"shear_damping", f.shear_damping, true},
            {"bend_damping", f.bend_damping, true},
            {"friction", f.friction, true}};
}

}  // namespace

void check_fabric(const Fabric& fabric) {
    for (const Property& property : properties(fabric)) {
        const bool enough = property.may_be_zero ? property.value >= 0 : property.value > 0;
        if (enough && std::isfinite(property.value)) continue;
        throw InvalidInput(fmt::format(
            "Fabric '{}': {} must be {} and finite; found {}.", fabric.name, property.name,
            property.may_be_zero ? "zero or more" : "above zero", property.value));
    }
}

const Fabric& named_fabric(const std::string& name) {
    std::vector<std::string> known;
    for (const Fabric& fabric : named_fabrics()) {
        if (fabric.name == name) return fabric;
        known.push_back(fabric.name);
    }
    throw InvalidInput(fmt::format("There is no fabric named '{}'.{} Known are: {}.", name,
                                   did_you_mean(name, known), fmt::join(known, ", ")));
}

}  // namespace toile
