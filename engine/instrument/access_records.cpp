#include "engine/instrument/access_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/instrument/entry_text.hpp"
#include "engine/instrument/snippets.hpp"

namespace warplens::instrument {
namespace {

using emulator::AccessKind;
using ptx::Function;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Program;
using ptx::Space;

// The side of an instruction that makes one record: where its address stands, and for which lanes.
struct Side {
  Site site;
  const Operand* memory = nullptr;  // null for a barrier
  std::string only = {};            // statements that set %warplens_only, and ...
  bool narrowed = false;            // ... whether the guard is to be narrowed by it
};

const Operand* memory_of(const Instruction& i) {
  const auto found = std::ranges::find_if(i.operands, [](const Operand& o) { return o.is_memory; });
  return found == i.operands.end() ? nullptr : &*found;
}

AccessKind kind_of(Opcode opcode) {
  if (opcode == Opcode::atom || opcode == Opcode::red) return AccessKind::atomic;
  return opcode == Opcode::st || opcode == Opcode::stmatrix ? AccessKind::store : AccessKind::load;
}

// What the compiler calls registers and variables.
class Names {
 public:
  Names(const Program& program, const Function& entry) : program_(program), entry_(entry) {}

  std::string of(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::reg:
      case Operand::Kind::address:
        return entry_.registers[operand.register_id].name;
      case Operand::Kind::global_symbol:
        return program_.variables[operand.symbol].name;
      case Operand::Kind::local_symbol:
        return entry_.variables[operand.symbol].name;
      default:
        return fmt::format("{}", operand.bits);
    }
  }
  bool is_32_bit(const Operand& operand) const {
    const bool in_register = operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address;
    return in_register && ptx::size_in_bytes(entry_.registers[operand.register_id].type) == 4;
  }
  // Statements that set %warplens_address. An address of 32 bits wraps at 32 bits.
  std::string address(const Operand& memory) const {
    if (is_32_bit(memory))
      return fmt::format(
          "\tadd.u32 %warplens_word, {}, {};\n\tcvt.u64.u32 %warplens_address, %warplens_word;\n", of(memory),
          static_cast<std::uint32_t>(memory.offset));
    std::string text = fmt::format("\tmov.u64 %warplens_address, {};\n", of(memory));
    if (memory.offset != 0)
      text += fmt::format("\tadd.s64 %warplens_address, %warplens_address, {};\n", memory.offset);
    return text;
  }
  // Statements that set %warplens_address to what a barrier's operands say.
  std::string barrier(const Instruction& i) const {
    const std::size_t first = i.destinations;
    std::string text = fmt::format("\tmov.u32 %warplens_word, {};\n", of(i.operands[first]));
    text += "\tcvt.u64.u32 %warplens_address, %warplens_word;\n";
    // bar.red has its predicate behind the numbers.
    const std::size_t numbers = i.operands.size() - (i.opcode == Opcode::bar_red ? 1 : 0);
    if (numbers <= first + 1) return text;
    return text + fmt::format(
                      "\tmov.u32 %warplens_word, {};\n\tcvt.u64.u32 %warplens_slot, %warplens_word;\n"
                      "\tshl.b64 %warplens_slot, %warplens_slot, 32;\n"
                      "\tor.b64 %warplens_address, %warplens_address, %warplens_slot;\n",
                      of(i.operands[first + 1]));
  }

