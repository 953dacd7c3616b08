// SPDX-License-Identifier: Apache-2.0
#include "fuzz/run_readers.h"

#include "fuzz/memory_file.h"
#include "fuzz/promise.h"
#include "toile/core/error.h"
#include "toile/core/hash.h"
#include "toile/sim/checkpoint.h"
#include "toile/sim/run_files.h"
#include "toile/sim/run_record.h"

#include <cmath>
#include <cstring>

namespace toile::test {
namespace {

std::string with_checksum(std::string_view bytes) {
    std::string whole(bytes);
    const std::uint64_t sum = Hash().add_text(whole).value();
    char end[sizeof(sum)];
    std::memcpy(end, &sum, sizeof(sum));
    return whole.append(end, sizeof(sum));
}

std::string read_checkpoint_once(const std::string& bytes) {
    Checkpoint checkpoint;
    try {
        checkpoint = parse_checkpoint(bytes, "fuzz.state");
    } catch (const InvalidInput& e) {
        return e.what();
    }
    const std::string again = checkpoint_bytes(checkpoint);
    demand(checkpoint_bytes(parse_checkpoint(again, "again.state")) == again,
           "a state changes when written and read");
    return {};
}

}  // namespace

std::string read_checkpoint_bytes(std::string_view bytes) {
    constexpr size_t kChecksumBytes = 8;
    (void)read_checkpoint_once(
        with_checksum(bytes.substr(0, bytes.size() - std::min(bytes.size(), kChecksumBytes))));
    return read_checkpoint_once(std::string(bytes));
}

std::string read_run_record_bytes(std::string_view bytes) {
    RunRecord record;
    try {
        record = parse_run_json(bytes, "run.json");
    } catch (const InvalidInput& e) {
        return e.what();
    }
    demand(record.frames_done >= 0 && record.frames_asked >= 0 && record.scene_from >= 0,
           "a count of frames is negative");
    demand(std::isfinite(record.frame_rate) && record.frame_rate >= 0, "the rate is no rate");
    for (const RunBody& body : record.bodies) {
        demand(body.n_vertices >= 0 && body.n_triangles >= 0, "a body's count is negative");
        demand(
            !body.name.empty() && body.name.find('/') == std::string::npos && body.name[0] != '.',
            "a body's name leads out of the folder");
    }
    return {};
}

std::string read_frame_line_bytes(std::string_view bytes) {
    const MemoryFile file(bytes);
    const FrameLines lines = read_frame_lines(file.path());
    long long before = 0;
    for (const long long end : lines.ends) {
        demand(end > before && end <= static_cast<long long>(bytes.size()), "lines are no lines");
        demand(bytes[static_cast<size_t>(end) - 1] == '\n', "a line has no end");
        before = end;
    }
    return {};
}

}  // namespace toile::test
