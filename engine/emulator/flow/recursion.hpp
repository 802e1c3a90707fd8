// Functions that call themselves, in a kernel whose calls are inlined: there is one copy of such a function, and each call of it has a
// frame on a stack in the lane's local memory. A frame has the number of the place that the call returns to, the address of the caller's
// frame, the function's parameters and results, its local arrays, and what its own calls must keep of its registers.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "engine/ptx/program.hpp"

namespace warplens::emulator {

// A lane's stack, where the kernel brings none. CUDA's own is 1 KiB where a program asks for no more (cudaLimitStackSize), for
// frames that are smaller.
inline constexpr std::uint64_t kStackBytes = std::uint64_t{32} << 10;

// Whether a kernel's local variable is that stack.
bool is_call_stack(const ptx::Variable& variable);
// One of so many bytes, which a kernel can bring among its variables.
ptx::Variable call_stack(std::uint64_t bytes);

// Which functions that a kernel comes to call may come to call themselves, straight or through others. taken: those whose address is,
// which a call through a pointer may mean.
std::vector<bool> recursive_functions(const ptx::Program& program, std::size_t kernel,
                                      const std::vector<bool>& taken);

// One copy of a function that may call itself.
struct Recursion {
  // A call from within: its first instruction, of two, the second of which is where it goes on.
  struct Site {
    std::uint32_t at = 0;
    std::vector<ptx::Operand> passed;
  };
  ptx::RegisterId frame = 0;               // holds the address of the frame of the call that runs
  std::vector<ptx::Parameter> parameters;  // arguments, then results
  std::size_t argument_count = 0;
  std::vector<ptx::Operand> places;  // of these, in the frame
  std::vector<ptx::Operand> passed;  // what the call from outside has for them
  std::uint64_t frame_bytes = 0;     // so far
  std::uint32_t entry = 0, growth = 0,
                table = 0;  // where calls go to; the instruction that adds a frame; the returns
  std::uint32_t first_register = 0, last_register = 0;  // [first, last) are the copy's
  std::vector<Site> sites;
  ptx::Instruction call;  // from outside: for its place in the source
};

// Writes the frames' code into a kernel that is being inlined.
class CallStack {
 public:
  explicit CallStack(ptx::Function& kernel) : kernel_(kernel) {}
  // In front of the kernel's own code.
  void open();
  // In front of a copy's code: what the call passes goes into a frame.
  Recursion& begin(const ptx::Function& function, std::vector<ptx::Operand> passed,
                   const ptx::Instruction& call);
  // An array of the function in its frame.
  ptx::Operand place(Recursion& recursion, const ptx::Variable& variable) const;
  // A call from within the copy, or from a copy that is inlined into it.
  void call_again(Recursion& recursion, std::vector<ptx::Operand> passed, const ptx::Instruction& call);
  // Behind a copy's code, where all of its returns go.
  void end(Recursion& recursion);
  // Behind all: what the calls from within do.
  void close();

 private:
  ptx::RegisterId add_register(const char* name, ptx::Type type);
  void emit(const ptx::Instruction& of, ptx::Opcode opcode, ptx::Type type,
            std::vector<ptx::Operand> operands, std::uint8_t destinations);
  void copy(const ptx::Instruction& of, const ptx::Operand& from, const ptx::Operand& to,
            const ptx::Parameter& parameter);
  void keep(const ptx::Instruction& of, ptx::RegisterId kept, const ptx::Operand& place, bool is_back);
  void write_site(Recursion& recursion, std::size_t number, const std::vector<ptx::RegisterId>& kept);

  ptx::Function& kernel_;
  std::optional<ptx::RegisterId> top_;  // holds the address behind the last frame; none: nothing calls itself
  std::deque<Recursion> recursions_;
};

}  // namespace warplens::emulator
