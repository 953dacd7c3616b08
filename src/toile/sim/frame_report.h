// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace toile {

/// Wall-clock seconds that a frame spent in its parts. The only part of a report that differs
/// between two runs of one scene.
struct PhaseSeconds {
    double dynamics = 0;    ///< implicit steps of the cloths
    double broad = 0;       ///< contacts: boxes
    double narrow = 0;      ///< contacts: distances
    double continuous = 0;  ///< contacts: motion
    double response = 0;    ///< contacts: impulses and fail-safe
    double certificate = 0;
    double velocities = 0;    ///< the cloths' answer to contacts
    double verification = 0;  ///< exact test of the rounded frame
    double total = 0;
};

/// Why a run stopped before its end.
struct RunFailure {
    int frame = 0;                    ///< the frame that could not be finished
    double time = 0;                  ///< s, where the last good step ended
    double smallest_step = 0;         ///< s, that was tried
    std::string cause;                ///< a sentence
    std::vector<std::string> places;  ///< phrases that name bodies, vertices, triangles

    /// All of it as sentences for a person.
    [[nodiscard]] std::string message() const;
};

/// A pin that could not be met any more.
struct PinLetGo {
    std::string cloth;
    int vertex = 0;     ///< of the cloth
    double time = 0;    ///< s, at the end of the step in which it yielded
    std::string cause;  ///< a phrase

    /// `vertex 3 of 'towel' cannot follow its pin from 0.48 s on, since something is in its way`
    [[nodiscard]] std::string phrase() const;
};

/// Pins that are elsewhere than their places, and the farthest of them.
struct PinLag {
    int n_vertices = 0;
    double largest = 0;  ///< m
    std::string cloth;
    int vertex = -1;  ///< of the cloth

    /// `2 pins lag, vertex 3 of 'towel' most: 0.12 m`
    [[nodiscard]] std::string phrase() const;
};

/// What one frame took. All counts are sums over its steps, rejected attempts included where said.
struct FrameReport {
    int frame = 0;
    double time = 0;     ///< s, at its end
    int steps = 0;       ///< accepted
    int rejected = 0;    ///< attempts that changed nothing
    int retries = 0;     ///< of the whole frame, since its rounded positions crossed
    int iterations = 0;  ///< of the linear solver, in all attempts
    int contacts = 0;    ///< in accepted steps
    int collisions = 0;  ///< in accepted steps
    int rounds = 0;      ///< in accepted steps
    int fail_safe = 0;   ///< vertices moved by the fail-safe in accepted steps
    double smallest_gap = std::numeric_limits<double>::infinity();  ///< m, at the steps' ends
    double largest_strain = 0;                                      ///< at the frame's end
    double rms_speed = 0;  ///< m/s, of all cloth vertices, by their way since the last frame
    std::vector<PinLetGo> let_go;  ///< in the frame's accepted steps, in order
    PinLag lag;                    ///< at the frame's end
    PhaseSeconds seconds;
    bool interrupted = false;  ///< on request; the frame does not exist, the world is as before it
    std::optional<RunFailure> failure;  ///< the frame does not exist; the world is as before it
};

}  // namespace toile
