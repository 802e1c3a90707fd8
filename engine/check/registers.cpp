#include "engine/check/registers.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/check/stretches.hpp"
#include "engine/emulator/flow/recursion.hpp"
#include "engine/emulator/flow/same_values.hpp"
#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/emulator/flow/source_name.hpp"

namespace warplens::check {

using emulator::WatchedStep;
using ptx::Opcode, ptx::Operand;

namespace {

void collect(const Operand& operand, std::vector<ptx::RegisterId>& to) {
  if (operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address)
    to.push_back(operand.register_id);
  for (const Operand& element : operand.elements) collect(element, to);
}

RegisterUse::Pointer pointer_use(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::mov:
    case Opcode::cvta:
    case Opcode::cvt:
      return RegisterUse::Pointer::keeps;
    case Opcode::add:
    case Opcode::or_:
    case Opcode::and_:
    case Opcode::selp:
      return RegisterUse::Pointer::adds;
    case Opcode::sub:
      return RegisterUse::Pointer::keeps;  // of the first; a difference of two addresses is looked at there
    case Opcode::mad:
      return RegisterUse::Pointer::takes_last;
    default:
      return RegisterUse::Pointer::none;
  }
}

// The variable that an operand names, by number.
std::uint16_t array_of(const LaunchFacts& facts, const std::vector<ArrayPlace>& places,
                       const Operand& operand) {
  const auto& layout = facts.kernel->layout();
  const auto at_offset = [&](std::uint32_t offset, const ptx::Variable& variable) -> std::uint16_t {
    if (variable.space != ptx::Space::shared && variable.space != ptx::Space::local) return 0;
    for (std::size_t p = 0; p < places.size(); ++p)
      if (places[p].space == variable.space && places[p].first == offset && places[p].size == variable.size)
        return static_cast<std::uint16_t>(p + 1);
    return 0;
  };
  if (operand.kind == Operand::Kind::global_symbol)
    return at_offset(layout.module_offset(operand.symbol), facts.kernel->program().variables[operand.symbol]);
  if (operand.kind == Operand::Kind::local_symbol)
    return at_offset(layout.function_offset(operand.symbol),
                     facts.kernel->function().variables[operand.symbol]);
  return 0;
}

// Of a load of a parameter that is the address of a buffer.
std::uint16_t array_of_parameter(const LaunchFacts& facts, const ptx::Instruction& i) {
  if (i.opcode != Opcode::ld || i.operands.size() < 2 || ptx::size_in_bytes(i.type) != 8 || i.vector != 1)
    return 0;
  const Operand& from = i.operands[1];
  if (from.kind != Operand::Kind::parameter_symbol) return 0;
  const std::uint64_t at =
      facts.kernel->function().parameters[from.symbol].offset + static_cast<std::uint64_t>(from.offset);
  if (at + 8 > facts.arguments.size()) return 0;
  std::uint64_t value = 0;
  std::memcpy(&value, facts.arguments.data() + at, 8);
  for (std::size_t b = 0; b < facts.buffers.size(); ++b)
    if (value >= facts.buffers[b].address && value < facts.buffers[b].address + facts.buffers[b].size)
      return static_cast<std::uint16_t>(b + 1 + facts.kernel->layout().shared_variables().size());
  return 0;
}

}  // namespace

bool is_in_call(const ptx::Function& function, std::uint32_t pc, int call) {
  int at = function.code[pc].location;
  if (at < 0) return true;
  for (; at >= 0; at = function.locations[static_cast<std::size_t>(at)].inlined_at)
    if (at == call) return true;
  return false;
}

