// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/environment_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace toile {
namespace {

/// Takes the numbers of a file one after another, each with the label that it must have.
class NumberStream {
  public:
    explicit NumberStream(const EnvironmentText& text)
        : text_(text), numbers_(text.numbers("time")) {}

    [[nodiscard]] bool is_at_end() const { return at_ == numbers_.size(); }
    [[nodiscard]] int line() const { return line_; }

    double take(const std::string& label) {
        if (is_at_end()) {
            fail(label.empty() ? "The file ends before the next number of a vector."
                               : fmt::format("The file ends before a number for '{}'.", label));
        }
        const LabelledNumber& number = numbers_[at_++];
        line_ = number.line;
        if (number.label != label) {
            const std::string expected =
                label.empty() ? "the next number of a vector" : "'" + label + "' and a number";
            fail(fmt::format("Expected {}, found {} and {}.", expected,
                             number.label.empty() ? "no word" : "'" + number.label + "'",
                             number.value));
        }
        return number.value;
    }
    int take_count(const std::string& label) {
        const double value = take(label);
        if (value < 0 || value != std::floor(value) || value > std::numeric_limits<int>::max()) {
            fail(fmt::format("'{}' is {}; expected a whole number, 0 or more.", label, value));
        }
        return static_cast<int>(value);
    }
    Vec3 take_vector() {
        const double x = take("vector");
        const double y = take("");
        return {x, y, take("")};
    }
    [[noreturn]] void fail(const std::string& message) const { text_.fail(line_, message); }

  private:
    const EnvironmentText& text_;
    std::vector<LabelledNumber> numbers_;
    size_t at_ = 0;
    int line_ = 1;
};

VelocityBlock take_block(NumberStream& stream, std::span<const VelocityBlock> before) {
    VelocityBlock block;
    block.time = stream.take("time");
    if (block.time < 0 || (!before.empty() && !(block.time > before.back().time))) {
        stream.fail(before.empty()
                        ? fmt::format("The first time is {} s; expected 0 or more.", block.time)
                        : fmt::format("A block at {} s follows one at {} s; times must rise.",
                                      block.time, before.back().time));
    }
    const int n = stream.take_count("number");
    for (int i = 0; i < n; ++i) {
        VelocityBlock::Lead lead;
        lead.vertex = stream.take_count("vertexid");
        lead.line = stream.line();
        lead.velocity = stream.take_vector();
        const auto same = [&](const auto& other) { return other.vertex == lead.vertex; };
        if (std::ranges::any_of(block.leads, same)) {
            stream.fail(
                fmt::format("Vertex {} is led twice from {} s on.", lead.vertex, block.time));
        }
        block.leads.push_back(lead);
    }
    return block;
}

/// The next block, or another velocity from here on.
void add_piece(double time, const Vec3& velocity, PinSetup& inout_pin) {
    auto& pieces = inout_pin.pieces;
    if (pieces.empty() ? velocity.isZero(0) : pieces.back().velocity == velocity) return;
    pieces.push_back({time, velocity});
}

bool same_lead(const PinSetup& a, const PinSetup& b) {
    return a.start == b.start && a.end == b.end && a.pieces == b.pieces;
}

}  // namespace

std::vector<VelocityBlock> parse_velocity_blocks(const EnvironmentText& text) {
    NumberStream stream(text);
    if (stream.is_at_end()) {
        stream.fail("The file has no line that begins with 'Time' and a number.");
    }
    std::vector<VelocityBlock> blocks;
    while (!stream.is_at_end()) blocks.push_back(take_block(stream, blocks));
    return blocks;
}

std::vector<PinSetup> pins_of_blocks(std::span<const VelocityBlock> blocks,
                                     const EnvironmentText& text) {
    std::vector<PinSetup> pins;  // each of one vertex, in the order in which they end
    std::map<int, PinSetup> going_on;
    const auto end_pin = [&](auto at, std::optional<double> end) {
        at->second.end = end;
        const auto alike = std::ranges::find_if(
            pins, [&](const PinSetup& pin) { return same_lead(pin, at->second); });
        if (alike == pins.end()) {
            pins.push_back(at->second);
        } else {
            alike->vertices.push_back(at->first);
        }
        return going_on.erase(at);
    };
    for (const VelocityBlock& block : blocks) {
        for (auto at = going_on.begin(); at != going_on.end();) {
            const auto led = [&](const auto& lead) { return lead.vertex == at->first; };
            at = std::ranges::any_of(block.leads, led) ? std::next(at) : end_pin(at, block.time);
        }
        for (const VelocityBlock::Lead& lead : block.leads) {
            const auto [at, begins] = going_on.try_emplace(lead.vertex);
            PinSetup& pin = at->second;
            if (begins) {
                pin.vertices = {lead.vertex};
                pin.start = block.time;
                pin.source.words = text.place(lead.line);
            }
            add_piece(block.time, lead.velocity, pin);
        }
    }
    while (!going_on.empty()) end_pin(going_on.begin(), std::nullopt);
    return pins;
}

}  // namespace toile
