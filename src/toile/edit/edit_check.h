// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/edit/carried_edit.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// What is remarkable about an edit in its own frame. Lists hold triangles of the mesh, ascending.
struct EditDiagnosis {
    int frame = 0;             ///< that was edited, counted from 0
    double window_weight = 1;  ///< of that frame; below 1 it does not come out as edited
    double tolerance = 0;      ///< metres
    int n_vertices = 0;
    int n_moved = 0;
    int n_free = 0;
    int n_triangles = 0;        ///< of the region
    int n_loose_parts = 0;      ///< that follow what they sit in
    double radius = 0;          ///< metres, of the region as a disc
    double largest_offset = 0;  ///< metres
    int largest_vertex = -1;    ///< that moves farthest
    double largest_turn = 0;    ///< radians, of a triangle
    int largest_turn_triangle = -1;
    std::vector<int> thin;     ///< before the edit: height below 1e-4 of the longest edge
    std::vector<int> flipped;  ///< normal after against normal before the edit
    std::vector<int> turned;   ///< by more than 150 degrees: a strength but 0 and 1 is unreliable
    /// All vertices move by one turn and shift: the frame was placed elsewhere, not edited.
    bool is_placement = false;
};

/// All but `frame`, `window_weight` and `tolerance`.
EditDiagnosis diagnose_edit(const CarriedEdit& edit);

/// Sentences for a person; nothing where all is well. `partial` tells whether strengths but 0 and 1
/// occur.
std::vector<std::string> edit_warnings(const EditDiagnosis& diagnosis, bool partial);

/// Throws InvalidInput, naming both counts or the first triangle that differs. `name` is that of
/// the edited frame.
void require_same_connectivity(std::span<const Triangle> triangles, int n_vertices,
                               std::span<const Triangle> edited_triangles, int n_edited_vertices,
                               const std::string& name);

/// The first few of a list for a message: `3, 7, 12 and 5 more`.
std::string first_few(std::span<const int> elements);

}  // namespace toile
