// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_files.h"

#include "toile/io/file_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStatePrefix = "frame_";
constexpr std::string_view kStateEnd = ".state";

/// What AtomicFile leaves of a file where the process was killed.
bool is_half(const fs::path& path) {
    const std::string name = path.filename().string();
    const auto is_of = [&](std::string_view end) { return name.find(end) != std::string::npos; };
    return name.starts_with('.') && name.ends_with(".tmp") &&
           (is_of(".state.") || is_of(".json.") || is_of(".toml.") || is_of(".obj.") ||
            is_of(".pc2."));
}

std::vector<fs::path> halves(const RunFiles& files) {
    std::vector<fs::path> found;
    for (const fs::path& folder : {files.folder, files.states()}) {
        if (!fs::is_directory(folder)) continue;
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (is_half(entry.path())) found.push_back(entry.path());
        }
    }
    return found;
}

}  // namespace

fs::path RunFiles::state(int frame) const {
    return states() / fmt::format("{}{:06d}{}", kStatePrefix, frame, kStateEnd);
}

std::vector<int> state_frames(const RunFiles& files) {
    std::vector<int> frames;
    if (!fs::is_directory(files.states())) return frames;
    for (const auto& entry : fs::directory_iterator(files.states())) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(kStatePrefix) || !name.ends_with(kStateEnd)) continue;
        int frame = -1;
        const char* end = name.data() + name.size() - kStateEnd.size();
        const auto [at, error] = std::from_chars(name.data() + kStatePrefix.size(), end, frame);
        if (error == std::errc() && at == end && frame >= 0) frames.push_back(frame);
    }
    std::ranges::sort(frames);
    return frames;
}

std::vector<fs::path> files_of_run(const RunFiles& files, const RunRecord& record) {
    std::vector<fs::path> found = halves(files);
    for (const RunBody& body : record.bodies) {
        found.push_back(files.mesh(body.name));
        found.push_back(files.positions(body.name));
    }
    found.push_back(files.scene());
    found.push_back(files.lines());
    for (const int frame : state_frames(files)) found.push_back(files.state(frame));
    found.push_back(files.record());
    return found;
}

void remove_halves(const RunFiles& files) {
    for (const fs::path& half : halves(files)) fs::remove(half);
}

FrameLines read_frame_lines(const fs::path& path) {
    const std::string text = read_bytes(path);
    FrameLines lines;
    size_t begin = 0;
    for (size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const std::string start = fmt::format("{{\"frame\":{},", lines.count());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        if (!line.starts_with(start) || !line.ends_with('}')) break;
        lines.ends.push_back(static_cast<long long>(end) + 1);
    }
    return lines;
}

}  // namespace toile
