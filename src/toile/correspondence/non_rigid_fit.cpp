// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/non_rigid_fit.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/core/near_miss.h"
#include "toile/correspondence/fit_energy.h"
#include "toile/correspondence/fit_system.h"
#include "toile/correspondence/surface_pull.h"
#include "toile/deformation/gradient.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace toile {
namespace {

/// The preconditioner's diagonal, in parts of the pull along normals.
constexpr double kShift = 0.3;
/// What holds parts without a marker, in parts of the mean diagonal of K.
constexpr double kAnchor = 1e-6;

constexpr std::array<std::pair<std::string_view, FitKind>, 3> kKinds = {
    {{"plate", FitKind::Plate}, {"full", FitKind::Full}, {"classic", FitKind::Classic}}};

void require_finite(const TriangleMesh& mesh, std::string_view role) {
    if (mesh.triangles.empty()) {
        throw InvalidInput(fmt::format("The {} mesh has no triangles.", role));
    }
    require_valid_indices(mesh.triangles, mesh.n_vertices());
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
        if (mesh.positions[v].allFinite()) continue;
        throw InvalidInput(fmt::format("Vertex {} of the {} mesh is not finite.", v, role));
    }
}

void check_cancelled(const JobControl& control) {
    if (!control.cancellation || !control.cancellation->requested()) return;
    throw Interrupted("Stopped before the fit was finished; nothing was written.");
}

double mean_edge(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    // Edges of two triangles count twice; the mean over sides serves as well, and needs no
    // topology.
    double sum = 0;
    long long n = 0;
    for (const Triangle& t : triangles) {
        for (size_t c = 0; c < 3; ++c) {
            const double length = (positions[static_cast<size_t>(t[c])] -
                                   positions[static_cast<size_t>(t[(c + 1) % 3])])
                                      .norm();
            sum += length;
            n += length > 0;
        }
    }
    if (!(sum > 0)) throw InvalidInput("All edges of the source mesh have zero length.");
    return sum / static_cast<double>(n);
}

