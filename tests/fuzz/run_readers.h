// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace toile::test {

// As FuzzedReader::read.
/// The bytes, and the bytes with the checksum behind them that makes them whole.
std::string read_checkpoint_bytes(std::string_view bytes);
std::string read_run_record_bytes(std::string_view bytes);
/// Whole lines are counted; nothing is ever refused.
std::string read_frame_line_bytes(std::string_view bytes);

}  // namespace toile::test