 private:
  const Program& program_;
  const Function& entry_;
};

// Generic addresses become those of their space, with the space in the highest bits.
std::string tell_space() {
  return fmt::format(
      "\tisspacep.shared %warplens_mine, %warplens_address;\n\tisspacep.local %warplens_fits, "
      "%warplens_address;\n"
      "\t@%warplens_mine cvta.to.shared.u64 %warplens_address, %warplens_address;\n"
      "\t@%warplens_fits cvta.to.local.u64 %warplens_address, %warplens_address;\n"
      "\t@%warplens_mine or.b64 %warplens_address, %warplens_address, {:#x};\n"
      "\t@%warplens_fits or.b64 %warplens_address, %warplens_address, {:#x};\n",
      kSharedLane << kLaneSpaceShift, kLocalLane << kLaneSpaceShift);
}

// One place for the warp, or none where the buffer is full; the lowest lane tells the others its number.
std::string take_place() {
  return fmt::format(
      "\tmov.u64 %warplens_slot, 0;\n"
      "\t@%warplens_leader atom.global.add.u64 %warplens_slot, [%warplens_buffer], 1;\n"
      "\tmin.u64 %warplens_slot, %warplens_slot, 0xffffffff;\n\tcvt.u32.u64 %warplens_word, %warplens_slot;\n"
      "\tshfl.sync.idx.b32 %warplens_word, %warplens_word, %warplens_first, 31, %warplens_here;\n"
      "\tsetp.lt.u32 %warplens_fits, %warplens_word, %warplens_room;\n"
      "\tmad.wide.u32 %warplens_slot, %warplens_word, {}, %warplens_records;\n",
      sizeof(Record));
}

std::string write_record(std::uint32_t site) {
  return fmt::format(
      "\tand.pred %warplens_leader, %warplens_leader, %warplens_fits;\n\tmov.u32 %warplens_word, {0};\n"
      "\t@%warplens_leader st.global.v4.u32 [%warplens_slot], "
      "{{%warplens_word, %warplens_block, %warplens_warp, %warplens_lanes}};\n"
      "\tshr.u32 %warplens_word, %warplens_lanes, %warplens_lane;\n\tand.b32 %warplens_word, %warplens_word, "
      "1;\n"
      "\tsetp.ne.u32 %warplens_mine, %warplens_word, 0;\n"
      "\tand.pred %warplens_mine, %warplens_mine, %warplens_fits;\n"
      "\tmad.wide.u32 %warplens_slot, %warplens_lane, 8, %warplens_slot;\n"
      "\t@%warplens_mine st.global.u64 [%warplens_slot+{1}], %warplens_address;\n",
      site, offsetof(Record, address));
}

class Rewriter {
 public:
  Rewriter(std::string_view text, const ParsedEntry& parsed, const RecordOptions& options)
      : text_(text),
        program_(parsed.program),
        entry_(parsed.entry()),
        options_(options),
        names_(parsed.program, parsed.entry()) {}

  Result<AccessRecords> run() {
    const auto place = find_entry(text_, entry_);
    if (!place) return place.error();
    result_.entry = entry_.name;
    result_.parameter = entry_.name + "_warplens_records";
    find_variables();
    std::vector<Insertion> insertions{one_more_parameter(*place, result_.parameter),
                                      {place->code_begin, beginning()}};
    for (std::size_t pc = 0; pc < entry_.code.size(); ++pc) {
      if (const auto refused = refuse(entry_.code[pc])) return *refused;
      std::string inserted = before(entry_.code[pc], static_cast<std::uint32_t>(pc));
      if (!inserted.empty()) insertions.push_back({place->instructions[pc], std::move(inserted)});
    }
    result_.ptx = insert(text_, std::move(insertions));
    return std::move(result_);
  }

 private:
  std::optional<Error> refuse(const Instruction& i) {
    if (i.opcode != Opcode::call || i.operands.size() < 2) return std::nullopt;
    const Operand& callee = i.operands[1];
    if (callee.kind == Operand::Kind::function && program_.functions[callee.symbol].code.empty())
      return std::nullopt;  // the system's: printf, assert
    return Error{
        "the kernel calls " + name_of_callee(callee) + ", whose accesses cannot be recorded on the GPU",
        "declare it __forceinline__"};
  }
  std::string name_of_callee(const Operand& callee) const {
    return callee.kind == Operand::Kind::function ? program_.functions[callee.symbol].name
                                                  : "a function through a pointer";
  }

  // Those that the code names: naming another one here would make the compiler keep it.
  void find_variables() {
    for (const Instruction& i : entry_.code)
      for (const Operand& operand : i.operands) {
        const bool of_module = operand.kind == Operand::Kind::global_symbol;
        if (of_module || operand.kind == Operand::Kind::local_symbol) add_variable(of_module, operand.symbol);
      }
  }

  void add_variable(bool of_module, std::uint32_t symbol) {
    const Space space = (of_module ? program_.variables : entry_.variables)[symbol].space;
    const bool wanted =
        space == Space::shared || space == Space::global || (space == Space::local && options_.local);
    const auto same = [&](const VariablePlace& v) { return v.of_module == of_module && v.symbol == symbol; };
    if (wanted && std::ranges::none_of(result_.variables, same))
      result_.variables.push_back({of_module, symbol, space});
  }

