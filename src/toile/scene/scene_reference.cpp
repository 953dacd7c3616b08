// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/scene_file.h"
#include "toile/scene/scene_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace toile {
namespace {

/// The name of a value's type, and the text of a default, for the table.
struct TypeWords {
    const char* operator()(double) const { return "number"; }
    const char* operator()(int) const { return "whole number"; }
    const char* operator()(bool) const { return "true/false"; }
    const char* operator()(const std::string&) const { return "text"; }
    const char* operator()(const std::filesystem::path&) const { return "path"; }
    const char* operator()(const Vec3&) const { return "[x, y, z]"; }
    const char* operator()(const AxisAngle&) const { return "[x, y, z, degrees]"; }
    const char* operator()(const Box&) const { return "two corners"; }
    const char* operator()(const ShapeSpec&) const { return "table"; }
    const char* operator()(const std::vector<int>&) const { return "list of whole numbers"; }
    const char* operator()(const std::vector<Vec3>&) const { return "list of points"; }
    const char* operator()(const std::vector<std::string>&) const { return "list of texts"; }
    template <class T>
    const char* operator()(const std::optional<T>&) const {
        return (*this)(T{});
    }
};

struct DefaultWords {
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(int value) const { return fmt::format("{}", value); }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const std::string& value) const { return fmt::format("\"{}\"", value); }
    std::string operator()(const Vec3& v) const {
        return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
    }
    std::string operator()(const AxisAngle& r) const {
        return fmt::format("[{}, {}, {}, {}]", r.axis[0], r.axis[1], r.axis[2], r.degrees);
    }
    template <class T>
    std::string operator()(const T&) const {
        return "none";
    }
};

std::string range_words(const KeyDescription& key) {
    if (!key.choices.empty()) return fmt::format("{}", fmt::join(key.choices, ", "));
    if (std::isinf(key.min)) return "";
    if (!std::isinf(key.max)) return fmt::format("{} to {}", key.min, key.max);
    return fmt::format("{} {}", key.above_min ? "above" : "at least", key.min);
}

template <class S>
std::string default_words(const SceneKey<S>& key, const S& defaults) {
    if (key.description.required) return "required";
    if (!key.description.default_words.empty()) return key.description.default_words;
    return std::visit([&](auto member) { return DefaultWords()(defaults.*member); }, key.member);
}

template <class S>
void add_rows(std::string& out) {
    const S defaults;
    for (const SceneKey<S>& key : scene_keys<S>()) {
        const KeyDescription& d = key.description;
        const char* type =
            std::visit([&](auto member) { return TypeWords()(defaults.*member); }, key.member);
        out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", d.name, type, d.unit,
                           default_words(key, defaults), range_words(d), d.doc);
    }
}

template <class... Sections>
void add_section(std::string& out, const std::string& title, const std::string& doc) {
    out += fmt::format("\n## `{}`\n\n{}\n\n", title, doc);
    out += "| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n";
    (add_rows<Sections>(out), ...);
}

}  // namespace

std::string scene_reference() {
    std::string out =
        "# Scene files\n\n"
        "<!-- Written by `toile new --reference`; change src/toile/scene/scene_keys.cpp instead. "
        "-->\n\n"
        "A scene is a TOML file: what there is, and what should happen. Units are SI. Paths are "
        "relative to the file. Every key may be left out unless it is required; unknown keys are "
        "errors. `toile new` writes a scene to start from, `toile check` looks for trouble in one, "
        "and the run folder's `scene.toml` spells out every default.\n";
    add_section<SceneSettings>(out, "[scene]", "What holds for the whole scene.");
    add_section<AirSettings>(out, "[air]", "The air that cloth moves through.");
    add_section<SolverSettings>(out, "[solver]",
                                "How finely and by which scheme. A smaller step is taken by itself "
                                "where it is needed.");
    add_section<ClothSetup, Fabric>(out, "[[cloth]]",
                                    "A piece of cloth; there must be at least one. The rest shape "
                                    "is the mesh's UV pattern where "
                                    "it has one. u runs along the warp, v along the weft.");
    add_section<PinSetup>(
        out, "[[cloth.pin]]",
        "Vertices of the cloth above that are held from `start` to `end`, or led along "
        "a path. One of `vertices`, `positions` and `box` must be given; all "
        "count. A change takes effect in the first step that begins at its time "
        "or after it. No two pins may hold a vertex at one time.");
    add_section<ObstacleSetup>(out, "[[obstacle]]",
                               "A body that stands, or moves as it is told. Its mesh is its "
                               "outer surface. Obstacles do not see each other.");
    add_section<FramesSetup>(out, "[obstacle.frames]",
                             "Frames of a sequence that the obstacle above takes its shape from: "
                             "an animated body. Place, pieces and keyframes move it as a whole.");
    add_section<VelocityPiece>(
        out, "[[obstacle.piece]], [[cloth.pin.piece]]",
        "A velocity that the body or pin above has from a time on, until the next piece. Before "
        "the first it has none.");
    add_section<Keyframe>(out, "[[obstacle.keyframe]], [[cloth.pin.keyframe]]",
                          "Where the body or pin above is at a time, relative to its start. The "
                          "motion between keys is "
                          "smooth: position, velocity and acceleration are continuous, with rests "
                          "at the first and the "
                          "last key; before and after these it stands still.");
    add_section<FrictionSetup>(
        out, "[[friction]]",
        "Friction between two materials, in place of the geometric mean of the two bodies' own.");
    add_section<ExpectSettings>(out, "[expect]",
                                "What a run of the scene must show: `toile check RUN` holds its "
                                "files against it, and fails "
                                "where one does not hold. Changes nothing of the run.");
    return out;
}

}  // namespace toile
