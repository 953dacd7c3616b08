// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/triangle_pairs.h"

#include "toile/core/error.h"
#include "toile/core/hash.h"
#include "toile/io/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace toile {
namespace {

constexpr std::string_view kMagic = "toile-pairs";
constexpr int kVersion = 1;

std::string triangles_hash(const TriangleMesh& mesh) {
    return Hash().add_values(std::span<const Triangle>(mesh.triangles)).hex();
}

std::string mesh_line(std::string_view role, const TriangleMesh& mesh) {
    return fmt::format("{} {} vertices {} triangles {}\n", role, mesh.n_vertices(),
                       mesh.n_triangles(), triangles_hash(mesh));
}

void append_number(int number, std::string& out) {
    const fmt::format_int digits(number);
    out.append(digits.data(), digits.size());
}

/// A pair as read; `distance` orders the sources of one target.
struct ReadPair {
    int target;
    int source;
    double distance;
};

class PairReader {
  public:
    PairReader(std::string_view bytes, const std::string& file_name, const TriangleMesh& source,
               const TriangleMesh& target)
        : text_(without_commas(bytes)),
          cursor_(text_, file_name),
          source_(source),
          target_(target) {}

    TrianglePairs read() {
        const std::string_view first = cursor_.word_anywhere();
        if (first.empty()) cursor_.fail_at(1, "the file is empty; expected triangle pairs.");
        if (first == kMagic) return own_form();
        return tricorrs(first);
    }

  private:
    static std::string without_commas(std::string_view bytes) {
        std::string text(bytes);
        std::replace(text.begin(), text.end(), ',', ' ');
        return text;
    }

    TrianglePairs own_form() {
        if (const long long version = cursor_.integer("the version"); version != kVersion) {
            cursor_.fail(fmt::format("expected version {}, found {}.", kVersion, version));
        }
        end_of_line();
        check_mesh("source", source_);
        check_mesh("target", target_);
        next_line("the line 'pairs COUNT'");
        expect("pairs");
        const long long n_pairs = count();
        end_of_line();
        return lists(n_pairs);
    }

    TrianglePairs lists(long long n_pairs) {
        TrianglePairs pairs{.n_source_triangles = source_.n_triangles()};
        pairs.first_source.reserve(target_.triangles.size() + 1);
        while (cursor_.next_line()) {
            if (cursor_.at_end_of_line()) continue;
            const int t = index("a target triangle", target_.n_triangles());
            if (t < pairs.n_target_triangles()) {
                cursor_.fail(
                    fmt::format("target triangle {} comes after {}; expected ascending "
                                "order.",
                                t, pairs.n_target_triangles() - 1));
            }
            close_lists(t, pairs);
            read_sources(pairs);
            pairs.first_source.push_back(static_cast<int>(pairs.source_list.size()));
        }
        close_lists(target_.n_triangles(), pairs);
        require_count(static_cast<long long>(pairs.source_list.size()), n_pairs);
        return pairs;
    }

    void read_sources(TrianglePairs& pairs) {
        const size_t begin = pairs.source_list.size();
        while (!cursor_.at_end_of_line()) {
            const int s = index("a source triangle", source_.n_triangles());
            const auto own = std::span(pairs.source_list).subspan(begin);
            if (std::find(own.begin(), own.end(), s) != own.end()) {
                cursor_.fail(fmt::format("source triangle {} stands twice.", s));
            }
            pairs.source_list.push_back(s);
        }
        if (pairs.source_list.size() == begin) {
            cursor_.fail("expected source triangles, found nothing.");
        }
    }

    /// Targets before `t` that have no line have no sources.
    static void close_lists(int t, TrianglePairs& pairs) {
        while (pairs.n_target_triangles() < t) {
            pairs.first_source.push_back(static_cast<int>(pairs.source_list.size()));
        }
    }

    TrianglePairs tricorrs(std::string_view first) {
        const std::optional<long long> n = parse_integer(first);
        if (!n || *n < 0) {
            cursor_.fail(fmt::format("expected '{}' or the count of pairs, found {}.", kMagic,
                                     quoted(first)));
        }
        end_of_line();
        std::vector<ReadPair> read;
        while (cursor_.next_line()) {
            if (cursor_.at_end_of_line()) continue;
            const int s = index("a source triangle", source_.n_triangles());
            const int t = index("a target triangle", target_.n_triangles());
            const double distance =
                cursor_.at_end_of_line() ? 0 : cursor_.number("the distance of the pair");
            end_of_line();
            read.push_back({t, s, distance});
        }
        require_count(static_cast<long long>(read.size()), *n);
        return gather(std::move(read));
    }

