// Numbers in words, for every message and figure, and texts as a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplens {

// "1,025"
std::string grouped(std::uint64_t value);

// "an index" as "An index": of messages that begin with a word; file names and the like stay as they are.
std::string sentence(std::string text);

// 16 hexadecimal digits (FNV-1a) that change with the text.
std::string fingerprint(std::string_view text);

}  // namespace warplens
