// SPDX-License-Identifier: Apache-2.0
// How near a transfer over our pairs comes to the poses that the field's data sets publish. Those
// were made with other markers and another fit, so zero is not reachable.
#include "support/test_data.h"
#include "toile/correspondence/correspondence.h"
#include "toile/deformation/gradient.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/linalg/sparse_cholesky.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace toile {
namespace {

/// A pair of animals with poses of both.
struct Case {
    std::string folder;
    std::string source, target;        ///< as "horse", "camel"
    std::vector<std::string> markers;  ///< one file of pairs, or two lists
    bool swapped = false;              ///< the file names our target first
    int stride = 1;                    ///< every how-manieth marker is used
    std::vector<std::string> poses = {"01", "02", "03", "04", "05"};
};

const Case kHorseCamel{"horse-camel", "horse", "camel", {"markers-golevka-107.cons"}};
const Case kHorseCamelFew{"horse-camel", "horse", "camel", {"markers-kyle.corr"}};
const Case kCatLion{"cat-lion", "cat", "lion", {"markers-yeduk3.txt"}};
const Case kFaceHead{"face-head", "face", "head",    {"face_marker.txt", "head_marker.txt"},
                     false,       1,      {"02-cry"}};

struct Loaded {
    TriangleMesh source, target;
    std::vector<Marker> markers;
};

Loaded load(const std::filesystem::path& data, const Case& c) {
    const std::filesystem::path folder = data / c.folder;
    Loaded in{read_mesh(folder / (c.source + "-reference.obj")),
              read_mesh(folder / (c.target + "-reference.obj")),
              {}};
    const std::string first = read_bytes(folder / c.markers[0]);
    std::vector<Marker> all;
    if (c.markers.size() == 1) {
        all = read_markers({first, c.markers[0]}, in.source, in.target, {.swapped = c.swapped});
    } else {
        const std::string second = read_bytes(folder / c.markers[1]);
        all =
            read_marker_lists({first, c.markers[0]}, {second, c.markers[1]}, in.source, in.target);
    }
    for (size_t i = 0; i < all.size(); i += static_cast<size_t>(c.stride)) {
        in.markers.push_back(all[i]);
    }
    in.markers = require_holdable(std::move(in.markers), in.source, in.target);
    return in;
}

/// Transfer by the means of the paired gradients; unmatched triangles keep their shape. Every
/// component is held by its first vertex.
class SmallTransfer {
  public:
    SmallTransfer(const TriangleMesh& target, const TrianglePairs& pairs)
        : target_(target),
          pairs_(pairs),
          hats_(triangle_hats(target.positions, target.triangles)),
          anchored_(target.positions.size(), 0),
          factor_(matrix()) {}

    std::vector<Vec3> pose(const std::vector<Mat3>& gradients) const {
        std::vector<Vec3> x(target_.positions.size(), Vec3::Zero());
        for (int i = 0; i < target_.n_triangles(); ++i) {
            const auto t = static_cast<size_t>(i);
            Mat3 mean = Mat3::Zero();
            if (pairs_.sources_of(i).empty()) mean.setIdentity();
            for (const int s : pairs_.sources_of(i)) {
                mean += gradients[static_cast<size_t>(s)] /
                        static_cast<double>(pairs_.sources_of(i).size());
            }
            for (size_t c = 0; c < 3; ++c) {
                x[static_cast<size_t>(target_.triangles[t][c])] +=
                    hats_[t].area * (mean * hats_[t].hats[c]);
            }
        }
        factor_.solve(x, x);
        return x;
    }

  private:
    SparseMatrix matrix() {
        const int n = target_.n_vertices();
        SparseMatrix lower = laplacian(hats_, target_.triangles, n);
        const std::vector<int> component = vertex_components(target_.triangles, n);
        const double weight = lower.diagonal().mean();
        for (int v = 0; v < n; ++v) {
            char& anchored = anchored_[static_cast<size_t>(component[static_cast<size_t>(v)])];
            if (!anchored) lower.coeffRef(v, v) += weight;
            anchored = 1;
        }
        return lower;
    }

