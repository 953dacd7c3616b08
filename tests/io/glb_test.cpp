// SPDX-License-Identifier: Apache-2.0
#include "toile/io/glb.h"

#include "io/moving_bodies.h"
#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/io/binary.h"
#include "toile/io/file_bytes.h"
#include "toile/mesh/geometry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tiny_gltf.h>

namespace toile {
namespace {

namespace fs = std::filesystem;

tinygltf::Model read_back(const fs::path& path) {
    tinygltf::Model model;
    std::string error, warning;
    tinygltf::TinyGLTF reader;
    EXPECT_TRUE(reader.LoadBinaryFromFile(&model, &error, &warning, path.string()));
    EXPECT_EQ(error, "");
    EXPECT_EQ(warning, "");
    return model;
}

// The floats of an accessor, by the rules of views and strides.
std::vector<float> floats(const tinygltf::Model& model, int index) {
    const tinygltf::Accessor& accessor = model.accessors.at(index);
    EXPECT_EQ(accessor.componentType, TINYGLTF_COMPONENT_TYPE_FLOAT);
    const tinygltf::BufferView& view = model.bufferViews.at(accessor.bufferView);
    const int stride = accessor.ByteStride(view);
    const int n = tinygltf::GetNumComponentsInType(accessor.type);
    std::vector<float> values;
    for (size_t k = 0; k < accessor.count; ++k) {
        for (int c = 0; c < n; ++c) {
            const size_t at = view.byteOffset + accessor.byteOffset +
                              k * static_cast<size_t>(stride) + 4 * static_cast<size_t>(c);
            EXPECT_LE(at + 4, view.byteOffset + view.byteLength);
            values.push_back(
                load_value<float>(reinterpret_cast<const char*>(model.buffers[0].data.data()) + at,
                                  std::endian::little));
        }
    }
    return values;
}

void expect_range(const tinygltf::Model& model, int index) {
    const std::vector<float> values = floats(model, index);
    const tinygltf::Accessor& accessor = model.accessors[index];
    ASSERT_EQ(accessor.minValues.size(), 3u);
    for (size_t axis = 0; axis < 3; ++axis) {
        float low = values[axis], high = values[axis];
        for (size_t k = axis; k < values.size(); k += 3) {
            low = std::min(low, values[k]);
            high = std::max(high, values[k]);
        }
        EXPECT_EQ(static_cast<float>(accessor.minValues[axis]), low);
        EXPECT_EQ(static_cast<float>(accessor.maxValues[axis]), high);
    }
}

TEST(Glb, PlaysEveryFrameWhenReadBack) {
    const test::TemporaryFolder folder;
    const test::MovingBodies bodies(4);
    GlbWriter writer(folder / "a.glb", bodies.tracks, {.frame_rate = 30});
    bodies.write_all(writer);
    const tinygltf::Model model = read_back(folder / "a.glb");
    ASSERT_EQ(model.meshes.size(), 2u);
    const tinygltf::Primitive& cloth = model.meshes[0].primitives.at(0);
    ASSERT_EQ(cloth.targets.size(), 3u);
    EXPECT_TRUE(model.meshes[1].primitives.at(0).targets.empty());
    ASSERT_EQ(model.animations.size(), 1u);
    const tinygltf::Animation& animation = model.animations[0];
    ASSERT_EQ(animation.channels.size(), 1u);
    EXPECT_EQ(animation.channels[0].target_node, 0);
    EXPECT_EQ(animation.channels[0].target_path, "weights");
    const std::vector<float> times = floats(model, animation.samplers[0].input);
    const std::vector<float> weights = floats(model, animation.samplers[0].output);
    ASSERT_EQ(times.size(), 4u);
    ASSERT_EQ(weights.size(), 12u);
    EXPECT_FLOAT_EQ(times[3], 0.1F);
    EXPECT_EQ(static_cast<float>(model.accessors[animation.samplers[0].input].maxValues.at(0)),
              times[3]);
    const std::vector<float> base = floats(model, cloth.attributes.at("POSITION"));
    for (size_t frame = 0; frame < 4; ++frame) {
        std::vector<float> played = base;
        for (size_t target = 0; target < 3; ++target) {
            const std::vector<float> change = floats(model, cloth.targets[target].at("POSITION"));
            for (size_t k = 0; k < played.size(); ++k) {
                played[k] += weights[3 * frame + target] * change[k];
            }
        }
        for (size_t k = 0; k < played.size(); ++k) {
            EXPECT_NEAR(played[k], bodies.cloth[frame][k / 3][static_cast<int>(k % 3)], 1e-6);
        }
    }
}

TEST(Glb, TellsTheRangeOfEveryPositionAndUnitNormals) {
    const test::TemporaryFolder folder;
    const test::MovingBodies bodies(3);
    GlbWriter writer(folder / "a.glb", bodies.tracks);
    bodies.write_all(writer);
    const tinygltf::Model model = read_back(folder / "a.glb");
    const tinygltf::Primitive& cloth = model.meshes[0].primitives[0];
    expect_range(model, cloth.attributes.at("POSITION"));
    for (const auto& target : cloth.targets) expect_range(model, target.at("POSITION"));
    const std::vector<float> base = floats(model, cloth.attributes.at("NORMAL"));
    const std::vector<float> change = floats(model, cloth.targets[1].at("NORMAL"));
    const std::vector<Vec3> wanted =
        vertex_normals(bodies.cloth[2], bodies.tracks[0].mesh.triangles);
    for (size_t k = 0; k < base.size(); ++k) {
        EXPECT_NEAR(base[k] + change[k], wanted[k / 3][static_cast<int>(k % 3)], 1e-6);
    }
}

TEST(Glb, KeepsVertexOrderTrianglesUvsAndNames) {
    const test::TemporaryFolder folder;
    const test::MovingBodies bodies(2);
    GlbWriter writer(folder / "a.glb", bodies.tracks, {.normals = false});
    bodies.write_all(writer);
    const tinygltf::Model model = read_back(folder / "a.glb");
    const tinygltf::Primitive& cloth = model.meshes[0].primitives[0];
    EXPECT_EQ(cloth.attributes.count("NORMAL"), 0u);
    EXPECT_EQ(model.meshes[0].name, "cloth");
    EXPECT_EQ(model.nodes[1].name, "ball");
    EXPECT_EQ(cloth.mode, TINYGLTF_MODE_TRIANGLES);
    const tinygltf::Accessor& indices = model.accessors[cloth.indices];
    const TriangleMesh& mesh = bodies.tracks[0].mesh;
    ASSERT_EQ(indices.count, 3 * mesh.triangles.size());
    const char* const at = reinterpret_cast<const char*>(model.buffers[0].data.data()) +
                           model.bufferViews[indices.bufferView].byteOffset + indices.byteOffset;
    for (size_t k = 0; k < indices.count; ++k) {
        EXPECT_EQ(load_value<std::uint32_t>(at + 4 * k, std::endian::little),
                  static_cast<std::uint32_t>(mesh.triangles[k / 3][k % 3]));
    }
    const std::vector<float> uvs = floats(model, cloth.attributes.at("TEXCOORD_0"));
    ASSERT_EQ(uvs.size(), 2 * mesh.positions.size());
    EXPECT_FLOAT_EQ(uvs[8], static_cast<float>(mesh.uvs[4].x()));
    EXPECT_FLOAT_EQ(uvs[9], static_cast<float>(1 - mesh.uvs[4].y()));
}

TEST(Glb, OfOneFrameHasNoAnimationAndOfPointsNoTriangles) {
    const test::TemporaryFolder folder;
    TriangleMesh points;
    points.positions = {{0, 0, 0}, {1, 2, 3}};
    GlbSink sink(folder / "p.glb", points);
    sink.write(points.positions);
    sink.finish();
    const tinygltf::Model model = read_back(folder / "p.glb");
    EXPECT_TRUE(model.animations.empty());
    EXPECT_EQ(model.meshes[0].primitives[0].mode, TINYGLTF_MODE_POINTS);
    EXPECT_EQ(model.meshes[0].primitives[0].indices, -1);
}

TEST(Glb, IsPaddedAndTellsItsLengths) {
    const test::TemporaryFolder folder;
    const test::MovingBodies bodies(2);
    GlbWriter writer(folder / "a.glb", bodies.tracks);
    bodies.write_all(writer);
    const std::string bytes = read_bytes(folder / "a.glb");
    const auto word = [&](size_t at) {
        return load_value<std::uint32_t>(bytes.data() + at, std::endian::little);
    };
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(word(4), 2u);
    EXPECT_EQ(word(8), bytes.size());
    EXPECT_EQ(word(12) % 4, 0u);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    const size_t binary = 20 + word(12);
    EXPECT_EQ(word(binary) % 4, 0u);
    EXPECT_EQ(binary + 8 + word(binary), bytes.size());
}

TEST(Glb, RefusesWhatItCannotKeepAndLeavesNothingBehind) {
    const test::TemporaryFolder folder;
    const test::MovingBodies bodies(2);
    const auto make = [&](std::vector<BodyTrack> tracks, GlbOptions options) {
        return GlbWriter(folder / "a.glb", std::move(tracks), options);
    };
    EXPECT_THROW(make(bodies.tracks, {.frame_rate = 0}), InvalidInput);
    EXPECT_THROW(make({}, {}), InvalidInput);
    EXPECT_THROW(make({BodyTrack{.name = "none"}}, {}), InvalidInput);
    {
        GlbWriter writer = make(bodies.tracks, {});
        EXPECT_THROW(writer.finish(), InvalidInput);
        const std::span<const Vec3> one[] = {bodies.cloth[0]};
        EXPECT_THROW(writer.write(one), InvalidInput);
        const std::span<const Vec3> swapped[] = {bodies.tracks[1].mesh.positions, bodies.cloth[0]};
        EXPECT_THROW(writer.write(swapped), InvalidInput);
        std::vector<Vec3> broken = bodies.cloth[0];
        broken[3].y() = std::numeric_limits<double>::quiet_NaN();
        const std::span<const Vec3> nan[] = {broken, bodies.tracks[1].mesh.positions};
        EXPECT_THROW(writer.write(nan), InvalidInput);
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Glb, ForgetsAFrameThatItCouldNotWrite) {
    const test::TemporaryFolder folder;
    test::MovingBodies bodies(3);
    bodies.tracks[1].moves = true;
    GlbWriter straight(folder / "straight.glb", bodies.tracks);
    bodies.write_all(straight);
    GlbWriter writer(folder / "a.glb", bodies.tracks);
    for (const std::vector<Vec3>& frame : bodies.cloth) {
        std::vector<Vec3> broken = bodies.tracks[1].mesh.positions;
        broken[3].y() = std::numeric_limits<double>::quiet_NaN();
        const std::span<const Vec3> half[] = {frame, broken};
        EXPECT_THROW(writer.write(half), InvalidInput);
        const std::span<const Vec3> whole[] = {frame, bodies.tracks[1].mesh.positions};
        writer.write(whole);
    }
    writer.finish();
    EXPECT_TRUE(read_bytes(folder / "a.glb") == read_bytes(folder / "straight.glb"));
}

TEST(Glb, TellsWithTheFirstFrameWhoseWeightsDoNotFitThatTheyDoNot) {
    const test::TemporaryFolder folder;
    TriangleMesh point;
    point.positions = {{0, 0, 0}};
    GlbSink sink(folder / "a.glb", point);
    // 4 bytes for every pair of 32,768 frames are the 4 GiB of a GLB.
    int n_frames = 0;
    try {
        for (; n_frames < 40000; ++n_frames) sink.write(point.positions);
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("at most 4 GiB"), std::string::npos);
    }
    EXPECT_GT(n_frames, 32700);
    EXPECT_LE(n_frames, 32768);
}

TEST(Glb, WhereNothingMovesHoldsNoWeights) {
    const test::TemporaryFolder folder;
    test::MovingBodies bodies(5);
    bodies.tracks[0].moves = false;
    GlbWriter writer(folder / "a.glb", bodies.tracks);
    bodies.write_all(writer);
    const tinygltf::Model model = read_back(folder / "a.glb");
    EXPECT_TRUE(model.animations.empty());
    const tinygltf::BufferView& last = model.bufferViews.back();
    EXPECT_EQ(model.buffers[0].data.size(), last.byteOffset + last.byteLength);
}

TEST(Glb, NeverReplacesAFileUnasked) {
    const test::TemporaryFolder folder;
    const test::MovingBodies bodies(2);
    GlbWriter first(folder / "a.glb", bodies.tracks);
    bodies.write_all(first);
    EXPECT_THROW(GlbWriter(folder / "a.glb", bodies.tracks), IoError);
    GlbWriter again(folder / "a.glb", bodies.tracks, {.overwrite = true});
    bodies.write_all(again);
}

}  // namespace
}  // namespace toile
