// SPDX-License-Identifier: Apache-2.0
// Every file kept for a reader, and damaged copies of it, are read or refused and nothing else.
#include "fuzz/mutation.h"
#include "fuzz/readers.h"
#include "toile/core/log.h"
#include "toile/io/file_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace toile::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 20240229;
constexpr size_t kLargestFile = 4096;  // larger ones are read as they are

std::vector<fs::path> kept_files(std::string_view reader) {
    const fs::path data = TOILE_TEST_DATA_DIR;
    std::vector<fs::path> files;
    for (const fs::path& root : {data / "broken", data / "odd", data / "fuzz"}) {
        if (!fs::exists(root / reader)) continue;
        for (const auto& entry : fs::directory_iterator(root / reader)) {
            if (entry.path().filename() != "expected.txt") files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

class FuzzCorpus : public testing::TestWithParam<FuzzedReader> {
  protected:
    FuzzCorpus() : sink_(set_log_sink({})) {}
    ~FuzzCorpus() override { set_log_sink(sink_); }

    void expect_kept(const std::string& bytes, const fs::path& origin) {
        try {
            (void)GetParam().read(bytes);
        } catch (const std::exception& e) {
            ADD_FAILURE() << "from " << origin << ": " << e.what() << "\n" << bytes;
        }
    }

  private:
    LogSink sink_;
};

TEST_P(FuzzCorpus, KeptFilesAndDamagedCopiesAreReadOrRefused) {
    const std::vector<fs::path> files = kept_files(GetParam().name);
    ASSERT_GE(files.size(), 10u);
    Mutation mutation(kSeed);
    std::string other;
    for (const fs::path& file : files) {
        const std::string bytes = read_bytes(file);
        expect_kept(bytes, file);
        if (bytes.size() > kLargestFile) continue;
        for (int i = 0; i < GetParam().n_mutations && !HasFailure(); ++i) {
            expect_kept(mutation.mutate(bytes, other), file);
        }
        other = bytes;
    }
}

INSTANTIATE_TEST_SUITE_P(Readers, FuzzCorpus,
                         testing::ValuesIn(fuzzed_readers().begin(), fuzzed_readers().end()),
                         [](const auto& reader) { return std::string(reader.param.name); });

}  // namespace
}  // namespace toile::test
