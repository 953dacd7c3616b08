// SPDX-License-Identifier: Apache-2.0
#include "toile/io/mesh_file.h"

#include "support/captured_log.h"
#include "support/mesh_battery.h"
#include "support/temporary_folder.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <limits>

namespace toile {
namespace {

TEST(MeshFile, TheBatteryComesBackTheSameThroughEveryFormatThatSharesVertices) {
    for (const test::BatteryMesh& entry : test::mesh_battery()) {
        for (const double scale : {1e-3, 1.0, 1e3}) {
            TriangleMesh mesh = entry.mesh;
            for (Vec3& p : mesh.positions) p *= scale / 3.0;
            for (const char* name : {"mesh.obj", "mesh.ply", "mesh.off"}) {
                for (const MeshEncoding encoding : {MeshEncoding::Default, MeshEncoding::Ascii}) {
                    const MeshFormat& format = mesh_format_of(name);
                    const TriangleMesh back =
                        format.read(format.write(mesh, {.encoding = encoding}), name);
                    EXPECT_EQ(back.positions, mesh.positions) << entry.name << name;
                    EXPECT_EQ(back.triangles, mesh.triangles) << entry.name << name;
                    EXPECT_EQ(back.polygon_of_triangle, mesh.polygon_of_triangle) << entry.name;
                }
            }
        }
    }
}

TEST(MeshFile, WhatIsWrittenIsReadBackFromDisk) {
    const test::TemporaryFolder folder;
    TriangleMesh mesh;
    mesh.positions = {{0.1, 0, 0}, {1, 1.0 / 3, 0}, {0, 1, 0}};
    mesh.triangles = {{0, 1, 2}};
    for (const char* name : {"mesh.obj", "mesh.PLY", "mesh.Stl", "mesh.Off"}) {
        write_mesh(folder / name, mesh);
        EXPECT_EQ(read_mesh(folder / name).positions, mesh.positions) << name;
    }
}

TEST(MeshFile, AnUnknownExtensionListsTheKnownOnes) {
    try {
        read_mesh("shirt.objj");
        FAIL();
    } catch (const InvalidInput& e) {
        EXPECT_STREQ(e.what(),
                     "'shirt.objj' ends in '.objj', which names no format; the mesh formats known "
                     "are .obj (Wavefront OBJ), .ply (Stanford PLY), .stl (STL), .off (OFF). Did "
                     "you mean '.obj'?");
    }
    EXPECT_THROW(write_mesh("shirt", {}), InvalidInput);
}

TEST(MeshFile, AMissingFileNamesTheNearestOne) {
    const test::TemporaryFolder folder;
    write_mesh(folder / "shirt.obj", {});
    try {
        read_mesh(folder / "shirts.obj");
        FAIL();
    } catch (const IoError& e) {
        EXPECT_EQ(std::string(e.what()), "'" + (folder / "shirts.obj").string() +
                                             "' does not exist. Did you mean 'shirt.obj'?");
    }
    EXPECT_THROW(read_mesh(folder / "folder" / "shirt.obj"), IoError);
}

TEST(MeshFile, AFolderIsNoMesh) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "mesh.obj");
    EXPECT_THROW(read_mesh(folder / "mesh.obj"), IoError);
    EXPECT_THROW(write_mesh(folder / "mesh.obj", {}, {.overwrite = true}), IoError);
}

TEST(MeshFile, AMeshThatNoReaderTakesBackIsNotWritten) {
    const test::TemporaryFolder folder;
    TriangleMesh good;
    good.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    good.triangles = {{0, 1, 2}};
    for (const char* name : {"mesh.obj", "mesh.ply", "mesh.stl", "mesh.off"}) {
        TriangleMesh mesh = good;
        mesh.positions[1].y() = std::numeric_limits<double>::quiet_NaN();
        EXPECT_THROW(write_mesh(folder / name, mesh), InvalidInput);
        mesh = good;
        mesh.triangles[0][2] = 3;
        EXPECT_THROW(write_mesh(folder / name, mesh), InvalidInput);
        mesh = good;
        mesh.uv_triangles = {{0, 0, 0}};
        EXPECT_THROW(write_mesh(folder / name, mesh), InvalidInput);
        mesh = good;
        mesh.groups = {{"a"}, {1}};
        EXPECT_THROW(write_mesh(folder / name, mesh), InvalidInput);
    }
    EXPECT_THROW(write_mesh(folder / "mesh.obj", good, {.encoding = MeshEncoding::Binary}),
                 InvalidInput);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(MeshFile, WhatAFormatCannotKeepIsTold) {
    const test::TemporaryFolder folder;
    const test::CapturedLog log;
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.triangles = {{0, 1, 2}};
    mesh.uvs = {{0, 0}};
    mesh.uv_triangles = {{0, 0, 0}};
    mesh.groups = {{"a"}, {0}};
    write_mesh(folder / "mesh.obj", mesh);
    EXPECT_TRUE(log.warnings.empty());
    write_mesh(folder / "mesh.stl", mesh);
    ASSERT_EQ(log.warnings.size(), 1u);
    EXPECT_TRUE(
        log.warnings[0].ends_with("STL keeps no texture coordinates, groups or materials."));
}

}  // namespace
}  // namespace toile