  const std::string& name_of(const VariablePlace& place) const {
    return (place.of_module ? program_.variables : entry_.variables)[place.symbol].name;
  }

  std::string beginning() const {
    std::string text =
        "\n\t.reg .pred %warplens_off;\n\t.reg .b32 %warplens_block, %warplens_warp, %warplens_room;\n"
        "\t.reg .b64 %warplens_buffer, %warplens_records;\n"
        "\t{\n\t.reg .pred %warplens_tells;\n\t.reg .b32 %warplens_thread, %warplens_word, %warplens_bit;\n"
        "\t.reg .b64 %warplens_wide;\n";
    text += fmt::format(
        "\tld.param.u64 %warplens_buffer, [{}];\n"
        "\tcvta.to.global.u64 %warplens_buffer, %warplens_buffer;\n",
        result_.parameter);
    text += linear_block("%warplens_block", "%warplens_word");
    text += linear_thread("%warplens_thread", "%warplens_word");
    text += fmt::format(
        "\tshr.u32 %warplens_warp, %warplens_thread, 5;\n"
        "\tld.global.u32 %warplens_room, [%warplens_buffer+{}];\n"
        "\tld.global.u64 %warplens_records, [%warplens_buffer+{}];\n"
        "\tadd.s64 %warplens_records, %warplens_records, %warplens_buffer;\n",
        offsetof(Head, room), offsetof(Head, records));
    text += choose_block();
    return text + tell_variables() + "\t}\n";
  }

  // %warplens_off: the bit of this block is 0.
  std::string choose_block() const {
    return fmt::format(
        "\tshr.u32 %warplens_word, %warplens_block, 5;\n"
        "\tmad.wide.u32 %warplens_wide, %warplens_word, 4, %warplens_buffer;\n"
        "\tld.global.u32 %warplens_word, [%warplens_wide+{}];\n"
        "\tand.b32 %warplens_bit, %warplens_block, 31;\n"
        "\tshr.u32 %warplens_word, %warplens_word, %warplens_bit;\n"
        "\tand.b32 %warplens_word, %warplens_word, 1;\n\tsetp.eq.u32 %warplens_off, %warplens_word, 0;\n",
        sizeof(Head) + 8 * result_.variables.size());
  }

  std::string tell_variables() const {
    if (result_.variables.empty()) return "";
    std::string text = "\tsetp.eq.u32 %warplens_tells, %warplens_thread, 0;\n";
    for (std::size_t v = 0; v < result_.variables.size(); ++v)
      text += fmt::format(
          "\tmov.u64 %warplens_wide, {};\n\t@%warplens_tells st.global.u64 [%warplens_buffer+{}], "
          "%warplens_wide;\n",
          name_of(result_.variables[v]), sizeof(Head) + 8 * v);
    return text;
  }

  bool wanted(Space space) const {
    if (space == Space::constant || space == Space::param) return false;
    return space != Space::local || options_.local;
  }

  // The records that an instruction makes, in the order in which the emulator reports them.
  std::vector<Side> sides_of(const Instruction& i, std::uint32_t pc) {
    Side side;
    side.site.pc = pc;
    side.memory = memory_of(i);
    side.site.kind = kind_of(i.opcode);
    side.site.space = i.space;
    side.site.width = static_cast<std::uint8_t>(ptx::size_in_bytes(i.type) * i.vector);
    switch (i.opcode) {
      case Opcode::ld:
      case Opcode::ldu:
      case Opcode::st:
      case Opcode::atom:
      case Opcode::red:
        return wanted(i.space) ? std::vector<Side>{side} : std::vector<Side>{};
      case Opcode::cp_async:
        return copy_sides(i, side);
      case Opcode::ldmatrix:
      case Opcode::stmatrix:
        return {matrix_side(i, side)};
      case Opcode::bar_sync:
      case Opcode::bar_red:
        side.site.barrier = true;
        side.memory = nullptr;
        return {side};
      case Opcode::wmma_load:
      case Opcode::wmma_store:
        leave_out(i.opcode);
        return {};
      default:
        return {};
    }
  }

  void leave_out(Opcode opcode) {
    const std::string name(ptx::name(opcode));
    if (std::ranges::find(result_.left_out, name) == result_.left_out.end()) result_.left_out.push_back(name);
  }

