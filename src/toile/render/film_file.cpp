// SPDX-License-Identifier: Apache-2.0
#include "toile/render/film_file.h"

#include "toile/core/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <string>
#include <vector>

extern char** environ;  // NOLINT: POSIX leaves its declaration to the program

namespace toile {
namespace {

constexpr double kMaxFrameRate = 1000;

void require_valid(const FilmOptions& options) {
    require_valid(options.size);
    if (options.size.width % 2 != 0 || options.size.height % 2 != 0) {
        throw InvalidInput(
            fmt::format("A film of {} x {} pixels cannot be made; both sides must be even.",
                        options.size.width, options.size.height));
    }
    if (!(options.frame_rate > 0 && options.frame_rate <= kMaxFrameRate)) {
        throw InvalidInput(
            fmt::format("{} frames per second is no rate of a film; expected above 0, up to {}.",
                        options.frame_rate, kMaxFrameRate));
    }
}

std::vector<std::string> arguments(const FilmOptions& options, const std::string& output) {
    return {"ffmpeg",
            "-hide_banner",
            "-loglevel",
            "error",
            "-y",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-s:v",
            fmt::format("{}x{}", options.size.width, options.size.height),
            "-r",
            fmt::format("{}", options.frame_rate),
            "-i",
            "pipe:0",
            "-vf",
            "scale=out_color_matrix=bt709:out_range=tv",
            "-c:v",
            "libx264",
            "-pix_fmt",
            "yuv420p",
            "-crf",
            "18",
            "-preset",
            "fast",
            "-colorspace",
            "bt709",
            "-color_primaries",
            "bt709",
            "-color_trc",
            "bt709",
            "-flags:v",
            "+bitexact",
            "-fflags",
            "+bitexact",
            "-movflags",
            "+faststart",
            "-f",
            "mp4",
            output};
}

std::string words_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

}  // namespace

/// ffmpeg at work: its standard input is a socket of ours (a write to a dead process is then an
/// error, not a signal), its complaints go to a file.
struct FilmWriter::Process {
    std::filesystem::path unfinished;
    std::filesystem::path complaints;
    int input = -1;
    pid_t id = -1;

    explicit Process(const std::filesystem::path& path)
        : unfinished(path.string() + fmt::format(".{}.part", ::getpid())),
          complaints(unfinished.string() + ".log") {}

    ~Process() {
        if (input >= 0) ::close(input);
        if (id > 0) {
            ::kill(id, SIGKILL);
            ::waitpid(id, nullptr, 0);
        }
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        std::filesystem::remove(complaints, ignored);
    }

    void start(const FilmOptions& options) {
        if (!std::ofstream(complaints)) {
            throw IoError(fmt::format("The film {} could not be written: {}.", unfinished.string(),
                                      std::strerror(errno)));
        }
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
            throw IoError(
                fmt::format("No channel to ffmpeg could be opened: {}.", std::strerror(errno)));
        }
        input = ends[0];
        const int error = spawn(options, ends[1]);
        ::close(ends[1]);
        if (error == 0) return;
        throw MissingFeature(fmt::format(
            "Films need the program ffmpeg, which could not be started ({}); install the "
            "package ffmpeg, or write numbered pictures into a folder instead.",
            std::strerror(error)));
    }

    int spawn(const FilmOptions& options, int its_input) {
        std::vector<std::string> words = arguments(options, unfinished.string());
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, its_input, STDIN_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints.c_str(), O_WRONLY, 0);
        const int error = posix_spawnp(&id, "ffmpeg", &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (error != 0) id = -1;
        return error;
    }

    void send_all(const char* data, size_t size) {
        while (size > 0) {
            const ssize_t sent = ::send(input, data, size, MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) continue;
            if (sent < 0) give_up();
            data += sent;
            size -= static_cast<size_t>(sent);
        }
    }

    /// Ends the input and waits; true where ffmpeg is content.
    bool wait() {
        ::close(input);
        input = -1;
        int status = 0;
        while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
        }
        id = -1;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

    [[noreturn]] void give_up() {
        wait();
        throw ComputationFailed(
            fmt::format("ffmpeg could not make the film: {}", words_of(complaints)));
    }
};

FilmWriter::FilmWriter(const std::filesystem::path& path, const FilmOptions& options)
    : path_(path), options_(options) {
    require_valid(options);
    process_ = std::make_unique<Process>(path);
    process_->start(options);
}

FilmWriter::~FilmWriter() = default;

void FilmWriter::add(const Image& picture) {
    if (picture.size != options_.size || !process_) {
        throw InvalidInput("A film takes pictures of its own size until it is finished.");
    }
    process_->send_all(reinterpret_cast<const char*>(picture.pixels.data()),
                       sizeof(Rgb8) * picture.pixels.size());
    ++n_pictures_;
}

void FilmWriter::finish() {
    if (n_pictures_ == 0 || !process_) throw InvalidInput("A film needs at least one picture.");
    if (!process_->wait()) {
        throw ComputationFailed(
            fmt::format("ffmpeg could not make the film: {}", words_of(process_->complaints)));
    }
    std::error_code error;
    std::filesystem::rename(process_->unfinished, path_, error);
    process_.reset();
    if (error) {
        throw IoError(
            fmt::format("The film {} could not be written: {}.", path_.string(), error.message()));
    }
}

}  // namespace toile
