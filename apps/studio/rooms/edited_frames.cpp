// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/edited_frames.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <utility>

namespace toile::studio {

void EditedFrames::add(int frame, Points original) {
    frames_.try_emplace(frame, Frame{original, original});
}

const Points& EditedFrames::now(int frame) const {
    const auto found = frames_.find(frame);
    if (found == frames_.end()) {
        throw InvalidInput(fmt::format("Frame {} is not opened to be edited.", frame));
    }
    return found->second.now;
}

void EditedFrames::change(int frame, Points positions, double tolerance) {
    (void)now(frame);
    Frame& state = frames_.at(frame);
    undo_.push_back({frame, state});
    redo_.clear();
    state.now = std::move(positions);
    state.tolerance = tolerance;
}

int EditedFrames::swap_step(std::vector<Step>& from, std::vector<Step>& to) {
    Step step = std::move(from.back());
    from.pop_back();
    to.push_back({step.frame, frames_.at(step.frame)});
    frames_.at(step.frame) = std::move(step.state);
    return step.frame;
}

int EditedFrames::undo() {
    if (undo_.empty()) throw InvalidInput("There is no edit to undo.");
    return swap_step(undo_, redo_);
}

int EditedFrames::redo() {
    if (redo_.empty()) throw InvalidInput("There is no edit to do again.");
    return swap_step(redo_, undo_);
}

std::vector<int> EditedFrames::edited() const {
    std::vector<int> numbers;
    for (const auto& [number, frame] : frames_) {
        if (*frame.now != *frame.original) numbers.push_back(number);
    }
    return numbers;
}

std::vector<int> EditedFrames::unsaved() const {
    std::vector<int> numbers = edited();
    std::erase_if(numbers, [&](int number) {
        const auto saved = saved_.find(number);
        return saved != saved_.end() && *saved->second == *frames_.at(number).now;
    });
    return numbers;
}

std::vector<EditKey> EditedFrames::keys() const {
    std::vector<EditKey> keys;
    for (const int number : edited()) {
        const Frame& frame = frames_.at(number);
        keys.push_back({.frame = number,
                        .original = *frame.original,
                        .edited = *frame.now,
                        .tolerance = frame.tolerance});
    }
    return keys;
}

}  // namespace toile::studio
