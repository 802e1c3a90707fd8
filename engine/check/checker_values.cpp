// BlockChecker: where a value that nobody defined matters.
#include "engine/check/block_checker.hpp"

#include "engine/check/lanes.hpp"

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

namespace {

std::string what_is_undefined(const Origin& origin) {
  switch (origin.kind) {
    case Kind::inactive_source_lane:
      return "reads the value of " + origin.address + " by a shuffle in which that lane does not take part";
    case Kind::uninitialized_register:
      return "uses a variable that was never given a value";
    default:
      return "reads " + origin.address + ", which nobody has written";
  }
}

std::string fix_of_undefined(Kind kind) {
  switch (kind) {
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
  for (Finding& known : scene_.findings())  // the read alone was told as a warning
    if (known.kind == origin.kind && known.line == line) {
      if (known.severity != Severity::error) {
        known.severity = Severity::error;
        known.other_line = scene_.line(step.pc);
        known.message += "; its value " + what + " at line " + std::to_string(known.other_line);
      }
      return;
    }
  Finding finding;
  finding.kind = origin.kind;
  finding.line = line;
  finding.other_line = never ? 0 : scene_.line(step.pc);
  finding.at = scene_.place(origin.thread);
  finding.address = origin.address;
  finding.message = scene_.words(origin.thread) + " " + what_is_undefined(origin) + "; its value " + what +
                    (never ? "" : " at line " + std::to_string(finding.other_line));
  finding.fix = fix_of_undefined(origin.kind);
  scene_.add(std::move(finding));
}

}  // namespace warplens::check
