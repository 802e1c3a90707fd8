#include "engine/emulator/flow/flatten.hpp"

#include <algorithm>
#include <optional>

#include "engine/emulator/flow/passed_values.hpp"
#include "engine/emulator/flow/recursion.hpp"
#include "engine/emulator/flow/source_name.hpp"

namespace warplens::emulator {
namespace {

using ptx::Function, ptx::Instruction, ptx::Opcode, ptx::Operand;

constexpr std::size_t kMaxInstructions = 1u << 20;

// How the names of one inlined copy map to those of the result.
struct Frame {
  const Function* function = nullptr;
  std::uint32_t first_register = 0, first_variable = 0, first_table = 0;
  int first_location = 0;
  std::vector<Operand> parameters;      // what each parameter of a callee stands for
  std::vector<std::uint32_t> position;  // callee instruction -> result instruction
  std::uint32_t end = 0;                // result instruction behind the copy
  std::vector<std::uint32_t> copied;    // result instructions whose labels are still the callee's
  std::vector<std::uint32_t> returns;   // result instructions that branch to `end`
  Recursion* recursion = nullptr;       // of a function that may call itself
  std::vector<Operand> arrays;          // its local variables, by their numbers, in the frame of a call
};

class Inliner {
 public:
  explicit Inliner(const ptx::Program& program) : program_(program) { find_taken(); }

  Result<Function> run(std::size_t entry) {
    const Function& function = program_.functions[entry];
    result_ = function;
    result_.code.clear();
    result_.branch_tables.clear();
    result_.registers.clear();
    result_.variables.clear();
    result_.locations.clear();
    recursive_ = recursive_functions(program_, entry, taken_);
    if (std::ranges::find(recursive_, true) != recursive_.end()) stack_.open();
    if (auto error = copy(function, {}, {}, true)) return *error;
    stack_.close();
    pass_in_registers(result_);
    for (auto& variable : result_.variables)
      if (variable.space == ptx::Space::param) variable.space = ptx::Space::local;
    return std::move(result_);
  }

 private:
  std::optional<Error> copy(const Function& function, std::vector<Operand> parameters,
                            const Instruction& call, bool outermost) {
    Frame frame = open(function, std::move(parameters), call.location);
    running_.push_back(&frame);
    if (!outermost && recursive_[number_of(function)]) begin_recursion(frame, call);
    for (std::size_t i = 0; i < function.code.size(); ++i) {
      frame.position.push_back(static_cast<std::uint32_t>(result_.code.size()));
      if (result_.code.size() > kMaxInstructions)
        return Error{"the kernel is longer than 2^20 instructions", "unroll less"};
      if (auto error = copy_instruction(function.code[i], frame, outermost)) return error;
    }
    frame.position.push_back(static_cast<std::uint32_t>(result_.code.size()));
    frame.end = static_cast<std::uint32_t>(result_.code.size());
    close(frame);
    if (frame.recursion != nullptr) stack_.end(*frame.recursion);
    running_.pop_back();
    return std::nullopt;
  }

  void begin_recursion(Frame& frame, const Instruction& call) {
    frame.recursion = &stack_.begin(*frame.function, std::move(frame.parameters), call);
    frame.parameters = frame.recursion->places;
    for (const ptx::Variable& variable : frame.function->variables)
      frame.arrays.push_back(variable.space == ptx::Space::local ? stack_.place(*frame.recursion, variable)
                                                                 : Operand{});
  }

  std::size_t number_of(const Function& function) const {
    return static_cast<std::size_t>(&function - program_.functions.data());
  }
  // The copy of the function that runs already; null: it does not.
  Frame* running(const Function& function) const {
    const auto found = std::ranges::find(running_, &function, &Frame::function);
    return found == running_.end() ? nullptr : *found;
  }

  Frame open(const Function& function, std::vector<Operand> parameters, int call_location) {
    Frame frame;
    frame.function = &function;
    frame.parameters = std::move(parameters);
    frame.first_register = static_cast<std::uint32_t>(result_.registers.size());
    frame.first_variable = static_cast<std::uint32_t>(result_.variables.size());
    frame.first_table = static_cast<std::uint32_t>(result_.branch_tables.size());
    frame.first_location = static_cast<int>(result_.locations.size());
    result_.registers.insert(result_.registers.end(), function.registers.begin(), function.registers.end());
    result_.variables.insert(result_.variables.end(), function.variables.begin(), function.variables.end());
    result_.branch_tables.insert(result_.branch_tables.end(), function.branch_tables.begin(),
                                 function.branch_tables.end());
    for (ptx::SourceLocation location : function.locations) {
      location.inlined_at =
          location.inlined_at >= 0 ? location.inlined_at + frame.first_location : call_location;
      result_.locations.push_back(location);
    }
    return frame;
  }

