// Numbers in words, for every message and figure.
#pragma once

#include <cstdint>
#include <string>

namespace warplens {

// "1,025"
std::string grouped(std::uint64_t value);

}  // namespace warplens