namespace {

bool names(const ptx::Instruction& i, std::size_t local) {
  return std::any_of(i.operands.begin(), i.operands.end(), [&](const Operand& operand) {
    return operand.kind == Operand::Kind::local_symbol && operand.symbol == local;
  });
}

// Where the function that has a local variable is called; -1 for those of the kernel itself. The kernel's
// places come before those of what it calls.
int call_with(const emulator::Kernel& kernel, std::size_t local) {
  const ptx::Function& flat = kernel.function();
  if (emulator::is_call_stack(flat.variables[local])) return -1;
  const auto& functions = kernel.program().functions;
  const auto own = std::find_if(functions.begin(), functions.end(), [&](const ptx::Function& function) {
    return function.is_entry && function.name == flat.name;
  });
  if (own == functions.end() || local < own->variables.size()) return -1;
  std::size_t pc = 0;
  while (pc < flat.code.size() && !names(flat.code[pc], local)) ++pc;
  while (pc < flat.code.size() && flat.code[pc].location < 0) ++pc;
  if (pc == flat.code.size()) return -1;
  for (int at = flat.code[pc].location; at >= 0; at = flat.locations[static_cast<std::size_t>(at)].inlined_at)
    if (at < static_cast<int>(own->locations.size())) return at;
  return -1;
}

}  // namespace

std::vector<ArrayPlace> array_places(const LaunchFacts& facts) {
  std::vector<ArrayPlace> places;
  const auto& layout = facts.kernel->layout();
  for (const auto& variable : layout.shared_variables())
    places.push_back(
        {ptx::Space::shared, variable.offset, variable.size, emulator::source_name(variable.name), false});
  for (const BufferFacts& buffer : facts.buffers)
    places.push_back({ptx::Space::global, buffer.address, buffer.size, buffer.name, !buffer.is_output, -1,
                      buffer.element, buffer.before});
  const auto& locals = facts.kernel->function().variables;
  for (std::size_t v = 0; v < locals.size(); ++v)
    if (locals[v].space == ptx::Space::local)
      places.push_back({ptx::Space::local, layout.function_offset(static_cast<ptx::SymbolId>(v)),
                        locals[v].size, "the local array", false, call_with(*facts.kernel, v)});
  return places;
}

namespace {
std::vector<bool> releasing_lines(std::string_view ptx) {
  std::vector<bool> lines{false};  // from 1
  for (std::size_t begin = 0; begin < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', begin), ptx.size());
    const std::string_view line = ptx.substr(begin, end - begin);
    lines.push_back(line.find(".release") != line.npos || line.find(".acq_rel") != line.npos);
    begin = end + 1;
  }
  return lines;
}
}  // namespace

namespace {
// Marks the instructions that write a register into which an address can come, on whatever way.
void find_pointers(std::vector<RegisterUse>& uses, std::size_t registers) {
  std::vector<bool> holds(registers);
  const auto may_hold = [&](ptx::RegisterId r) { return bool{holds[r]}; };
  for (bool grows = true; std::exchange(grows, false);)
    for (const RegisterUse& use : uses) {
      if (use.pointer == RegisterUse::Pointer::none) continue;
      if (use.array == 0 && std::none_of(use.read.begin(), use.read.end(), may_hold)) continue;
      for (const ptx::RegisterId r : use.written)
        if (!holds[r]) holds[r] = grows = true;
    }
  for (RegisterUse& use : uses) use.may_point = std::any_of(use.written.begin(), use.written.end(), may_hold);
}
}  // namespace

