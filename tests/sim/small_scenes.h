// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/temporary_folder.h"
#include "toile/scene/scene.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace toile::test {

inline ShapeSpec rectangle(double width, double length, int divisions) {
    const double n = divisions;
    return {"rectangle",
            {{"width", width}, {"length", length}, {"divisions", std::vector<double>{n, n}}}};
}

inline ClothSetup square_cloth(double size, int divisions, const Vec3& center) {
    ClothSetup cloth;
    cloth.name = "cloth";
    cloth.shape = rectangle(size, size, divisions);
    cloth.translation = center;
    cloth.fabric = named_fabric("cotton");
    cloth.material = cloth.fabric.name;
    return cloth;
}

inline ObstacleSetup obstacle(const std::string& name, const ShapeSpec& shape) {
    ObstacleSetup body;
    body.name = name;
    body.shape = shape;
    body.material = "rigid";
    return body;
}

inline ShapeSpec sphere(double radius, int subdivisions) {
    return {"sphere", {{"radius", radius}, {"subdivisions", double(subdivisions)}}};
}

/// About 400 vertices that fall on a ball and a floor.
inline Scene small_drape(int frames) {
    Scene scene;
    scene.settings.frames = frames;
    scene.cloths = {square_cloth(1, 20, {0, 0.27, 0})};
    scene.obstacles = {obstacle("ball", sphere(0.25, 2)), obstacle("floor", rectangle(3, 3, 2))};
    scene.obstacles[1].translation = {0, -0.25, 0};
    return scene;
}

inline std::string file_bytes(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
}

}  // namespace toile::test
