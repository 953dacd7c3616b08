// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/scene_keys.h"

namespace toile {
namespace {

/// Keys that cloths and obstacles share.
template <class S>
std::vector<SceneKey<S>> body_keys() {
    return {
        {{.name = "name",
          .doc =
              "Names the body in messages and its files in the run folder; letters, digits, `_`, "
              "`-` and `.`.",
          .required = true},
         &S::name},
        {{.name = "mesh",
          .doc = "A mesh file (OBJ, PLY, STL), relative to the scene file. Either this or `shape`.",
          .default_words = "none"},
         &S::mesh},
        {{.name = "shape",
          .doc = "A procedural surface in place of a mesh file: `{ type = \"rectangle\", width = 1 "
                 "}`. `toile make --list` names the types and their parameters.",
          .default_words = "none"},
         &S::shape},
        {{.name = "translation",
          .unit = "m",
          .doc = "Where the origin of the mesh is put, after scale and rotation."},
         &S::translation},
        {{.name = "rotation",
          .unit = "axis, degrees",
          .doc = "A turn about an axis through the origin of the mesh: `[x, y, z, degrees]`."},
         &S::rotation},
        {{.name = "scale",
          .doc = "Factor from the units of the mesh to metres.",
          .min = 0,
          .above_min = true},
         &S::scale},
        {{.name = "material",
          .doc = "What the `[[friction]]` table knows the body by.",
          .default_words = "the fabric's name for a cloth, `rigid` for an obstacle"},
         &S::material},
        {{.name = "colour",
          .unit = "RGB",
          .doc = "Colour in pictures, each part from 0 to 1.",
          .min = 0,
          .max = 1,
          .default_words = "one of the palette"},
         &S::colour},
    };
}

template <class S>
std::vector<SceneKey<S>> with_body_keys(std::vector<SceneKey<S>> own) {
    std::vector<SceneKey<S>> keys = body_keys<S>();
    keys.insert(keys.end(), own.begin(), own.end());
    return keys;
}

/// A fabric's number that may not be negative; its default is that of the named fabric.
SceneKey<Fabric> fabric_key(const char* name, const char* unit, const char* doc,
                            double Fabric::*member) {
    return {{.name = name, .unit = unit, .doc = doc, .min = 0, .default_words = "the fabric's"},
            member};
}

SceneKey<Fabric> positive_fabric_key(const char* name, const char* unit, const char* doc,
                                     double Fabric::*member) {
    SceneKey<Fabric> key = fabric_key(name, unit, doc, member);
    key.description.above_min = true;
    return key;
}

}  // namespace

template <>
const std::vector<SceneKey<SceneSettings>>& scene_keys() {
    using S = SceneSettings;
    static const std::vector<SceneKey<S>> keys = {
        {{.name = "gravity", .unit = "m/s²", .doc = "Acceleration; up is opposite to it."},
         &S::gravity},
        {{.name = "frame_rate",
          .unit = "1/s",
          .doc = "Frames written per second of the scene.",
          .min = 0,
          .above_min = true},
         &S::frame_rate},
        {{.name = "frames", .doc = "Number of frames after the start, which is frame 0.", .min = 1},
         &S::frames},
        {{.name = "duration",
          .unit = "s",
          .doc = "Length in place of `frames`, rounded to whole frames.",
          .min = 0,
          .above_min = true,
          .input_only = true,
          .default_words = "`frames` / `frame_rate`"},
         &S::duration},
    };
    return keys;
}

template <>
const std::vector<SceneKey<AirSettings>>& scene_keys() {
    using S = AirSettings;
    static const std::vector<SceneKey<S>> keys = {
        {{.name = "wind", .unit = "m/s", .doc = "Velocity of the air."}, &S::wind},
        {{.name = "air_drag",
          .unit = "kg/m³",
          .doc = "Pressure on a face is this times its squared speed through the air, along its "
                 "normal; "
                 "about 0.6 for a flat plate.",
          .min = 0},
         &S::air_drag},
        {{.name = "linear_drag",
          .unit = "1/s",
          .doc = "Share of its velocity against the air that cloth loses per second.",
          .min = 0},
         &S::linear_drag},
    };
    return keys;
}

template <>
const std::vector<SceneKey<SolverSettings>>& scene_keys() {
    using S = SolverSettings;
    static const std::vector<SceneKey<S>> keys = {
        {{.name = "name",
          .doc = "The scheme that keeps surfaces apart.",
          .choices = {"bridson", "implicit"}},
         &S::name},
        {{.name = "steps_per_frame",
          .doc = "Steps that a frame is cut into where nothing asks for smaller ones.",
          .min = 1,
          .max = 10000},
         &S::steps_per_frame},
        {{.name = "max_halvings",
          .doc = "How often a step that fails is halved before the run stops with a report.",
          .min = 0,
          .max = 20},
         &S::max_halvings},
        {{.name = "tolerance",
          .doc = "Residual at which the implicit step is solved, relative to its start.",
          .min = 0,
          .max = 0.5,
          .above_min = true},
         &S::tolerance},
        {{.name = "max_iterations",
          .doc = "Iterations of conjugate gradients after which a step has failed.",
          .min = 1},
         &S::max_iterations},
        {{.name = "max_strain_change",
          .doc =
              "A step that changes the stretch of a triangle by more has failed; 0 for no limit.",
          .min = 0},
         &S::max_strain_change},
        {{.name = "repulsion_stiffness",
          .unit = "N/m",
          .doc = "Spring of a pair nearer than its thickness; 0 stops its approach and pushes no "
                 "further.",
          .min = 0},
         &S::repulsion_stiffness},
        {{.name = "collision_gap",
          .doc = "Part of the thickness that a collision leaves between two surfaces.",
          .min = 0,
          .max = 1,
          .above_min = true},
         &S::collision_gap},
        {{.name = "max_rounds",
          .doc = "Rounds of collisions and impulses before the fail-safe takes over.",
          .min = 0},
         &S::max_rounds},
        {{.name = "sweeps", .doc = "Passes over all impulses in each round.", .min = 1},
         &S::sweeps},
    };
    return keys;
}

template <>
const std::vector<SceneKey<ExpectSettings>>& scene_keys() {
    using S = ExpectSettings;
    static const std::vector<SceneKey<S>> keys = {
        {{.name = "outcome",
          .doc = "How the run ends: at its last frame, before it with a report, or either way; or "
                 "that the start is refused, and nothing runs.",
          .choices = {"complete", "stops", "either", "refused"}},
         &S::outcome},
        {{.name = "largest_strain",
          .doc = "No triangle is stretched more in any frame.",
          .min = 0,
          .default_words = "any"},
         &S::largest_strain},
        {{.name = "rest_from",
          .unit = "s",
          .doc = "From then on every cloth is at rest.",
          .min = 0,
          .default_words = "never"},
         &S::rest_from},
        {{.name = "rest_speed",
          .unit = "m/s",
          .doc = "What counts as rest: the root mean square over a cloth's vertices of their way "
                 "from frame to frame.",
          .min = 0,
          .above_min = true},
         &S::rest_speed},
        {{.name = "ends_in",
          .unit = "m",
          .doc = "A box that holds every vertex of cloth in the last frame: `[[x, y, z], [x, y, "
                 "z]]`.",
          .default_words = "anywhere"},
         &S::ends_in},
        {{.name = "least_spread",
          .unit = "m",
          .doc = "The diagonal of each cloth's box in the last frame is at least this: no lump.",
          .min = 0,
          .default_words = "any"},
         &S::least_spread},
    };
    return keys;
}

template <>
const std::vector<SceneKey<ClothSetup>>& scene_keys() {
    using S = ClothSetup;
    static const std::vector<SceneKey<S>> keys = with_body_keys<S>({
        {{.name = "rest_from_uvs",
          .doc =
              "Whether the UVs of the mesh are its flat pattern, where it has them; else the rest "
              "shape is the mesh as it stands."},
         &S::rest_from_uvs},
        {{.name = "uv_scale",
          .unit = "m",
          .doc = "Length of one UV unit in the pattern.",
          .min = 0,
          .above_min = true},
         &S::uv_scale},
        {{.name = "velocity", .unit = "m/s", .doc = "At the start."}, &S::velocity},
        {{.name = "spin",
          .unit = "axis, degrees/s",
          .doc = "At the start, about the centre of mass: `[x, y, z, degrees per second]`."},
         &S::spin},
    });
    return keys;
}

template <>
const std::vector<SceneKey<Fabric>>& scene_keys() {
    using F = Fabric;
    static const std::vector<SceneKey<F>> keys = {
        {{.name = "fabric",
          .doc = "A named fabric, whose numbers hold where the keys below do not say otherwise."},
         &F::name},
        positive_fabric_key("density", "kg/m²", "Mass per area.", &F::density),
        positive_fabric_key("thickness", "m", "Distance that layers keep in contact.",
                            &F::thickness),
        positive_fabric_key("stretch_warp", "N/m", "Tension per width at strain 1 along u.",
                            &F::stretch_warp),
        positive_fabric_key("stretch_weft", "N/m", "Tension per width at strain 1 along v.",
                            &F::stretch_weft),
        fabric_key("shear", "N/m", "Shear force per width at shear angle 1.", &F::shear),
        fabric_key("bend_warp", "N·m", "Moment per width at curvature 1/m along u.", &F::bend_warp),
        fabric_key("bend_weft", "N·m", "Moment per width at curvature 1/m along v.", &F::bend_weft),
        fabric_key("bend_twist", "N·m", "Moment per width at twist 1/m.", &F::bend_twist),
        fabric_key("stretch_damping", "s", "Damping of stretch: this part of its stiffness.",
                   &F::stretch_damping),
        fabric_key("shear_damping", "s", "Damping of shear: this part of its stiffness.",
                   &F::shear_damping),
        fabric_key("bend_damping", "s", "Damping of bending: this part of its stiffness.",
                   &F::bend_damping),
        fabric_key("friction", "", "Coulomb coefficient against itself and others.", &F::friction),
    };
    return keys;
}

template <>
const std::vector<SceneKey<PinSetup>>& scene_keys() {
    using S = PinSetup;
    static const std::vector<SceneKey<S>> keys = {
        {{.name = "vertices", .doc = "Indices of vertices, from 0.", .min = 0}, &S::vertices},
        {{.name = "positions",
          .unit = "m",
          .doc = "Places; of each, the nearest vertex at the start is pinned."},
         &S::positions},
        {{.name = "box",
          .unit = "m",
          .doc = "Pins all vertices in a box at the start: `[[x, y, z], [x, y, z]]`.",
          .default_words = "none"},
         &S::box},
        {{.name = "start",
          .unit = "s",
          .doc = "When the pin begins: each vertex is held where it then is, and led from there."},
         &S::start},
        {{.name = "end",
          .unit = "s",
          .doc = "When the vertices are released.",
          .default_words = "never"},
         &S::end},
        {{.name = "velocity",
          .unit = "m/s",
          .doc = "Constant velocity, added to the motion of pieces and keyframes."},
         &S::velocity},
        {{.name = "pivot",
          .unit = "m",
          .doc = "Point that the keyframes' rotations turn about.",
          .default_words = "the mean of the pinned vertices"},
         &S::pivot},
    };
    return keys;
}

template <>
const std::vector<SceneKey<Keyframe>>& scene_keys() {
    using S = Keyframe;
    static const std::vector<SceneKey<S>> keys = {
        {{.name = "time", .unit = "s", .doc = "Must rise from key to key.", .required = true},
         &S::time},
        {{.name = "translation", .unit = "m", .doc = "Relative to the start."}, &S::translation},
        {{.name = "rotation",
          .unit = "axis, degrees",
          .doc = "Relative to the start, about the pivot: `[x, y, z, degrees]`; 720 is two turns."},
         &S::rotation},
    };
    return keys;
}

template <>
const std::vector<SceneKey<VelocityPiece>>& scene_keys() {
    using S = VelocityPiece;
    static const std::vector<SceneKey<S>> keys = {
        {{.name = "time", .unit = "s", .doc = "Must rise from piece to piece.", .required = true},
         &S::time},
        {{.name = "velocity",
          .unit = "m/s",
          .doc = "Holds until the next piece; that of the last for ever.",
          .required = true},
         &S::velocity},
    };
    return keys;
}

template <>
const std::vector<SceneKey<FramesSetup>>& scene_keys() {
    using S = FramesSetup;
    static const std::vector<SceneKey<S>> keys = {
        {{.name = "path",
          .doc = "A sequence: a `.pc2` or `.mdd` file with its mesh beside it or as the body's "
                 "`mesh`, a pattern or folder of numbered meshes, or `RUN/BODY`.",
          .required = true},
         &S::path},
        {{.name = "rate",
          .unit = "1/s",
          .doc = "Frames of the sequence per second of the scene.",
          .min = 0,
          .above_min = true,
          .default_words = "the scene's `frame_rate`"},
         &S::rate},
        {{.name = "start",
          .unit = "s",
          .doc = "Time of the first frame. Before it and after the last the body stands still."},
         &S::start},
        {{.name = "interpolation",
          .doc = "Between frames: `linear`, or `smooth` with a continuous velocity.",
          .choices = {"smooth", "linear"}},
         &S::interpolation},
    };
    return keys;
}

template <>
const std::vector<SceneKey<ObstacleSetup>>& scene_keys() {
    using S = ObstacleSetup;
    static const std::vector<SceneKey<S>> keys = with_body_keys<S>({
        {{.name = "thickness",
          .unit = "m",
          .doc = "A cloth keeps half the sum of both thicknesses away.",
          .min = 0},
         &S::thickness},
        {{.name = "friction", .doc = "Coulomb coefficient against others.", .min = 0},
         &S::friction},
        {{.name = "pivot",
          .unit = "m",
          .doc = "Point that the keyframes' rotations turn about.",
          .default_words = "`translation`"},
         &S::pivot},
    });
    return keys;
}

template <>
const std::vector<SceneKey<FrictionSetup>>& scene_keys() {
    using S = FrictionSetup;
    static const std::vector<SceneKey<S>> keys = {
        {{.name = "between",
          .doc = "Two materials of the scene, or one for a material against itself.",
          .required = true},
         &S::between},
        {{.name = "coefficient",
          .doc = "Coulomb coefficient of the pair.",
          .min = 0,
          .required = true},
         &S::coefficient},
    };
    return keys;
}

}  // namespace toile
