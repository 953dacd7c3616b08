// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/scene/scene.h"

#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace toile {

/// What a person may write for a key, and what it means. Reader, writer and docs/scene.md come from
/// this one table.
struct KeyDescription {
    std::string name = {};
    std::string unit = {};  ///< empty for none
    std::string doc = {};   ///< a sentence
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool above_min = false;                 ///< `min` itself is not allowed
    std::vector<std::string> choices = {};  ///< of a text; empty for any
    bool required = false;
    bool input_only = false;         ///< another way to say something else: read, never written
    std::string default_words = {};  ///< in place of the default value, where that depends
};

/// The member of S that a key sets; its type is the key's type.
template <class S>
using KeyMember =
    std::variant<double S::*, int S::*, bool S::*, std::string S::*, std::filesystem::path S::*,
                 Vec3 S::*, AxisAngle S::*, std::optional<double> S::*, std::optional<Vec3> S::*,
                 std::optional<Box> S::*, std::optional<ShapeSpec> S::*, std::vector<int> S::*,
                 std::vector<Vec3> S::*, std::vector<std::string> S::*>;

template <class S>
struct SceneKey {
    KeyDescription description;
    KeyMember<S> member;
};

/// The keys of one section, in the order in which they are written.
template <class S>
const std::vector<SceneKey<S>>& scene_keys();

template <>
const std::vector<SceneKey<SceneSettings>>& scene_keys();
template <>
const std::vector<SceneKey<AirSettings>>& scene_keys();
template <>
const std::vector<SceneKey<SolverSettings>>& scene_keys();
template <>
const std::vector<SceneKey<ExpectSettings>>& scene_keys();
template <>
const std::vector<SceneKey<ClothSetup>>& scene_keys();
template <>
const std::vector<SceneKey<Fabric>>& scene_keys();
template <>
const std::vector<SceneKey<PinSetup>>& scene_keys();
template <>
const std::vector<SceneKey<Keyframe>>& scene_keys();
template <>
const std::vector<SceneKey<VelocityPiece>>& scene_keys();
template <>
const std::vector<SceneKey<ObstacleSetup>>& scene_keys();
template <>
const std::vector<SceneKey<FramesSetup>>& scene_keys();
template <>
const std::vector<SceneKey<FrictionSetup>>& scene_keys();

}  // namespace toile
