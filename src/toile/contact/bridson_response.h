// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/certificate.h"
#include "toile/contact/contact_response.h"
#include "toile/contact/fail_safe.h"
#include "toile/contact/repulsion.h"

namespace toile {

struct BridsonOptions {
    RepulsionOptions repulsion = {};
    /// Gap that collisions leave, as part of the pair's thickness.
    double separation = 0.1;
    /// Rounds of detection and impulses before the fail-safe takes over. 0: fail-safe alone.
    int max_rounds = 12;
    /// Passes over all impulses of the step in each round.
    int sweeps = 8;
};

/// The scheme of [Manen10]: repulsions once, then rounds of collisions and inelastic impulses, then
/// a fail-safe that always ends, then the certificate [Bridson02, §7]. Departures: impulses of one
/// step accumulate and are solved together instead of averaged, so that a pile settles in a few
/// rounds; separating planes stand in for rigid impact zones.
class BridsonResponse final : public ContactResponse {
  public:
    explicit BridsonResponse(const BridsonOptions& options = {}) : options_(options) {}

    ContactReport resolve(const ContactSurface& surface, const ContactMotion& motion) override;

  private:
    void repel(const ContactSurface& surface, const ContactMotion& motion, ContactReport& report);
    std::span<const CollisionHit> collide(const ContactSurface& surface,
                                          const ContactMotion& motion, ContactReport& report);
    void trace_start(const ContactMotion& motion) const;
    void trace_round(const ContactMotion& motion, std::span<const CollisionHit> hits) const;
    void push(const ContactSurface& surface, const ContactMotion& motion, ContactReport& report);
    void certify(const ContactSurface& surface, const ContactMotion& motion, ContactReport& report);

    BridsonOptions options_;
    CollisionDetector detector_;
    FailSafe fail_safe_;
    MotionCertifier certifier_;
    std::vector<int> proximities_;
    std::vector<ImpulseConstraint> constraints_;
    std::vector<Vec3> displacements_;
    std::vector<char> moved_;  // since the detector last looked
};

}  // namespace toile