    [[nodiscard]] TrianglePairs gather(std::vector<ReadPair> read) const {
        std::stable_sort(read.begin(), read.end(), [](const ReadPair& a, const ReadPair& b) {
            return a.target != b.target ? a.target < b.target : a.distance < b.distance;
        });
        TrianglePairs pairs{.n_source_triangles = source_.n_triangles()};
        for (const ReadPair& pair : read) {
            close_lists(pair.target, pairs);
            const auto begin = pairs.source_list.begin() + pairs.first_source.back();
            if (std::find(begin, pairs.source_list.end(), pair.source) != pairs.source_list.end()) {
                continue;
            }
            pairs.source_list.push_back(pair.source);
        }
        close_lists(target_.n_triangles(), pairs);
        return pairs;
    }

    void check_mesh(std::string_view role, const TriangleMesh& mesh) {
        next_line(fmt::format("the line of the {} mesh", role));
        expect(role);
        const long long n_vertices = count();
        expect("vertices");
        const long long n_triangles = count();
        expect("triangles");
        const std::string_view hash = cursor_.word();
        if (n_vertices != mesh.n_vertices() || n_triangles != mesh.n_triangles()) {
            cursor_.fail(
                fmt::format("the pairs were made for a {} mesh of {} vertices and {} "
                            "triangles, but the one given has {} and {}.",
                            role, n_vertices, n_triangles, mesh.n_vertices(), mesh.n_triangles()));
        }
        if (hash != triangles_hash(mesh)) {
            cursor_.fail(
                fmt::format("the pairs were made for a {} mesh with other triangles: "
                            "expected the hash {}, found {}.",
                            role, quoted(hash), triangles_hash(mesh)));
        }
        end_of_line();
    }

    void require_count(long long found, long long expected) const {
        if (found == expected) return;
        cursor_.fail(fmt::format("the file promises {} pairs, but holds {}; it may be cut off.",
                                 expected, found));
    }

    void next_line(const std::string& what) {
        do {
            if (!cursor_.next_line())
                cursor_.fail(fmt::format("expected {}, found the end.", what));
        } while (cursor_.at_end_of_line());
    }
    void expect(std::string_view word) {
        const std::string_view found = cursor_.word();
        if (found != word) {
            cursor_.fail(fmt::format("expected '{}', found {}.", word, quoted(found)));
        }
    }
    long long count() {
        const long long n = cursor_.integer("a count");
        if (n < 0) cursor_.fail(fmt::format("expected a count, found {}.", n));
        return n;
    }
    void end_of_line() {
        if (cursor_.at_end_of_line()) return;
        cursor_.fail(
            fmt::format("expected the end of the line, found {}.", quoted(cursor_.word())));
    }
    int index(std::string_view what, int n) {
        const long long i = cursor_.integer(what);
        if (i < 0 || i >= n) {
            cursor_.fail(fmt::format("{} is {}, but there are triangles 0 to {}.", what, i, n - 1));
        }
        return static_cast<int>(i);
    }

    std::string text_;
    TextCursor cursor_;
    const TriangleMesh& source_;
    const TriangleMesh& target_;
};

void require_matching(const TrianglePairs& pairs, const TriangleMesh& source,
                      const TriangleMesh& target) {
    if (pairs.n_source_triangles == source.n_triangles() &&
        pairs.n_target_triangles() == target.n_triangles()) {
        return;
    }
    throw InvalidInput(fmt::format(
        "The pairs relate {} source and {} target triangles, but the meshes have {} and {}.",
        pairs.n_source_triangles, pairs.n_target_triangles(), source.n_triangles(),
        target.n_triangles()));
}

}  // namespace

TrianglePairs identity_pairs(int n_triangles) {
    TrianglePairs pairs{.n_source_triangles = n_triangles};
    pairs.first_source.resize(static_cast<size_t>(n_triangles) + 1);
    std::iota(pairs.first_source.begin(), pairs.first_source.end(), 0);
    pairs.source_list.resize(static_cast<size_t>(n_triangles));
    std::iota(pairs.source_list.begin(), pairs.source_list.end(), 0);
    return pairs;
}

TrianglePairs read_triangle_pairs(std::string_view bytes, const std::string& file_name,
                                  const TriangleMesh& source, const TriangleMesh& target) {
    return PairReader(bytes, file_name, source, target).read();
}

std::string write_triangle_pairs(const TrianglePairs& pairs, const TriangleMesh& source,
                                 const TriangleMesh& target) {
    require_matching(pairs, source, target);
    std::string out = fmt::format("{} {}\n", kMagic, kVersion);
    out += mesh_line("source", source) + mesh_line("target", target);
    out += fmt::format("pairs {}\n", pairs.source_list.size());
    for (int t = 0; t < pairs.n_target_triangles(); ++t) {
        if (pairs.sources_of(t).empty()) continue;
        append_number(t, out);
        for (const int s : pairs.sources_of(t)) {
            out += ' ';
            append_number(s, out);
        }
        out += '\n';
    }
    return out;
}

}  // namespace toile
