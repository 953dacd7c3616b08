// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/simulation.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/mesh/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace toile::studio {
namespace {

/// How fast a held vertex is led at most: diagonals of its cloth a second.
constexpr double kLeadSpeed = 1;

/// Body and vertex of a vertex that is numbered over all bodies.
std::array<int, 2> own_number(const ContactSurface& surface, int vertex) {
    const int body = surface.body_of_vertex[static_cast<size_t>(vertex)];
    return {body, vertex - surface.bodies[static_cast<size_t>(body)].first_vertex};
}

/// Vertices of the pairs that the last attempt of a frame could not part.
std::set<int> unresolved_vertices(const StepTrace& trace) {
    std::set<int> vertices;
    if (trace.steps.empty() || trace.steps.back().contact.rounds.empty()) return vertices;
    for (const TracedCollision& collision : trace.steps.back().contact.rounds.back().collisions) {
        const auto& four = collision.stencil.vertices;
        vertices.insert(four.begin(), four.end());
    }
    return vertices;
}

}  // namespace

std::span<const Vec3> SimSnapshot::of_body(int body, std::span<const Vec3> all) const {
    const ContactBody& range = world->surface().bodies[static_cast<size_t>(body)];
    return all.subspan(static_cast<size_t>(range.first_vertex),
                       static_cast<size_t>(range.n_vertices));
}

Simulation::Simulation(std::function<void()> changed)
    : changed_(std::move(changed)),
      cancellation_(std::make_shared<Cancellation>()),
      thread_([this] { work(); }) {}

Simulation::~Simulation() {
    close();
}

void Simulation::close() {
    if (!thread_.joinable()) return;
    {
        const Lock lock = at_rest();
        stopping_ = true;
    }
    condition_.notify_all();
    thread_.join();
    end_run();
}

/// Writes how the run has ended; its frames are on the disk without that.
void Simulation::end_run() {
    if (!folder_) return;
    try {
        folder_->finish(RunStatus::Interrupted);
    } catch (const Error& e) {
        log_warning(e.what());
    }
    folder_.reset();
}

Simulation::Lock Simulation::at_rest() {
    Lock lock(mutex_);
    cancellation_->request();
    condition_.wait(lock, [&] { return !busy_; });
    cancellation_ = std::make_shared<Cancellation>();
    return lock;
}

void Simulation::open(const Scene& scene, const std::filesystem::path& run) {
    pause();
    auto world = std::make_shared<World>(scene);
    auto folder = std::make_unique<RunFolder>(run, *world);
    const Lock lock = at_rest();
    end_run();
    world_ = std::move(world);
    folder_ = std::move(folder);
    status_ = {};
    status_.state = SimState::Paused;
    out_of_step_ = false;
    take_snapshot({});
}

void Simulation::require_world() const {
    if (!world_) throw InvalidInput("No scene is being simulated; open one first.");
    if (!out_of_step_) return;
    throw InvalidInput(
        "The last frame could not be written, and the frames cannot go on without it; rewind to "
        "begin anew.");
}

void Simulation::play() {
    {
        const Lock lock(mutex_);
        require_world();
        status_.state = SimState::Playing;
        status_.failure.reset();
        due_ = Clock::now();
    }
    condition_.notify_all();
}

void Simulation::pause() {
    const Lock lock = at_rest();
    steps_once_ = false;
    if (status_.state == SimState::Playing) status_.state = SimState::Paused;
}

void Simulation::step() {
    {
        const Lock lock = at_rest();
        require_world();
        status_.state = SimState::Paused;
        status_.failure.reset();
        steps_once_ = true;
        due_ = Clock::now();
    }
    condition_.notify_all();
}

void Simulation::rewind(const std::filesystem::path& run) {
    const Lock lock = at_rest();
    if (!world_) require_world();
    world_->rewind();
    auto folder = std::make_unique<RunFolder>(run, *world_);
    end_run();
    folder_ = std::move(folder);
    steps_once_ = false;
    out_of_step_ = false;
    status_ = {};
    status_.state = SimState::Paused;
    take_snapshot({});
}

void Simulation::keep_traces(bool on) {
    const Lock lock(mutex_);
    traces_ = on;
}

void Simulation::grab(int body, int vertex) {
    const Lock lock = at_rest();
    require_world();
    const auto n_cloths = static_cast<int>(world_->cloths().size());
    if (body < 0 || body >= n_cloths) {
        throw InvalidInput(
            fmt::format("Body {} is no cloth; the cloths are 0 to {}.", body, n_cloths - 1));
    }
    const int vertices[] = {vertex};
    world_->pin(body, vertices);  // refuses a number out of range
    if (status_.grab && status_.grab->body != body) world_->leave_to_scene(status_.grab->body);
    const Vec3 place = world_->positions(body)[static_cast<size_t>(vertex)];
    if (status_.grab && status_.grab->body == body && status_.grab->vertex != vertex) {
        world_->leave_to_scene(body);
        world_->pin(body, vertices);
    }
    status_.grab = SimGrab{body, vertex, place};
}

void Simulation::drag(const Vec3& target) {
    const Lock lock(mutex_);
    if (!status_.grab) throw InvalidInput("No vertex is held; take hold of one first.");
    status_.grab->target = target;
}

