// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_check.h"

#include "toile/cloth/strain.h"
#include "toile/core/error.h"
#include "toile/io/mesh_file.h"
#include "toile/io/pc2.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/expectations.h"
#include "toile/sim/near_pairs.h"
#include "toile/sim/run_cloth.h"
#include "toile/sim/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace toile {
namespace {

constexpr size_t kMostSentences = 5;

/// The larger one. What is not a number is worse than anything.
double worse(double a, double b) {
    return std::isnan(a) || b <= a ? a : b;
}

/// All files of a run, open, and the surface that they make together.
class RunReader {
  public:
    explicit RunReader(const std::filesystem::path& folder);

    [[nodiscard]] std::span<const std::string> names() const { return names_; }
    [[nodiscard]] const Scene& scene() const { return scene_; }
    [[nodiscard]] std::vector<BodyExtent> cloth_extents() const;
    void read_next();
    [[nodiscard]] FrameCheck check(int frame);

  private:
    void add_body(const RunFiles& files, const BodySetup& setup, bool obstacle, double thickness);
    [[nodiscard]] double smallest_gap() const;
    [[nodiscard]] double largest_rms_speed() const;
    void count_inside(std::span<const CheckedBody> bodies, FrameCheck& out_check);

    Scene scene_;
    std::vector<Cloth> cloths_;
    std::vector<TriangleMesh> meshes_;
    std::vector<std::vector<double>> free_;  ///< an inverse mass of 1 for every vertex
    std::vector<std::unique_ptr<Pc2Source>> sources_;
    std::vector<ContactBodyInput> inputs_;
    std::vector<std::string> names_;
    ContactSurface surface_;
    std::vector<Vec3> positions_, previous_;
    std::vector<InsideVertex> inside_at_start_;  ///< sorted
};

RunReader::RunReader(const std::filesystem::path& folder)
    : scene_(load_scene(RunFiles{folder}.scene())) {
    const RunFiles files{folder};
    const size_t n_bodies = scene_.cloths.size() + scene_.obstacles.size();
    meshes_.reserve(n_bodies);
    free_.reserve(n_bodies);
    for (const ClothSetup& setup : scene_.cloths) {
        add_body(files, setup, false, setup.fabric.thickness);
        cloths_.push_back(make_run_cloth(setup, files, meshes_.back()));
    }
    for (const ObstacleSetup& setup : scene_.obstacles) {
        add_body(files, setup, true, setup.thickness);
    }
    surface_ = make_contact_surface(inputs_, std::vector<double>(n_bodies * n_bodies, 0));
    positions_.resize(surface_.n_vertices());
}

void RunReader::add_body(const RunFiles& files, const BodySetup& setup, bool obstacle,
                         double thickness) {
    names_.push_back(setup.name);
    meshes_.push_back(read_mesh(files.mesh(setup.name)));
    const TriangleMesh& mesh = meshes_.back();
    const std::filesystem::path path = files.positions(setup.name);
    sources_.push_back(std::make_unique<Pc2Source>(path));
    const Pc2Source& source = *sources_.back();
    if (source.n_vertices() != mesh.n_vertices()) {
        throw InvalidInput(fmt::format("{} has {} points a frame; {} has {} vertices.",
                                       path.string(), source.n_vertices(),
                                       files.mesh(setup.name).string(), mesh.n_vertices()));
    }
    free_.emplace_back(mesh.positions.size(), 1.0);
    inputs_.push_back({.name = setup.name,
                       .n_vertices = mesh.n_vertices(),
                       .triangles = mesh.triangles,
                       .thickness = thickness,
                       .prescribed = obstacle,
                       .inverse_masses = free_.back()});
}

void RunReader::read_next() {
    previous_ = positions_;
    for (size_t b = 0; b < sources_.size(); ++b) {
        const ContactBody& body = surface_.bodies[b];
        sources_[b]->next(std::span<Vec3>(positions_).subspan(body.first_vertex, body.n_vertices));
    }
}

/// Among pairs nearer than the thickness they should keep.
double RunReader::smallest_gap() const {
    double smallest = std::numeric_limits<double>::infinity();
    for (const NearPair& pair : near_pairs(surface_, positions_, KeptGap::Thickness)) {
        smallest = std::min(smallest, pair.gap);
    }
    return smallest;
}

double RunReader::largest_rms_speed() const {
    double largest = 0;
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        double squares = 0;
        for (int v = body.first_vertex; v < body.first_vertex + body.n_vertices; ++v) {
            squares += (positions_[v] - previous_[v]).squaredNorm();
        }
        largest = worse(largest, std::sqrt(squares / body.n_vertices));
    }
    return largest * scene_.settings.frame_rate;
}

