// Sums of counts.
#include <algorithm>
#include <array>

#include "engine/emulator/launch.hpp"

namespace warplens::emulator {

using ptx::Space;

AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  requests += other.requests;
  requests_in_ptx += other.requests_in_ptx;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  bytes_used += other.bytes_used;
  return *this;
}

AccessCounts& AccessCounts::operator*=(std::uint64_t times) {
  for (auto* count :
       {&requests, &requests_in_ptx, &sectors, &ideal_sectors, &wavefronts, &ideal_wavefronts, &bytes_used})
    *count *= times;
  return *this;
}

namespace {

constexpr std::array kTensorCounts = {
    &TensorCounts::group_products,  &TensorCounts::half_products, &TensorCounts::integer_products,
    &TensorCounts::double_products, &TensorCounts::operations,    &TensorCounts::operand_wavefronts,
    &TensorCounts::copy_requests,   &TensorCounts::load_sectors,  &TensorCounts::store_sectors};

}  // namespace

TensorCounts& TensorCounts::operator+=(const TensorCounts& other) {
  for (const auto member : kTensorCounts) this->*member += other.*member;
  return *this;
}

TensorCounts& TensorCounts::operator*=(std::uint64_t times) {
  for (const auto member : kTensorCounts) this->*member *= times;
  return *this;
}

namespace {

constexpr std::array kAccessCounts = {&Counts::global_load, &Counts::global_store, &Counts::global_atomic,
                                      &Counts::shared_load, &Counts::shared_store, &Counts::shared_atomic,
                                      &Counts::local_load,  &Counts::local_store,  &Counts::constant_load};

}  // namespace

Counters& Counters::operator+=(const Counters& other) {
  warp_instructions += other.warp_instructions;
  thread_instructions += other.thread_instructions;
  tensor += other.tensor;
  barriers += other.barriers;
  blocks_run += other.blocks_run;
  for (const auto member : kAccessCounts) this->*member += other.*member;
  instructions.resize(std::max(instructions.size(), other.instructions.size()));
  for (std::size_t pc = 0; pc < other.instructions.size(); ++pc) {
    InstructionCounters& row = instructions[pc];
    const InstructionCounters& more = other.instructions[pc];
    if (row.requests_in_ptx == 0) row.space = more.space;
    if (more.requests_in_ptx != 0 && more.space != row.space) row.space = Space::generic;
    row += more;
    row.executed += more.executed;
    row.lanes += more.lanes;
    row.diverged += more.diverged;
    row.chosen += more.chosen;
  }
  return *this;
}

Counters& Counters::operator*=(std::uint64_t times) {
  for (auto* count : {&warp_instructions, &thread_instructions, &barriers, &blocks_run}) *count *= times;
  tensor *= times;
  for (const auto member : kAccessCounts) this->*member *= times;
  for (InstructionCounters& row : instructions) {
    row *= times;
    for (auto* count : {&row.executed, &row.lanes, &row.diverged, &row.chosen}) *count *= times;
  }
  return *this;
}

}  // namespace warplens::emulator
