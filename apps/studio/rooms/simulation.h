// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/cancellation.h"
#include "toile/sim/run_folder.h"
#include "toile/sim/step_trace.h"
#include "toile/sim/world.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace toile::studio {

/// A world at the end of one of its frames. Never changes.
struct SimSnapshot {
    int number = 0;  ///< of the state, ever rising
    int frame = 0;
    double time = 0;                     ///< s
    std::shared_ptr<const World> world;  ///< for its bodies, which do not change; not for its state
    std::vector<Vec3> positions;         ///< m, of all bodies after one another
    std::vector<Vec3> velocities;        ///< m/s, likewise
    std::optional<FrameReport> report;   ///< nothing at the start
    std::shared_ptr<const StepTrace> trace;  ///< null where it was not asked for

    [[nodiscard]] std::span<const Vec3> of_body(int body, std::span<const Vec3> all) const;
};

enum class SimState { None, Paused, Playing, Failed };

/// A vertex that is held by hand.
struct SimGrab {
    int body = 0;
    int vertex = 0;
    Vec3 target = {0, 0, 0};  ///< m, where it is being led
};

/// Why a frame could not be made, and where.
struct SimFailure {
    std::string message;
    std::vector<std::array<int, 2>> vertices;  ///< body and vertex
    std::vector<Vec3> points;                  ///< m, of each
};

struct SimStatus {
    SimState state = SimState::None;
    std::optional<SimGrab> grab;
    std::optional<SimFailure> failure;
};

/// A world, the thread that steps it, and the run folder that its frames are written into. All
/// functions are for one other thread, and return soon: one that needs the world interrupts the
/// frame in the making, of which nothing is left.
class Simulation {
  public:
    /// `changed` is called, on the simulation's thread, after everything that it does by itself.
    explicit Simulation(std::function<void()> changed);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// Makes the world of a scene in place of the last one, paused at its start; its frames go into
    /// a new run folder. Throws as World does, and then keeps what there is.
    void open(const Scene& scene, const std::filesystem::path& run);
    void play();
    void pause();
    void step();  ///< one frame on, and then paused
    /// To the start, with a new folder for the frames to come.
    void rewind(const std::filesystem::path& run);
    void keep_traces(bool on);
    /// Ends for good, with the run written as it is; what is asked for after that is not done.
    void close();

    void grab(int body, int vertex);  ///< throws InvalidInput where it is no vertex of a cloth
    void drag(const Vec3& target);    ///< throws InvalidInput where nothing is held
    void drop();

    [[nodiscard]] SimStatus status() const;
    /// Whether no frame is being made or about to be.
    [[nodiscard]] bool rests() const;
    /// Null where there is no world.
    [[nodiscard]] std::shared_ptr<const SimSnapshot> latest() const;
    /// Of the frames since the last rewind; empty where there is no world.
    [[nodiscard]] std::filesystem::path run() const;

  private:
    using Clock = std::chrono::steady_clock;
    using Lock = std::unique_lock<std::mutex>;

    /// Locks, with no frame in the making.
    [[nodiscard]] Lock at_rest();
    void end_run();
    void work();
    void make_frame(Lock& lock);
    void lead_grabbed();
    void fail(const FrameReport& report, Lock& lock);
    [[nodiscard]] SimFailure places_of(SimFailure failure) const;
    void take_snapshot(std::optional<FrameReport> report,
                       std::shared_ptr<const StepTrace> trace = nullptr);
    [[nodiscard]] bool wants_frame() const;
    /// Throws InvalidInput where there is no world, or one that cannot go on.
    void require_world() const;

    std::function<void()> changed_;
    mutable std::mutex
        mutex_;  // of all below; the world and folder, while `busy_`, are the thread's
    std::condition_variable condition_;
    std::shared_ptr<World> world_;
    std::unique_ptr<RunFolder> folder_;
    std::shared_ptr<Cancellation> cancellation_;
    std::shared_ptr<const SimSnapshot> latest_;
    SimStatus status_;
    Clock::time_point due_;  // when the next frame may be shown: no faster than time goes
    bool steps_once_ = false;
    bool traces_ = false;
    bool out_of_step_ = false;  // a frame was made and could not be written: the folder lacks it
    bool busy_ = false;
    bool stopping_ = false;
    std::thread thread_;  // last
};

}  // namespace toile::studio
