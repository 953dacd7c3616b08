// SPDX-License-Identifier: Apache-2.0
#include "toile/io/atomic_file.h"
#include "toile/scene/scene_file.h"
#include "toile/scene/scene_templates.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

namespace toile::app {
namespace {

struct NewArguments {
    std::string name;
    std::string output;
    std::string template_name = "drape";
    bool list = false;
    bool reference = false;
};

void list_templates(const Session& session) {
    if (session.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const SceneTemplate& t : scene_templates()) {
            list.push_back({{"name", t.name}, {"doc", t.doc}});
        }
        fmt::print("{}\n", list.dump(2));
        return;
    }
    for (const SceneTemplate& t : scene_templates()) fmt::print("{}: {}\n", t.name, t.doc);
}

/// NAME makes NAME/scene.toml; -o names the file itself.
std::filesystem::path output_path(const NewArguments& arguments) {
    if (!arguments.output.empty()) return arguments.output;
    if (arguments.name.empty()) throw CLI::RequiredError("A NAME, or -o FILE,");
    std::filesystem::create_directories(arguments.name);
    return std::filesystem::path(arguments.name) / "scene.toml";
}

/// As a shell takes it for one word.
std::string shell_word(const std::string& path) {
    if (path.find_first_of(" \t\"'\\$`&|;<>()*?[]#~!{}") == std::string::npos) return path;
    std::string word = "'";
    for (const char c : path) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

void write_new(const Session& session, const NewArguments& arguments) {
    const SceneTemplate& chosen = scene_template(arguments.template_name);
    const std::filesystem::path path = output_path(arguments);
    write_file(path, chosen.text, {.overwrite = session.force});
    if (!session.quiet) {
        const std::string word = shell_word(path.string());
        fmt::print(stderr, "Wrote {0}. Next: toile check {1}; toile simulate {1} -o run/\n",
                   path.string(), word);
    }
}

}  // namespace

void add_verb_new(CLI::App& app, Session& session) {
    CLI::App* verb = app.add_subcommand("new", "Write a commented scene to start from");
    verb->fallthrough();
    auto arguments = std::make_shared<NewArguments>();
    verb->add_option("name", arguments->name, "Folder to make; the scene is scene.toml in it");
    verb->add_option("-o,--output", arguments->output, "Scene file to write, in place of a folder")
        ->type_name("FILE");
    verb->add_option("--template", arguments->template_name,
                     "What to start from; --list names them")
        ->capture_default_str();
    verb->add_flag("--list", arguments->list, "List the templates");
    verb->add_flag("--reference", arguments->reference,
                   "Print the scene reference (docs/scene.md) on standard output");
    verb->callback([arguments, &session] {
        if (arguments->reference) {
            fmt::print("{}", scene_reference());
        } else if (arguments->list) {
            list_templates(session);
        } else {
            write_new(session, *arguments);
        }
    });
}

}  // namespace toile::app
