// SPDX-License-Identifier: Apache-2.0
#include "toile/io/pvd.h"

#include "toile/core/error.h"
#include "toile/io/atomic_file.h"

#include <fmt/format.h>
#include <system_error>

#include <cmath>
#include <utility>

namespace toile {
namespace {

namespace fs = std::filesystem;

bool stands(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

// Only what an earlier call may have made is replaced.
void check_replaceable(const fs::path& folder) {
    std::error_code failure;
    if (!fs::is_directory(folder, failure)) {
        throw IoError(fmt::format("'{}' exists and is no folder of frames.", folder.string()));
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().extension() == ".vtp") continue;
        throw IoError(fmt::format("'{}' is needed for frames, but holds '{}' too; not replaced.",
                                  folder.string(), entry.path().filename().string()));
    }
}

void check_folder(const fs::path& folder, const PvdOptions& options) {
    if (!stands(folder)) return;
    if (options.overwrite) return check_replaceable(folder);
    throw IoError(
        fmt::format("'{}', the folder for the frames, exists already; --force replaces "
                    "it.",
                    folder.string()));
}

}  // namespace

PvdWriter::PvdWriter(fs::path path, PvdOptions options)
    : path_(std::move(path)), folder_(fs::path(path_).replace_extension()), options_(options) {
    if (!(options_.frame_rate > 0) || !std::isfinite(options_.frame_rate)) {
        throw InvalidInput(fmt::format("{}: expected a frame rate above 0, found {}.",
                                       path_.string(), options_.frame_rate));
    }
    check_output(path_, {.overwrite = options_.overwrite});
    check_folder(folder_, options_);
    hidden_.emplace(folder_.parent_path(), folder_.filename().string());
}

void PvdWriter::write(int frame, const std::string& body, const VtpSurface& surface) {
    part_ = frame == frame_ ? part_ + 1 : 0;
    frame_ = frame;
    const std::string name = fmt::format("{}_{:04}.vtp", body, frame);
    write_file(hidden_->path() / name, format_vtp(surface, name));
    entries_ += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"{}\"/>\n",
                            frame / options_.frame_rate, part_, xml_escaped(body),
                            xml_escaped((folder_.filename() / name).string()));
}

// An old list goes before its files: none is left that lists what is not there.
void PvdWriter::make_room() const {
    check_output(path_, {.overwrite = options_.overwrite});
    check_folder(folder_, options_);
    if (!options_.overwrite) return;
    fs::remove(path_);
    fs::remove_all(folder_);
}

void PvdWriter::finish() {
    make_room();
    hidden_->become(folder_);
    write_file(path_,
               "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
               "byte_order=\"LittleEndian\">\n<Collection>\n" +
                   entries_ + "</Collection>\n</VTKFile>\n",
               {.overwrite = options_.overwrite});
}

PvdSink::PvdSink(const fs::path& path, std::vector<Triangle> triangles, PvdOptions options)
    : writer_(path, options), body_(path.stem().string()), triangles_(std::move(triangles)) {}

void PvdSink::write(std::span<const Vec3> positions) {
    writer_.write(next_++, body_, {.positions = positions, .triangles = triangles_});
}

}  // namespace toile