namespace {
// Whether the load is in a loop that changes no memory and meets nobody: it waits for a value.
bool waits_for_value(const ptx::Function& function, std::uint32_t pc) {
  const Loop loop = loop_around(function, pc);
  if (loop.end == pc + 1) return false;
  return std::none_of(
      function.code.begin() + loop.first, function.code.begin() + loop.end, [](const ptx::Instruction& i) {
        return i.opcode == Opcode::st || i.opcode == Opcode::atom || i.opcode == Opcode::red ||
               i.opcode == Opcode::bar_sync || i.opcode == Opcode::bar_warp_sync;
      });
}

// Whether a branch of the loop around the load depends on what it loads.
bool decides_its_loop(const std::vector<RegisterUse>& uses, const ptx::Function& function, std::uint32_t pc) {
  const Loop loop = loop_around(function, pc);
  if (loop.end == pc + 1) return false;
  std::vector<bool> depends(function.registers.size());
  for (const ptx::RegisterId r : uses[pc].written) depends[r] = true;
  for (bool grows = true; std::exchange(grows, false);)
    for (std::uint32_t at = loop.first; at < loop.end; ++at) {
      const ptx::Instruction& i = function.code[at];
      const auto is_one = [&](ptx::RegisterId r) { return bool{depends[r]}; };
      if (i.opcode == Opcode::bra && i.predicated && depends[i.guard]) return true;
      if (std::none_of(uses[at].read.begin(), uses[at].read.end(), is_one)) continue;
      for (const ptx::RegisterId r : uses[at].written)
        if (!depends[r]) depends[r] = grows = true;
    }
  return false;
}

// Loads of the value that an atomicCAS expects, through copies, from where it looks for that.
void find_tried(std::vector<RegisterUse>& uses, const ptx::Function& function) {
  const emulator::SameValues values(function);
  for (const ptx::Instruction& swap : function.code) {
    if (swap.opcode != Opcode::atom || swap.atomic != ptx::AtomicOp::cas) continue;
    const Operand& expected = swap.operands[swap.destinations + 1u];
    if (expected.kind != Operand::Kind::reg) continue;
    std::vector<bool> is_expected(function.registers.size());
    is_expected[expected.register_id] = true;
    for (bool grows = true; std::exchange(grows, false);)
      for (std::size_t pc = 0; pc < uses.size(); ++pc) {
        if (function.code[pc].opcode != Opcode::mov) continue;
        for (const ptx::RegisterId to : uses[pc].written)
          for (const ptx::RegisterId from : uses[pc].read)
            if (is_expected[to] && !is_expected[from]) is_expected[from] = grows = true;
      }
    for (std::size_t pc = 0; pc < uses.size(); ++pc)
      uses[pc].is_tried |= function.code[pc].opcode == Opcode::ld && !uses[pc].written.empty() &&
                           is_expected[uses[pc].written[0]] &&
                           values.are_same(function.code[pc].operands[1], swap.operands[swap.destinations]);
  }
}

void find_listeners(std::vector<RegisterUse>& uses, const ptx::Function& function) {
  std::vector<bool> is_used(function.registers.size());
  for (std::size_t pc = 0; pc < uses.size(); ++pc) {
    for (const ptx::RegisterId r : uses[pc].read) is_used[r] = true;
    if (function.code[pc].predicated) is_used[function.code[pc].guard] = true;
  }
  for (std::uint32_t pc = 0; pc < uses.size(); ++pc) {
    const ptx::Instruction& i = function.code[pc];
    const auto& written = uses[pc].written;
    uses[pc].listens = i.opcode == Opcode::atom
                           ? std::any_of(written.begin(), written.end(), [&](auto r) { return is_used[r]; })
                           : i.opcode == Opcode::ld && i.is_volatile && waits_for_value(function, pc);
    uses[pc].polls = i.opcode == Opcode::ld && i.is_volatile && decides_its_loop(uses, function, pc);
  }
}
}  // namespace

std::vector<RegisterUse> register_uses(const LaunchFacts& facts) {
  std::vector<RegisterUse> uses;
  const auto releasing = releasing_lines(facts.ptx);
  const auto places = array_places(facts);
  for (const ptx::Instruction& i : facts.kernel->function().code) {
    RegisterUse& use = uses.emplace_back();
    for (std::size_t o = 0; o < i.operands.size(); ++o) {
      collect(i.operands[o], o < i.destinations ? use.written : use.read);
      if (o >= i.destinations)
        if (const std::uint16_t array = array_of(facts, places, i.operands[o])) use.array = array;
    }
    use.pointer = pointer_use(i);
    const auto line = static_cast<std::size_t>(std::max(i.ptx_line, 0));
    use.releases = line < releasing.size() && releasing[line];
    if (const std::uint16_t array = array_of_parameter(facts, i)) {
      use.array = array;
      use.pointer = RegisterUse::Pointer::keeps;
    }
  }
  find_pointers(uses, facts.kernel->function().registers.size());
  find_listeners(uses, facts.kernel->function());
  find_tried(uses, facts.kernel->function());
  return uses;
}

