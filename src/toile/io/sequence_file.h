// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/mesh_format.h"
#include "toile/sequence/frame_stream.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace toile {

struct SequenceOpenOptions {
    std::optional<std::filesystem::path> mesh = {};  ///< whose connectivity a point cache moves
};

struct OpenedSequence {
    std::unique_ptr<FrameSource> frames;
    std::optional<TriangleMesh> mesh;  ///< at rest; nothing for a point cache without one
};

/// A sequence as it is named on the command line:
/// - a point cache (`.pc2`, `.mdd`), with the mesh of the options, else `NAME.obj` (or another
/// format) beside it;
/// - a pattern (`frames/mesh_*.obj`, `frame_%04d.obj`) or a folder of numbered meshes;
/// - a mesh file, which is one frame;
/// - the body of a run, `run/NAME`, or the run folder itself where it has one body.
/// Throws InvalidInput or IoError that says what it found and the choices.
OpenedSequence open_sequence(const std::string& spec, const SequenceOpenOptions& options = {});

/// Where the frames of `spec` can go: a point cache (`.pc2`, `.mdd`), a ParaView collection
/// (`.pvd`, io/pvd.h), a GLB or an HTML page that plays (`.glb`, io/glb.h; `.html`,
/// io/html_page.h), a pattern, a folder (`frame_%04d.obj` in it;
/// it is made where it does not exist and `spec` ends in a slash), or a mesh file for exactly one
/// frame. All but point caches need the mesh.
std::unique_ptr<FrameSink> create_sequence(const std::string& spec, int n_vertices,
                                           const TriangleMesh* mesh,
                                           const MeshWriteOptions& options = {});

/// Whether `spec` names one mesh file, by its extension, and no pattern or folder.
bool names_one_mesh(const std::string& spec);

/// The mesh file beside the point cache `NAME.pc2`, `NAME.obj` or another known format; nothing
/// where none exists.
std::optional<std::filesystem::path> mesh_beside(const std::filesystem::path& point_cache);

}  // namespace toile
