// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/checkpoint.h"

#include "toile/core/error.h"
#include "toile/core/hash.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

namespace toile {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr std::string_view kMagic = "TOILESTA";
constexpr std::uint32_t kVersion = 2;

/// A field more in the state must be written too: then change this, and the version.
struct KnownFields {
    StepControl control;
    std::vector<Vec3> positions, velocities, last_changes;
    std::vector<Hold> holds;
    std::vector<ObstacleHold> obstacle_holds;
};
static_assert(sizeof(WorldState) == sizeof(KnownFields));
static_assert(sizeof(StepControl) == 6 * sizeof(int), "five numbers and a flag");
static_assert(sizeof(Hold) == 2 * sizeof(int) + sizeof(double) + 2 * sizeof(Vec3));
static_assert(sizeof(ObstacleHold) == 16 + sizeof(RigidDisplacement) + 2 * sizeof(Vec3));

std::uint64_t checksum(std::string_view bytes) {
    return Hash().add(std::as_bytes(std::span<const char>(bytes))).value();
}

/// Appends values field by field: no padding, whose bytes mean nothing, reaches the file.
class Writer {
  public:
    template <class T>
    void value(const T& value) {
        static_assert(std::is_arithmetic_v<T>);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
    }
    void value(bool flag) { value(std::int32_t{flag ? 1 : 0}); }
    void value(HoldKind kind) { value(static_cast<std::int32_t>(kind)); }
    void value(const Vec3& x) {
        for (const double coordinate : x) value(coordinate);
    }
    void value(const Mat3& matrix) {
        for (int i = 0; i < 9; ++i) value(matrix.data()[i]);
    }
    void count(size_t n) { value(static_cast<std::uint64_t>(n)); }

    std::string bytes;
};

/// Takes them back in the same order; `is_short` once there are too few bytes.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    template <class T>
    void value(T& out) {
        static_assert(std::is_arithmetic_v<T>);
        if (bytes_.size() < sizeof(T)) {
            is_short = true;
            bytes_ = {};
            return;
        }
        std::memcpy(&out, bytes_.data(), sizeof(T));
        bytes_.remove_prefix(sizeof(T));
    }
    void value(bool& out) {
        std::int32_t number = 0;
        value(number);
        out = number != 0;
    }
    void value(HoldKind& out) {
        std::int32_t number = 0;
        value(number);
        if (number < 0 || number > static_cast<int>(HoldKind::Free)) is_short = true;
        out = static_cast<HoldKind>(number);
    }
    void value(Vec3& out) {
        for (double& coordinate : out) value(coordinate);
    }
    void value(Mat3& out) {
        for (int i = 0; i < 9; ++i) value(out.data()[i]);
    }
    /// Of things of so many bytes, at most as many as the bytes that are left can hold.
    size_t count(size_t bytes_each) {
        std::uint64_t n = 0;
        value(n);
        if (n > bytes_.size() / bytes_each) is_short = true;
        return is_short ? 0 : static_cast<size_t>(n);
    }
    [[nodiscard]] bool at_end() const { return bytes_.empty(); }

    bool is_short = false;

  private:
    std::string_view bytes_;
};

/// The fields, in their order; `io` is a Writer or a Reader.
template <class Io, class Control>
void control_fields(Io& io, Control& c) {
    io.value(c.frame);
    io.value(c.tick);
    io.value(c.halvings);
    io.value(c.successes);
    io.value(c.patience);
    io.value(c.just_grown);
}

template <class Io, class H>
void hold_fields(Io& io, H& hold) {
    io.value(hold.vertex);
    io.value(hold.kind);
    io.value(hold.since);
    io.value(hold.anchor);
    io.value(hold.velocity);
}

template <class Io, class H>
void obstacle_hold_fields(Io& io, H& hold) {
    io.value(hold.obstacle);
    io.value(hold.since);
    io.value(hold.pose.rotation);
    io.value(hold.pose.translation);
    io.value(hold.velocity);
    io.value(hold.turn_rate);
}

}  // namespace

std::string checkpoint_bytes(const Checkpoint& checkpoint) {
    const WorldState& state = checkpoint.state;
    Writer out;
    out.bytes.reserve(state.positions.size() * 3 * sizeof(Vec3) + 1024);
    out.bytes = kMagic;
    out.value(kVersion);
    out.value(checkpoint.scene_hash);
    control_fields(out, state.control);
    for (const auto* values : {&state.positions, &state.velocities, &state.last_changes}) {
        out.count(values->size());
        for (const Vec3& x : *values) out.value(x);
    }
    out.count(state.holds.size());
    for (const Hold& hold : state.holds) hold_fields(out, hold);
    out.count(state.obstacle_holds.size());
    for (const ObstacleHold& hold : state.obstacle_holds) obstacle_hold_fields(out, hold);
    out.value(checksum(out.bytes));
    return std::move(out.bytes);
}

Checkpoint parse_checkpoint(std::string_view bytes, const std::string& name) {
    const auto fail = [&](const std::string& what) {
        throw InvalidInput(fmt::format("{}: {}", name, what));
    };
    std::uint64_t sum = 0;
    if (bytes.size() < kMagic.size() + sizeof(kVersion) + sizeof(sum) ||
        !bytes.starts_with(kMagic)) {
        fail("This is not a checkpoint of Toile, or its end is missing.");
    }
    Reader in(bytes.substr(kMagic.size(), bytes.size() - kMagic.size() - sizeof(sum)));
    std::uint32_t version = 0;
    in.value(version);
    if (version != kVersion) {
        fail(fmt::format("Checkpoint of version {}; expected {}.", version, kVersion));
    }
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof(sum), sizeof(sum));
    if (sum != checksum(bytes.substr(0, bytes.size() - sizeof(sum)))) {
        fail("The checkpoint's checksum does not match its content; it is damaged.");
    }
    Checkpoint checkpoint;
    WorldState& state = checkpoint.state;
    in.value(checkpoint.scene_hash);
    control_fields(in, state.control);
    for (auto* values : {&state.positions, &state.velocities, &state.last_changes}) {
        values->resize(in.count(sizeof(Vec3)));
        for (Vec3& x : *values) in.value(x);
    }
    state.holds.resize(in.count(2 * sizeof(std::int32_t) + 7 * sizeof(double)));
    for (Hold& hold : state.holds) hold_fields(in, hold);
    state.obstacle_holds.resize(in.count(sizeof(std::int32_t) + 19 * sizeof(double)));
    for (ObstacleHold& hold : state.obstacle_holds) obstacle_hold_fields(in, hold);
    if (in.is_short || !in.at_end()) {
        fail("The checkpoint's counts do not fit its length.");
    }
    return checkpoint;
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    write_file(path, checkpoint_bytes(checkpoint), {.overwrite = true});
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    return parse_checkpoint(read_bytes(path), path.string());
}

}  // namespace toile
