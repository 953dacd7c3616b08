// SPDX-License-Identifier: Apache-2.0
#include "toile/io/coordinate_step.h"

#include "toile/io/file_bytes.h"
#include "toile/io/mesh_format.h"
#include "toile/io/numbered.h"
#include "toile/io/pc2.h"
#include "toile/io/sequence_file.h"
#include "toile/io/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <vector>

namespace toile {
namespace {

// Digits of a number as it is spelled.
struct Spelling {
    int decimals = 0;
    int significant = 0;
};

Spelling spelling_of(std::string_view word) {
    const size_t exponent_at = word.find_first_of("eE");
    const std::string_view mantissa = word.substr(0, exponent_at);
    Spelling result;
    bool after_point = false, leading = true;
    for (const char c : mantissa) {
        if (c == '.') after_point = true;
        if (!std::isdigit(static_cast<unsigned char>(c))) continue;
        leading = leading && c == '0';
        if (!leading) ++result.significant;
        if (after_point) ++result.decimals;
    }
    if (exponent_at != std::string_view::npos) {
        result.decimals -=
            static_cast<int>(parse_integer(word.substr(exponent_at + 1)).value_or(0));
    }
    return result;
}

struct Spellings {
    std::vector<Spelling> numbers;
    double largest = 0;
};

Spellings read_spellings(std::string_view bytes) {
    Spellings result;
    TextCursor cursor(bytes, "", TextCursor::Continuations::Yes);
    while (cursor.next_line()) {
        if (cursor.word() != "v") continue;
        for (int c = 0; c < 3; ++c) {
            const std::string_view word = cursor.word();
            const double value = parse_number(word).value_or(0);
            if (!std::isfinite(value) || value == 0) continue;
            result.numbers.push_back(spelling_of(word));
            result.largest = std::max(result.largest, std::abs(value));
        }
    }
    return result;
}

// The largest number of digits of one kind, and how many numbers have it.
template <class Digits>
std::pair<int, std::ptrdiff_t> fullest(const std::vector<Spelling>& numbers, const Digits& digits) {
    const auto less = [&](const Spelling& a, const Spelling& b) { return digits(a) < digits(b); };
    const int most = digits(*std::max_element(numbers.begin(), numbers.end(), less));
    return {most, std::count_if(numbers.begin(), numbers.end(),
                                [&](const Spelling& s) { return digits(s) == most; })};
}

CoordinateStep float32_step(double largest) {
    return {.step = largest * double(std::numeric_limits<float>::epsilon()), .words = "float32"};
}

CoordinateStep pc2_step(const std::filesystem::path& path, int frame) {
    Pc2Source source(path);
    source.seek(frame);
    std::vector<Vec3> positions = frame_buffer(source);
    double largest = 0;
    if (source.next(positions)) {
        for (const Vec3& p : positions) largest = std::max(largest, p.cwiseAbs().maxCoeff());
    }
    return float32_step(largest);
}

CoordinateStep mesh_step(const std::filesystem::path& path) {
    const MeshFormat* const format = find_mesh_format(path);
    if (!format || format->extension != ".obj") return {};
    return obj_coordinate_step(read_bytes(path));
}

bool is_pc2(const std::filesystem::path& path) {
    return path.extension() == ".pc2" || path.extension() == ".PC2";
}

}  // namespace

CoordinateStep obj_coordinate_step(std::string_view bytes) {
    const Spellings text = read_spellings(bytes);
    if (text.numbers.empty()) return {};
    const auto [decimals, n_decimals] =
        fullest(text.numbers, [](const Spelling& s) { return s.decimals; });
    const auto [significant, n_significant] =
        fullest(text.numbers, [](const Spelling& s) { return s.significant; });
    if (n_decimals >= n_significant) {
        return {.step = std::pow(10.0, -decimals), .words = fmt::format("{} decimals", decimals)};
    }
    const double magnitude = std::floor(std::log10(text.largest)) + 1;
    return {.step = std::pow(10.0, magnitude - significant),
            .words = fmt::format("{} significant digits", significant)};
}

CoordinateStep frame_coordinate_step(const std::string& spec, int frame) {
    if (is_pc2(spec)) return pc2_step(spec, frame);
    const std::filesystem::path body = spec + ".pc2";
    if (std::filesystem::is_regular_file(body)) return pc2_step(body, frame);
    auto pattern = parse_numbered_pattern(spec);
    if (!pattern && std::filesystem::is_directory(spec)) {
        for (const std::string& name : file_names(spec)) {
            if (is_pc2(name)) return pc2_step(std::filesystem::path(spec) / name, frame);
        }
        pattern = find_numbered_pattern(spec);
    }
    if (!pattern) return mesh_step(spec);
    const auto files = find_numbered_files(*pattern);
    if (frame < 0 || frame >= static_cast<int>(files.size())) return {};
    return mesh_step(files[static_cast<size_t>(frame)]);
}

double rounding_between(const CoordinateStep& a, const CoordinateStep& b) {
    if (a.words.empty() || b.words.empty() || a.words == b.words) return 0;
    return std::max(a.step, b.step);
}

}  // namespace toile
