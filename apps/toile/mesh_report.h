// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/diagnosis.h"
#include "toile/mesh/triangle_mesh.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace toile::app {

/// What `info` prints of a mesh, in lines for people; elements are numbered from 0.
std::string mesh_report(const TriangleMesh& mesh, const MeshDiagnosis& diagnosis);

/// The same and all element numbers, for programs.
nlohmann::ordered_json mesh_report_json(const TriangleMesh& mesh, const MeshDiagnosis& diagnosis);

/// Three numbers as `0.1 0.2 0.3`.
std::string vector_text(const Vec3& v);

/// `1 vertex`, `2 vertices`.
std::string counted(long long n, const std::string& one, const std::string& many);

}  // namespace toile::app
