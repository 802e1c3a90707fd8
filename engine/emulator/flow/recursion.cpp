#include "engine/emulator/flow/recursion.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/base/round_up.hpp"
#include "engine/emulator/flow/flow.hpp"

namespace warplens::emulator {
namespace {

using ptx::Function, ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::RegisterId, ptx::Type;

// No variable of PTX is called so.
constexpr const char* kStackName = "%call_stack";

// What stands at a frame's begin.
constexpr std::int64_t kReturnNumber = 0, kCallersFrame = 8;
constexpr std::uint64_t kHeaderBytes = 16, kSlotBytes = 16;  // a slot holds any register

Operand reg(RegisterId id) {
  Operand operand;
  operand.kind = Operand::Kind::reg;
  operand.register_id = id;
  return operand;
}
Operand memory(RegisterId base, std::int64_t offset) {
  Operand operand;
  operand.kind = Operand::Kind::address;
  operand.is_memory = true;
  operand.register_id = base;
  operand.offset = offset;
  return operand;
}
Operand behind(Operand place, std::uint64_t bytes) {
  place.is_memory = true;
  place.offset += static_cast<std::int64_t>(bytes);
  return place;
}
Operand number(std::uint64_t value) {
  Operand operand;
  operand.kind = Operand::Kind::immediate;
  operand.bits = value;
  return operand;
}
Operand label(std::uint32_t target) {
  Operand operand;
  operand.kind = Operand::Kind::label;
  operand.target = target;
  return operand;
}

Type bits_of(std::uint64_t bytes) {
  return bytes == 1   ? Type::b8
         : bytes == 2 ? Type::b16
         : bytes == 4 ? Type::b32
         : bytes == 8 ? Type::b64
                      : Type::b128;
}

using Callees = std::vector<std::vector<std::size_t>>;
using Marks = std::vector<char>;  // of functions

Callees callees_of(const ptx::Program& program, const std::vector<bool>& taken) {
  Callees callees;
  for (const Function& function : program.functions) {
    Marks called(taken.size(), 0);
    for (const Instruction& i : function.code) {
      if (i.opcode != Opcode::call) continue;
      if (i.operands[1].kind == Operand::Kind::function)
        called[i.operands[1].symbol] = 1;
      else
        std::ranges::transform(called, taken, called.begin(), std::logical_or<>());
    }
    auto& list = callees.emplace_back();
    for (std::size_t f = 0; f < called.size(); ++f)
      if (called[f] != 0) list.push_back(f);
  }
  return callees;
}

// The function itself where a way of calls leads back to it.
Marks reached_from(std::size_t function, const Callees& callees) {
  Marks reached(callees.size(), 0);
  std::vector<std::size_t> open = {function};
  while (!open.empty()) {
    const std::size_t from = open.back();
    open.pop_back();
    for (const std::size_t callee : callees[from])
      if (std::exchange(reached[callee], 1) == 0) open.push_back(callee);
  }
  return reached;
}

}  // namespace

bool is_call_stack(const ptx::Variable& variable) { return variable.name == kStackName; }

ptx::Variable call_stack(std::uint64_t bytes) {
  ptx::Variable stack;
  stack.name = kStackName;
  stack.space = ptx::Space::local;
  stack.alignment = kSlotBytes;
  stack.size = bytes;
  return stack;
}

std::vector<bool> recursive_functions(const ptx::Program& program, std::size_t kernel,
                                      const std::vector<bool>& taken) {
  const Callees callees = callees_of(program, taken);
  const Marks reached = reached_from(kernel, callees);
  std::vector<bool> recursive(reached.size(), false);
  for (std::size_t f = 0; f < recursive.size(); ++f)
    recursive[f] = reached[f] != 0 && reached_from(f, callees)[f] != 0;
  return recursive;
}

RegisterId CallStack::add_register(const char* name, Type type) {
  kernel_.registers.push_back({name, type});
  return static_cast<RegisterId>(kernel_.registers.size() - 1);
}

void CallStack::emit(const Instruction& of, Opcode opcode, Type type, std::vector<Operand> operands,
                     std::uint8_t destinations) {
  Instruction i;
  i.opcode = opcode;
  i.type = type;
  if (opcode == Opcode::ld || opcode == Opcode::st) i.space = ptx::Space::local;
  if (opcode == Opcode::setp) i.compare = ptx::Compare::ne;
  i.operands = std::move(operands);
  i.destinations = destinations;
  i.location = of.location;
  i.ptx_line = of.ptx_line;
  kernel_.code.push_back(std::move(i));
}

void CallStack::open() {
  top_ = add_register("%stack", Type::u64);
  Operand stack;
  stack.kind = Operand::Kind::local_symbol;  // close() says which
  emit({}, Opcode::mov, Type::u64, {reg(*top_), stack}, 1);
}

Recursion& CallStack::begin(const Function& function, std::vector<Operand> passed, const Instruction& call) {
  Recursion& one = recursions_.emplace_back();
  one.first_register = static_cast<std::uint32_t>(kernel_.registers.size() - function.registers.size());
  one.frame = add_register("%frame", Type::u64);
  one.passed = std::move(passed);
  one.parameters = function.parameters;
  one.argument_count = function.parameters.size() - function.return_count;
  one.call = call;
  one.frame_bytes = kHeaderBytes;
  for (const ptx::Parameter& parameter : function.parameters) {
    one.frame_bytes = round_up(one.frame_bytes, std::max<std::uint64_t>(parameter.alignment, 1));
    one.places.push_back(memory(one.frame, static_cast<std::int64_t>(one.frame_bytes)));
    one.frame_bytes += parameter.size;
  }
  const RegisterId zero = add_register("%zero", Type::u32);
  emit(call, Opcode::mov, Type::u32, {reg(zero), number(0)}, 1);
  emit(call, Opcode::st, Type::u32, {memory(*top_, kReturnNumber), reg(zero)}, 0);
  for (std::size_t p = 0; p < one.argument_count; ++p)
    copy(call, one.passed[p], memory(*top_, one.places[p].offset), one.parameters[p]);
  one.entry = static_cast<std::uint32_t>(kernel_.code.size());
  emit(call, Opcode::mov, Type::u64, {reg(one.frame), reg(*top_)}, 1);
  one.growth = static_cast<std::uint32_t>(kernel_.code.size());
  emit(call, Opcode::add, Type::u64, {reg(*top_), reg(*top_), number(0)}, 1);  // close() says how many
  return one;
}

Operand CallStack::place(Recursion& recursion, const ptx::Variable& variable) const {
  recursion.frame_bytes = round_up(recursion.frame_bytes, std::max<std::uint64_t>(variable.alignment, 1));
  const Operand place = memory(recursion.frame, static_cast<std::int64_t>(recursion.frame_bytes));
  recursion.frame_bytes += variable.size;
  return place;
}

void CallStack::call_again(Recursion& recursion, std::vector<Operand> passed, const Instruction& call) {
  const auto at = static_cast<std::uint32_t>(kernel_.code.size());
  recursion.sites.push_back({at, std::move(passed)});
  emit(call, Opcode::bra, Type::none, {label(at + 1)}, 0);  // close() sends it to what it does
  emit(call, Opcode::bra, Type::none, {label(at + 2)}, 0);
}

void CallStack::end(Recursion& recursion) {
  recursion.last_register = static_cast<std::uint32_t>(kernel_.registers.size());
  const Instruction& of = recursion.call;
  const RegisterId where = add_register("%return", Type::u32);
  emit(of, Opcode::mov, Type::u64, {reg(*top_), reg(recursion.frame)}, 1);
  emit(of, Opcode::ld, Type::u32, {reg(where), memory(*top_, kReturnNumber)}, 1);
  recursion.table = static_cast<std::uint32_t>(kernel_.branch_tables.size());
  kernel_.branch_tables.push_back({{static_cast<std::uint32_t>(kernel_.code.size() + 1)}, false});
  emit(of, Opcode::brx_idx, Type::none, {reg(where), label(recursion.table)}, 0);
  for (std::size_t p = recursion.argument_count; p < recursion.parameters.size(); ++p)
    copy(of, memory(*top_, recursion.places[p].offset), recursion.passed[p], recursion.parameters[p]);
  emit(of, Opcode::bra, Type::none, {label(static_cast<std::uint32_t>(kernel_.code.size() + 1))}, 0);
}

void CallStack::copy(const Instruction& of, const Operand& from, const Operand& to,
                     const ptx::Parameter& parameter) {
  std::uint64_t done = 0;
  for (const std::uint64_t bytes : {8, 4, 2, 1})
    for (; parameter.alignment >= bytes && parameter.size - done >= bytes; done += bytes) {
      const RegisterId value = add_register("%passed", bits_of(bytes));
      emit(of, Opcode::ld, bits_of(bytes), {reg(value), behind(from, done)}, 1);
      emit(of, Opcode::st, bits_of(bytes), {behind(to, done), reg(value)}, 0);
    }
}

// A predicate has no place in memory: it is kept as 0 or 1.
void CallStack::keep(const Instruction& of, RegisterId kept, const Operand& place, bool is_back) {
  const Type type = kernel_.registers[kept].type;
  const bool is_predicate = type == Type::pred;
  const RegisterId value = is_predicate ? add_register("%kept", Type::u32) : kept;
  const Type stored =
      is_predicate ? Type::u32 : bits_of(static_cast<std::uint64_t>(ptx::size_in_bytes(type)));
  if (is_back) {
    emit(of, Opcode::ld, stored, {reg(value), place}, 1);
    if (is_predicate) emit(of, Opcode::setp, Type::u32, {reg(kept), reg(value), number(0)}, 1);
  } else {
    if (is_predicate) emit(of, Opcode::selp, Type::u32, {reg(value), number(1), number(0), reg(kept)}, 1);
    emit(of, Opcode::st, stored, {place, reg(value)}, 0);
  }
}

void CallStack::write_site(Recursion& recursion, std::size_t number_of_site,
                           const std::vector<RegisterId>& kept) {
  const Recursion::Site& site = recursion.sites[number_of_site];
  const Instruction of = kernel_.code[site.at];
  const auto slot = [&](std::size_t k) {
    return memory(recursion.frame, static_cast<std::int64_t>(recursion.frame_bytes + k * kSlotBytes));
  };
  kernel_.code[site.at].operands[0].target = static_cast<std::uint32_t>(kernel_.code.size());
  for (std::size_t k = 0; k < kept.size(); ++k) keep(of, kept[k], slot(k), false);
  const RegisterId where = add_register("%site", Type::u32);
  emit(of, Opcode::mov, Type::u32, {reg(where), number(number_of_site + 1)}, 1);
  emit(of, Opcode::st, Type::u32, {memory(*top_, kReturnNumber), reg(where)}, 0);
  emit(of, Opcode::st, Type::u64, {memory(*top_, kCallersFrame), reg(recursion.frame)}, 0);
  for (std::size_t p = 0; p < recursion.argument_count; ++p)
    copy(of, site.passed[p], memory(*top_, recursion.places[p].offset), recursion.parameters[p]);
  emit(of, Opcode::bra, Type::none, {label(recursion.entry)}, 0);
  kernel_.branch_tables[recursion.table].targets.push_back(static_cast<std::uint32_t>(kernel_.code.size()));
  emit(of, Opcode::ld, Type::u64, {reg(recursion.frame), memory(*top_, kCallersFrame)}, 1);
  for (std::size_t k = 0; k < kept.size(); ++k) keep(of, kept[k], slot(k), true);
  for (std::size_t p = recursion.argument_count; p < recursion.parameters.size(); ++p)
    copy(of, memory(*top_, recursion.places[p].offset), site.passed[p], recursion.parameters[p]);
  emit(of, Opcode::bra, Type::none, {label(site.at + 1)}, 0);
}

void CallStack::close() {
  if (!top_) return;
  emit({}, Opcode::ret, Type::none, {}, 0);  // the end of the kernel's own code falls through to it
  const Flow flow(kernel_);
  std::vector<std::vector<RegisterId>> kept;
  for (const Recursion& recursion : recursions_)
    for (const Recursion::Site& site : recursion.sites) {
      kept.emplace_back();
      flow.live_before(site.at + 1).for_each([&](std::size_t r) {
        if (r >= recursion.first_register && r < recursion.last_register && r != recursion.frame)
          kept.back().push_back(static_cast<RegisterId>(r));
      });
    }
  std::size_t next = 0;
  for (Recursion& recursion : recursions_) {
    recursion.frame_bytes = round_up(recursion.frame_bytes, kSlotBytes);
    std::size_t most = 0;
    for (std::size_t s = 0; s < recursion.sites.size(); ++s, ++next) {
      most = std::max(most, kept[next].size());
      write_site(recursion, s, kept[next]);
    }
    kernel_.code[recursion.growth].operands[2].bits = recursion.frame_bytes + most * kSlotBytes;
  }
  const auto own = std::ranges::find_if(kernel_.variables, is_call_stack);
  kernel_.code.front().operands[1].symbol = static_cast<ptx::SymbolId>(own - kernel_.variables.begin());
  if (own == kernel_.variables.end()) kernel_.variables.push_back(call_stack(kStackBytes));
}

}  // namespace warplens::emulator
