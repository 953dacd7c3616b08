// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/fabric.h"
#include "toile/core/types.h"
#include "toile/mesh/shapes/shape_catalogue.h"
#include "toile/mesh/transform.h"
#include "toile/scene/motion.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace toile {

/// What holds for the whole scene. Up is opposite to gravity.
struct SceneSettings {
    Vec3 gravity = {0, -9.81, 0};    ///< m/s²
    double frame_rate = 25;          ///< 1/s
    int frames = 100;                ///< after the start, which is frame 0
    std::optional<double> duration;  ///< s; another way to say `frames`; empty once parsed

    bool operator==(const SceneSettings&) const = default;
};

/// The air that cloth moves through.
struct AirSettings {
    Vec3 wind = {0, 0, 0};   ///< m/s
    double air_drag = 0;     ///< kg/m³: pressure = this × (normal speed through the air)²
    double linear_drag = 0;  ///< 1/s

    bool operator==(const AirSettings&) const = default;
};

/// How finely and by which scheme; a smaller step is taken by itself where it is needed.
struct SolverSettings {
    std::string name = "bridson";
    int steps_per_frame = 8;
    int max_halvings = 8;  ///< a step that fails at its 2^-max_halvings part stops the run
    double tolerance = 1e-3;
    int max_iterations = 1500;
    double max_strain_change = 0.1;
    double repulsion_stiffness = 100;  ///< N/m
    double collision_gap = 0.1;        ///< part of the thickness
    int max_rounds = 12;
    int sweeps = 8;

    bool operator==(const SolverSettings&) const = default;
};

/// A procedural surface by name, with the parameters that are not left at default.
struct ShapeSpec {
    std::string type;
    ShapeParameters parameters;

    bool operator==(const ShapeSpec&) const = default;
};

/// A box along the axes.
struct Box {
    Vec3 min = {0, 0, 0};
    Vec3 max = {0, 0, 0};

    bool operator==(const Box&) const = default;
};

/// What a run of the scene must show; `check RUN` holds the files against it. That nothing crosses
/// is expected of every run.
struct ExpectSettings {
    std::string outcome = "complete";
    std::optional<double> largest_strain = {};  ///< of any triangle in any frame
    std::optional<double> rest_from = {};       ///< s; from then on no cloth moves faster than:
    double rest_speed = 1e-3;                   ///< m/s, root mean square of each cloth
    std::optional<Box> ends_in = {};            ///< m; holds every cloth vertex of the last frame
    std::optional<double> least_spread = {};  ///< m; diagonal of each cloth's box in the last frame

    bool operator==(const ExpectSettings&) const = default;
};

/// Where a part of a scene was read, as `vel_shirt:12`, for messages; empty where it was made by
/// code. Two scenes are equal wherever they stand.
struct SourcePlace {
    std::string words;

    bool operator==(const SourcePlace&) const { return true; }
};

/// What cloths and obstacles have in common: a surface, put in its place by
/// x ↦ rotation (scale x) + translation.
struct BodySetup {
    std::string name;  ///< unique; names the body's files
    std::filesystem::path
        mesh;  ///< a mesh file, absolute once parsed; empty where there is a shape
    std::optional<ShapeSpec> shape;
    Vec3 translation = {0, 0, 0};  ///< m
    AxisAngle rotation;
    double scale = 1;
    std::string material;        ///< what the friction table knows the body by
    std::optional<Vec3> colour;  ///< in pictures; one of the palette where not given

    bool operator==(const BodySetup&) const = default;
};

/// Vertices that are held from `start` to `end`, or led along a path: velocity, pieces and
/// keyframes together, each relative to where the vertex is when the pin begins.
struct PinSetup {
    std::vector<int> vertices;
    std::vector<Vec3> positions;  ///< m: of each, the vertex nearest to it at the start
    std::optional<Box> box;       ///< m: all vertices in it at the start
    double start = 0;             ///< s
    std::optional<double> end;    ///< s; held for ever where not given
    Vec3 velocity = {0, 0, 0};    ///< m/s
    std::optional<Vec3> pivot;    ///< m; the mean of the pinned vertices where not given
    std::vector<VelocityPiece> pieces;
    std::vector<Keyframe> keyframes;
    SourcePlace source;

    bool operator==(const PinSetup&) const = default;
};

/// Whether a name can name a body's files in a run folder.
bool is_body_name(const std::string& name);
inline constexpr const char* kBodyNameRule =
    "use letters, digits, '_', '-' and '.', not '.' first, at most 200 of them";

/// Where a body's mesh is put.
Transform placement(const BodySetup& body);

/// A piece of cloth.
struct ClothSetup : BodySetup {
    Fabric fabric;
    bool rest_from_uvs = true;
    double uv_scale = 1;        ///< m per UV unit
    Vec3 velocity = {0, 0, 0};  ///< m/s at the start
    AxisAngle spin;             ///< degrees/s at the start, about the centre of mass
    std::vector<PinSetup> pins;

    bool operator==(const ClothSetup&) const = default;
};

/// How a sequence is played.
struct FramesSetup {
    std::filesystem::path path;  ///< a sequence; empty: the body keeps its shape
    double rate = 25;            ///< frames per second of the scene
    double start = 0;            ///< s, time of the first frame
    std::string interpolation = "smooth";

    bool operator==(const FramesSetup&) const = default;
};

/// A body that stands, or moves as it is told: rigidly, or as the frames of a sequence say.
struct ObstacleSetup : BodySetup {
    double thickness = 0;  ///< m
    double friction = 0.3;
    FramesSetup frames;
    std::optional<Vec3> pivot;  ///< m; `translation` where not given
    std::vector<VelocityPiece> pieces;
    std::vector<Keyframe> keyframes;
    SourcePlace source;

    bool operator==(const ObstacleSetup&) const = default;
};

/// Coulomb coefficient between two materials, in place of the rule for pairs.
struct FrictionSetup {
    std::vector<std::string> between;  ///< two materials, or one for a material against itself
    double coefficient = 0;

    bool operator==(const FrictionSetup&) const = default;
};

/// All that should happen, as plain data. How, the world knows.
struct Scene {
    SceneSettings settings;
    AirSettings air;
    SolverSettings solver;
    std::vector<ClothSetup> cloths;
    std::vector<ObstacleSetup> obstacles;
    std::vector<FrictionSetup> friction;
    std::optional<ExpectSettings> expect;

    bool operator==(const Scene&) const = default;
};

/// A body's material and its own Coulomb coefficient.
struct MaterialFriction {
    std::string material;
    double coefficient = 0;
};

/// The coefficient of a pair of bodies: that of the friction table for their materials, else the
/// geometric mean of their own, so that a slippery body is slippery against all.
double pair_friction(std::span<const FrictionSetup> table, const MaterialFriction& a,
                     const MaterialFriction& b);

}  // namespace toile
