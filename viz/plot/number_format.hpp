// Numbers as labels: 1k, 10M, 498 GFLOP/s, 12.1 %, 1,024.
#pragma once

#include <string>
#include <string_view>

namespace warplens::plot {

enum class Notation { plain, si, percent, bytes };  // bytes: 64 KiB

// At most `digits` significant digits, without trailing zeros, thousands by commas: 1,024  0.05  17.3.
std::string plain(double value, int digits = 6);

// With an SI prefix from n to E: si(1e7) is "10M", si(498e9, 3, " ", "FLOP/s") is "498 GFLOP/s".
std::string si(double value, int digits = 3, std::string_view space = "", std::string_view unit = "");

// A share: percent(0.121) is "12.1 %".
std::string percent(double share, int digits = 3);

std::string formatted(double value, Notation notation, int digits = 3);

}  // namespace warplens::plot
