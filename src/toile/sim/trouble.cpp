// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/trouble.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

constexpr size_t kMostPhrases = 5;

const ContactBody& body_of(const ContactSurface& surface, int vertex) {
    return surface.bodies[surface.body_of_vertex[vertex]];
}

std::string stencil_phrase(const ContactSurface& surface, const ContactStencil& stencil) {
    const ContactBody& first = body_of(surface, stencil.vertices[0]);
    const ContactBody& second = body_of(surface, stencil.vertices[3]);
    const auto local = [&](int i) {
        const int v = stencil.vertices[i];
        return v - body_of(surface, v).first_vertex;
    };
    if (stencil.kind == StencilKind::PointTriangle) {
        return fmt::format("vertex {} of '{}' and triangle ({}, {}, {}) of '{}'", local(0),
                           first.name, local(1), local(2), local(3), second.name);
    }
    return fmt::format("edge ({}, {}) of '{}' and edge ({}, {}) of '{}'", local(0), local(1),
                       first.name, local(2), local(3), second.name);
}

/// Whether nothing free is in the pair: two things that are told to move into each other.
bool all_prescribed(const ContactSurface& surface, const ContactStencil& stencil) {
    return std::ranges::all_of(stencil.vertices,
                               [&](int v) { return surface.inverse_masses[v] <= 0; });
}

}  // namespace

std::vector<std::string> stencil_phrases(const ContactSurface& surface,
                                         std::span<const ContactStencil> stencils) {
    std::vector<std::string> phrases;
    for (const ContactStencil& stencil : stencils.first(std::min(kMostPhrases, stencils.size()))) {
        phrases.push_back(stencil_phrase(surface, stencil));
    }
    if (stencils.size() > phrases.size()) {
        phrases.push_back(fmt::format("{} more", stencils.size() - phrases.size()));
    }
    return phrases;
}

RunFailure dynamics_trouble(const StepReport& report, const std::string& cloth) {
    RunFailure failure;
    switch (report.status) {
        case StepStatus::Done:
            break;
        case StepStatus::SolverDidNotConverge:
            failure.cause = fmt::format(
                "the linear solver of '{}' did not converge in {} iterations (residual {:.2g}); "
                "likely causes are very stiff fabric on tiny triangles, or pins that fight.",
                cloth, report.iterations, report.relative_residual);
            break;
        case StepStatus::StrainChangedTooMuch:
            failure.cause = fmt::format(
                "the stretch of '{}' changes by {:.3g} in one step; likely causes are a pin or a "
                "start that pulls harder than the cloth can follow, gravity, wind or an obstacle "
                "too strong or too fast for it, too few steps (`steps_per_frame`, `max_halvings`), "
                "or a rest shape (UVs, `uv_scale`) of another size than the mesh.",
                cloth, report.max_strain_change);
            failure.places = {fmt::format("triangle {} of '{}'", report.worst_triangle, cloth)};
            break;
        case StepStatus::NotFinite:
            failure.cause = fmt::format(
                "a position, velocity or force of '{}' is not a finite number; likely "
                "causes are gravity, wind or a velocity beyond all measure.",
                cloth);
            break;
    }
    return failure;
}

RunFailure contact_trouble(const ContactSurface& surface,
                           std::span<const ContactStencil> unresolved) {
    RunFailure failure;
    const auto n_prescribed = std::ranges::count_if(
        unresolved, [&](const ContactStencil& s) { return all_prescribed(surface, s); });
    failure.cause =
        fmt::format("{} pair{} cannot be kept apart; likely {}.", unresolved.size(),
                    unresolved.size() == 1 ? "" : "s",
                    n_prescribed > 0
                        ? "pins or obstacles are led into each other"
                        : "cloth is squeezed between things that move as they are told, or pressed "
                          "by gravity or wind too strong for its steps");
    failure.places = stencil_phrases(surface, unresolved);
    return failure;
}

}  // namespace toile
