// Tests only: writes a small cubin-like ELF file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warplens::compile {

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  return out;
}

class ElfWriter {
 public:
  explicit ElfWriter(std::uint32_t flags = 0x9005a04) : flags_(flags) { add("", 0, ""); }

  // Returns the section's index. memory_size counts for NOBITS (type 8) only.
  std::size_t add(const std::string& name, std::uint32_t type, const std::string& content,
                  std::uint32_t link = 0, std::uint64_t memory_size = 0) {
    sections_.push_back({name, type, content, link, memory_size});
    return sections_.size() - 1;
  }

  std::string write() {
    const std::size_t names_index = add(".shstrtab", 3, "");
    std::string names;
    std::vector<std::size_t> name_offsets;
    for (const Section& section : sections_) {
      name_offsets.push_back(names.size());
      names += section.name + '\0';
    }
    sections_[names_index].content = names;
    std::string body, headers;
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const Section& section = sections_[i];
      headers += little_endian(name_offsets[i], 4) + little_endian(section.type, 4) + std::string(16, '\0');
      headers += little_endian(64 + body.size(), 8);
      headers += little_endian(section.type == 8 ? section.memory_size : section.content.size(), 8);
      headers += little_endian(section.link, 4) + std::string(20, '\0');
      body += section.content;
    }
    std::string file(
        "\x7f"
        "ELF\x02\x01\x01\x41\x08",
        9);
    file += std::string(7, '\0') + little_endian(2, 2) + little_endian(190, 2) + little_endian(1, 4);
    file += std::string(16, '\0') + little_endian(64 + body.size(), 8) + little_endian(flags_, 4);
    file += little_endian(64, 2) + std::string(4, '\0') + little_endian(64, 2);
    file += little_endian(sections_.size(), 2) + little_endian(names_index, 2);
    return file + body + headers;
  }

 private:
  struct Section {
    std::string name;
    std::uint32_t type;
    std::string content;
    std::uint32_t link;
    std::uint64_t memory_size;
  };
  std::vector<Section> sections_;
  std::uint32_t flags_;
};

}  // namespace warplens::compile
