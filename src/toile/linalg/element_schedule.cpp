// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/element_schedule.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace toile {
namespace {

constexpr int kBitsPerAxis = 20;

std::uint64_t spread_bits(std::uint64_t x) {
    std::uint64_t result = 0;
    for (int bit = 0; bit < kBitsPerAxis; ++bit) result |= ((x >> bit) & 1U) << (3 * bit);
    return result;
}

/// Cell of a coordinate among 2^20; what is not finite goes to the first.
std::uint64_t cell(double relative) {
    constexpr double kCells = 1 << kBitsPerAxis;
    if (!(relative > 0)) return 0;
    return static_cast<std::uint64_t>(std::min(relative * kCells, kCells - 1));
}

/// Place on a Morton curve through the bounding cube.
std::vector<std::uint64_t> curve_places(std::span<const Vec3> centres) {
    Vec3 low = Vec3::Zero();
    double extent = 0;
    if (!centres.empty()) low = centres[0];
    for (const Vec3& c : centres) low = low.cwiseMin(c);
    for (const Vec3& c : centres) extent = std::max(extent, (c - low).maxCoeff());
    std::vector<std::uint64_t> places;
    for (const Vec3& c : centres) {
        std::uint64_t place = 0;
        for (int axis = 0; axis < 3; ++axis) {
            place |= spread_bits(cell((c[axis] - low[axis]) / extent)) << axis;
        }
        places.push_back(place);
    }
    return places;
}

/// Ascending pieces that touch every row.
std::vector<std::vector<int>> pieces_of_rows(const StencilList& stencils,
                                             std::span<const int> order, int n_rows) {
    std::vector<std::vector<int>> pieces(n_rows);
    for (int k = 0; k < static_cast<int>(order.size()); ++k) {
        for (const int row : stencils[order[k]]) {
            const int piece = k / ElementSchedule::kPieceSize;
            if (pieces[row].empty() || pieces[row].back() != piece) pieces[row].push_back(piece);
        }
    }
    return pieces;
}

/// The smallest colour that no piece sharing a row with `piece` has taken.
std::vector<int> greedy_colours(const StencilList& stencils, std::span<const int> order,
                                int n_rows) {
    const auto pieces = pieces_of_rows(stencils, order, n_rows);
    const int n = static_cast<int>(order.size());
    std::vector<int> colours(detail::chunk_count(n, ElementSchedule::kPieceSize), -1);
    std::vector<int> taken_by;
    for (int k = 0, piece = 0; k < n; k += ElementSchedule::kPieceSize, ++piece) {
        for (int i = k; i < std::min(n, k + ElementSchedule::kPieceSize); ++i) {
            for (const int row : stencils[order[i]]) {
                for (const int other : pieces[row]) {
                    const int colour = colours[other];
                    if (colour < 0) continue;
                    if (colour >= static_cast<int>(taken_by.size()))
                        taken_by.resize(colour + 1, -1);
                    taken_by[colour] = piece;
                }
            }
        }
        int colour = 0;
        while (colour < static_cast<int>(taken_by.size()) && taken_by[colour] == piece) ++colour;
        colours[piece] = colour;
    }
    return colours;
}

}  // namespace

ElementSchedule::ElementSchedule(const StencilList& stencils, std::span<const Vec3> centres,
                                 int n_rows)
    : order_(stencils.size()) {
    const auto places = curve_places(centres);
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return places[a] < places[b]; });
    const auto colours = greedy_colours(stencils, order_, n_rows);
    pieces_.resize(colours.size());
    std::iota(pieces_.begin(), pieces_.end(), 0);
    std::stable_sort(pieces_.begin(), pieces_.end(),
                     [&](int a, int b) { return colours[a] < colours[b]; });
    first_piece_.push_back(0);
    for (int i = 1; i < static_cast<int>(pieces_.size()); ++i) {
        if (colours[pieces_[i]] != colours[pieces_[i - 1]]) first_piece_.push_back(i);
    }
    if (!pieces_.empty()) first_piece_.push_back(static_cast<int>(pieces_.size()));
}

std::vector<int> ElementSchedule::colour_of_piece() const {
    std::vector<int> colours(pieces_.size());
    for (int colour = 0; colour < n_colours(); ++colour) {
        for (int i = first_piece_[colour]; i < first_piece_[colour + 1]; ++i) {
            colours[pieces_[i]] = colour;
        }
    }
    return colours;
}

}  // namespace toile
