// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/world.h"

#include "toile/cloth/strain.h"
#include "toile/contact/bridson_response.h"
#include "toile/contact/separation.h"
#include "toile/core/error.h"
#include "toile/core/timer.h"
#include "toile/sim/near_pairs.h"
#include "toile/sim/trouble.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace toile {
namespace {

constexpr int kMostFrameRetries = 4;

std::unique_ptr<ContactResponse> make_response(const SolverSettings& solver) {
    return std::make_unique<BridsonResponse>(
        BridsonOptions{.repulsion = {.stiffness = solver.repulsion_stiffness},
                       .separation = solver.collision_gap,
                       .max_rounds = solver.max_rounds,
                       .sweeps = solver.sweeps});
}

std::vector<double> friction_table(const Scene& scene) {
    std::vector<MaterialFriction> own;
    for (const ClothSetup& cloth : scene.cloths) {
        own.push_back({cloth.material, cloth.fabric.friction});
    }
    for (const ObstacleSetup& obstacle : scene.obstacles) {
        own.push_back({obstacle.material, obstacle.friction});
    }
    std::vector<double> table;
    for (const MaterialFriction& a : own) {
        for (const MaterialFriction& b : own) {
            table.push_back(pair_friction(scene.friction, a, b));
        }
    }
    return table;
}

/// 0 for pinned vertices and for those without mass.
std::vector<double> inverse_masses(const ClothBody& body) {
    std::vector<double> inverse;
    for (const double mass : body.cloth.masses()) inverse.push_back(mass > 0 ? 1 / mass : 0);
    for (const PinGroup& pin : body.pins) {
        for (const int v : pin.vertices()) inverse[v] = 0;
    }
    return inverse;
}

/// The steps of a frame that did not hold: work that was done, but nothing that happened.
void forget_attempt(FrameReport& report) {
    const FrameReport attempt = report;
    report = {};
    report.rejected = attempt.rejected + attempt.steps;
    report.retries = attempt.retries;
    report.iterations = attempt.iterations;
    report.seconds = attempt.seconds;
}

}  // namespace

/// One step that is tried: from where to where.
struct World::Attempt {
    double end_time;  // s
    double step;      // s
};

// Read: bodies, and where they start -----------------------------------------------------------

World::World(const Scene& scene)
    : scene_(scene), environment_(environment_of(scene)), schedule_(scene.settings, scene.solver) {
    for (const ClothSetup& setup : scene.cloths) cloths_.push_back(make_cloth_body(setup));
    for (const ObstacleSetup& setup : scene.obstacles) {
        obstacles_.push_back(make_obstacle_body(setup));
    }
    build_surface();
    response_ = make_response(scene.solver);
    for (const ClothBody& body : cloths_) {
        dynamics_.push_back(std::make_unique<ImplicitStep>(body.cloth));
        candidates_.push_back(body.cloth.initial_state());
        const auto& x = body.mesh.positions;
        state_.positions.insert(state_.positions.end(), x.begin(), x.end());
    }
    state_.positions.resize(surface_.n_vertices());
    state_.velocities.assign(state_.positions.size(), Vec3::Zero());
    state_.last_changes = state_.velocities;
    place_prescribed(0, state_.positions);
    end_ = state_.positions;
    refuse_bad_start();
}

World::~World() = default;

void World::build_surface() {
    std::vector<std::vector<double>> masses;
    std::vector<ContactBodyInput> inputs;
    for (const ClothBody& body : cloths_) masses.push_back(inverse_masses(body));
    for (size_t c = 0; c < cloths_.size(); ++c) {
        inputs.push_back({.name = cloths_[c].name,
                          .n_vertices = cloths_[c].mesh.n_vertices(),
                          .triangles = cloths_[c].mesh.triangles,
                          .thickness = cloths_[c].cloth.fabric().thickness,
                          .inverse_masses = masses[c]});
    }
    for (size_t o = 0; o < obstacles_.size(); ++o) {
        inputs.push_back({.name = obstacles_[o].name,
                          .n_vertices = obstacles_[o].mesh.n_vertices(),
                          .triangles = obstacles_[o].mesh.triangles,
                          .thickness = scene_.obstacles[o].thickness,
                          .prescribed = true,
                          .inverse_masses = {}});
    }
    surface_ = make_contact_surface(inputs, friction_table(scene_));
}

