// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_record.h"

#include "toile/core/error.h"
#include "toile/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

namespace toile {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kProgram = "toile";
constexpr std::uint64_t kLargestCount = std::numeric_limits<int>::max();
constexpr const char* kStatusNames[] = {"running", "done", "interrupted", "failed"};

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "unknown";
}

Json machine() {
    utsname system = {};
    uname(&system);
    return {{"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
            {"processor", processor_name()},
            {"cores", std::thread::hardware_concurrency()}};
}

Json body_json(const RunBody& body) {
    return {{"name", body.name},           {"kind", body.obstacle ? "obstacle" : "cloth"},
            {"vertices", body.n_vertices}, {"triangles", body.n_triangles},
            {"mesh", body.name + ".obj"},  {"positions", body.name + ".pc2"}};
}

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json lag_json(const PinLag& lag) {
    Json json = {{"pins", lag.n_vertices}, {"largest", lag.largest}};
    if (lag.n_vertices == 0) return json;
    json["cloth"] = lag.cloth;
    json["vertex"] = lag.vertex;
    return json;
}

Json let_go_json(const std::vector<PinLetGo>& pins) {
    Json json = Json::array();
    for (const PinLetGo& pin : pins) {
        json.push_back({{"cloth", pin.cloth},
                        {"vertex", pin.vertex},
                        {"time", pin.time},
                        {"cause", pin.cause}});
    }
    return json;
}

RunStatus status_of(const std::string& word) {
    for (int i = 0; i < 4; ++i) {
        if (word == kStatusNames[i]) return static_cast<RunStatus>(i);
    }
    throw InvalidInput(fmt::format("'{}' is not the status of a run.", word));
}

std::uint64_t parse_hex(const std::string& text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return value;
}

/// Files are written and removed by this name: it must not lead out of the folder.
std::string body_name(const Json& body) {
    const std::string name = body.at("name").get<std::string>();
    const bool is_plain = !name.empty() && name.front() != '.' &&
                          name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
    if (is_plain) return name;
    throw InvalidInput(
        fmt::format("A body is called '{}', which names no file in the folder.", name));
}

/// Others write such files too, and what is no whole number would come out as any number.
int count(const Json& json, const char* key) {
    const Json& value = json.at(key);
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= kLargestCount) {
        return value.get<int>();
    }
    throw InvalidInput(fmt::format("'{}' is {}; expected a whole number from 0 to {}.", key,
                                   value.dump(), kLargestCount));
}

double frame_rate_of(const Json& json) {
    const double rate = json.at("frame_rate").get<double>();
    if (rate >= 0 && std::isfinite(rate)) return rate;
    throw InvalidInput(fmt::format("'frame_rate' is {}; expected 0 or more.", rate));
}

RunRecord record_of(const Json& json) {
    if (json.at("program") != kProgram) throw InvalidInput("Another program wrote it.");
    RunRecord record;
    record.status = status_of(json.at("status").get<std::string>());
    record.frames_done = count(json, "frames_done");
    record.frames_asked = count(json, "frames_asked");
    record.frame_rate = frame_rate_of(json);
    record.scene_hash = parse_hex(json.at("scene_hash").get<std::string>());
    for (const Json& body : json.at("bodies")) {
        record.bodies.push_back({body_name(body), body.at("kind") == "obstacle",
                                 count(body, "vertices"), count(body, "triangles")});
    }
    record.failure = json.value("failure", "");
    record.scene_from = json.contains("scene_from") ? count(json, "scene_from") : 0;
    const Json seconds = json.value("seconds", Json::object());
    record.wall_seconds = seconds.value("wall", 0.0);
    record.cpu_seconds = seconds.value("cpu", 0.0);
    return record;
}

}  // namespace

const char* status_name(RunStatus status) {
    return kStatusNames[static_cast<int>(status)];
}

std::string run_json(const RunRecord& record) {
    Json json = {{"program", kProgram},
                 {"version", TOILE_VERSION},
                 {"status", status_name(record.status)},
                 {"frames_done", record.frames_done},
                 {"frames_asked", record.frames_asked},
                 {"frame_rate", record.frame_rate},
                 {"scene", "scene.toml"},
                 {"scene_hash", fmt::format("{:016x}", record.scene_hash)},
                 {"scene_from", record.scene_from},
                 {"bodies", Json::array()},
                 {"options", {{"threads", record.threads}}},
                 {"machine", machine()},
                 {"seconds", {{"wall", record.wall_seconds}, {"cpu", record.cpu_seconds}}},
                 {"peak_memory_bytes", record.peak_memory}};
    for (const RunBody& body : record.bodies) json["bodies"].push_back(body_json(body));
    if (!record.failure.empty()) json["failure"] = record.failure;
    return json.dump(2) + '\n';
}

RunRecord parse_run_json(std::string_view text, const std::string& name) {
    try {
        return record_of(Json::parse(text));
    } catch (const Json::exception& e) {
        throw InvalidInput(fmt::format("{}: This is not the record of a run: {}.", name, e.what()));
    } catch (const InvalidInput& e) {
        throw InvalidInput(fmt::format("{}: This is not the record of a run: {}", name, e.what()));
    }
}

std::string frame_json_line(const FrameReport& report, double seconds_writing) {
    const PhaseSeconds& s = report.seconds;
    const Json json = {{"frame", report.frame},
                       {"time", report.time},
                       {"steps", report.steps},
                       {"rejected", report.rejected},
                       {"retries", report.retries},
                       {"iterations", report.iterations},
                       {"contacts", report.contacts},
                       {"collisions", report.collisions},
                       {"rounds", report.rounds},
                       {"fail_safe", report.fail_safe},
                       {"smallest_gap", number(report.smallest_gap)},
                       {"largest_strain", number(report.largest_strain)},
                       {"rms_speed", number(report.rms_speed)},
                       {"lag", lag_json(report.lag)},
                       {"let_go", let_go_json(report.let_go)},
                       {"seconds",
                        {{"dynamics", s.dynamics},
                         {"broad", s.broad},
                         {"narrow", s.narrow},
                         {"continuous", s.continuous},
                         {"response", s.response},
                         {"certificate", s.certificate},
                         {"velocities", s.velocities},
                         {"verification", s.verification},
                         {"writing", seconds_writing},
                         {"total", s.total + seconds_writing}}}};
    return json.dump() + '\n';
}

}  // namespace toile
