// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/message.h"
#include "studio/server/outlet.h"

#include <memory>

namespace toile::studio {

/// Answers one request, once, from any thread; a second answer is dropped. Copies answer the same
/// request. Where the last copy goes unused, the page is told that the request was given up.
class Responder {
  public:
    Responder(std::shared_ptr<Outlet> outlet, Json id);

    void ok(const Json& content) const;
    void ok(const JsonText& content) const;
    void binary(const BinaryMessage& message) const;
    void error(const std::exception& error) const;
    void answer(const Answer& answer) const;  ///< nothing for Later

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace toile::studio