void World::refuse_unwritable_start() const {
    for (const CheckedBody& body : checked_bodies(rounded_)) {
        for (size_t v = 0; v < body.positions.size(); ++v) {
            if (body.positions[v].allFinite()) continue;
            throw InvalidInput(
                fmt::format("Vertex {} of '{}' starts beyond {:.2g} m, the largest coordinate that "
                            "float32 files can keep.",
                            v, body.name, std::numeric_limits<float>::max()));
        }
    }
}

void World::refuse_bad_start() {
    round_to_float(state_.positions, rounded_);
    refuse_unwritable_start();
    for (const std::vector<Vec3>* positions : {&state_.positions, &rounded_}) {
        const auto bodies = checked_bodies(*positions);
        const std::vector<Crossing> crossings = find_crossings(bodies);
        if (crossings.empty()) continue;
        throw InvalidInput(
            fmt::format("The scene starts with {} crossing pair{} of triangles{}: {}.",
                        crossings.size(), crossings.size() == 1 ? "" : "s",
                        positions == &rounded_ ? " once rounded to float32" : "",
                        crossings_summary(bodies, crossings)));
    }
    refuse_small_gaps();
}

void World::refuse_small_gaps() {
    const auto& x = state_.positions;
    const double floor = rounding_gap(x, x);
    std::vector<ContactStencil> stencils;
    for (const NearPair& pair : near_pairs(surface_, x, floor)) stencils.push_back(pair.stencil);
    if (stencils.empty()) return;
    throw InvalidInput(
        fmt::format("The scene starts with {} pair{} nearer than {:.3g} m, which "
                    "float32 files cannot keep apart: {}.",
                    stencils.size(), stencils.size() == 1 ? "" : "s", floor,
                    fmt::join(stencil_phrases(surface_, stencils), "; ")));
}

// Moved: a frame in steps ----------------------------------------------------------------------

FrameReport World::step() {
    FrameReport report;
    const Timer timer;
    frame_start_ = state_;
    try {
        finish_frame(report);
    } catch (...) {
        state_ = frame_start_;
        throw;
    }
    if (report.failure) state_ = frame_start_;
    fill_frame_end(report);
    report.seconds.total = timer.seconds();
    return report;
}

/// Tries the frame until one holds its exact test, or no shorter steps are left.
void World::finish_frame(FrameReport& report) {
    while (advance_frame(report) && !verify(report)) {
        const double failed_at = time();
        state_ = frame_start_;
        if (report.retries == kMostFrameRetries) {
            fail(failed_at, report);
            break;
        }
        forget_attempt(report);
        ++report.retries;
        schedule_.shorten(report.retries, state_.control);
    }
}

/// Why the frame could not be finished: the last trouble, met at `time` (s).
void World::fail(double time, FrameReport& report) {
    last_trouble_.frame = frame_start_.control.frame + 1;
    last_trouble_.time = time;
    last_trouble_.smallest_step = schedule_.length(schedule_.next_ticks(state_.control));
    report.failure = last_trouble_;
}

/// Steps to the frame's end; false where the shortest step fails too.
bool World::advance_frame(FrameReport& report) {
    StepControl& control = state_.control;
    while (!schedule_.frame_is_full(control)) {
        const int ticks = schedule_.next_ticks(control);
        const Attempt attempt = {.end_time = schedule_.time(control, ticks),
                                 .step = schedule_.length(ticks)};
        if (try_step(attempt, report)) {
            ++report.steps;
            schedule_.accept(control);
            continue;
        }
        ++report.rejected;
        if (schedule_.reject(control)) continue;
        fail(time(), report);
        return false;
    }
    schedule_.finish_frame(control);
    return true;
}

