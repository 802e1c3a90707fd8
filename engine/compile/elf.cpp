#include "engine/compile/elf.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace warplens::compile {
namespace {

constexpr std::uint32_t kSymbolTable = 2, kRela = 4, kNoBits = 8, kRel = 9;  // sh_type, ELF specification 1.2
constexpr std::size_t kHeaderSize = 64, kSectionHeaderSize = 64, kSymbolSize = 24;

Error malformed(std::string what) {
  return {"the machine code cannot be read: " + std::move(what),
          "delete the cache folder and compile again; if it stays, this NVRTC writes a format that is not "
          "known yet"};
}

std::string_view text_at(Bytes table, std::uint64_t offset) {
  if (offset >= table.size()) return {};
  return ByteReader(table, static_cast<std::size_t>(offset)).text();
}

}  // namespace

std::uint64_t ByteReader::number(std::size_t width) {
  const Bytes bytes = take(width);
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

Bytes ByteReader::take(std::uint64_t count) {
  if (failed_ || count > bytes_.size() - offset_) {
    failed_ = true;
    return {};
  }
  const Bytes taken = bytes_.subspan(offset_, static_cast<std::size_t>(count));
  offset_ += taken.size();
  return taken;
}

std::uint64_t ByteReader::uleb128() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = u8();
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

std::int64_t ByteReader::sleb128() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;;) {
    const std::uint8_t byte = u8();
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    if ((byte & 0x40) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
}

std::string_view ByteReader::text() {
  if (failed_) return {};
  const Bytes rest = bytes_.subspan(offset_);
  const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
  const auto length = static_cast<std::size_t>(end - rest.begin());
  const Bytes taken = take(length + 1);
  if (taken.empty()) return {};
  return {reinterpret_cast<const char*>(taken.data()), length};
}

Result<Elf> Elf::parse(Bytes file) {
  constexpr std::array<std::uint8_t, 6> kMagic{0x7f, 'E', 'L', 'F', 2, 1};  // 64-bit, little-endian
  if (file.size() < kHeaderSize) return malformed("it is shorter than an ELF header");
  for (std::size_t i = 0; i < kMagic.size(); ++i) {
    if (std::to_integer<std::uint8_t>(file[i]) != kMagic[i]) return malformed("it is not a 64-bit ELF file");
  }
  Elf elf;
  elf.abi_version_ = std::to_integer<std::uint8_t>(file[8]);
  elf.flags_ = ByteReader(file, 48).u32();
  if (const Status read = elf.read_sections(file); !read) return read.error();
  elf.read_symbols();
  return elf;
}

Status Elf::read_sections(Bytes file) {
  const std::uint64_t table = ByteReader(file, 40).u64();
  ByteReader counts(file, 58);
  const std::uint16_t entry_size = counts.u16(), count = counts.u16(), names_index = counts.u16();
  if (entry_size != kSectionHeaderSize) return malformed("its section headers have an unknown size");
  if (table > file.size() || count > (file.size() - table) / kSectionHeaderSize) {
    return malformed("its section headers lie outside the file");
  }
  ByteReader reader(file, static_cast<std::size_t>(table));
  std::vector<std::uint32_t> name_offsets;
  for (std::uint16_t i = 0; i < count; ++i) {
    Section section;
    name_offsets.push_back(reader.u32());
    section.type = reader.u32();
    reader.skip(16);  // flags, address
    const std::uint64_t offset = reader.u64();
    section.size = reader.u64();
    section.link = reader.u32();
    section.info = reader.u32();
    reader.skip(16);  // alignment, entry size
    if (section.type != kNoBits && section.type != 0) {
      if (offset > file.size() || section.size > file.size() - offset)
        return malformed("a section ends outside the file");
      section.content =
          file.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(section.size));
    }
    sections_.push_back(section);
  }
  if (names_index >= sections_.size()) return malformed("it has no section names");
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    sections_[i].name = text_at(sections_[names_index].content, name_offsets[i]);
  }
  return Done{};
}

void Elf::read_symbols() {
  for (const Section& section : sections_) {
    if (section.type != kSymbolTable) continue;
    const Bytes names = section.link < sections_.size() ? sections_[section.link].content : Bytes{};
    ByteReader reader(section.content);
    for (std::size_t i = 0; i < section.content.size() / kSymbolSize; ++i) {
      Symbol symbol;
      symbol.name = text_at(names, reader.u32());
      symbol.is_function = (reader.u8() & 0xf) == 2;  // STT_FUNC
      reader.skip(1);
      symbol.section = reader.u16();
      symbol.value = reader.u64();
      symbol.size = reader.u64();
      symbols_.push_back(symbol);
    }
    return;  // an ELF file has one symbol table
  }
}

const Elf::Section* Elf::find(std::string_view name) const {
  const auto found =
      std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

std::vector<Elf::Relocation> Elf::relocations(std::string_view target) const {
  std::vector<Relocation> relocations;
  for (const Section& section : sections_) {
    const bool with_addend = section.type == kRela;
    if (!with_addend && section.type != kRel) continue;
    const std::string_view prefix = with_addend ? ".rela" : ".rel";
    if (!section.name.starts_with(prefix) || section.name.substr(prefix.size()) != target) continue;
    ByteReader reader(section.content);
    while (!reader.at_end() && !reader.failed()) {
      Relocation relocation;
      relocation.offset = reader.u64();
      relocation.symbol = static_cast<std::uint32_t>(reader.u64() >> 32);
      if (with_addend) relocation.addend = static_cast<std::int64_t>(reader.u64());
      if (!reader.failed()) relocations.push_back(relocation);
    }
  }
  return relocations;
}

}  // namespace warplens::compile
