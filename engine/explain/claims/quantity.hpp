// What claims are about: one row a quantity, with its name in JSON and its unit in a sentence.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warplens::explain {

enum class Quantity : std::uint16_t {
#define QUANTITY(name, unit) name,
#include "engine/explain/claims/quantities.inc"
#undef QUANTITY
  count
};

struct QuantityRow {
  Quantity quantity;
  std::string_view name, unit;
};
const QuantityRow& row_of(Quantity quantity);

}  // namespace warplens::explain
