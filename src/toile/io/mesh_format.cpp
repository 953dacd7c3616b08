// SPDX-License-Identifier: Apache-2.0
#include "toile/io/mesh_format.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"
#include "toile/io/obj.h"
#include "toile/io/off.h"
#include "toile/io/ply.h"
#include "toile/io/stl.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <vector>

namespace toile {
namespace {

constexpr std::array kFormats = {
    MeshFormat{.name = "Wavefront OBJ",
               .extension = ".obj",
               .has_binary = false,
               .keeps_uvs = true,
               .keeps_polygons = true,
               .keeps_objects = true,
               .keeps_names = true,
               .keeps_colors = false,
               .read = read_obj,
               .write = write_obj},
    MeshFormat{.name = "Stanford PLY",
               .extension = ".ply",
               .has_binary = true,
               .keeps_uvs = true,
               .keeps_polygons = true,
               .keeps_objects = false,
               .keeps_names = false,
               .keeps_colors = true,
               .read = read_ply,
               .write = write_ply},
    MeshFormat{.name = "STL",
               .extension = ".stl",
               .has_binary = true,
               .keeps_uvs = false,
               .keeps_polygons = false,
               .keeps_objects = true,
               .keeps_names = false,
               .keeps_colors = false,
               .read = read_stl,
               .write = write_stl},
    MeshFormat{.name = "OFF",
               .extension = ".off",
               .has_binary = false,
               .keeps_uvs = false,
               .keeps_polygons = true,
               .keeps_objects = false,
               .keeps_names = false,
               .keeps_colors = false,
               .read = read_off,
               .write = write_off},
};

}  // namespace

std::span<const MeshFormat> mesh_formats() {
    return kFormats;
}

std::string lower_extension(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return extension;
}

const MeshFormat* find_mesh_format(const std::filesystem::path& path) {
    const std::string extension = lower_extension(path);
    for (const MeshFormat& format : kFormats) {
        if (format.extension == extension) return &format;
    }
    return nullptr;
}

const MeshFormat& mesh_format_of(const std::filesystem::path& path) {
    if (const MeshFormat* format = find_mesh_format(path)) return *format;
    std::string list;
    std::vector<std::string> known;
    for (const MeshFormat& format : kFormats) {
        known.emplace_back(format.extension);
        list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", format.extension, format.name);
    }
    const std::string extension = lower_extension(path);
    throw InvalidInput(fmt::format(
        "'{}' {}; the mesh formats known are {}.{}", path.string(),
        extension.empty() ? std::string("has no extension to tell its format")
                          : fmt::format("ends in '{}', which names no format", extension),
        list, did_you_mean(extension, known)));
}

}  // namespace toile
