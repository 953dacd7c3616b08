// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/set_aside.h"

#include "toile/core/error.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/io/pc2.h"

#include <fmt/format.h>

namespace toile {
namespace {

namespace fs = std::filesystem;

void copy_positions(const RunFiles& files, const RunBody& body, int first, const fs::path& folder) {
    Pc2Source source(files.positions(body.name));
    source.seek(first);
    Pc2Header header = source.header();
    header.start = static_cast<float>(first);
    Pc2Sink sink(folder / (body.name + ".pc2"), header);
    std::vector<Vec3> positions(static_cast<size_t>(header.n_points));
    while (source.next(positions)) sink.write(positions);
    sink.finish();
}

void copy_lines(const RunFiles& files, int first, const fs::path& folder) {
    const FrameLines lines = read_frame_lines(files.lines());
    const std::string text = read_bytes(files.lines());
    const auto begin = static_cast<size_t>(lines.ends[static_cast<size_t>(first) - 1]);
    write_file(folder / "frames.jsonl", std::string_view(text).substr(begin));
}

fs::path free_name(const fs::path& folder) {
    for (int n = 1;; ++n) {
        const fs::path name = folder / fmt::format("before-resume-{}", n);
        if (!fs::exists(name)) return name;
    }
}

}  // namespace

fs::path set_aside_frames(const RunFiles& files, const RunRecord& record, int first) {
    if (read_frame_lines(files.lines()).count() <= first) return {};
    const fs::path name = free_name(files.folder);
    const fs::path making = files.folder / ("." + name.filename().string() + ".tmp");
    try {
        fs::remove_all(making);  // of an earlier try that was killed
        fs::create_directory(making);
        for (const RunBody& body : record.bodies) copy_positions(files, body, first, making);
        copy_lines(files, first, making);
        write_file(making / "run.json", read_bytes(files.record()));
        write_file(making / "scene.toml", read_bytes(files.scene()));
        fs::rename(making, name);
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(making, ignored);
        throw;
    }
    flush_folder(files.folder);
    return name;
}

}  // namespace toile
