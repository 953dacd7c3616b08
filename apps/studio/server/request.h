// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/responder.h"

#include <optional>
#include <string>
#include <vector>

namespace toile::studio {

/// What a page asks for. The readers of values throw UsageError that names request, key, what was
/// found and what is expected.
struct Request {
    std::string name;  ///< as `do` says
    Json body;
    int client = 0;
    Responder responder;  ///< for a handler that answers Later

    [[nodiscard]] bool has(const std::string& key) const;  ///< and it is not null
    [[nodiscard]] int integer(const std::string& key) const;
    [[nodiscard]] double number(const std::string& key) const;  ///< finite
    [[nodiscard]] std::string text(const std::string& key) const;
    [[nodiscard]] bool flag(const std::string& key) const;  ///< false where there is none
    [[nodiscard]] Vec3 vector(const std::string& key) const;
    [[nodiscard]] std::vector<int> integers(const std::string& key) const;
    [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;  ///< may be missing

    [[nodiscard]] std::optional<int> integer_if(const std::string& key) const;
    [[nodiscard]] std::optional<double> number_if(const std::string& key) const;
    [[nodiscard]] std::optional<std::string> text_if(const std::string& key) const;
};

}  // namespace toile::studio
