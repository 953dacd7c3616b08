// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/pin_check.h"

#include "toile/collision/bvh.h"
#include "toile/collision/continuous.h"
#include "toile/collision/primitive_boxes.h"
#include "toile/mesh/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace toile {
namespace {

/// Woven cloth that is pulled by more tears; below, the run says itself how far it stretches.
constexpr double kMostPinStrain = 0.2;
constexpr size_t kMostSources = 100;  ///< vertices of a pin that distances are measured from
constexpr double kNowhere = std::numeric_limits<double>::infinity();

/// The vertices of one pin, where they are at a time.
class LedVertices {
  public:
    explicit LedVertices(const PinGroup& pins)
        : pins_(pins), pivot_(pins.pivot(0, pins.start_positions())) {}

    [[nodiscard]] const PinGroup& pins() const { return pins_; }
    [[nodiscard]] bool holds_at(double time) const { return !pins_.end() || time < *pins_.end(); }
    void place(double time, std::vector<Vec3>& out) const {
        const PinGroup::Motion motion = pins_.motion(0, time, pivot_);
        out.clear();
        for (const Vec3& x : pins_.start_positions()) out.push_back(motion.apply(x));
    }

  private:
    const PinGroup& pins_;
    Vec3 pivot_;
};

/// Lengths of the shortest ways along the edges of a mesh.
class EdgeWays {
  public:
    explicit EdgeWays(const TriangleMesh& mesh) : neighbours_(mesh.positions.size()) {
        for (const Edge& e : build_edges(mesh.triangles, mesh.n_vertices()).edges) {
            const double length = (mesh.positions[e[0]] - mesh.positions[e[1]]).norm();
            neighbours_[e[0]].push_back({length, e[1]});
            neighbours_[e[1]].push_back({length, e[0]});
        }
    }

    /// From one vertex to all [Dijkstra59]; infinite where there is no way.
    [[nodiscard]] std::vector<double> from(int source) const {
        std::vector<double> distance(neighbours_.size(), kNowhere);
        std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
        distance[source] = 0;
        queue.push({0, source});
        while (!queue.empty()) {
            const auto [d, v] = queue.top();
            queue.pop();
            if (d > distance[v]) continue;
            for (const auto& [length, w] : neighbours_[v]) {
                if (!(d + length < distance[w])) continue;
                distance[w] = d + length;
                queue.push({distance[w], w});
            }
        }
        return distance;
    }

  private:
    using Reached = std::pair<double, int>;
    std::vector<std::vector<Reached>> neighbours_;
};

/// Two vertices, when they are pulled apart most.
struct Stretch {
    int a = -1;
    int b = -1;
    double time = 0;
    double strain = 0;
};

void stretch_between(const EdgeWays& ways, const LedVertices& one, const LedVertices& other,
                     const SceneSettings& settings, Stretch& inout_worst) {
    const auto sources = one.pins().vertices();
    const size_t stride = (sources.size() + kMostSources - 1) / kMostSources;
    std::vector<std::vector<double>> distances;
    for (size_t i = 0; i < sources.size(); i += stride) distances.push_back(ways.from(sources[i]));
    std::vector<Vec3> a, b;
    for (int frame = 0; frame <= settings.frames; ++frame) {
        const double time = frame / settings.frame_rate;
        if (!one.holds_at(time) || !other.holds_at(time)) return;
        one.place(time, a);
        other.place(time, b);
        for (size_t i = 0; i < a.size(); i += stride) {
            for (size_t j = 0; j < b.size(); ++j) {
                const int w = other.pins().vertices()[j];
                const double way = distances[i / stride][w];
                const double strain = way > 0 ? (a[i] - b[j]).norm() / way - 1 : 0;
                if (strain > inout_worst.strain) inout_worst = {sources[i], w, time, strain};
            }
        }
    }
}

void add_stretched(const Scene& scene, const ClothBody& cloth, std::span<const LedVertices> pins,
                   std::vector<std::string>& out) {
    if (pins.size() < 2) return;
    const EdgeWays ways(cloth.mesh);
    for (size_t i = 0; i < pins.size(); ++i) {
        for (size_t j = i + 1; j < pins.size(); ++j) {
            if (pins[i].pins().stands_still() && pins[j].pins().stands_still()) continue;
            Stretch worst;
            stretch_between(ways, pins[i], pins[j], scene.settings, worst);
            if (!(worst.strain > kMostPinStrain)) continue;
            out.push_back(fmt::format(
                "Its pinned vertices {} and {} are led so far apart that the cloth between them is "
                "stretched by {:.0f} % at least, most at {:.3g} s.",
                worst.a, worst.b, 100 * worst.strain, worst.time));
        }
    }
}

/// One obstacle and one cloth's pins, over the steps of a scene.
class PathCheck {
  public:
    PathCheck(const ObstacleBody& obstacle, std::span<const LedVertices> pins)
        : obstacle_(obstacle), pins_(pins), start_(obstacle.mesh.positions), end_(start_) {}

