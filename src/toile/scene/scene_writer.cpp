// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/scene_file.h"
#include "toile/scene/scene_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace toile {
namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

/// Texts of values of every type of KeyMember; empty where there is none and no key is written.
class ValueText {
  public:
    explicit ValueText(const std::filesystem::path& folder) : folder_(folder) {}

    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(int value) const { return fmt::format("{}", value); }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const std::string& value) const { return quoted(value); }
    std::string operator()(const Vec3& v) const {
        return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
    }
    std::string operator()(const AxisAngle& r) const {
        return fmt::format("[{}, {}, {}, {}]", r.axis[0], r.axis[1], r.axis[2], r.degrees);
    }
    std::string operator()(const Box& box) const {
        return fmt::format("[{}, {}]", (*this)(box.min), (*this)(box.max));
    }
    std::string operator()(const std::filesystem::path& path) const {
        if (path.empty()) return {};
        const std::filesystem::path relative = path.lexically_relative(folder_);
        const bool inside = !relative.empty() && *relative.begin() != "..";
        return quoted((inside ? relative : path).generic_string());
    }
    std::string operator()(const ShapeSpec& shape) const {
        std::string out = fmt::format("{{ type = {}", quoted(shape.type));
        for (const auto& [name, parameter] : shape.parameters) {
            out += fmt::format(", {} = {}", name, std::visit(*this, parameter));
        }
        return out + " }";
    }
    template <class T>
    std::string operator()(const std::optional<T>& value) const {
        return value ? (*this)(*value) : std::string();
    }
    template <class T>
    std::string operator()(const std::vector<T>& values) const {
        std::vector<std::string> texts;
        for (const T& value : values) texts.push_back((*this)(value));
        return texts.empty() ? std::string() : fmt::format("[{}]", fmt::join(texts, ", "));
    }

  private:
    std::filesystem::path folder_;
};

class SceneWriter {
  public:
    explicit SceneWriter(const std::filesystem::path& folder)
        : value_text_(std::filesystem::absolute(folder).lexically_normal()) {}

    std::string write(const Scene& scene);

  private:
    void heading(const std::string& text) {
        if (!out_.empty()) out_ += '\n';
        out_ += text + '\n';
    }
    template <class S>
    void keys(const S& section) {
        for (const SceneKey<S>& key : scene_keys<S>()) {
            if (key.description.input_only) continue;
            const std::string value =
                std::visit([&](auto member) { return value_text_(section.*member); }, key.member);
            if (!value.empty()) out_ += fmt::format("{} = {}\n", key.description.name, value);
        }
    }
    template <class S>
    void section(const std::string& title, const S& values) {
        heading(title);
        keys(values);
    }

    ValueText value_text_;
    std::string out_;
};

std::string SceneWriter::write(const Scene& scene) {
    section("[scene]", scene.settings);
    section("[air]", scene.air);
    section("[solver]", scene.solver);
    if (scene.expect) section("[expect]", *scene.expect);
    for (const ClothSetup& cloth : scene.cloths) {
        section("[[cloth]]", cloth);
        keys(cloth.fabric);
        for (const PinSetup& pin : cloth.pins) {
            section("[[cloth.pin]]", pin);
            for (const VelocityPiece& piece : pin.pieces) section("[[cloth.pin.piece]]", piece);
            for (const Keyframe& key : pin.keyframes) section("[[cloth.pin.keyframe]]", key);
        }
    }
    for (const ObstacleSetup& obstacle : scene.obstacles) {
        section("[[obstacle]]", obstacle);
        if (!obstacle.frames.path.empty()) section("[obstacle.frames]", obstacle.frames);
        for (const VelocityPiece& piece : obstacle.pieces) section("[[obstacle.piece]]", piece);
        for (const Keyframe& key : obstacle.keyframes) section("[[obstacle.keyframe]]", key);
    }
    for (const FrictionSetup& friction : scene.friction) section("[[friction]]", friction);
    return out_;
}

}  // namespace

std::string scene_text(const Scene& scene, const std::filesystem::path& folder) {
    return SceneWriter(folder).write(scene);
}

}  // namespace toile
