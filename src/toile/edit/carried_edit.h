// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/edit/edit_region.h"

#include <memory>
#include <span>
#include <vector>

namespace toile {

/// What an edit asks of a triangle in another frame x, where F is the triangle's map from the
/// edited frame s to x, S from the rest to a frame, E that of the edit in s, e its edges.
enum class EditRule {
    Offsets,    ///< e_x + R(F) (e_s^E - e_s): offsets turn with the surface; the default
    Stretch,    ///< F e_s^E: offsets turn and stretch with the surface
    Printed,    ///< S_x E e_rest: as printed in the thesis; not exact in the edited frame
    Conjugated  ///< S_x S_s^-1 E S_s e_rest: equal to Stretch, through the rest pose
};

struct CarryOptions {
    EditRule rule = EditRule::Offsets;
    std::vector<Vec3> rest = {};  ///< positions at rest; for the rules Printed and Conjugated only
    /// A vertex that the edit moves no farther is not moved; metres. One step of the coarser file
    /// where both files round differently.
    double tolerance = 0;
    std::vector<char> mask = {};  ///< a flag for each vertex that the edit may move; empty: all
    int feather_rings = 0;        ///< rings of unmoved vertices that give way, for a softer border
    /// How far an edit holds the shape of its own triangles before vertices are pulled to where
    /// their own rotation puts them, in radii of the region. The default is for rule Offsets; the
    /// others are pulled as weakly as makes the system solvable.
    double pull_length = 1;
    int smoothing_passes = 0;  ///< of rotations over neighbours; 3 for crumpled cloth
    bool glue = true;          ///< loose parts follow what they sit in
};

/// The edit as it is in the edited frame at some strength.
struct RealisedEdit {
    double strength = 0;
    std::vector<Vec3> offsets;    ///< of the region's vertices; metres
    std::vector<Mat3> gradients;  ///< of the offsets, in each of the region's triangles
};

/// What carrying met in one frame.
struct CarryReport {
    int n_triangles = 0;  ///< of the region that the edit changes
    int n_crumpled = 0;   ///< of them, squeezed or stretched fiftyfold against the edited frame
};

/// One frame's edit, ready to be carried to any other frame of the same connectivity: set up once
/// (analysed and factored), then cheap per frame and per strength. For dragging, `set_edited` keeps
/// the factor while no vertex outside of the region moves.
///
/// With offsets d = p^E - p_s, minimises over the free vertices
///
///   sum A_k |grad u - R_k grad d|² + lambda sum m_i |u_i - R_i d_i|²,   p'_x = p_x + u,
///
/// with areas, gradients and weights of the edited frame; docs/algorithms/editing.md.
class CarriedEdit {
  public:
    /// Memory for apply(); one for each thread that calls it.
    class Workspace {
      public:
        Workspace();
        ~Workspace();
        Workspace(Workspace&&) noexcept;
        Workspace& operator=(Workspace&&) noexcept;

      private:
        friend class CarriedEdit;
        struct Memory;
        std::unique_ptr<Memory> memory_;
    };

    /// `original` and `edited` are the same frame before and after. Throws InvalidInput where
    /// counts differ, an index is out of range, a coordinate is not finite, a rule lacks its rest
    /// pose or meets a triangle that it cannot divide by (Stretch: condition above 1000; Printed
    /// and Conjugated: a rest triangle without area).
    CarriedEdit(std::span<const Triangle> triangles, std::vector<Vec3> original,
                std::vector<Vec3> edited, CarryOptions options = {});
    ~CarriedEdit();
    CarriedEdit(CarriedEdit&&) noexcept;
    CarriedEdit& operator=(CarriedEdit&&) noexcept;

    /// Another edit of the same frame. Cheap where it moves only vertices that are free already,
    /// which then stay free; else all is set up anew.
    void set_edited(std::span<const Vec3> edited);

    /// Carries the edit onto one frame (n_vertices positions): strength 0 changes no bit, 1 is the
    /// edit, between and beyond rotations grow with their angle and stretches evenly. Vertices that
    /// are not free keep every bit. The same bits on any number of threads. `workspace` keeps the
    /// edit at its last strength, so that frames of equal strength cost nothing more.
    CarryReport apply(double strength, std::span<Vec3> inout_positions, Workspace& workspace) const;

    /// The edited frame itself at full strength: moved vertices bit for bit as edited, the others
    /// as in the original.
    [[nodiscard]] const std::vector<Vec3>& edited() const;
    [[nodiscard]] const std::vector<Vec3>& original() const;
    [[nodiscard]] const EditRegion& region() const;
    [[nodiscard]] const std::vector<int>& moved() const;  ///< vertices, ascending
    [[nodiscard]] double radius() const;                  ///< of the region as a disc; metres
    [[nodiscard]] int n_loose_parts() const;              ///< that glue holds

  private:
    struct Setup;
    /// Shared with workspaces, whose caches refer to it.
    std::shared_ptr<Setup> setup_;
};

}  // namespace toile
