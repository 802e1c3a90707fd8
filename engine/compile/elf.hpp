// A read-only, bounds-checked view of a 64-bit little-endian ELF file, as far as CUDA's cubins need it.
// Malformed input is an Error, never a crash. Nothing is copied: the bytes must outlive the view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::compile {

using Bytes = std::span<const std::byte>;

// Reads little-endian numbers front to back; after a read past the end every read gives 0 and failed() is
// true.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes, std::size_t offset = 0) : bytes_(bytes) { skip(offset); }
  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  std::uint64_t uleb128();
  std::int64_t sleb128();
  std::string_view text();  // up to a NUL, which is consumed
  Bytes take(std::uint64_t count);
  void skip(std::uint64_t count) { (void)take(count); }
  std::size_t offset() const { return offset_; }
  bool at_end() const { return offset_ == bytes_.size(); }
  bool failed() const { return failed_; }

 private:
  std::uint64_t number(std::size_t width);
  Bytes bytes_;
  std::size_t offset_ = 0;
  bool failed_ = false;
};

class Elf {
 public:
  struct Section {
    std::string_view name;
    std::uint32_t type = 0, link = 0, info = 0;
    std::uint64_t size = 0;  // in memory; content is empty for NOBITS
    Bytes content;
  };
  struct Symbol {
    std::string_view name;
    std::uint16_t section = 0;
    std::uint64_t value = 0, size = 0;
    bool is_function = false;
  };
  struct Relocation {
    std::uint64_t offset = 0;
    std::uint32_t symbol = 0;
    std::int64_t addend = 0;
  };

  static Result<Elf> parse(Bytes file);
  const Section* find(std::string_view name) const;  // null where there is none
  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<Symbol>& symbols() const { return symbols_; }
  // Of the section ".rela<target>" or ".rel<target>"; empty where there is none.
  std::vector<Relocation> relocations(std::string_view target) const;
  // Of a cubin: 90. In bits 8-15 of the flags since ABI version 8 (CUDA 13), in bits 0-7 before.
  int arch() const { return static_cast<int>(abi_version_ >= 8 ? flags_ >> 8 & 0xff : flags_ & 0xff); }

 private:
  Status read_sections(Bytes file);
  void read_symbols();
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::uint32_t flags_ = 0;
  std::uint8_t abi_version_ = 0;
};

}  // namespace warplens::compile
