// SPDX-License-Identifier: Apache-2.0
#include "toile/render/film_file.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace toile {
namespace {

constexpr ImageSize kSize{64, 32};

/// Lets no program be found while it lives.
class EmptyPath {
  public:
    EmptyPath() { ::setenv("PATH", "/nowhere", 1); }
    ~EmptyPath() { ::setenv("PATH", before_.c_str(), 1); }
    EmptyPath(const EmptyPath&) = delete;
    EmptyPath& operator=(const EmptyPath&) = delete;

  private:
    std::string before_ = std::getenv("PATH");
};

bool is_empty(const test::TemporaryFolder& folder) {
    return std::filesystem::is_empty(folder.path());
}

bool has_ffmpeg() {
    return std::system("ffmpeg -version >/dev/null 2>&1") == 0;
}

TEST(FilmFile, IsAnMp4WithNothingBesideIt) {
    if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg on this machine";
    const test::TemporaryFolder folder;
    FilmWriter film(folder / "a.mp4", {kSize, 25});
    for (std::uint8_t i = 0; i < 10; ++i) film.add(Image(kSize, {i, 100, 200}));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.mp4"));
    film.finish();
    std::ifstream file(folder / "a.mp4", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    ASSERT_GT(bytes.size(), 500U);
    EXPECT_EQ(bytes.substr(4, 4), "ftyp");
    EXPECT_NE(bytes.find("avc1"), std::string::npos);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
    EXPECT_THROW(film.add(Image(kSize)), InvalidInput);
}

TEST(FilmFile, LeavesNothingWhereItWasNotFinished) {
    if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg on this machine";
    const test::TemporaryFolder folder;
    {
        FilmWriter film(folder / "a.mp4", {kSize});
        film.add(Image(kSize));
        EXPECT_THROW(film.add(Image({2, 2})), InvalidInput);
    }
    EXPECT_THROW(FilmWriter(folder / "b.mp4", {kSize}).finish(), InvalidInput);
    EXPECT_TRUE(is_empty(folder));
}

TEST(FilmFile, SaysWhichPackageIsMissing) {
    const test::TemporaryFolder folder;
    const EmptyPath no_programs;
    try {
        const FilmWriter film(folder / "a.mp4", {kSize});
        FAIL();
    } catch (const MissingFeature& e) {
        EXPECT_NE(std::string(e.what()).find("package ffmpeg"), std::string::npos) << e.what();
    }
    EXPECT_TRUE(is_empty(folder));
}

TEST(FilmFile, TellsWhatFfmpegComplainedAbout) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "ffmpeg") << "#!/bin/sh\necho 'no such codec' >&2\nexit 1\n";
    std::filesystem::permissions(folder / "ffmpeg", std::filesystem::perms::owner_all);
    const std::string before = std::getenv("PATH");
    ::setenv("PATH", folder.path().c_str(), 1);
    try {
        FilmWriter film(folder / "a.mp4", {ImageSize{640, 480}});
        for (int i = 0; i < 20; ++i) film.add(Image({640, 480}));
        film.finish();
        ADD_FAILURE() << "a film was made by no encoder";
    } catch (const ComputationFailed& e) {
        EXPECT_NE(std::string(e.what()).find("no such codec"), std::string::npos) << e.what();
    }
    ::setenv("PATH", before.c_str(), 1);
    EXPECT_FALSE(std::filesystem::exists(folder / "a.mp4"));
}

TEST(FilmFile, RefusesOddSidesRatesAndFolders) {
    const test::TemporaryFolder folder;
    EXPECT_THROW(FilmWriter(folder / "a.mp4", {ImageSize{63, 32}}), InvalidInput);
    EXPECT_THROW(FilmWriter(folder / "a.mp4", {kSize, 0}), InvalidInput);
    EXPECT_THROW(FilmWriter(folder / "missing" / "a.mp4", {kSize}), IoError);
    EXPECT_TRUE(is_empty(folder));
}

}  // namespace
}  // namespace toile
