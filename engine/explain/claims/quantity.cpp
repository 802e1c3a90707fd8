#include "engine/explain/claims/quantity.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace warplens::explain {
namespace {

struct Named {
  std::string name;  // with spaces
  QuantityRow row;
};
std::string with_spaces(std::string_view identifier) {
  std::string name(identifier);
  std::ranges::replace(name, '_', ' ');
  return name;
}

}  // namespace

const QuantityRow& row_of(Quantity quantity) {
  static const std::vector<Named> all = [] {
    std::vector<Named> rows = {
#define QUANTITY(name, unit) {with_spaces(#name), {Quantity::name, {}, unit}},
#include "engine/explain/claims/quantities.inc"
#undef QUANTITY
    };
    for (Named& named : rows) named.row.name = named.name;
    return rows;
  }();
  return all[static_cast<std::size_t>(quantity)].row;
}

}  // namespace warplens::explain
