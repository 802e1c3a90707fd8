// Kinds of findings beside those of finding.hpp: of what an instruction, or a call of printf, is given. They
// stand behind the others, so that the numbers of those stay as they are.
#pragma once

#include "engine/check/finding.hpp"

namespace warplens::check {

inline constexpr auto kLastKind = static_cast<std::uint8_t>(Kind::wrong_with_other_data);
inline constexpr Kind kInvalidOperand{kLastKind + 1};  // "invalid-operand"
inline constexpr Kind kPrintfFormat{kLastKind + 2};    // "printf-format"

}  // namespace warplens::check
