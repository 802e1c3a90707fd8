// BlockChecker: where a value that nobody defined matters.
#include "engine/check/block_checker.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/check/order/lanes.hpp"

namespace warplens::check {

using emulator::WatchedStep;
using ptx::Operand;

// A branch, or an instruction under a guard, that such a value decides.
void BlockChecker::check_guard(const WatchedStep& step) {
  const std::uint32_t lanes = registers_.undefined(step.warp, step.instruction->guard) & step.active;
  if (lanes != 0)
    reach(step, lowest(lanes), registers_.origin(step.warp, step.instruction->guard),
          "decides what is executed");
}

void BlockChecker::check_address(const WatchedStep& step, std::size_t operand) {
  const Operand& address = step.instruction->operands[operand];
  if (address.kind != Operand::Kind::address) return;
  const std::uint32_t lanes = registers_.undefined(step.warp, address.register_id) & step.exec;
  if (lanes != 0)
    reach(step, lowest(lanes), registers_.origin(step.warp, address.register_id), "is part of an address");
}

// The sums that a matrix product adds to: none of them was ever given a value.
void BlockChecker::check_sums(const WatchedStep& step) {
  const std::size_t sums = step.instruction->destinations + 2u;
  if (sums >= step.instruction->operands.size()) return;
  const Operand& operand = step.instruction->operands[sums];
  const auto is_unset = [&](const Operand& one) {
    return one.kind == Operand::Kind::reg && registers_.origin(step.warp, one.register_id) == 0 &&
           (step.exec & ~registers_.undefined(step.warp, one.register_id)) == 0;
  };
  if (operand.elements.empty() || !std::ranges::all_of(operand.elements, is_unset)) return;
  reach(step, lowest(step.exec), 0, "is what a product of matrices is added to");
}

namespace {

std::string words_of_written(const Origin& origin) {
  if (origin.size == 0) return "";
  return ": before the launch the program wrote " + (origin.written == 0 ? "none" : grouped(origin.written)) +
         " of the array's " + grouped(origin.size) + " bytes";
}

std::string what_is_undefined(const Origin& origin) {
  switch (origin.kind) {
    case Kind::inactive_source_lane:
      return "reads the value of " + origin.address + " by a shuffle in which that lane does not take part";
    case Kind::uninitialized_register:
      return "uses a variable that was never given a value";
    default:
      return "reads " + origin.address + ", " + std::string(kNobodyWrote) + words_of_written(origin);
  }
}

std::string fix_of_undefined(const Origin& origin) {
  if (origin.size > 0)
    return "copy data to the array before the launch, with cudaMemcpy(), or set it with cudaMemset()";
  switch (origin.kind) {
    case Kind::inactive_source_lane:
      return "read only from lanes that execute the shuffle and are in its mask";
    case Kind::uninitialized_register:
      return "give the variable a value where it is declared";
    case Kind::uninitialized_global:
      return "write the element before it is read, or do not read it";
    default:
      return "write it first, or do not read it";
  }
}

}  // namespace

void BlockChecker::reach(const WatchedStep& step, std::uint32_t lane, std::uint16_t index,
                         const std::string& what) {
  const bool never = index == 0;
  const Origin here{Kind::uninitialized_register, step.pc, {block_, step.warp, lane}, ""};
  const Origin origin = never ? here : registers_.origin_at(index);
  const int line = scene_.line(origin.pc);
  Finding finding;
  finding.kind = origin.kind;
  finding.line = line;
  finding.other_line = never ? 0 : scene_.line(step.pc);
  finding.at = scene_.place(origin.thread);
  for (Finding& known : scene_.findings()) {
    if (known.kind != origin.kind || known.line != line) continue;
    if (origin.size > 0) {
      const bool is_as_severe = (known.severity == Severity::error) == (origin.written == 0);
      if (is_as_severe) return;
      continue;
    }
    if (known.at.block != finding.at.block && scene_.late_write(known) != nullptr) {
      tell_undefined(finding, origin, never, what);
      return scene_.replace_late(known, std::move(finding));
    }
    if (known.severity != Severity::error) {  // the read alone was told as a warning
      known.severity = Severity::error;
      known.other_line = scene_.line(step.pc);
      known.message += "; its value " + what + " at line " + std::to_string(known.other_line);
    }
    return;
  }
  tell_undefined(finding, origin, never, what);
  scene_.add(std::move(finding));
}

void BlockChecker::tell_undefined(Finding& finding, const Origin& origin, bool never,
                                  const std::string& what) {
  finding.address = origin.address;
  finding.message = scene_.words(origin.thread) + " " + what_is_undefined(origin) + "; its value " + what +
                    (never ? "" : " at line " + std::to_string(finding.other_line));
  finding.fix = fix_of_undefined(origin);
  // What was written may be all that the program asks for, and the rest there to fill the last block.
  if (origin.size > 0 && origin.written > 0) finding.severity = Severity::warning;
}

// Of the first lane that stops the run.
void BlockChecker::note_array(const Touch& touch, std::size_t operand) {
  if (ending_.array) return;
  const Operand& place = touch.step.instruction->operands[operand];
  std::uint16_t array = uses_[touch.step.pc].array;
  if (place.kind == Operand::Kind::address)
    array = registers_.array(touch.step.warp, place.register_id, lowest(touch.lanes));
  if (array == 0) return;
  ending_.array = registers_.place(array);
  ending_.pc = touch.step.pc;
}

// What is read before anybody has written it, which some thread may do later.
void BlockChecker::note_early_read(const Touch& touch, Cell& cell, std::uint16_t origin) {
  const Origin& known = registers_.origin_at(origin);
  const auto offset = static_cast<std::uint32_t>(touch.address & emulator::kOwnOffset);
  if (known.pc != touch.step.pc || known.address != scene_.shared_name(offset, touch.width)) return;
  Visits& visits = shared_.visits().of(cell);
  if (visits.early_origin != 0) return;
  visits.early_origin = origin;
  visits.early_read = touch.now;
  visits.early_read.lanes = touch.lanes;
}

void BlockChecker::note_late_write(const Touch& touch, const Cell& cell) {
  Visits* const visits = shared_.visits().find(cell);
  if (visits == nullptr || visits->early_origin == 0) return;
  const Origin& read = registers_.origin_at(std::exchange(visits->early_origin, std::uint16_t{0}));
  const std::uint32_t lane = lowest(touch.lanes);
  const bool same_warp = visits->early_read.warp == touch.step.warp;
  const bool is_ordered = same_warp ? order_.unmet(visits->early_read, lane) == 0
                                    : order_.knows(touch.step.warp, visits->early_read);
  scene_.add_late_write(read.pc, read.thread, read.address,
                        {{block_, touch.step.warp, lane}, scene_.line(touch.step.pc), is_ordered, same_warp});
}

}  // namespace warplens::check
