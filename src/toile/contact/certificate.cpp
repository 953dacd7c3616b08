// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/certificate.h"

#include "toile/core/parallel.h"

#include <algorithm>

namespace toile {
namespace {

constexpr int kGrain = 256;

constexpr double kReach = 2;  // rounding gaps: `of_certificate` asks for one at most

struct Motion {
    std::span<const Vec3> start, end;
};

/// Whether a pair stays apart, tried from the cheapest proof to the dearest.
bool stays_apart(const ContactStencil& stencil, const Motion& motion, const Vec3& end_normal) {
    const StencilPoints start = gather(stencil, motion.start);
    const StencilPoints end = gather(stencil, motion.end);
    const Separation separation{.rounding = rounding_gap(start, end)};
    if (gap_along(stencil.kind, start, end_normal) > separation.rounding &&
        gap_along(stencil.kind, end, end_normal) > separation.rounding) {
        return true;
    }
    const StencilGap start_gap = measure_gap(stencil.kind, start);
    const double gap = separation.of_certificate(start_gap.distance);
    return hit_time(stencil, motion.start, motion.end, gap, start_gap.normal) > 1;
}

/// The same where the normal at the start is known.
bool stays_apart(const CandidatePair& pair, const Motion& motion, double& out_end_gap) {
    const StencilPoints start = gather(pair.stencil, motion.start);
    const StencilPoints end = gather(pair.stencil, motion.end);
    const double rounding = rounding_gap(start, end);
    out_end_gap = gap_along(pair.stencil.kind, end, pair.normal);
    if (out_end_gap > rounding && gap_along(pair.stencil.kind, start, pair.normal) > rounding) {
        return true;
    }
    return stays_apart(pair.stencil, motion, measure_gap(pair.stencil.kind, end).normal);
}

/// What a piece of pairs has found.
struct PairFindings {
    double smallest = std::numeric_limits<double>::infinity();
    std::vector<ContactStencil> failing;
};

bool prescribed(const ContactSurface& surface, int body) {
    return surface.bodies[body].prescribed;
}

bool share_vertex(const ContactStencil& stencil) {
    for (int i = 0; i < stencil.second_side(); ++i) {
        for (int j = stencil.second_side(); j < 4; ++j) {
            if (stencil.vertices[i] == stencil.vertices[j]) return true;
        }
    }
    return false;
}

/// Calls `look_at` for every pair that may not cross.
template <class LookAt>
void for_all_pairs(const ContactSurface& surface, const LookAt& look_at) {
    const auto look = [&](const ContactStencil& stencil) {
        const int a = surface.body_of_vertex[stencil.vertices[0]];
        const int b = surface.body_of_vertex[stencil.vertices[3]];
        if (prescribed(surface, a) && prescribed(surface, b)) return;
        if (!share_vertex(stencil)) look_at(stencil);
    };
    for (int p = 0; p < surface.n_vertices(); ++p) {
        for (const Triangle& t : surface.triangles) {
            look({StencilKind::PointTriangle, {p, t[0], t[1], t[2]}});
        }
    }
    for (size_t e = 0; e < surface.edges.size(); ++e) {
        const Edge& a = surface.edges[e];
        for (size_t f = e + 1; f < surface.edges.size(); ++f) {
            const Edge& b = surface.edges[f];
            look({StencilKind::EdgeEdge, {a[0], a[1], b[0], b[1]}});
        }
    }
}

}  // namespace

Certificate MotionCertifier::certify(const ContactSurface& surface, std::span<const Vec3> start,
                                     std::span<const Vec3> end) {
    require_finite(start);
    require_finite(end);
    const Motion motion{start, end};
    finder_.begin(surface, start, end, {.rounding_gaps = kReach, .within_thickness = false});
    findings_.clear();
    finder_.collect(
        [&](const ContactStencil& stencil, const StencilGap&, std::vector<Finding>& piece) {
            const StencilGap gap = measure_gap(stencil.kind, gather(stencil, end));
            const bool failed = !stays_apart(stencil, motion, gap.normal);
            // Of what one piece finds, only the smallest gap and the failures are needed.
            if (piece.empty()) piece.push_back({stencil, gap.distance, false});
            piece.front().gap = std::min(piece.front().gap, gap.distance);
            if (failed) piece.push_back({stencil, gap.distance, true});
        },
        findings_);

    Certificate certificate;
    for (const Finding& finding : findings_) {
        certificate.smallest_gap = std::min(certificate.smallest_gap, finding.gap);
        if (finding.failed) certificate.failing.push_back(finding.stencil);
    }
    std::sort(certificate.failing.begin(), certificate.failing.end());
    return certificate;
}

Certificate certify_pairs(std::span<const CandidatePair> pairs, std::span<const Vec3> start,
                          std::span<const Vec3> end) {
    require_finite(end);
    const Motion motion{start, end};
    const auto look = [&](int first, int last) {
        PairFindings found;
        for (int i = first; i < last; ++i) {
            // The gap along a direction is never above the distance: measured where it may count.
            double along = 0;
            if (!stays_apart(pairs[i], motion, along)) found.failing.push_back(pairs[i].stencil);
            if (along >= found.smallest) continue;
            const StencilGap gap =
                measure_gap(pairs[i].stencil.kind, gather(pairs[i].stencil, end));
            found.smallest = std::min(found.smallest, gap.distance);
        }
        return found;
    };
    const auto combine = [](PairFindings all, const PairFindings& part) {
        all.smallest = std::min(all.smallest, part.smallest);
        all.failing.insert(all.failing.end(), part.failing.begin(), part.failing.end());
        return all;
    };
    const PairFindings found =
        parallel_reduce(static_cast<int>(pairs.size()), kGrain, PairFindings{}, look, combine);
    Certificate certificate;
    certificate.smallest_gap = found.smallest;
    certificate.failing = found.failing;
    std::sort(certificate.failing.begin(), certificate.failing.end());
    return certificate;
}

Certificate certify_all_pairs(const ContactSurface& surface, std::span<const Vec3> start,
                              std::span<const Vec3> end) {
    require_finite(start);
    require_finite(end);
    Certificate certificate;
    for_all_pairs(surface, [&](const ContactStencil& stencil) {
        const StencilPoints x = gather(stencil, start), y = gather(stencil, end);
        const Separation separation{.rounding = rounding_gap(x, y)};
        const double start_gap = measure_gap(stencil.kind, x).distance;
        const double end_gap = measure_gap(stencil.kind, y).distance;
        const double gap = separation.of_certificate(start_gap);
        // A direction without length parts nothing, so that continuous detection always runs.
        const bool hit = hit_time(stencil, start, end, gap, Vec3::Zero()) <= 1;
        certificate.smallest_gap = std::min(certificate.smallest_gap, end_gap);
        if (hit) certificate.failing.push_back(stencil);
    });
    std::sort(certificate.failing.begin(), certificate.failing.end());
    return certificate;
}

}  // namespace toile
