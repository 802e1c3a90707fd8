// NVIDIA's disassembler, a program of its own: looked for, run as a child, and what it prints taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::sass {

struct TextLine {
  std::uint32_t address = 0;  // bytes from the kernel's first instruction
  std::string text;           // "@!P0 LDG.E R6, desc[UR6][R4.64]"; a branch names the address that it goes to
  int live_registers = 0;     // of a thread, that hold a value that is still needed; 0: not said
};
using Text = std::vector<TextLine>;  // ascending addresses
using SharedText = std::shared_ptr<const Text>;

// printed: by `nvdisasm -c`, with or without the counts of live registers. Error: nothing of this kernel.
Result<Text> parse_nvdisasm(std::string_view printed, std::string_view kernel);

// Keeps the texts of the newest cubins. Not for two threads at once.
class Disassembler {
 public:
  struct Options {
    std::filesystem::path program = {};                      // empty: looked for
    std::vector<std::filesystem::path> search_folders = {};  // see toolkit_candidates()
    std::string path = {};                                   // PATH: folders between colons
  };
  explicit Disassembler(Options options) : options_(std::move(options)) {}

  // Waits for the child: half a second, or nothing where the text is kept. Errors: there is no nvdisasm, with
  // how to get it; it fails.
  Result<SharedText> text_of(std::span<const std::byte> cubin, std::string_view kernel);
  // Empty: there is none.
  std::filesystem::path find() const;

 private:
  struct Kept {
    std::size_t hash = 0, bytes = 0;
    SharedText text;
  };
  Options options_;
  std::vector<Kept> kept_;  // the newest last
};

}  // namespace warplens::sass
