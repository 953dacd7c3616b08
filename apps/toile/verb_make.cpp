// SPDX-License-Identifier: Apache-2.0
#include "toile/io/mesh_file.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/mesh/shapes/shape_catalogue.h"
#include "verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace toile::app {
namespace {

/// What one shape's subcommand was given, as text.
struct ShapeArguments {
    std::string output;
    std::map<std::string, std::string> parameters;
};

/// What fabricCreator takes, in its order.
struct FabricArguments {
    std::string file;
    std::string mesh_name;
    double width = 0;
    double length = 0;
    int width_divisions = 0;
    int length_divisions = 0;
    double x = 0;
    double y = 0;
    double z = 0;
};

constexpr const char* kFabricDoc =
    "A horizontal rectangle by nine values in the order of fabricCreator, z up: FILE NAME WIDTH "
    "LENGTH WIDTH_DIVISIONS LENGTH_DIVISIONS X Y Z, lengths in m, divisions in cells; as\n"
    "toile make fabric cloth.stl cloth 1 1 15 15 0.4 0.3 1.3";

std::string option_name(const std::string& parameter_name) {
    std::string name = "--" + parameter_name;
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::string type_name(const ShapeParameter& parameter) {
    switch (parameter.kind) {
        case ParameterKind::Choice:
            return fmt::format("{}", fmt::join(parameter.choices, "|"));
        case ParameterKind::Count:
            return "N";
        case ParameterKind::Counts:
            return "NxN";
        default:
            return parameter.unit.empty() ? "NUMBER" : parameter.unit;
    }
}

void report(const Session& session, const std::string& path, const TriangleMesh& mesh) {
    if (session.json) {
        const nlohmann::ordered_json result = {
            {"file", path}, {"vertices", mesh.n_vertices()}, {"triangles", mesh.n_triangles()}};
        fmt::print("{}\n", result.dump(2));
    } else {
        fmt::print("{}: {} vertices, {} triangles\n", path, mesh.n_vertices(), mesh.n_triangles());
    }
}

void write(const Session& session, const std::string& path, const TriangleMesh& mesh,
           const std::string& name) {
    write_mesh(path, mesh, {.overwrite = session.force, .solid_name = name});
    report(session, path, mesh);
}

void make(const Session& session, const ShapeDescription& shape, const ShapeArguments& arguments) {
    ShapeParameters values;
    for (const auto& [name, text] : arguments.parameters) {
        values[name] = parse_shape_value(find_parameter(shape, name), text);
    }
    write(session, arguments.output, make_shape(shape.name, values), shape.name);
}

void add_shape(CLI::App& make_app, const ShapeDescription& shape, Session& session) {
    CLI::App* app = make_app.add_subcommand(shape.name, "Make " + shape.doc);
    auto arguments = std::make_shared<ShapeArguments>();
    app->add_option("-o,--output", arguments->output, "File to write; its extension is its format")
        ->required()
        ->type_name("FILE");
    for (const ShapeParameter& parameter : shape.parameters) {
        app->add_option_function<std::string>(
               option_name(parameter.name),
               [arguments, name = parameter.name](const std::string& text) {
                   arguments->parameters[name] = text;
               },
               parameter.doc)
            ->type_name(type_name(parameter))
            ->default_str(shape_value_text(parameter, parameter.default_value));
    }
    app->callback([arguments, &shape, &session] { make(session, shape, *arguments); });
}

void make_fabric(const Session& session, const FabricArguments& a) {
    const TriangleMesh mesh = make_rectangle({.width = a.width,
                                              .length = a.length,
                                              .width_divisions = a.width_divisions,
                                              .length_divisions = a.length_divisions,
                                              .center = {a.x, a.y, a.z},
                                              .plane = Plane::Upright});
    write(session, a.file, mesh, a.mesh_name);
}

void add_fabric(CLI::App& make_app, Session& session) {
    CLI::App* app = make_app.add_subcommand("fabric", kFabricDoc);
    auto a = std::make_shared<FabricArguments>();
    app->add_option("file", a->file, "File to write; its extension is its format")->required();
    app->add_option("name", a->mesh_name, "Name of the mesh (kept by STL)")->required();
    app->add_option("width", a->width, "Size along x, m")->required();
    app->add_option("length", a->length, "Size along y, m")->required();
    app->add_option("width_divisions", a->width_divisions, "Cells along x")->required();
    app->add_option("length_divisions", a->length_divisions, "Cells along y")->required();
    app->add_option("x", a->x, "Centre, m")->required();
    app->add_option("y", a->y, "Centre, m")->required();
    app->add_option("z", a->z, "Centre, m; all vertices have it")->required();
    app->callback([a, &session] { make_fabric(session, *a); });
}

nlohmann::ordered_json to_json(const ShapeValue& value) {
    return std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, value);
}

nlohmann::ordered_json to_json(const ShapeDescription& shape) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
    for (const ShapeParameter& p : shape.parameters) {
        nlohmann::ordered_json entry = {{"name", p.name},
                                        {"default", to_json(p.default_value)},
                                        {"unit", p.unit},
                                        {"doc", p.doc}};
        if (!p.choices.empty()) entry["choices"] = p.choices;
        parameters.push_back(std::move(entry));
    }
    return {{"name", shape.name}, {"doc", shape.doc}, {"parameters", std::move(parameters)}};
}

void list_shapes(const Session& session) {
    if (session.json) {
        nlohmann::ordered_json shapes = nlohmann::ordered_json::array();
        for (const ShapeDescription& shape : shape_catalogue()) shapes.push_back(to_json(shape));
        fmt::print("{}\n", shapes.dump(2));
        return;
    }
    for (const ShapeDescription& shape : shape_catalogue()) {
        fmt::print("{}: {}\n", shape.name, shape.doc);
        for (const ShapeParameter& p : shape.parameters) {
            const std::string choices =
                p.choices.empty() ? "" : fmt::format(" ({})", fmt::join(p.choices, ", "));
            fmt::print("  {:<20} {:>14} {:<8} {}{}\n", option_name(p.name),
                       shape_value_text(p, p.default_value), p.unit, p.doc, choices);
        }
    }
}

}  // namespace

void add_verb_make(CLI::App& app, Session& session) {
    CLI::App* make_app = app.add_subcommand(
        "make",
        "Make a mesh: toile make SHAPE -o FILE [options]; toile make SHAPE --help lists them");
    make_app->require_subcommand(0, 1);
    auto list = std::make_shared<bool>(false);
    make_app->add_flag("--list", *list, "List all shapes and their parameters");
    for (const ShapeDescription& shape : shape_catalogue()) add_shape(*make_app, shape, session);
    add_fabric(*make_app, session);
    make_app->callback([make_app, list, &session] {
        if (*list) {
            list_shapes(session);
        } else if (make_app->get_subcommands().empty()) {
            throw CLI::RequiredError("A shape (toile make --list names them)");
        }
    });
}

}  // namespace toile::app