    /// The first meeting, as a sentence; nothing where they do not meet.
    [[nodiscard]] std::string first_meeting(const Scene& scene) {
        if (all_stand_still()) return {};
        const double rate = scene.settings.frame_rate * scene.solver.steps_per_frame;
        const long long n =
            static_cast<long long>(scene.settings.frames) * scene.solver.steps_per_frame;
        place_obstacle(obstacle_, 0, end_);
        for (long long step = 0; step < n; ++step) {
            start_.swap(end_);
            place_obstacle(obstacle_, static_cast<double>(step + 1) / rate, end_);
            std::string meeting = meeting_in(static_cast<double>(step) / rate, 1 / rate);
            if (!meeting.empty()) return meeting;
        }
        return {};
    }

  private:
    [[nodiscard]] bool all_stand_still() const {
        const bool obstacle_stands = !obstacle_.sequence && obstacle_.path.stands_still() &&
                                     obstacle_.velocities.stands_still();
        return obstacle_stands && std::ranges::all_of(pins_, [](const LedVertices& led) {
                   return led.pins().stands_still();
               });
    }

    std::string meeting_in(double time, double step) {
        swept_triangle_boxes({start_, end_}, obstacle_.mesh.triangles, 0, boxes_);
        if (bvh_.n_elements() == 0) {
            bvh_ = Bvh(boxes_);
        } else {
            bvh_.refit(boxes_);
        }
        for (const LedVertices& led : pins_) {
            if (!led.holds_at(time)) continue;
            led.place(time, from_);
            led.place(time + step, to_);
            for (size_t i = 0; i < from_.size(); ++i) {
                if (!meets(from_[i], to_[i])) continue;
                return fmt::format(
                    "Its pinned vertex {} and obstacle '{}' are led through each other at {:.3g} "
                    "s.",
                    led.pins().vertices()[i], obstacle_.name, time);
            }
        }
        return {};
    }

    [[nodiscard]] bool meets(const Vec3& from, const Vec3& to) {
        Aabb box;
        box.extend(from);
        box.extend(to);
        near_.clear();
        bvh_.query(box, near_);
        return std::ranges::any_of(near_, [&](int t) {
            const Triangle& c = obstacle_.mesh.triangles[t];
            return point_triangle_hit({{from, start_[c[0]], start_[c[1]], start_[c[2]]},
                                       {to, end_[c[0]], end_[c[1]], end_[c[2]]}})
                .hit;
        });
    }

    const ObstacleBody& obstacle_;
    std::span<const LedVertices> pins_;
    std::vector<Vec3> start_, end_, from_, to_;
    std::vector<Aabb> boxes_;
    Bvh bvh_;
    std::vector<int> near_;
};

}  // namespace

std::vector<std::string> unmet_pins(const Scene& scene, const ClothBody& cloth,
                                    std::span<const ObstacleBody> obstacles) {
    std::vector<LedVertices> pins;
    for (const PinGroup& group : cloth.pins) {
        if (group.holds_from_start()) pins.emplace_back(group);
    }
    std::vector<std::string> sentences;
    if (pins.empty()) return sentences;
    add_stretched(scene, cloth, pins, sentences);
    for (const ObstacleBody& obstacle : obstacles) {
        std::string meeting = PathCheck(obstacle, pins).first_meeting(scene);
        if (!meeting.empty()) sentences.push_back(std::move(meeting));
    }
    return sentences;
}

}  // namespace toile