Transform aligning(const TriangleMesh& source, const TriangleMesh& target,
                   std::span<const Marker> markers) {
    std::vector<Vec3> from;
    std::vector<Vec3> to;
    for (const Marker& marker : markers) {
        from.push_back(source.positions.at(static_cast<size_t>(marker.source)));
        to.push_back(target.positions.at(static_cast<size_t>(marker.target)));
    }
    const AlignmentResult result = align(from, to, Alignment::Similarity);
    if (!result.rotation_is_unique()) {
        log_warning(
            fmt::format("{} markers that lie {} do not say how the source is turned; the "
                        "smallest turn is taken. Add markers off their line.",
                        markers.size(), result.rank == 1 ? "on a line" : "in one place"));
    }
    return result.transform;
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// A marker is implausible where the others put it this many medians, and this part of the
/// diagonal, away.
constexpr double kImplausibleMedians = 4;
constexpr double kImplausibleDistance = 0.12;

/// One run of the fit; lengths in mean edges of the aligned source.
class Fit {
  public:
    Fit(const TriangleMesh& source, const TriangleMesh& target, std::span<const Marker> markers,
        const FitOptions& options)
        : source_(source),
          target_(target),
          markers_(markers),
          options_(options),
          rest_(source.positions),
          surface_(target.positions) {
        if (options.align) result_.alignment = aligning(source, target, markers);
        transform_points(result_.alignment, rest_);
        unit_ = mean_edge(rest_, source.triangles);
        origin_ = bounding_box(target.positions).center();
        for (Vec3& p : rest_) p = (p - origin_) / unit_;
        for (Vec3& p : surface_) p = (p - origin_) / unit_;
        diagonal_ = bounding_box(surface_).diagonal();
        result_.kind = options.kind;
    }

    FitResult run(const JobControl& control) {
        const int n_solves = static_cast<int>(options_.pulls.size());
        FitSystem system = make_system();
        const SurfacePull surface(surface_, target_.triangles);
        for (int k = 0; k < n_solves; ++k) {
            check_cancelled(control);
            if (control.progress) control.progress(k, n_solves, "fitting");
            solve(options_.pulls[static_cast<size_t>(k)], surface, system);
            if (k == 0) judge_markers(system);
        }
        if (control.progress) control.progress(n_solves, n_solves, "fitting");
        result_.positions = positions();
        for (Vec3& p : result_.positions) p = p * unit_ + origin_;
        return std::move(result_);
    }

  private:
    FitSystem make_system() {
        const FitWeights weights{options_.smoothness, options_.identity};
        const SparseMatrix energy = options_.kind == FitKind::Plate
                                        ? plate_energy(rest_, source_.triangles, weights)
                                        : full_energy(rest_, source_.triangles, weights);
        const auto n = static_cast<size_t>(energy.rows());
        displacements_.assign(n, Vec3::Zero());
        std::vector<char> held(n, 0);
        for (size_t i = 0; i < n; ++i) {
            held[i] = energy.coeff(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) <= 0;
        }
        for (const Marker& marker : markers_) {
            const auto v = static_cast<size_t>(marker.source);
            held[v] = 1;
            displacements_[v] = surface_[static_cast<size_t>(marker.target)] - rest_[v];
        }
        return FitSystem(energy, held, anchors(energy));
    }

    /// Of vertices that no marker reaches through triangles with area.
    [[nodiscard]] std::vector<double> anchors(const SparseMatrix& energy) const {
        const std::vector<TriangleHats> hats = triangle_hats(rest_, source_.triangles);
        std::vector<Triangle> solid;
        for (size_t t = 0; t < hats.size(); ++t) {
            if (!hats[t].degenerate) solid.push_back(source_.triangles[t]);
        }
        const std::vector<int> component = vertex_components(solid, source_.n_vertices());
        std::vector<char> reached(rest_.size(), 0);
        for (const Marker& marker : markers_) {
            reached[static_cast<size_t>(component[static_cast<size_t>(marker.source)])] = 1;
        }
        const double weight = kAnchor * energy.diagonal().mean();
        std::vector<double> result(static_cast<size_t>(energy.rows()), 0.0);
        for (size_t v = 0; v < rest_.size(); ++v) {
            if (!reached[static_cast<size_t>(component[v])]) result[v] = weight;
        }
        return result;
    }

    [[nodiscard]] std::vector<Vec3> positions() const {
        std::vector<Vec3> result(rest_);
        for (size_t v = 0; v < result.size(); ++v) result[v] += displacements_[v];
        return result;
    }

    void solve(double weight, const SurfacePull& surface, FitSystem& system) {
        std::vector<Pull> pulls(rest_.size());
        if (weight > 0) {
            const std::vector<Vec3> now = positions();
            result_.pulled.resize(now.size());
            surface.find(now, vertex_normals(now, source_.triangles),
                         {.max_distance = options_.max_pull_distance * diagonal_,
                          .min_cosine = std::cos(options_.max_pull_angle),
                          .to_border = options_.pull_to_border},
                         result_.pulled);
            for (size_t v = 0; v < pulls.size(); ++v) {
                const SurfacePoint& point = result_.pulled[v];
                if (point.triangle < 0) continue;
                pulls[v] = {surface.position(point) - rest_[v], surface.normal(point), weight,
                            weight * options_.tangential};
            }
        }
        result_.iterations += system.solve(pulls, kShift * weight, displacements_);
    }

    /// The marker that is left out moves until nothing holds it: by force over stiffness.
    void judge_markers(const FitSystem& system) {
        std::vector<int> rows;
        for (const Marker& marker : markers_) rows.push_back(marker.source);
        const std::vector<double> stiffness = system.stiffness(rows);
        std::vector<double> distances;
        for (size_t i = 0; i < markers_.size(); ++i) {
            const int v = markers_[i].source;
            const Vec3 d = displacements_[static_cast<size_t>(v)];
            const Vec3 force = system.force(v, displacements_);
            const Vec3 offset = stiffness[i] > 0 ? Vec3(force / stiffness[i]) : Vec3::Zero();
            const Vec3 place = rest_[static_cast<size_t>(v)] + d - offset;
            result_.markers.push_back({place * unit_ + origin_, offset.norm() * unit_, false});
            distances.push_back(offset.norm());
        }
        const double limit =
            std::max(kImplausibleMedians * median(distances), kImplausibleDistance * diagonal_);
        for (size_t i = 0; i < distances.size(); ++i) {
            result_.markers[i].implausible = distances[i] > limit;
        }
    }

    const TriangleMesh& source_;
    const TriangleMesh& target_;
    std::span<const Marker> markers_;
    const FitOptions& options_;
    std::vector<Vec3> rest_;
    std::vector<Vec3> surface_;
    double unit_ = 1;
    Vec3 origin_ = Vec3::Zero();
    double diagonal_ = 0;
    std::vector<Vec3> displacements_;
    FitResult result_;
};

}  // namespace

FitKind parse_fit_kind(std::string_view name) {
    std::vector<std::string> names;
    for (const auto& [known, kind] : kKinds) {
        if (known == name) return kind;
        names.emplace_back(known);
    }
    throw InvalidInput(fmt::format("There is no fit '{}'; there are {}.{}", name,
                                   fmt::join(names, ", "), did_you_mean(name, names)));
}

std::string_view fit_kind_name(FitKind kind) {
    const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                    [&](const auto& known) { return known.second == kind; });
    return found->first;
}

FitOptions fit_options(FitKind kind) {
    FitOptions options;
    options.kind = kind;
    if (options.kind == FitKind::Full) options.identity = 0.1;
    if (options.kind == FitKind::Classic) {
        options.identity = 1e-3;
        options.tangential = 1;
        options.max_pull_angle = std::numbers::pi / 2;
        options.max_pull_distance = std::numeric_limits<double>::infinity();
        options.pull_to_border = true;
    }
    return options;
}

FitResult fit_to_surface(const TriangleMesh& source, const TriangleMesh& target,
                         std::span<const Marker> markers, const FitOptions& options,
                         const JobControl& control) {
    require_finite(source, "source");
    require_finite(target, "target");
    if (markers.empty()) {
        throw InvalidInput("There are no markers; the fit needs three or more, not on one line.");
    }
    return Fit(source, target, markers, options).run(control);
}

}  // namespace toile