Registers::Registers(Scene& scene, const std::vector<RegisterUse>& uses, std::uint32_t warps)
    : uses_(uses),
      places_(array_places(scene.facts())),
      count_(scene.function().registers.size()),
      shadows_(count_ * warps),
      origins_(1) {}

void Registers::start(std::uint32_t block) {
  block_ = block;
  std::fill(shadows_.begin(), shadows_.end(), Shadow{});
}

std::uint16_t Registers::add_origin(Origin origin) {
  if (origins_.size() >= 0xfff0u) return static_cast<std::uint16_t>(origins_.size() - 1);
  for (std::size_t o = origins_.size(); o-- > 1 && o + 16 > origins_.size();)
    if (origins_[o].pc == origin.pc && origins_[o].kind == origin.kind) return static_cast<std::uint16_t>(o);
  origins_.push_back(std::move(origin));
  return static_cast<std::uint16_t>(origins_.size() - 1);
}

std::uint32_t Registers::of_operand(const WatchedStep& step, const Operand& operand,
                                    std::uint16_t& origin) const {
  std::uint32_t lanes = 0;
  if (operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address) {
    const Shadow& shadow = at(step.warp, operand.register_id);
    lanes = shadow.undefined & step.exec;
    if (lanes != 0) origin = shadow.origin;
  }
  for (const Operand& element : operand.elements) lanes |= of_operand(step, element, origin);
  return lanes;
}

std::uint32_t Registers::undefined_sources(const WatchedStep& step, std::uint16_t& origin) const {
  std::uint32_t lanes = 0;
  for (ptx::RegisterId r : uses_[step.pc].read) {
    const Shadow& shadow = at(step.warp, r);
    if ((shadow.undefined & step.exec) == 0) continue;
    lanes |= shadow.undefined & step.exec;
    origin = shadow.origin;
  }
  return lanes;
}

void Registers::define(const WatchedStep& step, std::uint32_t undefined, std::uint16_t origin) {
  for (ptx::RegisterId r : uses_[step.pc].written) {
    Shadow& shadow = at(step.warp, r);
    shadow.undefined = (shadow.undefined & ~step.exec) | (undefined & step.exec);
    if ((undefined & step.exec) != 0) shadow.origin = origin;
  }
}

void Registers::define_element(const WatchedStep& step, std::size_t element, std::uint32_t undefined,
                               std::uint16_t origin) {
  const Operand& whole = step.instruction->operands[0];
  const Operand& to = element < whole.elements.size() ? whole.elements[element] : whole;
  if (to.kind != Operand::Kind::reg) return;
  Shadow& shadow = at(step.warp, to.register_id);
  shadow.undefined = (shadow.undefined & ~step.exec) | (undefined & step.exec);
  if ((undefined & step.exec) != 0) shadow.origin = origin;
}

namespace {

// Lanes in which an operand is 0 (of floats, either zero).
std::uint32_t zero_lanes(const WatchedStep& step, std::size_t operand) {
  std::array<std::uint64_t, 32> values;
  step.values(operand, values);
  const ptx::Instruction& i = *step.instruction;
  const std::uint64_t sign = i.type == ptx::Type::f32   ? ~(std::uint64_t{1} << 31)
                             : i.type == ptx::Type::f64 ? ~(std::uint64_t{1} << 63)
                                                        : ~std::uint64_t{0};
  std::uint32_t lanes = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) lanes |= (values[lane] & sign) == 0 ? 1u << lane : 0;
  return lanes;
}

