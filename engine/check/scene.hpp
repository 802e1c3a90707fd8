// What all checkers of one launch know: the kernel, where its arrays are, and the list that findings go to.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/check/finding.hpp"
#include "engine/emulator/launch.hpp"

namespace warplens::check {

// Bytes of an array, as distances from its first one.
struct ByteRange {
  std::uint64_t begin = 0, end = 0;
};

// A buffer of the launch.
struct BufferFacts {
  std::uint64_t address = 0, size = 0;
  std::string name;
  bool is_output = false;
  bool is_initialized = true;
  std::uint32_t element = 0;                // bytes of one; 0: not known
  std::string allocation = {};              // its name in memory, where the kernel calls it otherwise
  std::span<const std::byte> initial = {};  // its contents before the launch, where they are a mark
  bool is_never_set = false;                // by anything of the file, which is known for certain
  std::uint64_t before = 0;                 // bytes before the element that the kernel's pointer is of
  // Where a whole program is known and is_initialized is false: what it has not written before the launch, ascending.
  std::vector<ByteRange> unwritten = {};
};

struct LaunchFacts {
  const emulator::Kernel* kernel = nullptr;
  emulator::GlobalMemory* memory = nullptr;
  std::vector<BufferFacts> buffers;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared_bytes = 0, local_bytes = 0;
  std::vector<std::byte> arguments;
  int compute_capability = 90;
  std::uint32_t registers = 0;  // of a thread at its start; 0: not known
  std::string ptx;              // the text that the kernel was read from; may be empty
  bool is_sample = false;       // other blocks run too, unseen
};

// A thread of the launch.
struct ThreadId {
  std::uint32_t block = 0, warp = 0, lane = 0;
  bool operator==(const ThreadId&) const = default;
};

// A write to an element of shared memory that was read before.
struct LateWrite {
  ThreadId thread;
  int line = 0;
  bool is_ordered = false;  // something says that it comes after the read
  bool same_warp = false;   // as the read
};

// "thread (5, 0) of block 2": with as many dimensions as the block and the grid have.
std::string thread_words(const std::array<std::uint32_t, 3>& thread,
                         const std::array<std::uint32_t, 3>& block,
                         const std::array<std::uint32_t, 3>& block_size,
                         const std::array<std::uint32_t, 3>& grid_size);

// "tile" of "tile[3]".
std::string array_of(const Finding& finding);

class Scene {
 public:
  explicit Scene(LaunchFacts facts);

  const LaunchFacts& facts() const { return facts_; }
  const ptx::Function& function() const { return facts_.kernel->function(); }
  int line(std::uint32_t pc) const { return pc < lines_.size() ? lines_[pc] : 0; }
  // Of the instruction where it is, also where that is a header.
  void set_line(Finding& finding, std::uint32_t pc) const;
  const std::string& file() const { return file_; }
  // Bytes of what a Cell remembers: 4, or fewer where the kernel has accesses that are narrower.
  std::uint32_t unit() const { return unit_; }
  ThreadPlace place(const ThreadId& id) const;
  std::string words(const ThreadId& id) const;  // "thread (5, 0) of block 2"
  // "tile[3]", of accesses of this width
  std::string shared_name(std::uint32_t offset, std::uint32_t width) const;
  std::string global_name(std::uint64_t address, std::uint32_t width) const;
  std::string name_at(bool shared, std::uint64_t address, std::uint32_t width) const {
    return shared ? shared_name(static_cast<std::uint32_t>(address), width) : global_name(address, width);
  }

  // Whether a finding of this kind with these lines is new. One that is not is counted.
  bool is_new(Kind kind, std::uint32_t pc, std::uint32_t other_pc);
  // The finding that these lines have already; null: none.
  Finding* known(Kind kind, std::uint32_t pc, std::uint32_t other_pc);
  // Two blocks write different values to an array, at these lines; of each array the first is kept.
  struct WritingLines {
    int line = 0, other_line = 0;
  };
  void add_written_by_blocks(const std::string& array, const WritingLines& lines) {
    written_by_blocks_.try_emplace(array, lines);
  }
  const WritingLines* written_by_blocks(const std::string& array) const {
    const auto found = written_by_blocks_.find(array);
    return found == written_by_blocks_.end() ? nullptr : &found->second;
  }
  Finding& add(Finding finding);
  Findings& findings() { return findings_; }
  void add_late_write(std::uint32_t read_pc, const ThreadId& reader, const std::string& address,
                      const LateWrite& write);
  // The later write of the element that a finding calls unwritten; null if it was never written.
  const LateWrite* late_write(const Finding& finding) const;
  // A finding of which that is not true makes room for that of another block, of which it may be.
  void replace_late(Finding& known, Finding finding);
  // Says so in those that are left, or leaves them out where a race says it.
  void settle_late_writes();

 private:
  LaunchFacts facts_;
  std::string file_;
  std::uint32_t unit_ = 4;
  std::vector<int> lines_;
  Findings findings_;
  using Lines = std::tuple<Kind, int, int>;
  Lines lines_of(Kind kind, std::uint32_t pc, std::uint32_t other_pc) const {
    return {kind, std::min(line(pc), line(other_pc)), std::max(line(pc), line(other_pc))};
  }
  std::map<Lines, std::size_t> known_;
  std::map<std::string, WritingLines> written_by_blocks_;
  using Read = std::tuple<int, std::array<std::uint32_t, 3>, std::string>;  // line, block, element
  std::map<Read, LateWrite> late_writes_;
  std::map<int, Finding> replaced_;  // the first one of a line
};

inline constexpr std::string_view kNobodyWrote = "which nobody has written";

// The instructions [first, end) of the innermost loop around one: of its branch back, too.
struct Loop {
  std::uint32_t first = 0, end = 0;
};
inline constexpr std::string_view kFixOfEndlessLoop =
    "change in every round what the loop's condition compares, so that it becomes false";
Loop loop_around(const ptx::Function& function, std::uint32_t pc);

}  // namespace warplens::check