bool World::try_step(const Attempt& attempt, FrameReport& report) {
    if (!advance_cloths(attempt, report) || !resolve_contacts(attempt, report)) return false;
    if (contact_.changed && !answer_contacts(attempt.step, report)) return false;
    accept_motion(report);
    return true;
}

/// Where the cloths would go alone, into `candidates_` and `end_`.
bool World::advance_cloths(const Attempt& attempt, FrameReport& report) {
    const ScopedTimer timer(report.seconds.dynamics);
    place_prescribed(attempt.end_time, end_);
    const SolverSettings& solver = scene_.solver;
    const StepOptions options = {.step = attempt.step,
                                 .relative_tolerance = solver.tolerance,
                                 .max_iterations = solver.max_iterations,
                                 .max_strain_change = solver.max_strain_change};
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        const auto own = [&](const std::vector<Vec3>& all) {
            return std::span<const Vec3>(all).subspan(body.first_vertex, body.n_vertices);
        };
        ClothState& candidate = candidates_[c];
        std::ranges::copy(own(state_.positions), candidate.positions.begin());
        std::ranges::copy(own(state_.velocities), candidate.velocities.begin());
        dynamics_[c]->set_last_change(own(state_.last_changes));
        set_constraints(c, attempt);
        const StepReport done = dynamics_[c]->advance(
            {.environment = environment_, .constraints = constraints_}, options, candidate);
        report.iterations += done.iterations;
        if (done.status != StepStatus::Done) {
            last_trouble_ = dynamics_trouble(done, body.name);
            return false;
        }
        for (const PinGroup& pin : cloths_[c].pins)
            pin.place(attempt.end_time, candidate.positions);
        std::ranges::copy(candidate.positions, end_.begin() + body.first_vertex);
    }
    return true;
}

void World::place_prescribed(double time, std::span<Vec3> out_positions) const {
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        const auto own = out_positions.subspan(body.first_vertex, body.n_vertices);
        for (const PinGroup& pin : cloths_[c].pins) pin.place(time, own);
    }
    for (size_t o = 0; o < obstacles_.size(); ++o) {
        const ContactBody& body = surface_.bodies[cloths_.size() + o];
        place_obstacle(obstacles_[o], time,
                       out_positions.subspan(body.first_vertex, body.n_vertices));
    }
}

/// Pins are led so that they arrive where they must be.
void World::set_constraints(size_t cloth, const Attempt& attempt) {
    const ContactBody& body = surface_.bodies[cloth];
    constraints_.clear();
    for (const PinGroup& pin : cloths_[cloth].pins) {
        for (const int v : pin.vertices()) {
            const int w = body.first_vertex + v;
            constraints_.push_back(
                {.vertex = v, .velocity = (end_[w] - state_.positions[w]) / attempt.step});
        }
    }
}

/// Moves the cloths' ends until nothing crosses, and certifies it.
bool World::resolve_contacts(const Attempt& attempt, FrameReport& report) {
    contact_ = response_->resolve(surface_, {state_.positions, end_, attempt.step});
    report.seconds.broad += contact_.seconds_broad;
    report.seconds.narrow += contact_.seconds_narrow;
    report.seconds.continuous += contact_.seconds_continuous;
    report.seconds.response += contact_.seconds_response;
    report.seconds.certificate += contact_.seconds_certificate;
    if (contact_.status == ContactStatus::Clean) return true;
    last_trouble_ = contact_trouble(surface_, contact_.unresolved);
    return false;
}

/// Velocities of the candidates after contacts have moved their ends; the ends stay.
bool World::answer_contacts(double step, FrameReport& report) {
    const ScopedTimer timer(report.seconds.velocities);
    const StepOptions options = {.step = step,
                                 .relative_tolerance = scene_.solver.tolerance,
                                 .max_iterations = scene_.solver.max_iterations};
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        const auto corrected =
            std::span<const Vec3>(end_).subspan(body.first_vertex, body.n_vertices);
        if (std::ranges::equal(corrected, candidates_[c].positions)) continue;
        const StepReport done =
            dynamics_[c]->respond_to_contacts(corrected, options, candidates_[c]);
        report.iterations += done.iterations;
        if (done.status == StepStatus::Done) continue;
        last_trouble_ = dynamics_trouble(done, body.name);
        return false;
    }
    return true;
}

