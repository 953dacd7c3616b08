// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/trace_files.h"

#include "toile/core/error.h"
#include "toile/io/atomic_file.h"
#include "toile/io/mesh_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace toile {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void make_folder(const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) throw IoError(fmt::format("{}: {}.", folder.string(), failure.message()));
}

/// One step's meshes.
class IterationWriter {
  public:
    IterationWriter(const World& world, std::string prefix)
        : world_(world), prefix_(std::move(prefix)) {}

    void write(std::span<const Vec3> positions, bool obstacles) {
        for (int b = 0; b < world_.surface().n_bodies(); ++b) {
            const ContactBody& body = world_.surface().bodies[b];
            if (body.prescribed != obstacles) continue;
            const auto own = positions.subspan(body.first_vertex, body.n_vertices);
            TriangleMesh mesh = world_.mesh(b);
            mesh.positions.assign(own.begin(), own.end());
            const std::string number = obstacles ? "" : fmt::format("_i{:02d}", round_);
            write_mesh(fmt::format("{}{}_{}.obj", prefix_, number, body.name), mesh,
                       {.overwrite = true});
        }
        if (!obstacles) ++round_;
    }

  private:
    const World& world_;
    std::string prefix_;
    int round_ = 0;
};

bool has_collisions(const TracedStep& step) {
    return std::ranges::any_of(step.contact.rounds,
                               [](const TracedRound& r) { return !r.collisions.empty(); });
}

Json point_json(const Vec3& p) {
    return {p.x(), p.y(), p.z()};
}

Json points_json(std::span<const Vec3> points) {
    Json json = Json::array();
    for (const Vec3& p : points) json.push_back(point_json(p));
    return json;
}

/// `[kind, v0, v1, v2, v3]`.
Json stencil_json(const ContactStencil& stencil) {
    const auto& v = stencil.vertices;
    return {stencil.kind == StencilKind::PointTriangle ? "point-triangle" : "edge-edge", v[0], v[1],
            v[2], v[3]};
}

Json boxes_json(const World& world, std::span<const Vec3> positions, BoxKind kind) {
    Json json = Json::array();
    if (positions.empty()) return json;
    for (const TracedBox& box : traced_boxes(world.surface(), positions, kind)) {
        json.push_back({{"body", box.body},
                        {"depth", box.depth},
                        {"leaf", box.leaf},
                        {"min", point_json(box.box.min)},
                        {"max", point_json(box.box.max)}});
    }
    return json;
}

Json round_json(const TracedRound& round) {
    Json json = {{"collisions", Json::array()}, {"ends", points_json(round.ends)}};
    for (const TracedCollision& collision : round.collisions) {
        json["collisions"].push_back(
            {{"pair", stencil_json(collision.stencil)}, {"time", collision.time}});
    }
    return json;
}

Json step_json(const World& world, const TracedStep& step) {
    const ContactTrace& contact = step.contact;
    Json json = {{"start_time", step.start_time},
                 {"end_time", step.end_time},
                 {"accepted", step.accepted},
                 {"start", points_json(contact.start)},
                 {"estimate", points_json(contact.estimate)},
                 {"boxes", boxes_json(world, contact.start, BoxKind::Exact)},
                 {"proximity_boxes", boxes_json(world, contact.start, BoxKind::Proximity)},
                 {"candidates", Json::array()},
                 {"contacts", Json::array()},
                 {"rounds", Json::array()},
                 {"ends", points_json(contact.ends)}};
    for (const ContactStencil& pair : contact.candidates) {
        json["candidates"].push_back(stencil_json(pair));
    }
    for (const TracedContact& c : contact.contacts) {
        json["contacts"].push_back({{"pair", stencil_json(c.stencil)},
                                    {"first", point_json(c.first_point)},
                                    {"second", point_json(c.second_point)},
                                    {"normal", point_json(c.normal)},
                                    {"gap", c.gap}});
    }
    for (const TracedRound& round : contact.rounds) json["rounds"].push_back(round_json(round));
    return json;
}

}  // namespace

void prepare_iterations_folder(const fs::path& folder, bool overwrite) {
    make_folder(folder);
    if (overwrite || fs::is_empty(folder)) return;
    throw IoError(fmt::format("'{}' holds something already; --force writes into it all the same.",
                              folder.string()));
}

void write_iterations(const fs::path& folder, const World& world, int frame,
                      const StepTrace& trace) {
    int s = 0;
    for (const TracedStep& step : trace.steps) {
        const std::string name = fmt::format("f{:06d}_s{:02d}", frame, s++);
        if (!has_collisions(step)) continue;
        IterationWriter writer(world, (folder / name).string());
        writer.write(step.contact.ends, true);
        writer.write(step.contact.estimate, false);
        for (const TracedRound& round : step.contact.rounds) writer.write(round.ends, false);
        if (step.contact.ends != step.contact.rounds.back().ends) {
            writer.write(step.contact.ends, false);
        }
    }
}

fs::path trace_path(const fs::path& run, int frame) {
    return run / "trace" / fmt::format("frame_{:06d}.json", frame);
}

std::string trace_json(const World& world, int frame, const StepTrace& trace) {
    Json json = {{"frame", frame}, {"bodies", Json::array()}, {"steps", Json::array()}};
    for (const ContactBody& body : world.surface().bodies) {
        json["bodies"].push_back({{"name", body.name},
                                  {"first_vertex", body.first_vertex},
                                  {"vertices", body.n_vertices},
                                  {"thickness", body.thickness}});
    }
    for (const TracedStep& step : trace.steps) json["steps"].push_back(step_json(world, step));
    return json.dump() + '\n';
}

void write_trace(const fs::path& path, const World& world, int frame, const StepTrace& trace) {
    make_folder(path.parent_path());
    write_file(path, trace_json(world, frame, trace), {.overwrite = true});
}

}  // namespace toile
