#include "engine/program/program_record.hpp"

#include <algorithm>
#include <cmath>

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
    case Ran::not_executed:
      return "not executed";
  }
  return "";
}

bool has_error(const ProgramRecord& record) {
  return std::ranges::any_of(record.kernels, [](const KernelRecord& kernel) {
    return check::has_error(kernel.findings) || !kernel.not_executed.empty();
  });
}

namespace {
using emulator::AccessCounts, emulator::Counts;
constexpr AccessCounts Counts::*kKinds[] = {
    &Counts::global_load,  &Counts::global_store,  &Counts::global_atomic, &Counts::shared_load,
    &Counts::shared_store, &Counts::shared_atomic, &Counts::local_load,    &Counts::local_store};
constexpr std::uint64_t AccessCounts::*kNumbers[] = {
    &AccessCounts::requests,      &AccessCounts::requests_in_ptx, &AccessCounts::sectors,
    &AccessCounts::ideal_sectors, &AccessCounts::wavefronts,      &AccessCounts::ideal_wavefronts,
    &AccessCounts::bytes_used};
}  // namespace

void add(Counts& to, const Counts& more) {
  to.warp_instructions += more.warp_instructions;
  to.thread_instructions += more.thread_instructions;
  to.tensor += more.tensor;
  for (const auto kind : kKinds) to.*kind += more.*kind;
}

void scale(Counts& counts, double times) {
  const auto scaled = [times](std::uint64_t& number) {
    number = static_cast<std::uint64_t>(std::llround(static_cast<double>(number) * times));
  };
  scaled(counts.warp_instructions);
  scaled(counts.thread_instructions);
  for (const auto kind : kKinds)
    for (const auto number : kNumbers) scaled(counts.*kind.*number);
}

}  // namespace warplens::program
