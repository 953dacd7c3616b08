// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/fabric.h"

// Where the numbers come from:
// - [Li21] gives thickness, volume density and Young's modulus of fabrics from tensile tests;
//   density here is volume density × thickness, stretch is modulus × thickness.
// - [Wang11] measured ten fabrics; density and the bending stiffness along warp at the smallest
//   curvature are theirs. Their stretch tables are not used.
// - What is assumed is said to be so. 1 gf·cm²/cm, the unit of the KES-F bending tester, is
//   9.81e-5 N·m.

namespace toile {
namespace {

constexpr double kMicro = 1e-6;

constexpr const char* kMeasuredSource =
    "Density and bending along warp (smallest curvature) measured [Wang11]; the same bending in "
    "weft "
    "and twist, stretch, shear, thickness, damping and friction assumed: ";
constexpr const char* kKnit = "knit, stretch 200 N/m and shear 60 N/m.";
constexpr const char* kWoven = "woven, stretch 1000 N/m and shear 100 N/m.";

Fabric measured(const char* name, double density, double bending, const char* kind) {
    const bool knit = kind == kKnit;
    Fabric fabric;
    fabric.name = name;
    fabric.density = density;
    fabric.stretch_warp = fabric.stretch_weft = knit ? 200 : 1000;
    fabric.shear = knit ? 60 : 100;
    fabric.bend_warp = fabric.bend_weft = fabric.bend_twist = bending;
    fabric.source = std::string(kMeasuredSource) + kind;
    return fabric;
}

Fabric silk() {
    Fabric f;
    f.name = "silk";
    f.density = 0.06;
    f.thickness = 0.0005;
    f.stretch_warp = f.stretch_weft = 400;
    f.shear = 40;
    f.bend_warp = f.bend_weft = f.bend_twist = 4 * kMicro;
    f.friction = 0.2;
    f.source =
        "Assumed, as a light plain-weave silk: 60 g/m²; bending 0.04 gf·cm²/cm, within the range "
        "of "
        "the KES-F tester for silk; stretch a few times the 103 N/m of [Li21], which is the "
        "modulus "
        "of the first, crimped part of the curve; shear a tenth of stretch.";
    return f;
}

Fabric cotton() {
    Fabric f;
    f.name = "cotton";
    f.density = 0.15;
    f.thickness = 0.001;
    f.stretch_warp = f.stretch_weft = 1000;
    f.shear = 100;
    f.bend_warp = f.bend_weft = f.bend_twist = 10 * kMicro;
    f.source =
        "Density 472.6 kg/m³ × 0.318 mm = 150 g/m² [Li21]; bending 0.1 gf·cm²/cm, assumed, as a "
        "shirting on the KES-F tester; stretch 1000 N/m assumed, above the 261 N/m of [Li21], "
        "which "
        "is the modulus of the first, crimped part of the curve; shear a tenth of stretch, "
        "assumed.";
    return f;
}

Fabric wool() {
    Fabric f;
    f.name = "wool";
    f.density = 0.235;
    f.thickness = 0.001;
    f.stretch_warp = f.stretch_weft = 700;
    f.shear = 70;
    f.bend_warp = f.bend_weft = f.bend_twist = 12 * kMicro;
    f.friction = 0.4;
    f.source =
        "Density 413.4 kg/m³ × 0.568 mm = 235 g/m² [Li21]; bending 0.12 gf·cm²/cm, assumed, as a "
        "suiting on the KES-F tester; stretch 700 N/m (the anisotropic wool of [Li21] has 475 N/m) "
        "and shear a tenth of it, assumed.";
    return f;
}

Fabric denim() {
    Fabric f;
    f.name = "denim";
    f.density = 0.324;
    f.thickness = 0.001;
    f.stretch_warp = f.stretch_weft = 1600;
    f.shear = 200;
    f.bend_warp = f.bend_weft = f.bend_twist = 64 * kMicro;
    f.friction = 0.5;
    f.source =
        "Density and bending along warp of an 11 oz denim measured [Wang11]; stretch 2.448 MPa × "
        "0.66 mm = 1600 N/m [Li21]; shear an eighth of stretch, and the same bending in weft and "
        "twist, assumed.";
    return f;
}

Fabric leather() {
    Fabric f;
    f.name = "leather";
    f.density = 0.6;
    f.thickness = 0.0012;
    f.stretch_warp = f.stretch_weft = 5000;
    f.shear = 1800;
    f.bend_warp = f.bend_weft = f.bend_twist = 200 * kMicro;
    f.friction = 0.5;
    f.source =
        "Assumed, as a garment leather of 0.9 mm: 600 g/m², modulus 5.5 MPa × 0.9 mm = 5000 N/m; "
        "isotropic, so shear is stretch / (2 (1 + 0.4)); bending 200 µN·m, since the soft grain "
        "bends more easily than a plate of that modulus (340 µN·m) would.";
    return f;
}

}  // namespace

std::span<const Fabric> named_fabrics() {
    static const std::vector<Fabric> fabrics = {
        silk(),
        cotton(),
        wool(),
        denim(),
        leather(),
        measured("ivory-rib-knit", 0.276, 46 * kMicro, kKnit),
        measured("pink-ribbon-brown", 0.228, 117 * kMicro, kWoven),
        measured("white-dots-on-blk", 0.128, 52 * kMicro, kWoven),
        measured("navy-sparkle-sweat", 0.224, 59 * kMicro, kKnit),
        measured("camel-ponte-roma", 0.284, 36 * kMicro, kKnit),
        measured("gray-interlock", 0.187, 23 * kMicro, kKnit),
        measured("11oz-black-denim", 0.324, 64 * kMicro, kWoven),
        measured("white-swim-solid", 0.204, 60 * kMicro, kKnit),
        measured("tango-red-jet-set", 0.113, 14 * kMicro, kWoven),
        measured("royal-target", 0.220, 125 * kMicro, kWoven),
    };
    return fabrics;
}

}  // namespace toile
