// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/studio_client.h"

#include <stdexcept>
#include <string>
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

}  // namespace toile::test
