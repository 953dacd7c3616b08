// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/studio_client.h"

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace toile::test {

/// Starts a job and waits for its last event, whose `name` may be that of a file it has made.
inline Json finish_job(StudioClient& page, const std::string& name, Json body = Json::object()) {
    page.ok(name, std::move(body));
    return page.event(
        "job", [](const Json& job) { return job["state"] != "running" && job["state"] != "none"; });
}

/// As above for one that must succeed.
inline Json done_job(StudioClient& page, const std::string& name, Json body = Json::object()) {
    Json job = finish_job(page, name, std::move(body));
    if (job["state"] != "done") throw std::runtime_error(job.dump());
    return job;
}

/// A part of the state, as soon as it is as wanted: a room takes a job's result after the job's
/// end.
inline Json state_when(StudioClient& page, const std::string& part,
                       const std::function<bool(const Json&)>& wanted) {
    for (int tries = 0; tries < 4000; ++tries) {
        Json state = page.ok("hello")[part];
        if (wanted(state)) return state;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    throw std::runtime_error("The part '" + part + "' never came to what is wanted.");
}

}  // namespace toile::test
