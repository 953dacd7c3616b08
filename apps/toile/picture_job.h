// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "picture_request.h"
#include "verb.h"

namespace toile::app {

/// Makes the pictures that are asked for. Only in builds with Embree.
void make_pictures(Session& session, const PictureRequest& request);

}  // namespace toile::app