  void close(const Frame& frame) {
    for (std::uint32_t at : frame.copied)
      for (Operand& operand : result_.code[at].operands)
        if (operand.kind == Operand::Kind::label && result_.code[at].opcode != Opcode::brx_idx)
          operand.target = frame.position[operand.target];
    for (std::uint32_t at : frame.returns) result_.code[at].operands[0].target = frame.end;
    for (std::size_t t = 0; t < frame.function->branch_tables.size(); ++t)
      for (std::uint32_t& target : result_.branch_tables[frame.first_table + t].targets)
        target = frame.position[target];
  }

  std::optional<Error> copy_instruction(const Instruction& original, Frame& frame, bool outermost) {
    if (original.opcode == Opcode::call) return copy_call(original, frame);
    Instruction copy = original;
    rename(copy, frame);
    if (!take_address(copy))
      return Error{"an address in the frame of a function that calls itself", "write the recursion as a loop",
                   place_of(original, frame)};
    if (copy.opcode == Opcode::ret && !outermost) {
      copy.opcode = Opcode::bra;
      copy.uniform = false;
      Operand label;
      label.kind = Operand::Kind::label;
      copy.operands = {label};
      frame.returns.push_back(static_cast<std::uint32_t>(result_.code.size()));
    } else {
      frame.copied.push_back(static_cast<std::uint32_t>(result_.code.size()));
    }
    result_.code.push_back(std::move(copy));
    return std::nullopt;
  }

  std::optional<Error> copy_call(const Instruction& original, Frame& frame) {
    if (original.operands[1].kind != Operand::Kind::function) return copy_pointer_call(original, frame);
    const Function& callee = program_.functions[original.operands[1].symbol];
    Instruction call = original;
    rename(call, frame);
    if (callee.is_external || callee.code.empty()) {
      result_.code.push_back(std::move(call));
      return std::nullopt;
    }
    if (call.predicated)
      return Error{"a call under a guard", "write the condition as an if", place_of(original, frame)};
    std::vector<Operand> bound = passed(call);
    if (bound.size() != callee.parameters.size())
      return Error{"a call of " + callee.name + " with " + std::to_string(bound.size()) + " arguments for " +
                       std::to_string(callee.parameters.size()),
                   ""};
    return enter(callee, std::move(bound), call);
  }

  // A copy of the function, or a call of the one that runs.
  std::optional<Error> enter(const Function& callee, std::vector<Operand> bound, const Instruction& call) {
    const Frame* const again = running(callee);
    if (again == nullptr) return copy(callee, std::move(bound), call, false);
    stack_.call_again(*again->recursion, std::move(bound), call);
    return std::nullopt;
  }

  // Arguments and results, in the order of a function's parameters.
  static std::vector<Operand> passed(const Instruction& call) {
    const auto elements = [](const Operand& operand) {
      return operand.kind == Operand::Kind::vector ? operand.elements : std::vector<Operand>{};
    };
    std::vector<Operand> bound;
    if (call.operands.size() > 2) bound = elements(call.operands[2]);
    for (Operand& operand : elements(call.operands[0])) bound.push_back(std::move(operand));
    return bound;
  }

  // A call through a pointer becomes a branch over the addresses of all functions that can be meant, with a
  // copy of each of them behind it.
  std::optional<Error> copy_pointer_call(const Instruction& original, Frame& frame) {
    if (original.predicated)
      return Error{"a call under a guard", "write the condition as an if", place_of(original, frame)};
    Instruction call = original;
    rename(call, frame);
    const std::vector<Operand> bound = passed(call);
    const auto table = static_cast<std::uint32_t>(result_.branch_tables.size());
    result_.branch_tables.push_back(
        {std::vector<std::uint32_t>(program_.functions.size(), ptx::BranchTable::kNoFunction), true});
    Instruction branch = call;
    branch.opcode = Opcode::brx_idx;
    branch.destinations = 0;
    branch.operands = {call.operands[1], Operand{}};
    branch.operands[1].kind = Operand::Kind::label;
    branch.operands[1].target = table;
    result_.code.push_back(std::move(branch));
    std::vector<std::uint32_t> ends;  // branches behind the call
    for (std::size_t f = 0; f < program_.functions.size(); ++f) {
      const Function& callee = program_.functions[f];
      if (!is_meant(original, frame, f)) continue;
      const auto begin = static_cast<std::uint32_t>(result_.code.size());
      result_.branch_tables[table].targets[f] = begin;
      if (auto error = enter(callee, bound, call)) return error;
      leave_copy(begin, ends);
    }
    for (const std::uint32_t at : ends)
      result_.code[at].operands[0].target = static_cast<std::uint32_t>(result_.code.size());
    return std::nullopt;
  }