void Simulation::drop() {
    const Lock lock = at_rest();
    if (!status_.grab) return;
    world_->leave_to_scene(status_.grab->body);
    status_.grab.reset();
}

SimStatus Simulation::status() const {
    const Lock lock(mutex_);
    return status_;
}

bool Simulation::rests() const {
    const Lock lock(mutex_);
    return !wants_frame();
}

std::shared_ptr<const SimSnapshot> Simulation::latest() const {
    const Lock lock(mutex_);
    return latest_;
}

std::filesystem::path Simulation::run() const {
    const Lock lock(mutex_);
    return folder_ ? folder_->path() : std::filesystem::path();
}

bool Simulation::wants_frame() const {
    return world_ && (status_.state == SimState::Playing || steps_once_);
}

void Simulation::work() {
    Lock lock(mutex_);
    while (true) {
        condition_.wait(lock, [&] { return stopping_ || wants_frame(); });
        if (stopping_) return;
        // Commands may come while it waits for the frame's time.
        if (condition_.wait_until(lock, due_, [&] { return stopping_ || !wants_frame(); }))
            continue;
        make_frame(lock);
        lock.unlock();
        changed_();
        lock.lock();
    }
}

void Simulation::make_frame(Lock& lock) {
    const auto cancellation = cancellation_;
    const auto trace = traces_ ? std::make_shared<StepTrace>() : nullptr;
    const std::chrono::duration<double> interval(1 / world_->scene().settings.frame_rate);
    due_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(interval);
    busy_ = true;
    FrameReport report;
    std::optional<std::string> trouble;
    bool is_written = true;
    try {
        lead_grabbed();
        lock.unlock();
        report = world_->step({.cancellation = cancellation.get(), .trace = trace.get()});
        if (!report.interrupted && !report.failure) {
            is_written = false;
            folder_->append(*world_, report);
            is_written = true;
        }
        lock.lock();
    } catch (const std::exception& e) {
        if (!lock.owns_lock()) lock.lock();
        trouble = e.what();
    }
    if (trouble) {
        out_of_step_ = !is_written;
        status_.state = SimState::Failed;
        status_.failure = SimFailure{*trouble, {}, {}};
        steps_once_ = false;
    } else if (report.failure) {
        fail(report, lock);
    } else if (!report.interrupted) {
        take_snapshot(report, trace);
        steps_once_ = false;
        const bool at_end = world_->frame() == world_->scene().settings.frames;
        if (at_end && status_.state == SimState::Playing) status_.state = SimState::Paused;
    }
    busy_ = false;
    condition_.notify_all();
}

/// A velocity that brings the held vertex to its target in one frame, if it is not too far.
void Simulation::lead_grabbed() {
    if (!status_.grab) return;
    const SimGrab& grab = *status_.grab;
    const auto positions = world_->positions(grab.body);
    const Vec3 way = grab.target - positions[static_cast<size_t>(grab.vertex)];
    const double fastest = kLeadSpeed * bounding_box(positions).diagonal();
    const double rate = world_->scene().settings.frame_rate;
    const bool is_far = way.stableNorm() > fastest / rate;
    const Vec3 velocity = is_far ? Vec3(way.stableNormalized() * fastest) : Vec3(way * rate);
    const int vertices[] = {grab.vertex};
    world_->pin(grab.body, vertices, velocity);
}

/// Tries the frame once more for its trace: the world gives the same failure.
SimFailure Simulation::places_of(SimFailure failure) const {
    StepTrace trace;
    const auto cancellation = cancellation_;
    const FrameReport again = world_->step({.cancellation = cancellation.get(), .trace = &trace});
    if (again.interrupted) return failure;
    if (!again.failure)
        throw std::logic_error("A frame that failed was made when it was tried again.");
    const ContactSurface& surface = world_->surface();
    for (const int vertex : unresolved_vertices(trace)) {
        failure.vertices.push_back(own_number(surface, vertex));
        failure.points.push_back(trace.steps.back().contact.start[static_cast<size_t>(vertex)]);
    }
    return failure;
}

/// Stops, and tells why and where.
void Simulation::fail(const FrameReport& report, Lock& lock) {
    SimFailure failure{report.failure->message(), {}, {}};
    bool is_whole = true;
    lock.unlock();
    try {
        failure = places_of(failure);
    } catch (const std::exception& e) {  // as for want of memory: it is told without places
        log_warning(e.what());
        is_whole = false;
    }
    lock.lock();
    out_of_step_ = !is_whole;
    status_.state = SimState::Failed;
    status_.failure = std::move(failure);
    steps_once_ = false;
}

void Simulation::take_snapshot(std::optional<FrameReport> report,
                               std::shared_ptr<const StepTrace> trace) {
    auto snapshot = std::make_shared<SimSnapshot>();
    snapshot->number = latest_ ? latest_->number + 1 : 1;
    snapshot->frame = world_->frame();
    snapshot->time = world_->time();
    snapshot->world = world_;
    snapshot->positions = world_->state().positions;
    snapshot->velocities = world_->state().velocities;
    snapshot->report = std::move(report);
    snapshot->trace = std::move(trace);
    latest_ = std::move(snapshot);
}

}  // namespace toile::studio
