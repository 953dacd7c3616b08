// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sim/bodies.h"

#include <span>
#include <vector>

namespace toile {

/// Why a pin cannot go where it must.
enum class PinTrouble {
    Stretch,  ///< the cloth beside it would be stretched too far, or too fast
    Blocked,  ///< something is in its way
    Solver    ///< the cloth's equations have no good solution with it
};

/// What a step asks of pins. Arrays are of all bodies' vertices; places are read of held ones only.
struct PinStep {
    std::span<const int> held;           ///< ascending
    std::span<const Vec3> positions;     ///< m, at the step's start
    std::span<const Vec3> velocities;    ///< m/s, then
    std::span<const Vec3> places_start;  ///< m, where pins must be then
    std::span<const Vec3> places_end;    ///< m, and at the step's end
    double step = 0;                     ///< s
    double max_strain_change = 0;        ///< of a step; 0 = no limit
};

/// Lets pins yield that cannot be met, so that a pull which asks for too much neither stops the run
/// nor passes through anything.
///
/// A pin leads its vertex exactly as long as it can. Where a step fails through it, even the
/// shortest, or a triangle beside it would be stretched to more than double while it moves away, it
/// is let go: in that attempt its vertex stays where it is, and contacts may move it. From then on
/// it *lags*, which is nothing but being elsewhere than its place: no state is kept beside the
/// positions. A lagging vertex is led towards its place, with the motion of its place and a part of
/// what it lacks, no farther than the triangles beside it allow; contacts move it like any other;
/// once it is back at its place it is led exactly again.
class SoftPins {
  public:
    SoftPins() = default;
    /// `cloths` must outlive this, and be the first of all bodies.
    explicit SoftPins(std::span<const ClothBody> cloths);

    /// Finds which of the held pins lag, and where they may go. What was let go stays so until
    /// `accept`.
    void begin_attempt(const PinStep& step);
    /// Writes where the pins that yield are led to; ends of others are left alone.
    void lead(std::span<Vec3> out_ends) const;
    /// Those that yield in this attempt, ascending.
    [[nodiscard]] std::span<const int> yielding() const { return yielding_; }

    /// Pins led exactly that would stretch a triangle beside them too far, at these ends.
    void find_overstretched(const PinStep& step, std::span<const Vec3> ends,
                            std::vector<int>& out_vertices) const;

    /// Lets pins go for the rest of this step's attempts; false where none of the vertices is a pin
    /// that still moves as it is told.
    bool let_go(std::span<const int> vertices, PinTrouble cause);

    struct LetGo {
        int vertex;
        PinTrouble cause;
        bool lagged;  ///< before, too
    };
    /// Pins let go in this step, in order.
    [[nodiscard]] std::span<const LetGo> let_go() const { return let_go_; }
    /// The step was accepted: the next one begins.
    void accept() { let_go_.clear(); }

  private:
    [[nodiscard]] bool is_held(int vertex) const;
    [[nodiscard]] bool is_let_go(int vertex) const;
    [[nodiscard]] Vec3 goal(int vertex, const PinStep& step) const;
    [[nodiscard]] bool may_go(int vertex, const Vec3& to, const PinStep& step) const;
    [[nodiscard]] double strain_beside(int vertex, const Vec3& at, std::span<const Vec3> positions,
                                       int neighbour) const;
    [[nodiscard]] int cloth_of(int vertex) const;

    /// Triangles round every vertex, in the order of the cloths' vertices.
    std::span<const ClothBody> cloths_;
    std::vector<int> first_vertex_;  // of each cloth, and one after the last
    std::vector<size_t> first_triangle_;
    std::vector<int> triangles_;
    std::vector<double> edges_;  // m, usual length of each cloth

    std::vector<int> held_, yielding_;
    std::vector<Vec3> goals_;  // of the yielding ones
    std::vector<LetGo> let_go_;
};

/// Whether a vertex is where its pin wants it, up to rounding.
bool is_at_place(const Vec3& position, const Vec3& place);

/// `it would be stretched to more than double its size`, and the like.
const char* pin_trouble_words(PinTrouble cause);

}  // namespace toile
