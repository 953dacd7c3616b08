// SPDX-License-Identifier: Apache-2.0
#include "toile/io/glb_document.h"

#include "toile/io/float_points.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace toile::detail {
namespace {

using nlohmann::json;

// Numbers of the glTF 2.0 specification.
constexpr int kFloat = 5126;
constexpr int kUnsignedInt = 5125;
constexpr int kArrayBuffer = 34962;
constexpr int kElementBuffer = 34963;
constexpr int kPoints = 0;
constexpr int kTriangles = 4;
constexpr int kVertexView = 0;  ///< the buffer view of all positions and normals

/// sRGB as glTF's linear colours.
double linear(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

json numbers(const Vec3& v) {
    return json::array({v.x(), v.y(), v.z()});
}

/// Describes buffer views and accessors in the order in which their bytes follow each other.
class Layout {
  public:
    explicit Layout(long long vertex_bytes) : at_(vertex_bytes) {
        views.push_back({{"buffer", 0},
                         {"byteOffset", 0},
                         {"byteLength", vertex_bytes},
                         {"byteStride", kFloatPointBytes},
                         {"target", kArrayBuffer}});
    }

    int add_view(long long bytes, std::optional<int> target) {
        json view = {{"buffer", 0}, {"byteOffset", at_}, {"byteLength", bytes}};
        if (target) view["target"] = *target;
        views.push_back(view);
        at_ += bytes;
        return static_cast<int>(views.size()) - 1;
    }

    int add_accessor(json accessor) {
        accessors.push_back(std::move(accessor));
        return static_cast<int>(accessors.size()) - 1;
    }

    /// Positions or normals among the vertex data.
    json vertex_data(long long offset, size_t count) const {
        return {{"bufferView", kVertexView},
                {"byteOffset", offset},
                {"componentType", kFloat},
                {"count", count},
                {"type", "VEC3"}};
    }

    json scalars(int view, int type, long long count) const {
        return {
            {"bufferView", view}, {"componentType", type}, {"count", count}, {"type", "SCALAR"}};
    }

    json views = json::array();
    json accessors = json::array();

  private:
    long long at_;
};

/// The JSON of a GLB, body after body.
class Document {
  public:
    explicit Document(long long vertex_bytes) : layout_(vertex_bytes) {}

    void add_body(const GlbBody& body) {
        const size_t index = meshes_.size();
        const TriangleMesh& mesh = body.track.mesh;
        json primitive = {{"attributes", attributes(body, body.pieces[0])},
                          {"material", index},
                          {"mode", mesh.triangles.empty() ? kPoints : kTriangles}};
        json names = json::array();
        for (size_t k = 1; k < body.pieces.size(); ++k) {
            primitive["targets"].push_back(attributes(body, body.pieces[k]));
            names.push_back(fmt::format("frame_{:04}", k));
        }
        add_uvs_and_indices(body, primitive);
        json entry = {{"name", body.track.name}, {"primitives", json::array({primitive})}};
        if (!names.empty()) {
            entry["extras"] = {{"targetNames", names}};
            moving_.push_back(index);
        }
        meshes_.push_back(entry);
        nodes_.push_back({{"name", body.track.name}, {"mesh", index}});
        scene_nodes_.push_back(index);
        add_material(body.track);
    }

    void add_animation(long long n_frames, double frame_rate) {
        if (moving_.empty()) return;
        // The largest time as float32, so that it is that of the accessor to the bit.
        const auto last = static_cast<float>(static_cast<double>(n_frames - 1) / frame_rate);
        const int times_view = layout_.add_view(4 * n_frames, {});
        json times = layout_.scalars(times_view, kFloat, n_frames);
        times["min"] = json::array({0.0});
        times["max"] = json::array({static_cast<double>(last)});
        const long long n_weights = n_frames * (n_frames - 1);
        const int weights_view = layout_.add_view(4 * n_weights, {});
        const json sampler = {
            {"input", layout_.add_accessor(times)},
            {"output", layout_.add_accessor(layout_.scalars(weights_view, kFloat, n_weights))},
            {"interpolation", "LINEAR"}};
        json channels = json::array();
        for (const size_t b : moving_) {
            channels.push_back({{"sampler", 0}, {"target", {{"node", b}, {"path", "weights"}}}});
        }
        const json animation = {
            {"name", "frames"}, {"channels", channels}, {"samplers", json::array({sampler})}};
        animations_.push_back(animation);
    }

    [[nodiscard]] std::string text(long long buffer_bytes) const {
        json document;
        document["asset"] = {{"version", "2.0"}, {"generator", "Toile"}};
        document["scene"] = 0;
        document["scenes"] = json::array({json::object({{"nodes", scene_nodes_}})});
        document["nodes"] = nodes_;
        document["meshes"] = meshes_;
        document["materials"] = materials_;
        if (!animations_.empty()) document["animations"] = animations_;
        document["accessors"] = layout_.accessors;
        document["bufferViews"] = layout_.views;
        document["buffers"] = json::array({json::object({{"byteLength", buffer_bytes}})});
        return document.dump(-1, ' ', false, json::error_handler_t::replace);
    }

  private:
    json attributes(const GlbBody& body, const GlbPiece& piece) {
        const size_t n = body.track.mesh.positions.size();
        json position = layout_.vertex_data(piece.offset, n);
        position["min"] = numbers(piece.min);
        position["max"] = numbers(piece.max);
        json result = {{"POSITION", layout_.add_accessor(position)}};
        if (body.base_normals.empty()) return result;
        const auto offset = piece.offset + static_cast<long long>(kFloatPointBytes * n);
        result["NORMAL"] = layout_.add_accessor(layout_.vertex_data(offset, n));
        return result;
    }

    void add_uvs_and_indices(const GlbBody& body, json& inout_primitive) {
        const TriangleMesh& mesh = body.track.mesh;
        if (body.uvs) {
            const auto n = static_cast<long long>(mesh.positions.size());
            const int view = layout_.add_view(8 * n, kArrayBuffer);
            json uvs = layout_.scalars(view, kFloat, n);
            uvs["type"] = "VEC2";
            inout_primitive["attributes"]["TEXCOORD_0"] = layout_.add_accessor(uvs);
        }
        if (mesh.triangles.empty()) return;
        const auto n = static_cast<long long>(3 * mesh.triangles.size());
        const int view = layout_.add_view(4 * n, kElementBuffer);
        inout_primitive["indices"] = layout_.add_accessor(layout_.scalars(view, kUnsignedInt, n));
    }

    void add_material(const BodyTrack& track) {
        const Vec3& color = track.front;
        const json surface = {{"baseColorFactor", json::array({linear(color.x()), linear(color.y()),
                                                               linear(color.z()), 1.0})},
                              {"metallicFactor", 0.0},
                              {"roughnessFactor", 0.8}};
        materials_.push_back(
            {{"name", track.name}, {"doubleSided", true}, {"pbrMetallicRoughness", surface}});
    }

    Layout layout_;
    json nodes_ = json::array(), meshes_ = json::array(), materials_ = json::array();
    json scene_nodes_ = json::array(), animations_ = json::array();
    std::vector<size_t> moving_;
};

}  // namespace

std::optional<std::vector<Vec2>> vertex_uvs(const TriangleMesh& mesh) {
    if (!mesh.has_uvs()) return std::nullopt;
    const Vec2 none = Vec2::Constant(std::numeric_limits<double>::quiet_NaN());
    std::vector<Vec2> uvs(mesh.positions.size(), none);
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (size_t corner = 0; corner < 3; ++corner) {
            Vec2& uv = uvs[mesh.triangles[t][corner]];
            const Vec2& wanted = mesh.uvs[mesh.uv_triangles[t][corner]];
            if (uv.allFinite() && uv != wanted) return std::nullopt;
            uv = wanted;
        }
    }
    for (const Vec2& uv : uvs) {
        if (!uv.allFinite()) return std::nullopt;
    }
    return uvs;
}

std::string glb_document(std::span<const GlbBody> bodies, const GlbSizes& sizes) {
    Document document(sizes.vertex_bytes);
    for (const GlbBody& body : bodies) document.add_body(body);
    document.add_animation(sizes.n_frames, sizes.frame_rate);
    return document.text(sizes.vertex_bytes + sizes.other_bytes);
}

}  // namespace toile::detail
