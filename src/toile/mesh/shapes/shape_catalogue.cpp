// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/shape_catalogue.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"
#include "toile/mesh/shapes/bottle.h"
#include "toile/mesh/shapes/box.h"
#include "toile/mesh/shapes/cylinder.h"
#include "toile/mesh/shapes/disc.h"
#include "toile/mesh/shapes/random_rectangle.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/mesh/shapes/shape_values.h"
#include "toile/mesh/shapes/sphere.h"
#include "toile/mesh/shapes/table.h"
#include "toile/mesh/shapes/tshirt.h"
#include "toile/mesh/transform.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace toile {
namespace {

using detail::ShapeValues;
using Parameters = std::vector<ShapeParameter>;

struct Shape {
    ShapeDescription description;
    TriangleMesh (*make)(const ShapeValues&);  ///< round the origin
};

ShapeParameter length(std::string name, double default_value, std::string doc) {
    return {std::move(name), ParameterKind::Number, default_value, "m", std::move(doc), {}};
}

ShapeParameter count(std::string name, int default_value, std::string doc) {
    return {std::move(name), ParameterKind::Count, double(default_value), "", std::move(doc), {}};
}

ShapeParameter counts(std::vector<double> default_value, std::string doc) {
    return {"divisions", ParameterKind::Counts, std::move(default_value), "", std::move(doc), {}};
}

ShapeParameter plane() {
    return {
        "orientation",
        ParameterKind::Choice,
        "horizontal",
        "",
        "how it lies before any rotation: flat with its front up, or standing with its front to +z",
        {"horizontal", "upright"}};
}

Plane plane_of(const ShapeValues& values) {
    return values.choice("orientation") == 0 ? Plane::Horizontal : Plane::Upright;
}

/// What every shape has: where it is put.
Parameters placement(std::string what_goes_there) {
    return {{"centre",
             ParameterKind::Numbers,
             std::vector<double>{0, 0, 0},
             "m",
             "where " + what_goes_there + " goes (x, y, z; y is up)",
             {}},
            {"rotation",
             ParameterKind::Numbers,
             std::vector<double>{0, 0, 0},
             "degrees",
             "turns round that point about x, then y, then z",
             {}}};
}

ShapeDescription described(std::string name, std::string doc, Parameters parameters,
                           std::string what_goes_to_the_centre) {
    for (ShapeParameter& p : placement(std::move(what_goes_to_the_centre))) {
        parameters.push_back(std::move(p));
    }
    return {std::move(name), std::move(doc), std::move(parameters)};
}

Shape rectangle() {
    const RectangleOptions o;
    return {described("rectangle", "a flat piece of cloth, as of fabricCreator",
                      {length("width", o.width, "size along x"),
                       length("length", o.length, "size along z, or y where upright"),
                       counts({1.0 * o.width_divisions, 1.0 * o.length_divisions},
                              "cells along width and length"),
                       {"diagonals",
                        ParameterKind::Choice,
                        "alternating",
                        "",
                        "how cells are cut in two triangles",
                        {"forward", "backward", "alternating", "alternating-rows"}},
                       plane()},
                      "its middle"),
            [](const ShapeValues& values) {
                return make_rectangle({.width = values.number("width"),
                                       .length = values.number("length"),
                                       .width_divisions = values.count("divisions", 0),
                                       .length_divisions = values.count("divisions", 1),
                                       .plane = plane_of(values),
                                       .diagonals = Diagonals(values.choice("diagonals"))});
            }};
}

Shape random_rectangle() {
    const RandomRectangleOptions o;
    return {
        described(
            "random-rectangle", "a rectangle with random points inside and Delaunay triangles",
            {length("width", o.width, "size along x"),
             length("length", o.length, "size along z, or y where upright"),
             counts({1.0 * o.width_divisions, 1.0 * o.length_divisions},
                    "edges along width and length; as many points as a rectangle has"),
             count("seed", static_cast<int>(o.seed), "the same number, the same mesh"), plane()},
            "its middle"),
        [](const ShapeValues& values) {
            return make_random_rectangle({.width = values.number("width"),
                                          .length = values.number("length"),
                                          .width_divisions = values.count("divisions", 0),
                                          .length_divisions = values.count("divisions", 1),
                                          .seed = static_cast<std::uint64_t>(values.count("seed")),
                                          .plane = plane_of(values)});
        }};
}

Shape disc() {
    const DiscOptions o;
    return {described("disc", "a flat round piece of cloth",
                      {length("radius", o.radius, "from the middle to the border"),
                       count("rings", o.rings, "edges from the middle to the border"), plane()},
                      "its middle"),
            [](const ShapeValues& values) {
                return make_disc({.radius = values.number("radius"),
                                  .rings = values.count("rings"),
                                  .plane = plane_of(values)});
            }};
}

Shape sphere() {
    const SphereOptions o;
    return {described("sphere", "a closed sphere of nearly equal triangles",
                      {length("radius", o.radius, "from the middle to the surface"),
                       count("subdivisions", o.subdivisions,
                             "halvings of an icosahedron's edges; 20 * 4^n triangles")},
                      "its middle"),
            [](const ShapeValues& values) {
                return make_sphere({.radius = values.number("radius"),
                                    .subdivisions = values.count("subdivisions")});
            }};
}

Shape uv_sphere() {
    const UvSphereOptions o;
    return {described("uv-sphere", "a closed sphere of meridians and parallels, poles up and down",
                      {length("radius", o.radius, "from the middle to the surface"),
                       count("segments", o.segments, "meridians"),
                       count("rings", o.rings, "bands from pole to pole")},
                      "its middle"),
            [](const ShapeValues& values) {
                return make_uv_sphere({.radius = values.number("radius"),
                                       .segments = values.count("segments"),
                                       .rings = values.count("rings")});
            }};
}

Shape cylinder() {
    const CylinderOptions o;
    return {described("cylinder", "a closed upright cylinder",
                      {length("radius", o.radius, "from the axis to the side"),
                       length("height", o.height, "size along y"),
                       count("segments", o.segments, "edges round the axis"),
                       count("height_divisions", o.height_divisions, "edges along the height"),
                       count("cap_rings", o.cap_rings, "edges from the axis to the rim")},
                      "its middle"),
            [](const ShapeValues& values) {
                return make_cylinder({.radius = values.number("radius"),
                                      .height = values.number("height"),
                                      .segments = values.count("segments"),
                                      .height_divisions = values.count("height_divisions"),
                                      .cap_rings = values.count("cap_rings")});
            }};
}

Shape box() {
    return {described("box", "a closed box",
                      {{"size",
                        ParameterKind::Numbers,
                        std::vector<double>{1, 1, 1},
                        "m",
                        "sizes along x, y and z",
                        {}},
                       counts({1, 1, 1}, "cells along x, y and z")},
                      "its middle"),
            [](const ShapeValues& values) {
                return make_box(
                    {.size = values.point("size"),
                     .divisions = {values.count("divisions", 0), values.count("divisions", 1),
                                   values.count("divisions", 2)}});
            }};
}

Shape table() {
    const TableOptions o;
    return {described("table", "a table with four round legs, standing",
                      {length("width", o.width, "size along x"),
                       length("length", o.length, "size along z"),
                       length("height", o.height, "from the floor to the upper side"),
                       length("top_thickness", o.top_thickness, "of the top"),
                       length("leg_radius", o.leg_radius, "of each leg"),
                       length("leg_inset", o.leg_inset, "from the top's sides to a leg's axis"),
                       counts({1.0 * o.width_divisions, 1.0 * o.length_divisions},
                              "cells of the top along width and length"),
                       count("leg_segments", o.leg_segments, "edges round a leg")},
                      "the middle of its floor"),
            [](const ShapeValues& values) {
                return make_table({.width = values.number("width"),
                                   .length = values.number("length"),
                                   .height = values.number("height"),
                                   .top_thickness = values.number("top_thickness"),
                                   .leg_radius = values.number("leg_radius"),
                                   .leg_inset = values.number("leg_inset"),
                                   .width_divisions = values.count("divisions", 0),
                                   .length_divisions = values.count("divisions", 1),
                                   .leg_segments = values.count("leg_segments")});
            }};
}

Shape bottle() {
    const BottleOptions o;
    return {described("bottle", "a closed bottle, standing",
                      {length("height", o.height, "size along y"),
                       length("radius", o.radius, "of the body"),
                       length("neck_radius", o.neck_radius, "of the neck"),
                       count("segments", o.segments, "edges round the axis"),
                       count("height_divisions", o.height_divisions, "edges along the height"),
                       count("cap_rings", o.cap_rings, "edges from the axis to the rim")},
                      "the middle of its bottom"),
            [](const ShapeValues& values) {
                return make_bottle({.height = values.number("height"),
                                    .radius = values.number("radius"),
                                    .neck_radius = values.number("neck_radius"),
                                    .segments = values.count("segments"),
                                    .height_divisions = values.count("height_divisions"),
                                    .cap_rings = values.count("cap_rings")});
            }};
}

constexpr double kDefaultSleeveDegrees = 28;

Shape tshirt() {
    const TshirtOptions o;
    return {described("t-shirt", "a T-shirt that can be worn, upright, its front to +z",
                      {length("chest_width", o.chest_width, "of the flat shirt"),
                       length("length", o.length, "from the hem to the neck"),
                       length("shoulder_drop", o.shoulder_drop, "by which shoulders slope"),
                       length("armhole", o.armhole, "from the shoulder down to the armpit"),
                       length("sleeve_length", o.sleeve_length, "along the upper side"),
                       length("sleeve_opening", o.sleeve_opening, "across the sleeve's end"),
                       {"sleeve_angle",
                        ParameterKind::Number,
                        kDefaultSleeveDegrees,
                        "degrees",
                        "of the sleeves below the horizontal",
                        {}},
                       length("neck_width", o.neck_width, "of the neck's opening"),
                       length("neck_depth_front", o.neck_depth_front, "of the neck in front"),
                       length("neck_depth_back", o.neck_depth_back, "of the neck behind"),
                       length("inflation", o.inflation, "from the middle to front and back"),
                       length("edge_length", o.edge_length, "of the mesh, about")},
                      "the middle of its length, between front and back"),
            [](const ShapeValues& values) {
                return make_tshirt({.chest_width = values.number("chest_width"),
                                    .length = values.number("length"),
                                    .shoulder_drop = values.number("shoulder_drop"),
                                    .armhole = values.number("armhole"),
                                    .sleeve_length = values.number("sleeve_length"),
                                    .sleeve_opening = values.number("sleeve_opening"),
                                    .sleeve_angle = values.degrees_as_radians("sleeve_angle"),
                                    .neck_width = values.number("neck_width"),
                                    .neck_depth_front = values.number("neck_depth_front"),
                                    .neck_depth_back = values.number("neck_depth_back"),
                                    .inflation = values.number("inflation"),
                                    .edge_length = values.number("edge_length")});
            }};
}

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> all = {
        rectangle(), random_rectangle(), disc(),  sphere(), uv_sphere(), cylinder(), box(),
        table(),     bottle(),           tshirt()};
    return all;
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& things) {
    std::vector<std::string> names;
    for (const Named& thing : things) names.push_back(thing.name);
    return names;
}

