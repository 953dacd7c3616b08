// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/frame_log.h"

#include "toile/io/file_bytes.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace toile::studio {
namespace {

/// Rows whose columns are found as they come.
class Table {
  public:
    void add_row(const Json& line) {
        rows_.push_back(Json::array());
        add_values(line, "");
    }

    [[nodiscard]] Json json() {
        Json rows = Json::array();
        for (Json& row : rows_) {
            row.get_ref<Json::array_t&>().resize(names_.size());
            rows.push_back(std::move(row));
        }
        return {{"columns", names_}, {"rows", rows}};
    }

  private:
    void add_values(const Json& object, const std::string& prefix) {
        for (const auto& [key, value] : object.items()) {
            if (value.is_object()) add_values(value, prefix + key + ".");
            if (value.is_number() || value.is_null()) put(prefix + key, value);
        }
    }

    void put(const std::string& name, const Json& value) {
        const auto [place, is_new] = columns_.emplace(name, names_.size());
        if (is_new) names_.push_back(name);
        auto& row = rows_.back().get_ref<Json::array_t&>();
        row.resize(std::max(row.size(), place->second + 1));
        row[place->second] = value;
    }

    std::map<std::string, size_t> columns_;
    std::vector<std::string> names_;
    std::vector<Json> rows_;  // arrays
};

}  // namespace

Json frame_log(const std::filesystem::path& lines) {
    Table table;
    if (!std::filesystem::exists(lines)) return table.json();
    const std::string text = read_bytes(lines);
    size_t begin = 0;
    for (size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const Json line = Json::parse(text.substr(begin, end - begin), nullptr, false);
        if (line.is_object()) table.add_row(line);
    }
    return table.json();
}

}  // namespace toile::studio
