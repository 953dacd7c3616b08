// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/shape_catalogue.h"

#include "toile/core/error.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

std::string message_of(const std::string& shape, const ShapeParameters& parameters) {
    try {
        make_shape(shape, parameters);
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return "accepted";
}

TEST(ShapeCatalogue, EveryShapeIsMadeFromItsDefaults) {
    for (const ShapeDescription& shape : shape_catalogue()) {
        SCOPED_TRACE(shape.name);
        const TriangleMesh mesh = make_shape(shape.name, {});
        EXPECT_GT(mesh.n_triangles(), 0);
        for (const double area : triangle_areas(mesh.positions, mesh.triangles)) EXPECT_GT(area, 0);
    }
}

TEST(ShapeCatalogue, EveryDefaultReadsBackFromItsText) {
    for (const ShapeDescription& shape : shape_catalogue()) {
        for (const ShapeParameter& parameter : shape.parameters) {
            SCOPED_TRACE(shape.name + "." + parameter.name);
            EXPECT_FALSE(parameter.doc.empty());
            const std::string text = shape_value_text(parameter, parameter.default_value);
            EXPECT_EQ(parse_shape_value(parameter, text), parameter.default_value);
        }
    }
}

TEST(ShapeCatalogue, EverySizeAndCountIsRefusedWhenNegative) {
    for (const ShapeDescription& shape : shape_catalogue()) {
        for (const ShapeParameter& parameter : shape.parameters) {
            if (parameter.kind == ParameterKind::Choice || parameter.name == "centre" ||
                parameter.name == "rotation" || parameter.name == "sleeve_angle" ||
                parameter.name == "seed") {
                continue;
            }
            SCOPED_TRACE(shape.name + "." + parameter.name);
            ShapeValue negative = -1.0;
            if (parameter.kind == ParameterKind::Numbers)
                negative = std::vector<double>{-1, -1, -1};
            EXPECT_NE(message_of(shape.name, {{parameter.name, negative}}), "accepted");
        }
    }
}

TEST(ShapeCatalogue, ParametersReachTheShape) {
    const TriangleMesh made = make_shape("rectangle", {{"width", 2.0},
                                                       {"length", 3.0},
                                                       {"divisions", std::vector<double>{4, 5}},
                                                       {"diagonals", "backward"},
                                                       {"orientation", "upright"},
                                                       {"centre", std::vector<double>{1, 2, 3}}});
    const TriangleMesh expected = make_rectangle({.width = 2,
                                                  .length = 3,
                                                  .width_divisions = 4,
                                                  .length_divisions = 5,
                                                  .center = {1, 2, 3},
                                                  .plane = Plane::Upright,
                                                  .diagonals = Diagonals::Backward});
    EXPECT_EQ(made.positions, expected.positions);
    EXPECT_EQ(made.triangles, expected.triangles);
}

TEST(ShapeCatalogue, RotationTurnsAboutXThenYThenZRoundTheCentre) {
    const TriangleMesh mesh =
        make_shape("rectangle", {{"divisions", 1.0},
                                 {"centre", std::vector<double>{0, 5, 0}},
                                 {"rotation", std::vector<double>{90, 90, 0}}});
    // Facing up, then +z, then +x.
    EXPECT_LT((triangle_normals(mesh.positions, mesh.triangles)[0] - Vec3::UnitX()).norm(), 1e-14);
    EXPECT_LT((bounding_box(mesh.positions).center() - Vec3(0, 5, 0)).norm(), 1e-14);
}

TEST(ShapeCatalogue, MistakesAreNamedWithTheNearestRightWord) {
    EXPECT_NE(message_of("rectangel", {}).find("Did you mean 'rectangle'?"), std::string::npos);
    EXPECT_NE(message_of("disc", {{"radios", 1.0}}).find("Did you mean 'radius'?"),
              std::string::npos);
    EXPECT_NE(message_of("disc", {{"center", 1.0}}).find("Did you mean 'centre'?"),
              std::string::npos);
    EXPECT_EQ(message_of("rectangle", {{"diagonals", "forwards"}}),
              "'diagonals' must be one of forward, backward, alternating, alternating-rows; found "
              "'forwards'. Did you mean 'forward'?");
    EXPECT_EQ(message_of("disc", {{"rings", 2.5}}), "'rings' must be a whole number; found 2.5.");
    EXPECT_EQ(message_of("disc", {{"radius", "wide"}}), "'radius' must be a number; found 'wide'.");
    EXPECT_EQ(message_of("box", {{"size", std::vector<double>{1, 2}}}),
              "'size' must be 3 numbers; found (1, 2).");
    EXPECT_EQ(message_of("rectangle", {{"divisions", std::vector<double>{1, 2, 3}}}),
              "'divisions' must be 2 whole numbers, or one for all; found (1, 2, 3).");
    EXPECT_EQ(message_of("disc", {{"radius", -1.0}}),
              "The disc's radius must be above 0 m; found -1.");
}

TEST(ShapeCatalogue, BrokenTextIsRefused) {
    const ShapeDescription& shape = find_shape("rectangle");
    for (const char* text : {"", "x", "15x", "x15", "15xx15", "1,2,3", "nan", "1e999", "15y15"}) {
        SCOPED_TRACE(text);
        EXPECT_THROW(parse_shape_value(find_parameter(shape, "divisions"), text), InvalidInput);
    }
    for (const char* text : {"", "one", "1.0.0", "inf", "nan", "1,2"}) {
        SCOPED_TRACE(text);
        EXPECT_THROW(parse_shape_value(find_parameter(shape, "width"), text), InvalidInput);
    }
    EXPECT_EQ(parse_shape_value(find_parameter(shape, "divisions"), "15 x 20"),
              (ShapeValue(std::vector<double>{15, 20})));
}

}  // namespace
}  // namespace toile
