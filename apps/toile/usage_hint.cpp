// SPDX-License-Identifier: Apache-2.0
#include "usage_hint.h"

#include "toile/core/near_miss.h"

namespace toile::app {
namespace {

void add_option_names(const CLI::App& app, std::vector<std::string>& words) {
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
}

}  // namespace

std::string usage_hint(const CLI::App& app) {
    const auto left_over = app.remaining(true);
    if (left_over.empty()) return {};
    std::vector<std::string> words;
    const CLI::App* verb = &app;
    add_option_names(*verb, words);
    while (!verb->get_subcommands().empty()) {
        verb = verb->get_subcommands().front();
        add_option_names(*verb, words);
    }
    for (const CLI::App* sub : verb->get_subcommands([](const CLI::App*) { return true; })) {
        words.push_back(sub->get_name());
    }
    const std::string& word = left_over.front();
    return did_you_mean(word.substr(0, word.find('=')), words);
}

}  // namespace toile::app
