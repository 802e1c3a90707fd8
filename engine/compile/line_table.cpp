#include "engine/compile/line_table.hpp"

#include <algorithm>
#include <map>

namespace warplens::compile {
namespace {

Error malformed() {
  return {"the line table of the machine code cannot be read", "delete the cache folder and compile again"};
}

struct Header {
  std::uint8_t instruction_length = 1, line_range = 1, opcode_base = 1;
  std::int8_t line_base = 0;
  std::vector<std::uint8_t> operand_counts;  // of the standard opcodes 1 .. opcode_base - 1
  std::vector<int> files;                    // the unit's file number - 1 -> index into LineTable::files
};

// Where a DW_LNE_set_address operand points: the operand's offset in the table -> section and address.
struct Target {
  std::size_t section = 0;
  std::uint64_t address = 0;
};
using Targets = std::map<std::uint64_t, Target>;

Targets targets_of(const Elf& elf, std::string_view table) {
  Targets targets;
  for (const Elf::Relocation& relocation : elf.relocations(table)) {
    if (relocation.symbol >= elf.symbols().size()) continue;
    const Elf::Symbol& symbol = elf.symbols()[relocation.symbol];
    targets[relocation.offset] = {symbol.section,
                                  symbol.value + static_cast<std::uint64_t>(relocation.addend)};
  }
  return targets;
}

// One unit's line program, run as the state machine of DWARF 2.0.0, 6.2.2.
class LineProgram {
 public:
  LineProgram(Header header, const Targets& targets, std::size_t wanted_section, std::vector<LineRow>& rows)
      : header_(std::move(header)), targets_(targets), wanted_(wanted_section), rows_(rows) {
    reset();
  }

  // base: the offset in the table at which `reader` reads offset 0.
  void run(ByteReader& reader, std::uint64_t base) {
    while (!reader.at_end() && !reader.failed()) {
      const std::uint8_t opcode = reader.u8();
      if (opcode >= header_.opcode_base) {
        special(opcode);
      } else if (opcode == 0) {
        extended(reader, base);
      } else {
        standard(opcode, reader);
      }
    }
  }

 private:
  void reset() {
    row_ = LineRow{};
    row_.line = 1;
    set_file(1);
    section_ = 0;
  }

  void set_file(std::uint64_t number) {
    row_.file = number >= 1 && number <= header_.files.size()
                    ? header_.files[static_cast<std::size_t>(number - 1)]
                    : -1;
  }

  void emit(bool end) {
    if (section_ != wanted_) return;
    rows_.push_back(row_);
    rows_.back().end = end;
  }

  void advance(std::uint64_t instructions) { row_.address += instructions * header_.instruction_length; }

  // Wraps like the hardware's register would: a malformed program must not overflow a signed number.
  void add_line(std::int64_t lines) {
    row_.line = static_cast<int>(static_cast<std::uint32_t>(row_.line) + static_cast<std::uint32_t>(lines));
  }

  void special(std::uint8_t opcode) {
    const unsigned adjusted = static_cast<unsigned>(opcode - header_.opcode_base);
    advance(adjusted / header_.line_range);
    add_line(header_.line_base + static_cast<int>(adjusted % header_.line_range));
    emit(false);
  }

  void extended(ByteReader& reader, std::uint64_t base) {
    const std::uint64_t length = reader.uleb128();
    const std::uint64_t start = reader.offset();
    ByteReader operands(reader.take(length));
    switch (operands.u8()) {
      case 1:  // DW_LNE_end_sequence
        emit(true);
        reset();
        break;
      case 2: {  // DW_LNE_set_address
        row_.address = operands.u64();
        section_ = wanted_;  // a linked file: addresses are final
        if (const auto target = targets_.find(base + start + 1); target != targets_.end()) {
          section_ = target->second.section;
          row_.address = target->second.address;
        }
        break;
      }
      default:
        break;  // NVIDIA's inlined-call and function-name rows: the line stays the innermost one's
    }
  }

