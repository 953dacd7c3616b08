// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/edit/handle_move.h"
#include "toile/edit/surface_cells.h"
#include "toile/linalg/sparse_cholesky.h"

#include <optional>
#include <span>
#include <vector>

namespace toile {

/// Arap: what moves keeps its shape in the small, as rigidly as it can [Sorkine07].
/// Smooth: every vertex takes its share of the move; nothing is solved.
enum class HandleMode { Arap, Smooth };

struct HandleOptions {
    HandleMode mode = HandleMode::Arap;
    /// Metres over the surface from the selection; a vertex so far or farther does not move. 0: the
    /// selection alone moves; infinite: all that hangs together with it may.
    double falloff = 0;
    std::vector<int> fixed =
        {};              ///< vertices that stay, whatever the falloff; not of the selection
    int iterations = 4;  ///< of a drag, 1 or more; mode Arap
};

/// How one drag ended.
struct HandleReport {
    int iterations = 0;
    /// m²: the value of the energy before the last global step. Never above that of the drag before
    /// where both have the same move.
    double energy = 0;
};

/// A selection of a mesh's vertices that is moved as one, while the surface round it follows: set
/// up and factored once, then cheap for each drag. Mode Arap minimises, over the free vertices,
///
///   1/2 sum_i sum_j w_ij |x_i - x_j - R_i (p_i - p_j)|² + sum_i a_i s(t_i) |x_i - p_i|²
///
/// by turns over the rotations R_i (local) and x (global), where p is the surface at rest, t_i the
/// distance over the surface in falloffs and s the pull home that lets the change end flat at the
/// falloff; docs/algorithms/surface-handle.md. Any connectivity; the same bits on any number of
/// threads.
class SurfaceHandle {
  public:
    /// Throws InvalidInput where an index is out of range, a coordinate is not finite, the falloff
    /// is negative, or a vertex is both selected and fixed. A selection of nothing moves nothing.
    SurfaceHandle(std::span<const Triangle> triangles, std::vector<Vec3> positions,
                  std::span<const int> selection, HandleOptions options = {});

    /// The whole surface (n_vertices) with the selection moved by `move` from rest. Starts from the
    /// drag before or from the shares of the move, whichever is nearer to done. Vertices that may
    /// not move keep every bit, and so do all where the move is none; where nothing that is free
    /// hangs on a vertex that stays, a rigid move is followed exactly. Throws InvalidInput where
    /// the move takes a vertex beyond the range of float32, which is that of files and the screen;
    /// the drags after it are as without it.
    HandleReport drag(const HandleMove& move, std::span<Vec3> out_positions);

    /// What may move, ascending, and the share of the move that each takes by the falloff: 1 for
    /// the selection.
    [[nodiscard]] const std::vector<int>& vertices() const { return vertices_; }
    [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
    [[nodiscard]] const std::vector<Vec3>& rest() const { return rest_; }

  private:
    std::vector<char> weigh(std::span<const Triangle> triangles, std::span<const int> selection);
    void set_up(std::span<const Triangle> triangles, std::span<const char> is_free);
    [[nodiscard]] SparseMatrix system_matrix() const;
    void take_shares(const HandleMove& move, std::span<Vec3> out_positions) const;
    void gather(std::span<const Vec3> positions, std::span<Vec3> out_local) const;
    double turn_cells(std::span<const Vec3> local, std::span<Mat3> out_rotations) const;
    [[nodiscard]] Mat3 cell_rotation(int cell, std::span<const Vec3> local) const;
    [[nodiscard]] double cell_energy(int cell, std::span<const Vec3> local,
                                     const Mat3& rotation) const;
    double choose_start(std::span<const Vec3> shares);
    void move_free();

    HandleOptions options_;
    std::vector<Vec3> rest_;
    std::vector<int> vertices_;
    std::vector<double> weights_;
    std::vector<double> pulls_;  ///< a_i s(t_i) of free vertices; m² times 1/m²

    SurfaceCells cells_;
    std::optional<SparseCholesky> factor_;  ///< nothing where nothing is free
    std::vector<Vec3> rest_edges_;          ///< p_i - p_j, as cells_.neighbours
    std::vector<Vec3> local_rest_;
    std::vector<Vec3> local_, start_;  ///< of local vertices: now, and the other start
    std::vector<Mat3> rotations_, start_rotations_;
    std::vector<Vec3> correction_;
};

}  // namespace toile
