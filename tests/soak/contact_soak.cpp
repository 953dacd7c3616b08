// SPDX-License-Identifier: Apache-2.0
// Random scenes of cloth, loose triangles and a driven box, step after step, for a given time:
// every motion that the response calls clean is looked at again by brute force, pair by pair.
// usage: toile_soak [--minutes M] [--seed S]; exit code 1 at the first motion that is not clean.
#include "contact/contact_scene.h"
#include "toile/contact/bridson_response.h"
#include "toile/contact/certificate.h"
#include "toile/core/timer.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

namespace toile {
namespace {

constexpr double kStep = 0.01;
constexpr int kStepsPerScene = 12;

struct SoakCount {
    long scenes = 0, motions = 0, collisions = 0, fail_safe = 0, unresolved = 0;
};

test::Scene random_scene(std::mt19937_64& random) {
    const double scale = std::pow(10, test::uniform(random, -2, 2));
    const double thickness = scale * test::uniform(random, 1e-4, 2e-2);
    const int n = 4 + static_cast<int>(random() % 8);
    test::SceneBody sheet = test::cloth_grid(n, scale, thickness);
    test::translate(sheet.positions, {0, 0.8 * scale, 0});
    test::SceneBody soup = test::triangle_soup(12, 0.2 * scale, 0.5 * scale, 2 * thickness, random);
    test::translate(soup.positions, {0, 2 * scale, 0});
    const double side = test::uniform(random, 0.2, 0.9) * scale;
    test::SceneBody box = test::box_obstacle({side, side, side}, 0);
    return test::make_scene({sheet, soup, box}, test::uniform(random, 0, 1));
}

/// New velocities for all: bodies are thrown at each other, and every vertex at its neighbours.
void throw_bodies(test::Scene& scene, double size, std::mt19937_64& random) {
    for (const ContactBody& body : scene.surface.bodies) {
        const Vec3 common = test::uniform_in_cube(random, test::uniform(random, 0, 0.3) * size);
        const double own = body.prescribed ? 0 : test::uniform(random, 0, 0.2) * size;
        for (int v = body.first_vertex; v < body.first_vertex + body.n_vertices; ++v) {
            scene.end[v] = scene.start[v] + common + test::uniform_in_cube(random, own);
        }
    }
}

/// False, with a message, where a motion called clean is not.
bool soak_scene(unsigned long long seed, SoakCount& count) {
    std::mt19937_64 random(seed);
    test::Scene scene = random_scene(random);
    const double size = (scene.start.front() - scene.start[1]).norm() * 10;
    BridsonResponse response({.max_rounds = static_cast<int>(random() % 12)});
    for (int step = 0; step < kStepsPerScene; ++step) {
        throw_bodies(scene, size, random);
        const ContactReport report =
            response.resolve(scene.surface, {scene.start, scene.end, kStep});
        ++count.motions;
        count.collisions += report.n_collisions;
        count.fail_safe += report.n_fail_safe > 0 ? 1 : 0;
        if (report.status != ContactStatus::Clean) {
            ++count.unresolved;
            continue;  // refused: nothing is accepted, the start stays
        }
        const Certificate twin = certify_all_pairs(scene.surface, scene.start, scene.end);
        if (!twin.clean()) {
            fmt::print("seed {}, step {}: {} pairs meet in a motion called clean.\n", seed, step,
                       twin.failing.size());
            return false;
        }
        scene.start = scene.end;
    }
    ++count.scenes;
    return true;
}

int soak(double minutes, unsigned long long seed) {
    const Timer timer;
    SoakCount count;
    while (timer.seconds() < 60 * minutes) {
        if (!soak_scene(seed++, count)) return 1;
    }
    fmt::print(
        "{} scenes, {} motions: {} collisions, {} motions with the fail-safe, {} refused; "
        "every accepted motion is free of crossings by brute force.\n",
        count.scenes, count.motions, count.collisions, count.fail_safe, count.unresolved);
    return 0;
}

}  // namespace
}  // namespace toile

int main(int argc, char** argv) {
    double minutes = 60;
    unsigned long long seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::string(argv[i]) == "--minutes") minutes = std::strtod(argv[i + 1], nullptr);
        if (std::string(argv[i]) == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
    }
    return toile::soak(minutes, seed);
}