  void standard(std::uint8_t opcode, ByteReader& reader) {
    switch (opcode) {
      case 1:
        emit(false);
        break;  // DW_LNS_copy
      case 2:
        advance(reader.uleb128());
        break;  // DW_LNS_advance_pc
      case 3:
        add_line(reader.sleb128());
        break;  // DW_LNS_advance_line
      case 4:
        set_file(reader.uleb128());
        break;  // DW_LNS_set_file
      case 8:
        advance((255u - header_.opcode_base) / header_.line_range);
        break;  // DW_LNS_const_add_pc
      case 9:
        row_.address += reader.u16();
        break;  // DW_LNS_fixed_advance_pc
      default:
        for (int i = 0; i < header_.operand_counts[opcode - 1u]; ++i) (void)reader.uleb128();
    }
  }

  Header header_;
  const Targets& targets_;
  std::size_t wanted_;
  std::vector<LineRow>& rows_;
  LineRow row_;
  std::size_t section_ = 0;
};

int file_index(LineTable& table, const std::string& path) {
  const auto found = std::find(table.files.begin(), table.files.end(), path);
  const auto index = static_cast<int>(found - table.files.begin());
  if (found == table.files.end()) table.files.push_back(path);
  return index;
}

Result<Header> read_header(ByteReader& reader, LineTable& table) {
  Header header;
  header.instruction_length = reader.u8();
  reader.skip(1);  // default_is_stmt
  header.line_base = static_cast<std::int8_t>(reader.u8());
  header.line_range = reader.u8();
  header.opcode_base = reader.u8();
  if (reader.failed() || header.line_range == 0 || header.opcode_base == 0) return malformed();
  for (int i = 1; i < header.opcode_base; ++i) header.operand_counts.push_back(reader.u8());
  std::vector<std::string> folders{""};
  for (std::string_view folder = reader.text(); !folder.empty(); folder = reader.text())
    folders.emplace_back(folder);
  for (std::string_view name = reader.text(); !name.empty(); name = reader.text()) {
    const std::uint64_t folder = reader.uleb128();
    (void)reader.uleb128();  // time of change
    (void)reader.uleb128();  // length
    std::string path = folder > 0 && folder < folders.size() ? folders[static_cast<std::size_t>(folder)] : "";
    if (!path.empty() && path.back() != '/') path += '/';
    header.files.push_back(file_index(table, path + std::string(name)));
  }
  if (reader.failed()) return malformed();
  return header;
}

Status read_unit(Bytes unit, std::uint64_t base, const Targets& targets, std::size_t wanted,
                 LineTable& table) {
  ByteReader reader(unit);
  const std::uint16_t version = reader.u16();
  if (version < 2) return malformed();
  if (version > 3) return Done{};  // of somebody's library, linked into a host's program
  const std::uint64_t header_length = reader.u32();
  const std::uint64_t program = reader.offset() + header_length;
  Result<Header> header = read_header(reader, table);
  if (!header) return header.error();
  if (program > unit.size()) return malformed();
  ByteReader code(unit.subspan(static_cast<std::size_t>(program)));
  LineProgram(std::move(*header), targets, wanted, table.rows).run(code, base + program);
  if (code.failed()) return malformed();
  return Done{};
}

}  // namespace

const LineRow* LineTable::find(std::uint64_t address) const {
  const auto after = std::upper_bound(rows.begin(), rows.end(), address,
                                      [](std::uint64_t a, const LineRow& row) { return a < row.address; });
  if (after == rows.begin()) return nullptr;
  const LineRow& row = *std::prev(after);
  return row.end ? nullptr : &row;
}

Result<LineTable> read_line_table(const Elf& elf, std::size_t text_section, std::string_view name) {
  LineTable table;
  const Elf::Section* section = elf.find(name);
  if (section == nullptr) return table;
  const Targets targets = targets_of(elf, name);
  ByteReader reader(section->content);
  while (!reader.at_end()) {
    const std::uint64_t length = reader.u32();
    const std::uint64_t base = reader.offset();
    const Bytes unit = reader.take(length);
    if (reader.failed()) return malformed();
    if (const Status read = read_unit(unit, base, targets, text_section, table); !read) return read.error();
  }
  // Where one sequence ends and the next begins at the same address, the beginning must come last to be
  // found.
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const LineRow& a, const LineRow& b) {
    return a.address != b.address ? a.address < b.address : a.end && !b.end;
  });
  return table;
}

}  // namespace warplens::compile
