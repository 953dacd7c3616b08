// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/query_set.h"

#include "support/temporary_folder.h"
#include "support/test_data.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <fstream>

namespace toile {
namespace {

namespace fs = std::filesystem;

/// Gaps of these sets' negatives go down to 1e-18 of the coordinates, which no double can tell from
/// a touch; of the others none does.
constexpr const char* kSetBelowRounding = "erleben-cube-internal-edges";

ContinuousHit answer(const ContinuousQuery& query, QueryKind kind, double scale) {
    StencilMotion motion = query.motion;
    for (Vec3& p : motion.start) p *= scale;
    for (Vec3& p : motion.end) p *= scale;
    return kind == QueryKind::EdgeEdge ? edge_edge_hit(motion) : point_triangle_hit(motion);
}

TEST(GroundTruth, HasNoMissAndFewFalseAlarmsAtAnyScale) {
    TOILE_REQUIRE_TEST_DATA(folder, "ccd");
    for (const double scale : {1.0, 1e-3, 1e3}) {
        const JudgeOptions options{.scale = scale, .continuous = {}};
        QueryVerdict total;
        for (const QueryVerdict& v : judge_folder(folder, options, Cancellation())) {
            EXPECT_EQ(v.n_misses, 0) << v.set;
            EXPECT_EQ(v.n_undecided, 0) << v.set;
            EXPECT_EQ(v.n_inexact, 0) << v.set;
            EXPECT_LE(v.false_alarm_percent(), v.set == kSetBelowRounding ? 5 : 0) << v.set;
            total.add(v);
        }
        EXPECT_EQ(total.n_queries, 2824);
        EXPECT_EQ(total.n_hits, 310);
        EXPECT_LT(total.false_alarm_percent(), 1);
    }
}

TEST(GroundTruth, IsAnsweredTheSameAtAnyScale) {
    TOILE_REQUIRE_TEST_DATA(folder, "ccd");
    for (const QueryFile& file : find_query_files(folder)) {
        const QueryFileContent content = read_query_file(file.path);
        for (size_t i = 0; i < content.queries.size(); ++i) {
            const bool expected = answer(content.queries[i], file.kind, 1).hit;
            for (const double scale : {1e-3, 1e3, 0x1p-30, 0.7}) {
                EXPECT_EQ(answer(content.queries[i], file.kind, scale).hit, expected)
                    << file.path << " query " << i << " scale " << scale;
            }
        }
    }
}

/// Four points at rest, apart, as the eight lines of a query.
std::string query_text(const std::string& answer_column) {
    std::string text;
    for (int i = 0; i < 8; ++i) {
        const int p = i % 4;
        text += std::to_string(p == 1) + ",1," + std::to_string(p == 2) + ",1," +
                std::to_string(p == 0 ? 1 : 0) + ",2," + answer_column + "\n";
    }
    return text;
}

class QueryFiles : public testing::Test {
  protected:
    fs::path write(const std::string& name, const std::string& text) {
        const fs::path path = folder_.path() / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path;
    }
    void expect_refused(const std::string& text, const std::string& message) {
        const fs::path path = write("bad.csv", text);
        try {
            (void)read_query_file(path);
            ADD_FAILURE() << "read: " << text;
        } catch (const InvalidInput& e) {
            EXPECT_NE(std::string(e.what()).find(path.string() + ":"), std::string::npos);
            EXPECT_NE(std::string(e.what()).find(message), std::string::npos) << e.what();
        }
    }
    test::TemporaryFolder folder_;
};

TEST_F(QueryFiles, AreFoundWithTheirKindAndSet) {
    write("wedges/edge-edge/data_0_0.csv", query_text("0"));
    write("wedges/vertex-face/data_0_0.csv", query_text("0"));
    write("flat/vertex-face-1.csv", query_text("0"));
    write("flat/12ee.csv", query_text("0"));
    write("flat/notes.txt", "none");
    const auto files = find_query_files(folder_.path());
    ASSERT_EQ(files.size(), 4u);
    EXPECT_EQ(files[0].set, "flat");
    EXPECT_EQ(files[0].kind, QueryKind::EdgeEdge);
    EXPECT_EQ(files[1].set, "flat");
    EXPECT_EQ(files[1].kind, QueryKind::PointTriangle);
    EXPECT_EQ(files[2].set, "wedges");
    EXPECT_EQ(files[2].kind, QueryKind::EdgeEdge);
    EXPECT_EQ(files[3].kind, QueryKind::PointTriangle);
    EXPECT_EQ(find_query_files(folder_.path() / "wedges" / "edge-edge").at(0).set, "wedges");
    EXPECT_THROW(find_query_files(folder_.path() / "nowhere"), IoError);
    fs::create_directories(folder_.path() / "empty");
    EXPECT_THROW(find_query_files(folder_.path() / "empty"), IoError);
    write("unknown/data.csv", query_text("0"));
    EXPECT_THROW(find_query_files(folder_.path() / "unknown"), InvalidInput);
}

TEST_F(QueryFiles, AreJudgedAgainstTheirAnswers) {
    write("set/vertex-face/a.csv", query_text("0") + query_text("1"));
    const auto verdicts = judge_folder(folder_.path(), {}, Cancellation());
    ASSERT_EQ(verdicts.size(), 1u);
    EXPECT_EQ(verdicts[0].n_queries, 2);
    EXPECT_EQ(verdicts[0].n_misses, 1);
    EXPECT_EQ(verdicts[0].n_false_alarms, 0);
    JudgeOptions wide;
    wide.continuous.min_separation = 0.6;
    const auto alarmed = judge_folder(folder_.path(), wide, Cancellation());
    EXPECT_EQ(alarmed[0].n_misses, 0);
    EXPECT_EQ(alarmed[0].n_false_alarms, 1);
    EXPECT_EQ(alarmed[0].false_alarm_percent(), 100);
    Cancellation stop;
    stop.request();
    EXPECT_THROW(judge_folder(folder_.path(), {}, stop), Interrupted);
}

TEST_F(QueryFiles, TolerateWindowsLineEndsBlankLinesAndSpaces) {
    std::string text = query_text("1");
    for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
        text.insert(at, "\r");
    }
    text.insert(text.find(',') + 1, " ");
    const auto content = read_query_file(write("a.csv", text + "\r\n\n"));
    ASSERT_EQ(content.queries.size(), 1u);
    EXPECT_EQ(content.queries[0].motion.start[0], Vec3(0, 0, 0.5));
    EXPECT_EQ(content.queries[0].motion.end[1], Vec3(1, 0, 0));
    EXPECT_TRUE(read_query_file(write("empty.csv", "")).queries.empty());
}

TEST_F(QueryFiles, AreRefusedWithFileAndLineWhereBroken) {
    expect_refused("1,1,1,1,1,1\n", ":1: found 6 columns, expected 7");
    expect_refused(query_text("0") + "1,1,1,1,1,1,0,0\n", ":9: found 8 columns");
    expect_refused("1,1,1,1,1,0,0\n", ":1: '1' / '0' is not a rational number");
    expect_refused("1,1,1.5,1,1,1,0\n", "'1.5' / '1' is not a rational number");
    expect_refused("1,1,,1,1,1,0\n", "'' / '1' is not a rational number");
    expect_refused("1,1,1,1,1,1,2\n", "the answer is '2', expected 0 or 1");
    expect_refused("0,1,0,1,0,1,0\n0,1,0,1,0,1,1\n", ":2: the answer is 1, but 0");
    expect_refused("0,1,0,1,0,1,0\n", "ends after 1 of the 8 lines");
    expect_refused(std::string(400, '9') + ",1,1,1,1,1,0\n", "too large for a double");
    EXPECT_THROW(read_query_file(folder_.path() / "none.csv"), IoError);
}

}  // namespace
}  // namespace toile