  // What leaves the copy [begin, the end of the code) must not run into the next one.
  void leave_copy(std::uint32_t begin, std::vector<std::uint32_t>& ends) {
    const auto end = static_cast<std::uint32_t>(result_.code.size());
    for (std::uint32_t at = begin; at < end; ++at)
      if (result_.code[at].opcode == Opcode::bra && result_.code[at].operands[0].target == end)
        ends.push_back(at);
    const bool falls =
        begin == end || result_.code[end - 1].predicated ||
        (result_.code[end - 1].opcode != Opcode::bra && result_.code[end - 1].opcode != Opcode::trap &&
         result_.code[end - 1].opcode != Opcode::exit);
    if (!falls) return;
    Instruction jump;
    jump.opcode = Opcode::bra;
    jump.operands.emplace_back().kind = Operand::Kind::label;
    ends.push_back(end);
    result_.code.push_back(std::move(jump));
  }

  // Whether a call through a pointer can mean the function: its address is taken somewhere, and it takes and
  // returns as many bytes.
  bool is_meant(const Instruction& call, const Frame& frame, std::size_t f) const {
    const Function& callee = program_.functions[f];
    if (callee.is_entry || callee.is_external || callee.code.empty() || !taken_[f]) return false;
    const std::vector<Operand> values = passed(call);
    if (values.size() != callee.parameters.size() || call.operands[0].elements.size() != callee.return_count)
      return false;
    for (std::size_t v = 0; v < values.size(); ++v)
      if (values[v].kind == Operand::Kind::local_symbol &&
          frame.function->variables[values[v].symbol].size != callee.parameters[v].size)
        return false;
    return true;
  }

  void find_taken() {
    taken_.assign(program_.functions.size(), false);
    for (const ptx::Variable& variable : program_.variables)
      for (const ptx::Relocation& relocation : variable.relocations)
        if (relocation.function) taken_[relocation.symbol] = true;
    for (const Function& function : program_.functions)
      for (const Instruction& i : function.code)
        for (std::size_t o = 0; o < i.operands.size(); ++o)
          if (i.opcode != Opcode::call && i.operands[o].kind == Operand::Kind::function)
            taken_[i.operands[o].symbol] = true;
  }

  // What is in a frame has an address that is computed. False: it is asked for in another way than by mov.
  static bool take_address(Instruction& instruction) {
    const auto is_place = [](const Operand& operand) {
      return operand.kind == Operand::Kind::address && !operand.is_memory;
    };
    if (std::ranges::none_of(instruction.operands, is_place)) return true;
    if (instruction.opcode != Opcode::mov) return false;
    Operand& place = instruction.operands[1];
    Operand offset;
    offset.kind = Operand::Kind::immediate;
    offset.bits = static_cast<std::uint64_t>(place.offset);
    place.kind = Operand::Kind::reg;
    place.offset = 0;
    instruction.opcode = Opcode::add;
    instruction.type = ptx::Type::u64;
    instruction.operands.push_back(offset);
    return true;
  }

  Place place_of(const Instruction& instruction, const Frame& frame) const {
    if (instruction.location < 0) return {};
    const auto& source = frame.function->locations[static_cast<std::size_t>(instruction.location)];
    if (source.file < 0 || static_cast<std::size_t>(source.file) >= program_.files.size()) return {};
    return {program_.files[static_cast<std::size_t>(source.file)], source.line, 0};
  }

  void rename(Instruction& instruction, const Frame& frame) {
    if (instruction.predicated) instruction.guard += frame.first_register;
    if (instruction.location >= 0) instruction.location += frame.first_location;
    for (Operand& operand : instruction.operands) rename(operand, instruction, frame);
  }

  void rename(Operand& operand, Instruction& instruction, const Frame& frame) {
    using Kind = Operand::Kind;
    for (Operand& element : operand.elements) rename(element, instruction, frame);
    if (operand.kind == Kind::reg || operand.kind == Kind::address)
      operand.register_id += frame.first_register;
    if (operand.kind == Kind::local_symbol && operand.symbol < frame.arrays.size() &&
        frame.arrays[operand.symbol].kind == Kind::address) {
      const Operand array = frame.arrays[operand.symbol];
      operand.kind = Kind::address;
      operand.register_id = array.register_id;
      operand.offset += array.offset;
    } else if (operand.kind == Kind::local_symbol) {
      operand.symbol += frame.first_variable;
      if (instruction.space == ptx::Space::param) instruction.space = ptx::Space::local;
    }
    if (operand.kind == Kind::parameter_symbol && !frame.parameters.empty()) {
      Operand bound = frame.parameters[operand.symbol];
      bound.offset += operand.offset;
      bound.is_memory = operand.is_memory;
      if (instruction.space == ptx::Space::param) instruction.space = ptx::Space::local;
      operand = bound;
    }
    if (instruction.opcode == Opcode::brx_idx && operand.kind == Kind::label)
      operand.target += frame.first_table;
  }

  const ptx::Program& program_;
  Function result_;
  CallStack stack_{result_};
  std::vector<Frame*> running_;          // copies, each inlined into the one before it
  std::vector<bool> taken_, recursive_;  // functions whose address is taken; that may call themselves
};

}  // namespace

Result<ptx::Function> inline_calls(const ptx::Program& program, std::size_t entry) {
  return Inliner(program).run(entry);
}

}  // namespace warplens::emulator