std::vector<BodyExtent> RunReader::cloth_extents() const {
    std::vector<BodyExtent> extents;
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        BodyExtent extent = {.name = body.name, .box = {}};
        extent.box.min = extent.box.max = positions_[body.first_vertex];
        for (int v = body.first_vertex; v < body.first_vertex + body.n_vertices; ++v) {
            extent.box.min = extent.box.min.cwiseMin(positions_[v]);
            extent.box.max = extent.box.max.cwiseMax(positions_[v]);
        }
        extents.push_back(extent);
    }
    return extents;
}

/// Frame 0 is the first that is looked at.
void RunReader::count_inside(std::span<const CheckedBody> bodies, FrameCheck& out_check) {
    const std::vector<InsideVertex> inside = find_inside_vertices(bodies);
    if (out_check.frame == 0) inside_at_start_ = inside;
    for (const InsideVertex& vertex : inside) {
        const bool started_there = std::ranges::binary_search(inside_at_start_, vertex);
        ++(started_there ? out_check.n_inside_since_start : out_check.n_inside);
    }
}

FrameCheck RunReader::check(int frame) {
    FrameCheck check = {.frame = frame, .crossing_sentences = {}};
    std::vector<CheckedBody> bodies;
    for (size_t b = 0; b < meshes_.size(); ++b) {
        const ContactBody& body = surface_.bodies[b];
        const auto own =
            std::span<const Vec3>(positions_).subspan(body.first_vertex, body.n_vertices);
        bodies.push_back({body.name, meshes_[b].triangles, own, body.prescribed});
        if (b < cloths_.size()) {
            check.largest_strain = worse(check.largest_strain, max_strain(cloths_[b], own).value);
        }
    }
    const std::vector<Crossing> crossings = find_crossings(bodies);
    check.n_crossings = static_cast<int>(crossings.size());
    count_inside(bodies, check);
    for (const Crossing& crossing : crossings) {
        if (check.crossing_sentences.size() == kMostSentences) break;
        check.crossing_sentences.push_back(crossing_sentence(bodies, crossing));
    }
    check.smallest_gap = smallest_gap();
    if (frame > 0) check.largest_rms_speed = largest_rms_speed();
    return check;
}

}  // namespace

RunCheck check_run(const std::filesystem::path& folder, const RunCheckOptions& options) {
    const RunRecord record = read_run_record(folder);
    RunReader files(folder);
    RunCheck result = {.frames = {},
                       .expectations = {},
                       .n_bad_frames = 0,
                       .status = record.status,
                       .frames_asked = record.frames_asked,
                       .failure = record.failure};
    const int n_frames = whole_frames(folder, files.names());
    for (int frame = 0; frame < n_frames; ++frame) {
        if (options.cancellation && options.cancellation->requested()) {
            throw Interrupted(fmt::format("Stopped after {} of {} frames.", frame, n_frames));
        }
        files.read_next();
        result.frames.push_back(files.check(frame));
        if (!result.frames.back().is_clean()) ++result.n_bad_frames;
        if (options.progress) options.progress(frame + 1, n_frames, "checked");
    }
    if (files.scene().expect) {
        const std::vector<BodyExtent> last =
            n_frames > 0 ? files.cloth_extents() : std::vector<BodyExtent>();
        result.expectations = check_expectations(files.scene(), result, last);
    }
    return result;
}

bool RunCheck::holds() const {
    return std::ranges::all_of(expectations, &ExpectationCheck::held);
}

}  // namespace toile
