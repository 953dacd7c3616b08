// SPDX-License-Identifier: Apache-2.0
#include "toile/render/embree_scene.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <fmt/format.h>

#include <algorithm>

#if TOILE_EMBREE_MAJOR >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace toile {
namespace {

[[noreturn]] void fail(const char* reason) {
    throw ComputationFailed(fmt::format("Embree could not prepare the picture: {}.", reason));
}

RTCRay to_embree(const Ray& ray) {
    RTCRay r{};
    r.org_x = ray.origin.x();
    r.org_y = ray.origin.y();
    r.org_z = ray.origin.z();
    r.dir_x = ray.direction.x();
    r.dir_y = ray.direction.y();
    r.dir_z = ray.direction.z();
    r.tnear = ray.nearest;
    r.tfar = ray.farthest;
    r.mask = 0xFFFFFFFFU;
    return r;
}

#if TOILE_EMBREE_MAJOR >= 4

void intersect(RTCScene scene, RTCRayHit& query) {
    rtcIntersect1(scene, &query);
}

void occlude(RTCScene scene, RTCRay& ray) {
    rtcOccluded1(scene, &ray);
}

#else

void intersect(RTCScene scene, RTCRayHit& query) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, &query);
}

void occlude(RTCScene scene, RTCRay& ray) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene, &context, &ray);
}

#endif

}  // namespace

struct EmbreeScene::Handles {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;

    ~Handles() {
        if (scene) rtcReleaseScene(scene);
        if (device) rtcReleaseDevice(device);
    }

    void attach(const RayMesh& mesh, unsigned id) const {
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        if (!geometry) fail("no memory for a body");
        fill(geometry, mesh);
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(scene, geometry, id);
        rtcReleaseGeometry(geometry);
    }

    static void fill(RTCGeometry geometry, const RayMesh& mesh) {
        auto* points = static_cast<float*>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                    3 * sizeof(float), mesh.positions.size()));
        auto* indices = static_cast<unsigned*>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                    3 * sizeof(unsigned), mesh.triangles.size()));
        if (!points || !indices) fail("no memory for a body's triangles");
        for (const Eigen::Vector3f& p : mesh.positions) points = std::copy_n(p.data(), 3, points);
        for (const Triangle& t : mesh.triangles) {
            for (const int v : t) *indices++ = static_cast<unsigned>(v);
        }
    }
};

EmbreeScene::EmbreeScene(std::span<const RayMesh> bodies) : handles_(std::make_unique<Handles>()) {
    handles_->device = rtcNewDevice(nullptr);
    if (!handles_->device) fail("it does not run on this processor");
    handles_->scene = rtcNewScene(handles_->device);
    rtcSetSceneFlags(handles_->scene, RTC_SCENE_FLAG_ROBUST);  // no gaps between neighbours
    for (size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i].triangles.empty()) handles_->attach(bodies[i], static_cast<unsigned>(i));
    }
    {
        const ThreadLimit one_thread(1);  // Embree's own setting would limit our loops as well
        rtcCommitScene(handles_->scene);
    }
    if (rtcGetDeviceError(handles_->device) != RTC_ERROR_NONE) fail("the hierarchy was not built");
}

EmbreeScene::~EmbreeScene() = default;

bool EmbreeScene::closest_hit(const Ray& ray, RayHit& out_hit) const {
    RTCRayHit query{};
    query.ray = to_embree(ray);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    intersect(handles_->scene, query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
    out_hit = {static_cast<int>(query.hit.geomID),
               static_cast<int>(query.hit.primID),
               query.ray.tfar,
               query.hit.u,
               query.hit.v,
               {query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z}};
    return true;
}

bool EmbreeScene::occluded(const Ray& ray) const {
    RTCRay query = to_embree(ray);
    occlude(handles_->scene, query);
    return query.tfar < 0;
}

}  // namespace toile
