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
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace toile::studio {

/// The opened folders, all items, and a folder for what is made and not saved yet. From any thread;
/// every change of the items is told by the event `items`.
class Workspace {
  public:
    explicit Workspace(Hub& hub);
    ~Workspace();  ///< removes the scratch folder, unless it is to be kept
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    [[nodiscard]] Roots& roots() { return roots_; }

    /// Opens a PATH of the command line, whose folder becomes a root. A folder that is nothing to
    /// look at itself can then be looked through.
    void open_argument(const std::string& path);
    /// Opens a page's path, `rest` being the mesh of a point cache; the same path again opens it
    /// anew, as it is now.
    Item open(const RootedPath& place, const std::optional<RootedPath>& rest = {});

    /// Adds what was made; its number is given by the workspace.
    Item add(Item item);
    /// Changes an item under the lock; does nothing where it was closed.
    void update(int number, const std::function<void(Item&)>& change);
    /// Throws InvalidInput where there is none, or where it is not saved and not to be given up.
    void close(int number, bool give_up);
    /// Called with the number of every item that is closed, from any thread.
    void on_close(std::function<void(int)> call) { closed_ = std::move(call); }
    /// Throws InvalidInput, with the numbers there are, where there is none.
    [[nodiscard]] Item item(int number) const;
    [[nodiscard]] std::vector<Item> items() const;
    [[nodiscard]] Json items_json() const;

    /// A new path in the scratch folder, `horse.pc2` or `horse-2.pc2`: of any name, where no file
    /// is and no other path was given. What would lead elsewhere, or be too long, is changed.
    [[nodiscard]] std::filesystem::path scratch_path(const std::string& stem,
                                                     const std::string& extension);
    [[nodiscard]] const std::filesystem::path& scratch() const { return scratch_; }
    /// Whether it outlives the workspace.
    void keep_scratch(bool keep) { keep_scratch_ = keep; }

  private:
    Item open_at(const std::filesystem::path& path, const RootedPath& place,
                 const std::optional<std::filesystem::path>& rest);
    void tell();

    Hub& hub_;
    std::function<void(int)> closed_;
    Roots roots_;
    std::filesystem::path scratch_;
    bool keep_scratch_ = false;
    mutable std::mutex mutex_;  // of all below
    std::map<int, Item> items_;
    std::set<std::string> scratch_names_;
    int last_number_ = -1;
};

}  // namespace toile::studio