  // cp.async [shared], [global], size {, bytes to read or a predicate that says to read none}
  std::vector<Side> copy_sides(const Instruction& i, Side side) const {
    side.site.kind = AccessKind::async_copy;
    side.site.width = static_cast<std::uint8_t>(i.operands[2].bits);
    Side reads = side, writes = side;
    writes.site.space = Space::shared;
    reads.site.space = Space::global;
    reads.memory = &i.operands[1];
    if (i.operands.size() < 4) return {reads, writes};
    const Operand& last = i.operands[3];
    const bool predicate =
        last.kind == Operand::Kind::reg && entry_.registers[last.register_id].type == ptx::Type::pred;
    reads.narrowed = true;
    reads.only = predicate ? fmt::format("\tnot.pred %warplens_only, {};\n", names_.of(last))
                           : fmt::format(
                                 "\tmov.u32 %warplens_word, {};\n"
                                 "\tsetp.ne.u32 %warplens_only, %warplens_word, 0;\n",
                                 names_.of(last));
    return {reads, writes};
  }

  // The rows of x1, x2 and x4 are given by the first 8, 16 and 32 lanes. PTX ISA 9.7.14 "ldmatrix".
  Side matrix_side(const Instruction& i, Side side) const {
    side.site.width = 16;
    if (side.site.space != Space::generic) side.site.space = Space::shared;
    side.narrowed = i.matrix_count != 4;
    side.only = fmt::format(
        "\tmov.u32 %warplens_word, %laneid;\n"
        "\tsetp.lt.u32 %warplens_only, %warplens_word, {};\n",
        8 * i.matrix_count);
    return side;
  }

  std::string before(const Instruction& i, std::uint32_t pc) {
    const std::vector<Side> sides = sides_of(i, pc);
    if (sides.empty()) return "";
    const std::string label = fmt::format("$WARPLENS_{}", pc);
    std::string text = fmt::format("@%warplens_off bra.uni {};\n", label);
    for (const Side& side : sides) {
      text += record(i, side, static_cast<std::uint32_t>(result_.sites.size()));
      result_.sites.push_back(side.site);
      const bool in_register = side.memory != nullptr && side.memory->kind == Operand::Kind::address;
      result_.sites.back().offset = in_register ? side.memory->offset : 0;
    }
    return text + label + ":\n\t";
  }

  std::string record(const Instruction& i, const Side& side, std::uint32_t site) const {
    std::string guard = guard_of(i, entry_);
    std::string text = "\t{\n" + lane_registers() +
                       "\t.reg .pred %warplens_fits, %warplens_mine, %warplens_only, %warplens_guard;\n"
                       "\t.reg .b32 %warplens_word;\n\t.reg .b64 %warplens_slot, %warplens_address;\n";
    text += side.memory != nullptr ? names_.address(*side.memory) : names_.barrier(i);
    if (side.memory != nullptr && side.site.space == Space::generic) text += tell_space();
    if (side.narrowed) {
      text += side.only;
      if (i.predicated)
        text += fmt::format(
            "\t{}.pred %warplens_guard, {};\n"
            "\tand.pred %warplens_only, %warplens_only, %warplens_guard;\n",
            i.guard_negated ? "not" : "mov", entry_.registers[i.guard].name);
      guard = "%warplens_only";
    }
    return text + elect_leader(guard) + take_place() + write_record(site) + "\t}\n";
  }

  std::string_view text_;
  const Program& program_;
  const Function& entry_;
  const RecordOptions& options_;
  Names names_;
  AccessRecords result_;
};

}  // namespace

Result<AccessRecords> with_access_records(std::string_view ptx, std::string_view entry,
                                          const RecordOptions& options) {
  const auto parsed = parse_entry(ptx, entry);
  if (!parsed) return parsed.error();
  auto records = Rewriter(ptx, *parsed, options).run();
  if (!records) return records;
  // A variable declared inside inner braces cannot be named at the entry's beginning.
  if (const auto check = parse_entry(records->ptx, records->entry); !check)
    return Error{"the kernel's PTX cannot be rewritten to record: " + check.error().message,
                 "run it on the emulator instead"};
  return records;
}

}  // namespace warplens::instrument
