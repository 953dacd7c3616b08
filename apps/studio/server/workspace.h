// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/hub.h"
#include "studio/server/item.h"
#include "studio/server/roots.h"

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace toile::studio {

/// The opened folders, all items, and a folder for what is made and not saved yet. From any thread;
/// every change of the items is told by the event `items`.
class Workspace {
  public:
    explicit Workspace(Hub& hub);
    ~Workspace();  ///< removes the scratch folder, unless `keep_scratch` was called
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    [[nodiscard]] Roots& roots() { return roots_; }

    /// Opens a PATH of the command line, whose folder becomes a root. A folder that is nothing to
    /// look at itself can then be looked through.
    void open_argument(const std::string& path);
    /// Opens a page's path; the same path again gives the item there is, unless `rest` differs.
    Item open(const RootedPath& place, const std::optional<RootedPath>& rest = {});

    /// Adds what was made; its number is given by the workspace.
    Item add(Item item);
    /// Changes an item under the lock; does nothing where it was closed.
    void update(int number, const std::function<void(Item&)>& change);
    void close(int number);  ///< throws InvalidInput where there is none
    /// Throws InvalidInput, with the numbers there are, where there is none.
    [[nodiscard]] Item item(int number) const;
    [[nodiscard]] std::vector<Item> items() const;
    [[nodiscard]] Json items_json() const;

    /// A new path in the scratch folder, `horse.pc2` or `horse-2.pc2`.
    [[nodiscard]] std::filesystem::path scratch_path(const std::string& stem,
                                                     const std::string& extension);
    [[nodiscard]] const std::filesystem::path& scratch() const { return scratch_; }
    void keep_scratch() { keep_scratch_ = true; }

  private:
    Item open_at(const std::filesystem::path& path, const RootedPath& place,
                 const std::optional<std::filesystem::path>& rest);
    void tell();

    Hub& hub_;
    Roots roots_;
    std::filesystem::path scratch_;
    bool keep_scratch_ = false;
    mutable std::mutex mutex_;  // of all below
    std::map<int, Item> items_;
    std::map<std::string, int> scratch_names_;
    int last_number_ = -1;
};

}  // namespace toile::studio
