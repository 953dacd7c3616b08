// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/studio.h"
#include "studio/studio_client.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace toile::test {

/// A folder of small files, each of another kind:
/// - `opened/sheet.obj`, 9 x 9 vertices; `opened/wave.pc2` with `wave.obj`, 6 frames of it;
///   `opened/frames/f_0.obj` to `f_2.obj`; `opened/drape.toml`, a cloth over a ball, 4 frames;
///   `opened/run`, its run; `opened/environment`, a scene folder of the thesis's kind;
/// - `secret.obj` and `secret.toml`, which lie outside `opened`.
class StudioFolder {
  public:
    StudioFolder();

    [[nodiscard]] std::filesystem::path opened() const { return folder_ / "opened"; }
    [[nodiscard]] std::filesystem::path outside() const { return folder_.path(); }

  private:
    TemporaryFolder folder_;
};

/// A studio of that folder's `opened`, or of some paths in it, and one page.
struct OpenedStudio {
    explicit OpenedStudio(const std::vector<std::string>& paths = {});
    ~OpenedStudio();  ///< removes what the studio kept

    StudioFolder files;
    std::unique_ptr<studio::Studio> studio;
    std::unique_ptr<StudioClient> page;

    /// Opens a file of the only root; its item.
    Json open(const std::string& path);
};

}  // namespace toile::test