const Shape& shape_named(const std::string& name) {
    for (const Shape& shape : shapes()) {
        if (shape.description.name == name) return shape;
    }
    const auto names = names_of(shape_catalogue());
    throw InvalidInput(fmt::format("There is no shape '{}'; there are {}.{}", name,
                                   fmt::join(names, ", "), did_you_mean(name, names)));
}

}  // namespace

const std::vector<ShapeDescription>& shape_catalogue() {
    static const std::vector<ShapeDescription> all = [] {
        std::vector<ShapeDescription> descriptions;
        for (const Shape& shape : shapes()) descriptions.push_back(shape.description);
        return descriptions;
    }();
    return all;
}

const ShapeDescription& find_shape(const std::string& name) {
    return shape_named(name).description;
}

const ShapeParameter& find_parameter(const ShapeDescription& shape, const std::string& name) {
    for (const ShapeParameter& parameter : shape.parameters) {
        if (parameter.name == name) return parameter;
    }
    const auto names = names_of(shape.parameters);
    throw InvalidInput(fmt::format("The shape '{}' has no parameter '{}'; it has {}.{}", shape.name,
                                   name, fmt::join(names, ", "), did_you_mean(name, names)));
}

TriangleMesh make_shape(const std::string& name, const ShapeParameters& parameters) {
    const Shape& shape = shape_named(name);
    const ShapeValues values(shape.description, parameters);
    TriangleMesh mesh = shape.make(values);
    const Vec3 degrees = values.point("rotation");
    const Vec3 angles(radians(degrees.x()), radians(degrees.y()), radians(degrees.z()));
    transform_points(
        {.rotation = rotation_from_euler_xyz(angles), .translation = values.point("centre")},
        mesh.positions);
    return mesh;
}

}  // namespace toile