std::uint32_t true_lanes(const WatchedStep& step, std::size_t operand) {
  std::array<std::uint64_t, 32> values;
  step.values(operand, values);
  std::uint32_t lanes = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) lanes |= values[lane] != 0 ? 1u << lane : 0;
  return lanes;
}

}  // namespace

// selp d, a, b, p: what is chosen; and, or, mul, fma: one that decides the result makes the other
// unimportant.
std::uint32_t Registers::of_selection(const WatchedStep& step, std::uint16_t& origin) const {
  const ptx::Instruction& i = *step.instruction;
  const std::size_t a = i.destinations, b = a + 1, c = a + 2;
  const std::uint32_t in_a = of_operand(step, i.operands[a], origin),
                      in_b = of_operand(step, i.operands[b], origin);
  std::uint32_t in_c = i.operands.size() > c ? of_operand(step, i.operands[c], origin) : 0;
  if (i.opcode == Opcode::selp) {
    const std::uint32_t chosen = true_lanes(step, c);
    return (in_a & chosen) | (in_b & ~chosen) | in_c;
  }
  if (i.opcode == Opcode::or_) {  // of predicates
    if (i.type != ptx::Type::pred) return in_a | in_b;
    return (in_a & ~(true_lanes(step, b) & ~in_b)) | (in_b & ~(true_lanes(step, a) & ~in_a));
  }
  return (in_a & ~(zero_lanes(step, b) & ~in_b)) | (in_b & ~(zero_lanes(step, a) & ~in_a)) | in_c;
}

std::uint32_t Registers::result_of(const WatchedStep& step, std::uint16_t& origin) const {
  const std::uint32_t lanes = undefined_sources(step, origin);
  if (lanes == 0) return 0;
  switch (step.instruction->opcode) {
    case Opcode::selp:
    case Opcode::and_:
    case Opcode::or_:
      return of_selection(step, origin);
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::fma:
      // 0 times what an array holds before it is written, beta * C, is 0; only what is no number stays.
      if (ptx::is_float(step.instruction->type) &&
          (origin == 0 || origins_[origin].kind != Kind::uninitialized_global))
        return lanes;
      return of_selection(step, origin);
    case Opcode::sub:
    case Opcode::xor_: {  // of a value with itself: 0 whatever it is
      const auto& o = step.instruction->operands;
      const bool same = o.size() == 3 && o[1].kind == Operand::Kind::reg && o[2].kind == Operand::Kind::reg &&
                        o[1].register_id == o[2].register_id;
      return same ? 0 : lanes;
    }
    case Opcode::setp: {  // and of a predicate that is false, or of one that is true
      const auto& i = *step.instruction;
      if (i.bool_op == ptx::BoolOp::none) return lanes;
      std::uint16_t other = 0;
      const std::size_t last = i.operands.size() - 1;
      if ((of_operand(step, i.operands[last], other) & lanes) != 0) return lanes;
      const std::uint32_t set = true_lanes(step, last);
      return i.bool_op == ptx::BoolOp::and_  ? lanes & set
             : i.bool_op == ptx::BoolOp::or_ ? lanes & ~set
                                             : lanes;
    }
    case Opcode::mma:
    case Opcode::mma_sp:
    case Opcode::wmma_mma:
    case Opcode::movmatrix:
      return 0;  // rows and columns that nobody stores are often left as they were
    default:
      return lanes;
  }
}

std::uint16_t Registers::array_of(const WatchedStep& step, ptx::RegisterId r) const {
  const Shadow& shadow = at(step.warp, r);
  return (step.exec & ~shadow.array_lanes) == 0 ? shadow.array : std::uint16_t{0};
}

