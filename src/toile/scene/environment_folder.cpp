// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/environment_folder.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>

namespace toile {
namespace {

/// Steps at least as short as a scene of our own has by default: 25 frames of 8 steps.
constexpr double kStepRate = 200;

const std::vector<std::string> kMeshPrefixes = {"dpo_", "rig_"};

/// A body's three files, as body_list names them.
struct BodyFiles {
    std::array<std::string, 3> names;  ///< mesh, parameters, velocities
    int line = 0;                      ///< of the mesh
    [[nodiscard]] bool is_cloth() const { return names[0].starts_with("dpo_"); }
};

/// What a par_ file says.
struct BodyParameters {
    double density;
    double mass;
    double thickness;
    Vec3 colour;
};

class EnvironmentReader {
  public:
    explicit EnvironmentReader(const std::filesystem::path& folder)
        : folder_(std::filesystem::absolute(folder).lexically_normal()),
          bodies_(folder_ / "bodies"),
          list_(bodies_ / "body_list") {}

    Scene read();

  private:
    void read_parameters();
    std::vector<BodyFiles> read_list() const;
    [[nodiscard]] bool is_file(const std::string& name) const;
    [[nodiscard]] bool begins_list(const TextLine& line) const;
    void check_name(int line, const std::string& name,
                    const std::vector<std::string>& prefixes) const;

    void fill_body(const BodyFiles& files, const BodyParameters& parameters, BodySetup& out);
    BodyParameters read_body_parameters(const BodyFiles& files) const;
    void add_cloth(const BodyFiles& files);
    void add_obstacle(const BodyFiles& files);
    std::vector<VelocityBlock> read_blocks(const EnvironmentText& text);

