#include "engine/instrument/access_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/instrument/entry_text.hpp"
#include "engine/instrument/memory_sides.hpp"

namespace warplens::instrument {
namespace {

using ptx::Function, ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Program, ptx::Space;

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

class RecordRewriter {
 public:
  RecordRewriter(std::string_view text, const ParsedEntry& parsed, const RecordOptions& options)
      : text_(text),
        program_(parsed.program),
        entry_(parsed.entry()),
        options_(options),
        sides_(parsed.program, parsed.entry()) {}

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
    if (entry_.cluster[0] != 0 || i.opcode == Opcode::mapa)  // shared addresses have the block's rank in them
      return Error{"the accesses of blocks in clusters cannot be recorded on the GPU",
                   "run it on the emulator instead"};
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

  void leave_out(Opcode opcode) {
    const std::string name(ptx::name(opcode));
    if (std::ranges::find(result_.left_out, name) == result_.left_out.end()) result_.left_out.push_back(name);
  }

  // Statements that set %warplens_address to what a barrier's operands say.
  std::string barrier(const Instruction& i) const {
    const std::size_t first = i.destinations;
    std::string text = fmt::format("\tmov.u32 %warplens_word, {};\n", sides_.name(i.operands[first]));
    text += "\tcvt.u64.u32 %warplens_address, %warplens_word;\n";
    // bar.red has its predicate behind the numbers.
    const std::size_t numbers = i.operands.size() - (i.opcode == Opcode::bar_red ? 1 : 0);
    if (numbers <= first + 1) return text;
    return text + fmt::format(
                      "\tmov.u32 %warplens_word, {};\n\tcvt.u64.u32 %warplens_slot, %warplens_word;\n"
                      "\tshl.b64 %warplens_slot, %warplens_slot, 32;\n"
                      "\tor.b64 %warplens_address, %warplens_address, %warplens_slot;\n",
                      sides_.name(i.operands[first + 1]));
  }

  // In the order in which the emulator reports them.
  std::string before(const Instruction& i, std::uint32_t pc) {
    if (i.opcode == Opcode::wmma_load || i.opcode == Opcode::wmma_store) leave_out(i.opcode);
    std::string text;
    if (i.opcode == Opcode::bar_sync || i.opcode == Opcode::bar_red)
      text += record({.pc = pc, .barrier = true}, barrier(i), guard_of(i, entry_));
    for (const MemorySide& side : sides_.of(i)) {
      if (side.space != Space::local || options_.local) text += record(i, pc, side);
    }
    if (text.empty()) return "";
    const std::string label = fmt::format("$WARPLENS_{}", pc);
    return fmt::format("@%warplens_off bra.uni {};\n", label) + text + label + ":\n\t";
  }

  std::string record(const Instruction& i, std::uint32_t pc, const MemorySide& side) {
    const bool in_register = side.memory->kind == Operand::Kind::address;
    std::string text = sides_.address(*side.memory);
    if (side.space == Space::generic) text += tell_space();
    if (side.narrowed) text += sides_.narrow(i, side);
    return record({.pc = pc,
                   .space = side.space,
                   .kind = side.kind,
                   .width = side.width,
                   .offset = in_register ? side.memory->offset : 0},
                  text, side.narrowed ? "%warplens_only" : guard_of(i, entry_));
  }

  // address: statements that set %warplens_address, and %warplens_only where that is the guard.
  std::string record(const Site& site, std::string_view address, std::string_view guard) {
    std::string text = "\t{\n" + lane_registers() +
                       "\t.reg .pred %warplens_fits, %warplens_mine, %warplens_only, %warplens_guard;\n"
                       "\t.reg .b32 %warplens_word;\n\t.reg .b64 %warplens_slot, %warplens_address;\n";
    text += address;
    text += elect_leader(guard) + take_place();
    text += write_record(static_cast<std::uint32_t>(result_.sites.size())) + "\t}\n";
    result_.sites.push_back(site);
    return text;
  }

  std::string_view text_;
  const Program& program_;
  const Function& entry_;
  const RecordOptions& options_;
  MemorySides sides_;
  AccessRecords result_;
};

}  // namespace

Result<AccessRecords> with_access_records(std::string_view ptx, std::string_view entry,
                                          const RecordOptions& options) {
  const auto parsed = parse_entry(ptx, entry);
  if (!parsed) return parsed.error();
  auto records = RecordRewriter(ptx, *parsed, options).run();
  if (!records) return records;
  // A variable declared inside inner braces cannot be named at the entry's beginning.
  if (const auto check = parse_entry(records->ptx, records->entry); !check)
    return Error{"the kernel's PTX cannot be rewritten to record: " + check.error().message,
                 "run it on the emulator instead"};
  return records;
}

}  // namespace warplens::instrument