// The array that the result is an address in.
void Registers::pass_array(const WatchedStep& step) {
  const RegisterUse& use = uses_[step.pc];
  if (!use.may_point) return;
  std::uint16_t array = use.array;
  using Pointer = RegisterUse::Pointer;
  if (use.pointer == Pointer::none) array = 0;
  if (use.pointer == Pointer::keeps && array == 0 && !use.read.empty()) array = array_of(step, use.read[0]);
  if (use.pointer == Pointer::takes_last && array == 0 && !use.read.empty() &&
      step.instruction->operands.back().kind == Operand::Kind::reg)
    array = array_of(step, use.read.back());
  if (use.pointer == Pointer::adds)
    for (ptx::RegisterId r : use.read) {
      const std::uint16_t other = array_of(step, r);
      if (other == 0) continue;
      array = array == 0 || array == other ? other : std::uint16_t{0};
    }
  if (step.instruction->opcode == Opcode::sub && use.read.size() > 1 && array_of(step, use.read[1]) != 0)
    array = 0;
  for (ptx::RegisterId r : use.written) {
    Shadow& shadow = at(step.warp, r);
    if (array == 0) {
      shadow.array_lanes &= ~step.exec;
    } else {
      shadow.array_lanes = shadow.array == array ? shadow.array_lanes | step.exec : step.exec;
      shadow.array = array;
    }
  }
}

bool Registers::pass_over(const Stretch& stretch, std::uint32_t warp, std::uint32_t lanes) {
  Shadow* const registers = shadows_.data() + warp * count_;
  std::uint32_t undefined = 0;
  for (const ptx::RegisterId r : stretch.read) undefined |= registers[r].undefined;
  if ((undefined & lanes) != 0) return false;
  for (const ptx::RegisterId r : stretch.written) registers[r].undefined &= ~lanes;
  return true;
}

void Registers::pass_on(const WatchedStep& step) {
  std::uint16_t origin = 0;
  std::uint32_t lanes = result_of(step, origin);
  if (step.instruction->opcode == Opcode::shfl) lanes = of_shuffle(step, origin);
  define(step, lanes, origin);
  pass_array(step);
}

// shfl: the value of the lane it is read from, which has to take part.
std::uint32_t Registers::of_shuffle(const WatchedStep& step, std::uint16_t& origin) {
  const ptx::Instruction& i = *step.instruction;
  const std::size_t first = i.destinations;
  std::array<std::uint64_t, 32> by, limit;
  step.values(first + 1, by);
  step.values(first + 2, limit);
  std::uint16_t from = 0;
  const std::uint32_t source = i.operands[first].kind == Operand::Kind::reg
                                   ? at(step.warp, i.operands[first].register_id).undefined
                                   : 0;
  if (source != 0) from = at(step.warp, i.operands[first].register_id).origin;
  std::uint32_t undefined = 0;
  for (std::uint32_t rest = step.exec; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    const auto value = static_cast<std::uint32_t>(by[lane]) & 0x1f;
    const auto clamp = static_cast<std::uint32_t>(limit[lane]) & 0x1f,
               segment = static_cast<std::uint32_t>(limit[lane] >> 8) & 0x1f;
    const std::uint32_t most = (lane & segment) | (clamp & ~segment);
    std::uint32_t j = lane;
    bool in_range = true;
    switch (i.lane_mode) {
      case ptx::LaneMode::up:
        j = lane - value;
        in_range = static_cast<std::int32_t>(j) >= static_cast<std::int32_t>(most);
        break;
      case ptx::LaneMode::down:
        j = lane + value;
        in_range = j <= most;
        break;
      case ptx::LaneMode::bfly:
        j = lane ^ value;
        in_range = j <= most;
        break;
      default:
        j = (lane & segment) | (value & ~segment);
        in_range = j <= most;
        break;
    }
    if (!in_range || j > 31) j = lane;
    if (((step.exec >> j) & 1) == 0) {
      undefined |= 1u << lane;
      origin = add_origin(
          {Kind::inactive_source_lane, step.pc, {block_, step.warp, lane}, "lane " + std::to_string(j)});
    } else if (((source >> j) & 1) != 0) {
      undefined |= 1u << lane;
      origin = from;
    }
  }
  return undefined;
}

}  // namespace warplens::check
