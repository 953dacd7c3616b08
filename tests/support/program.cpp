// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"

#include "support/temporary_folder.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace toile::test {
namespace {

std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void redirect(int fd, const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ::dup2(file, fd) < 0) ::_exit(127);
}

void limit(const ProgramLimits& limits) {
#if !defined(__SANITIZE_ADDRESS__)
    const auto bytes = static_cast<rlim_t>(limits.address_space);
    const rlimit limit{bytes, bytes};
    if (bytes > 0 && ::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(127);
#else
    static_cast<void>(limits);
#endif
}

}  // namespace

ProgramResult run_toile(const std::vector<std::string>& arguments,
                        const std::filesystem::path& folder, ProgramLimits limits) {
    const TemporaryFolder streams;
    const std::filesystem::path output = streams / "stdout", errors = streams / "stderr";
    std::vector<std::string> words = {TOILE_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot start the program");
    if (child == 0) {
        redirect(STDOUT_FILENO, output);
        redirect(STDERR_FILENO, errors);
        limit(limits);
        if (::chdir(folder.c_str()) != 0) ::_exit(127);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, content(output), content(errors)};
}

}  // namespace toile::test
