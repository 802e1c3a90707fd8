#include "engine/emulator/semantics/semantics.hpp"

#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator {

LaneFunction lane_function(const ptx::Instruction& instruction) {
  using namespace detail;
  using Family = LaneFunction (*)(const Instruction&);
  // Each family returns nullptr for what is not its own.
  for (const Family family : {integer_function, bit_function, float_function, approximate_function,
                              compare_function, convert_function}) {
    if (const LaneFunction function = family(instruction)) return function;
  }
  return nullptr;
}

}  // namespace warplens::emulator