/// The one place where positions are written: those that the certificate holds for.
void World::accept_motion(FrameReport& report) {
    report.contacts += contact_.n_contacts;
    report.collisions += contact_.n_collisions;
    report.rounds += contact_.n_rounds;
    report.fail_safe += contact_.n_fail_safe;
    report.smallest_gap = std::min(report.smallest_gap, contact_.smallest_gap);
    state_.positions.swap(end_);
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const int first = surface_.bodies[c].first_vertex;
        std::ranges::copy(candidates_[c].velocities, state_.velocities.begin() + first);
        std::ranges::copy(dynamics_[c]->last_change(), state_.last_changes.begin() + first);
    }
}

// Tested: the whole frame ----------------------------------------------------------------------

bool World::verify(FrameReport& report) {
    const ScopedTimer timer(report.seconds.verification);
    round_to_float(state_.positions, rounded_);
    const auto bodies = checked_bodies(rounded_);
    const std::vector<Crossing> crossings = find_crossings(bodies);
    if (crossings.empty()) return true;
    last_trouble_ = {};
    last_trouble_.cause = "the frame holds crossings once its positions are rounded to float32.";
    last_trouble_.places = {crossings_summary(bodies, crossings)};
    return false;
}

std::vector<CheckedBody> World::checked_bodies(std::span<const Vec3> positions) const {
    std::vector<CheckedBody> bodies;
    for (int b = 0; b < surface_.n_bodies(); ++b) {
        const ContactBody& body = surface_.bodies[b];
        bodies.push_back({body.name, mesh(b).triangles,
                          positions.subspan(body.first_vertex, body.n_vertices), body.prescribed});
    }
    return bodies;
}

void World::fill_frame_end(FrameReport& report) const {
    report.frame = state_.control.frame;
    report.time = time();
    double squares = 0;
    int n = 0;
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        const MaxStrain strain = max_strain(cloths_[c].cloth, positions(static_cast<int>(c)));
        report.largest_strain = std::max(report.largest_strain, strain.value);
        for (int v = body.first_vertex; v < body.first_vertex + body.n_vertices; ++v) {
            squares += (state_.positions[v] - frame_start_.positions[v]).squaredNorm();
        }
        n += body.n_vertices;
    }
    report.rms_speed = std::sqrt(squares / std::max(1, n)) * scene_.settings.frame_rate;
}

// Looked at, and put back ----------------------------------------------------------------------

const TriangleMesh& World::mesh(int body) const {
    const int n_cloths = static_cast<int>(cloths_.size());
    return body < n_cloths ? cloths_[body].mesh : obstacles_[body - n_cloths].mesh;
}

std::span<const Vec3> World::positions(int body) const {
    const ContactBody& b = surface_.bodies[body];
    return std::span<const Vec3>(state_.positions).subspan(b.first_vertex, b.n_vertices);
}

std::span<const Vec3> World::velocities(int body) const {
    const ContactBody& b = surface_.bodies[body];
    return std::span<const Vec3>(state_.velocities).subspan(b.first_vertex, b.n_vertices);
}

double World::time() const {
    return schedule_.time(state_.control);
}

void World::set_state(const WorldState& state) {
    const size_t n = state_.positions.size();
    if (state.positions.size() != n || state.velocities.size() != n ||
        state.last_changes.size() != n) {
        throw InvalidInput(fmt::format("A state of {} vertices does not fit a world of {}.",
                                       state.positions.size(), n));
    }
    for (const auto* values : {&state.positions, &state.velocities, &state.last_changes}) {
        if (std::ranges::all_of(*values, [](const Vec3& x) { return x.allFinite(); })) continue;
        throw InvalidInput("A state holds a number that is not finite.");
    }
    schedule_.check(state.control);
    state_ = state;
}

}  // namespace toile