    std::filesystem::path folder_;
    std::filesystem::path bodies_;
    EnvironmentText list_;
    std::set<std::string> taken_;
    double last_change_ = 0;  // s
    Scene scene_;
};

std::vector<std::string> names_in(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> names;
    for (std::string name; in >> name;) names.push_back(name);
    return names;
}

bool is_end_mark(const TextLine& line) {
    return line.first_word() == "end";
}

bool EnvironmentReader::is_file(const std::string& name) const {
    std::error_code ignored;  // such as a name that is too long: no file is called so
    return name != "body_list" && name.find('/') == std::string::npos &&
           std::filesystem::is_regular_file(bodies_ / name, ignored);
}

/// What stands before is a comment and the line that announces the list.
bool EnvironmentReader::begins_list(const TextLine& line) const {
    const auto names = names_in(line.text);
    return std::ranges::any_of(names, [&](const std::string& name) { return is_file(name); });
}

void EnvironmentReader::check_name(int line, const std::string& name,
                                   const std::vector<std::string>& prefixes) const {
    const auto begins = [&](const std::string& prefix) {
        return name.starts_with(prefix) && name.size() > prefix.size();
    };
    if (std::ranges::none_of(prefixes, begins)) {
        list_.fail(line, fmt::format("Found '{}', expected a name that begins with {}; each body "
                                     "has three files: mesh, parameters, velocities.",
                                     name, fmt::join(prefixes, " or ")));
    }
    if (is_file(name)) return;
    std::vector<std::string> there;
    for (const auto& entry : std::filesystem::directory_iterator(bodies_)) {
        there.push_back(entry.path().filename().string());
    }
    std::sort(there.begin(), there.end());
    list_.fail(line, fmt::format("There is no file '{}' beside the list.{}", name,
                                 did_you_mean(name, there)));
}

std::vector<BodyFiles> EnvironmentReader::read_list() const {
    const std::array<std::vector<std::string>, 3> prefixes = {
        kMeshPrefixes, std::vector<std::string>{"par_"}, std::vector<std::string>{"vel_"}};
    std::vector<BodyFiles> bodies;
    size_t place = 0;  // among the three
    int last = 1;
    bool has_begun = false;
    for (const TextLine& line : list_.lines()) {
        if (line.is_comment()) continue;
        has_begun = has_begun || begins_list(line);
        if (!has_begun) continue;
        if (is_end_mark(line)) break;
        for (const std::string& name : names_in(line.text)) {
            check_name(line.number, name, prefixes[place]);
            if (place == 0) bodies.push_back({.names = {}, .line = line.number});
            bodies.back().names[place] = name;
            place = (place + 1) % 3;
        }
        last = line.number;
    }
    if (bodies.empty()) {
        list_.fail(last,
                   "The list names no file beside it; expected, for each body, the names of "
                   "its mesh (dpo_ or rig_), its parameters (par_) and its velocities (vel_).");
    }
    if (place != 0) {
        list_.fail(last, fmt::format("'{}' has {} of its three files; expected {} next.",
                                     bodies.back().names[0], place, prefixes[place].front()));
    }
    return bodies;
}

void EnvironmentReader::read_parameters() {
    const EnvironmentText text(folder_ / "world_parameters" / "world_parameters");
    const auto values = text.values({{"gravity"}, {"framerate"}});
    const double rate = values[1].numbers[0];
    if (!(rate > 0)) {
        text.fail(values[1].line, fmt::format("The frame rate is {}; expected above 0.", rate));
    }
    scene_.settings.gravity = {0, 0, -values[0].numbers[0]};
    scene_.settings.frame_rate = rate;
    const double steps = std::ceil(kStepRate / rate);
    scene_.solver.steps_per_frame = static_cast<int>(std::clamp(steps, 1.0, 10000.0));
}

BodyParameters EnvironmentReader::read_body_parameters(const BodyFiles& files) const {
    const EnvironmentText text(bodies_ / files.names[1]);
    const auto values = text.values({{"density"}, {"mass"}, {"thickness"}, {"diffuse", 3}});
    const auto& rgb = values[3].numbers;
    const BodyParameters parameters = {.density = values[0].numbers[0],
                                       .mass = values[1].numbers[0],
                                       .thickness = values[2].numbers[0],
                                       .colour = {rgb[0], rgb[1], rgb[2]}};
    const auto expect = [&](bool holds, size_t value, const std::string& expected) {
        if (holds) return;
        text.fail(values[value].line, fmt::format("The value is {}; expected {}.",
                                                  fmt::join(values[value].numbers, " "), expected));
    };
    const bool is_cloth = files.is_cloth();
    expect(!is_cloth || parameters.density > 0, 0, "a density above 0 kg/m^2 of a cloth");
    expect(is_cloth || parameters.mass == 0, 1,
           "0 of a rigid object, which stands for a mass without end; no other is known here");
    expect(parameters.thickness > 0 || (!is_cloth && parameters.thickness == 0), 2,
           is_cloth ? "a thickness above 0 m of a cloth" : "a thickness of 0 m of a rigid object");
    const auto& colour = parameters.colour.array();
    expect((colour >= 0).all() && (colour <= 1).all(), 3, "three parts from 0 to 1");
    return parameters;
}

std::vector<VelocityBlock> EnvironmentReader::read_blocks(const EnvironmentText& text) {
    std::vector<VelocityBlock> blocks = parse_velocity_blocks(text);
    last_change_ = std::max(last_change_, blocks.back().time);
    return blocks;
}

/// The mesh file's name without its prefix, unless another body is called so.
void EnvironmentReader::fill_body(const BodyFiles& files, const BodyParameters& parameters,
                                  BodySetup& out) {
    const std::string& file = files.names[0];
    const std::string without_prefix = file.substr(4);
    out.name = taken_.contains(without_prefix) ? file : without_prefix;
    if (!taken_.insert(out.name).second) {
        list_.fail(files.line, fmt::format("A second body is called '{}'.", file));
    }
    if (!is_body_name(out.name)) {
        list_.fail(files.line, fmt::format("'{}' cannot name the files of a run; {}.", out.name,
                                           kBodyNameRule));
    }
    out.mesh = bodies_ / file;
    out.colour = parameters.colour;
}

void EnvironmentReader::add_cloth(const BodyFiles& files) {
    const BodyParameters parameters = read_body_parameters(files);
    ClothSetup cloth;
    fill_body(files, parameters, cloth);
    cloth.fabric = named_fabric(cloth.fabric.name);
    cloth.fabric.density = parameters.density;
    cloth.fabric.thickness = parameters.thickness;
    cloth.material = cloth.fabric.name;
    const EnvironmentText text(bodies_ / files.names[2]);
    cloth.pins = pins_of_blocks(read_blocks(text), text);
    scene_.cloths.push_back(std::move(cloth));
}

/// A rigid object goes as the one vertex that is led; where none is, it stands.
void EnvironmentReader::add_obstacle(const BodyFiles& files) {
    const BodyParameters parameters = read_body_parameters(files);
    ObstacleSetup obstacle;
    fill_body(files, parameters, obstacle);
    obstacle.thickness = parameters.thickness;
    obstacle.material = "rigid";
    obstacle.pivot = obstacle.translation;
    const EnvironmentText text(bodies_ / files.names[2]);
    Vec3 velocity = Vec3::Zero();
    for (const VelocityBlock& block : read_blocks(text)) {
        if (block.leads.size() > 1) {
            text.fail(
                block.leads[1].line,
                fmt::format("A block of a rigid object leads {} vertices; expected one, whose "
                            "velocity moves the whole.",
                            block.leads.size()));
        }
        const Vec3 next = block.leads.empty() ? Vec3(0, 0, 0) : block.leads[0].velocity;
        if (next != velocity) obstacle.pieces.push_back({block.time, next});
        velocity = next;
    }
    obstacle.source.words = list_.place(files.line);
    scene_.obstacles.push_back(std::move(obstacle));
}

Scene EnvironmentReader::read() {
    read_parameters();
    for (const BodyFiles& files : read_list()) {
        if (files.is_cloth()) {
            add_cloth(files);
        } else {
            add_obstacle(files);
        }
    }
    if (scene_.cloths.empty()) {
        list_.fail(1, "The list has no cloth (dpo_); nothing would move.");
    }
    const double seconds = last_change_ + kEnvironmentTail;
    const double frames = std::ceil(seconds * scene_.settings.frame_rate);
    scene_.settings.frames =
        static_cast<int>(std::clamp(frames, 1.0, double(std::numeric_limits<int>::max())));
    return scene_;
}

}  // namespace

bool is_environment_folder(const std::filesystem::path& folder) {
    return std::filesystem::is_regular_file(folder / "bodies" / "body_list");
}

Scene load_environment(const std::filesystem::path& folder) {
    return EnvironmentReader(folder).read();
}

}  // namespace toile
