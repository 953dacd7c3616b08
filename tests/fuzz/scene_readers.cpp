// SPDX-License-Identifier: Apache-2.0
#include "fuzz/scene_readers.h"

#include "fuzz/promise.h"
#include "support/folder_text.h"
#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/scene/environment_folder.h"
#include "toile/scene/scene_file.h"

namespace toile::test {
namespace {

void demand_same_when_read_again(const Scene& scene, const std::filesystem::path& folder) {
    const std::string text = scene_text(scene, folder);
    demand(scene_text(parse_scene(text, folder / "again.toml"), folder) == text,
           "a scene changes when written and read");
}

}  // namespace

std::string read_scene_bytes(std::string_view bytes) {
    Scene scene;
    try {
        scene = parse_scene(std::string(bytes), "/scenes/fuzz.toml");
    } catch (const InvalidInput& e) {
        return e.what();
    }
    demand_same_when_read_again(scene, "/scenes");
    return {};
}

std::string read_environment_bytes(std::string_view bytes) {
    static const TemporaryFolder folder;
    static FolderOfText files(folder.path());
    files.write(bytes);
    Scene scene;
    try {
        scene = load_environment(folder.path());
    } catch (const InvalidInput& e) {
        return e.what();
    } catch (const IoError& e) {
        return e.what();
    }
    demand_same_when_read_again(scene, folder.path());
    return {};
}

}  // namespace toile::test
