#include "engine/program/program_record.hpp"

#include <algorithm>

namespace warplens::program {

std::string_view name(Ran ran) {
  switch (ran) {
    case Ran::whole:
      return "whole";
    case Ran::repeat:
      return "repeat";
    case Ran::sample:
      return "sample";
    case Ran::refused:
      return "refused";
    case Ran::faulted:
      return "faulted";
  }
  return "";
}

bool has_error(const ProgramRecord& record) {
  return std::ranges::any_of(record.kernels,
                             [](const KernelRecord& kernel) { return check::has_error(kernel.findings); });
}

void add(emulator::Counts& to, const emulator::Counts& more) {
  to.warp_instructions += more.warp_instructions;
  to.thread_instructions += more.thread_instructions;
  to.global_load += more.global_load;
  to.global_store += more.global_store;
  to.global_atomic += more.global_atomic;
  to.shared_load += more.shared_load;
  to.shared_store += more.shared_store;
  to.shared_atomic += more.shared_atomic;
  to.local_load += more.local_load;
  to.local_store += more.local_store;
}

}  // namespace warplens::program
