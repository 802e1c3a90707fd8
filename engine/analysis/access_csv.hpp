// Warp accesses from a CSV file, as `warplens access --csv` reads them.
//
// The first line names the columns, in any order: op (ld or st), width_bytes (1, 2, 4, 8 or 16), active_mask
// (a number, 0x for hexadecimal), lane0 to lane31 (byte offset of each lane; may be empty where the lane is
// not active). Other columns are ignored. Lines end in LF or CRLF; a field may be in double quotes; empty
// lines are skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/access.hpp"
#include "engine/base/result.hpp"

namespace warplens::analysis {

// One access a row, in order. file_name goes into errors, each with its line. Without any row: an error.
Result<std::vector<WarpAccess>> parse_access_csv(std::string_view text, std::string_view file_name);

// The same from a file.
Result<std::vector<WarpAccess>> read_access_csv(const std::string& path);

// A whole number, decimal or hexadecimal behind 0x; nothing for any other text.
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace warplens::analysis