    const TriangleMesh& target_;
    const TrianglePairs& pairs_;
    std::vector<TriangleHats> hats_;
    std::vector<char> anchored_;
    SparseCholesky factor_;
};

/// Root mean square distance after the mean shift is taken out, percent of `diagonal`.
double rms_percent(std::span<const Vec3> ours, std::span<const Vec3> published, double diagonal) {
    Vec3 shift = Vec3::Zero();
    const auto n = static_cast<double>(ours.size());
    for (size_t v = 0; v < ours.size(); ++v) shift += (ours[v] - published[v]) / n;
    double sum = 0;
    for (size_t v = 0; v < ours.size(); ++v) sum += (ours[v] - published[v] - shift).squaredNorm();
    return 100 * std::sqrt(sum / n) / diagonal;
}

int count_opposed(const TriangleMesh& target, std::span<const Vec3> ours,
                  std::span<const Vec3> published) {
    const std::vector<Vec3> a = triangle_normals(ours, target.triangles);
    const std::vector<Vec3> b = triangle_normals(published, target.triangles);
    int n = 0;
    for (size_t t = 0; t < a.size(); ++t) n += a[t].dot(b[t]) < 0;
    return n;
}

struct Agreement {
    double mean_rms = 0;  ///< percent
    double mean_opposed = 0;
};

Agreement agreement(const std::filesystem::path& data, const Case& c, FitKind kind) {
    const Loaded in = load(data, c);
    const Correspondence found =
        correspond(in.source, in.target, in.markers, correspondence_options(kind));
    const SmallTransfer transfer(in.target, found.pairs);
    const double diagonal = bounding_box(in.target.positions).diagonal();
    std::vector<Mat3> gradients(in.source.triangles.size());
    Agreement result;
    const auto n = static_cast<double>(c.poses.size());
    for (const std::string& pose : c.poses) {
        const TriangleMesh moved = read_mesh(data / c.folder / (c.source + "-" + pose + ".obj"));
        const TriangleMesh published =
            read_mesh(data / c.folder / (c.target + "-" + pose + ".obj"));
        deformation_gradients(in.source.triangles, in.source.positions, moved.positions, gradients);
        const std::vector<Vec3> ours = transfer.pose(gradients);
        result.mean_rms += rms_percent(ours, published.positions, diagonal) / n;
        result.mean_opposed += count_opposed(in.target, ours, published.positions) / n;
    }
    return result;
}

TEST(PublishedPoses, OfTheCamelAreMetWith107Markers) {
    TOILE_REQUIRE_TEST_DATA(data, "transfer");
    const Agreement found = agreement(data, kHorseCamel, FitKind::Plate);
    EXPECT_LE(found.mean_rms, 1.55);
    EXPECT_LT(found.mean_opposed, 20);
}

TEST(PublishedPoses, OfTheCamelAreMetWith17Markers) {
    TOILE_REQUIRE_TEST_DATA(data, "transfer");
    const Agreement found = agreement(data, kHorseCamelFew, FitKind::Plate);
    EXPECT_LE(found.mean_rms, 1.6);
    EXPECT_LT(found.mean_opposed, 20);
}

TEST(PublishedPoses, OfTheLionAreMet) {
    TOILE_REQUIRE_TEST_DATA(data, "transfer");
    EXPECT_LE(agreement(data, kCatLion, FitKind::Plate).mean_rms, 0.90);
}

/// The first solve alone, which judges the markers.
FitResult judged(const Loaded& in, const std::vector<Marker>& markers) {
    FitOptions options = fit_options(FitKind::Plate);
    options.pulls = {0};
    return fit_to_surface(in.source, in.target, markers, options);
}

TEST(MarkersOfTheField, AreAllPlausible) {
    TOILE_REQUIRE_TEST_DATA(data, "transfer");
    for (const Case& c : {kHorseCamel, kHorseCamelFew, kCatLion, kFaceHead}) {
        const Loaded in = load(data, c);
        const FitResult result = judged(in, in.markers);
        for (size_t i = 0; i < in.markers.size(); ++i) {
            EXPECT_FALSE(result.markers[i].implausible) << c.target << " marker " << i;
        }
    }
}

TEST(MarkersOfTheField, ThatAreExchangedAreNamed) {
    TOILE_REQUIRE_TEST_DATA(data, "transfer");
    for (const Case& c : {kHorseCamel, kHorseCamelFew, kCatLion}) {
        const Loaded in = load(data, c);
        for (size_t i = 0; i < in.markers.size(); i += 5) {
            // With the marker that is farthest on the target.
            const auto place = [&](size_t k) {
                return in.target.positions[static_cast<size_t>(in.markers[k].target)];
            };
            size_t j = 0;
            for (size_t k = 1; k < in.markers.size(); ++k) {
                if ((place(k) - place(i)).norm() > (place(j) - place(i)).norm()) j = k;
            }
            std::vector<Marker> wrong = in.markers;
            std::swap(wrong[i].target, wrong[j].target);
            const FitResult result = judged(in, wrong);
            EXPECT_TRUE(result.markers[i].implausible || result.markers[j].implausible)
                << c.target << " markers " << i << " and " << j;
        }
    }
}

/// Cases that no setting was chosen on: the default must be 5 % better than the paper's fit.
class HeldBackCases : public testing::TestWithParam<std::pair<const char*, Case>> {};

TEST_P(HeldBackCases, AreMetBetterThanByTheClassicFit) {
    TOILE_REQUIRE_TEST_DATA(data, "transfer");
    const Case& c = GetParam().second;
    const Agreement ours = agreement(data, c, FitKind::Plate);
    const Agreement classic = agreement(data, c, FitKind::Classic);
    EXPECT_LE(ours.mean_rms, 0.95 * classic.mean_rms);
    RecordProperty("rms", fmt::format("{:.3f} against {:.3f}", ours.mean_rms, classic.mean_rms));
}

INSTANTIATE_TEST_SUITE_P(
    PublishedPoses, HeldBackCases,
    testing::Values(
        std::pair{"HorseCamel124", Case{"horse-camel", "horse", "camel", {"markers-yeduk3.txt"}}},
        std::pair{"CamelHorse",
                  Case{"horse-camel", "camel", "horse", {"markers-golevka-107.cons"}, true}},
        std::pair{"LionCat", Case{"cat-lion", "lion", "cat", {"markers-yeduk3.txt"}, true}},
        std::pair{"LionCatFew", Case{"cat-lion", "lion", "cat", {"markers-yeduk3.txt"}, true, 3}},
        std::pair{"FaceHead", kFaceHead}),
    [](const auto& entry) { return std::string(entry.param.first); });

}  // namespace
}  // namespace toile
