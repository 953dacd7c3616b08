// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/transform.h"
#include "toile/mesh/triangle_mesh.h"
#include "toile/render/color.h"

#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// What is drawn on a surface, in its texture coordinates, so that stretch and shear can be seen.
enum class Pattern { None, Checker, Weave };

/// Pattern named `none`, `checker` or `weave`; InvalidInput for another name.
Pattern parse_pattern(std::string_view name);

/// How a surface answers light.
struct SurfaceLook {
    Color front =
        from_srgb(0.78F, 0.33F, 0.24F);  ///< side from which triangles turn counter-clockwise
    Color back = from_srgb(0.93F, 0.80F, 0.64F);
    Pattern pattern = Pattern::None;
    double pattern_size =
        0.05;            ///< side of a checker square, or width of a thread, in texture units
    float sheen = 0.2F;  ///< extra light of fibres seen at a grazing angle; 0 for solids
    float translucency = 0.12F;  ///< share of the key light that shines through; 0 for solids
    double crease_angle = std::numbers::pi / 2;  ///< radians; edges bent more are drawn sharp
    bool edges = false;                          ///< draw the mesh as thin lines
};

/// Look of cloth number `i` of a scene: a small palette, two-coloured, repeated.
SurfaceLook cloth_look(int i);

/// Look of obstacle number `i`: quiet, solid, sharp at edges.
SurfaceLook obstacle_look(int i);

/// A body in a picture.
struct RenderBody {
    std::string name;
    std::vector<Vec3> positions;         ///< metres
    std::vector<Triangle> triangles;     ///< indices into `positions`
    std::vector<Vec2> uvs;               ///< texture coordinates, or empty
    std::vector<Triangle> uv_triangles;  ///< empty, or n_triangles indices into `uvs`
    SurfaceLook look;
    std::vector<Color> triangle_colors =
        {};                  ///< empty, or n_triangles in place of the look's colours
    bool is_subject = true;  ///< the camera frames it (a cloth), rather than what is round it
};

/// Body of a mesh, with the coordinates of `give_flat_coordinates` where the look has a pattern.
RenderBody make_render_body(std::string name, const TriangleMesh& mesh, const SurfaceLook& look);

/// Gives a body without texture coordinates those of `flat_coordinates`.
void give_flat_coordinates(RenderBody& body);

/// Texture coordinates in metres: `positions` seen along the coordinate axis of least extent.
std::vector<Vec2> flat_coordinates(std::span<const Vec3> positions);

/// All that a picture shows, but the camera.
struct SceneView {
    std::vector<RenderBody> bodies;
    Vec3 up{0, 1, 0};  ///< opposite to gravity; any length
    std::optional<double>
        floor_height;  ///< along `up`, metres: an endless floor that takes shadows
    Color backdrop = from_srgb(0.925F, 0.915F, 0.90F);
};

/// Throws InvalidInput that names the body and element unless every position is finite, every index
/// in range, the coordinates complete, and `up` a direction.
void require_valid(const SceneView& view);

/// The bodies that a camera should show whole, by index: the subjects, and the others that are not
/// much larger than all these together (three times the diagonal of their box). All bodies where
/// there is no subject.
std::vector<int> bodies_to_frame(const SceneView& view);

/// Positions of `bodies_to_frame`.
std::vector<Vec3> points_to_frame(const SceneView& view);

/// Takes floors out of the picture for an endless one: of bodies that the camera need not show
/// whole those that are flat across `up` lose their triangles, and `floor_height` becomes that of
/// the highest. Nothing where there is no such body.
void replace_floors(SceneView& view);

/// Transforms that put the bodies of a view next to each other, in their order from left to right
/// as a camera in `direction_to_camera` sees them: all with the diagonal of the first, their lowest
/// points at one height and their middles at one depth, a tenth of the diagonal apart. Bodies
/// without points stay.
std::vector<Transform> side_by_side(const SceneView& view, const Vec3& direction_to_camera);

/// Lowest coordinate along `up` of `points_to_frame`: where a floor may lie; nothing where empty.
std::optional<double> lowest_height(const SceneView& view);

}  // namespace toile
