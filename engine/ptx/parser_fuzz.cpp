// Any text is read without a crash, a leak or a hang, every error has a line of the text, and what was read
// without an error holds only indices that exist. Seeds: engine/ptx/testdata.
#include <cstdint>
#include <cstdlib>

#include "engine/ptx/parser.hpp"
#include "engine/ptx/print.hpp"
#include "engine/ptx/testing/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warplens::ptx;
  const Parsed parsed = parse({reinterpret_cast<const char*>(data), size});
  if (parsed.errors.size() > 100) std::abort();
  for (const warplens::Error& error : parsed.errors)
    if (error.place.line < 1 || error.message.empty()) std::abort();
  if (!find_broken_index(parsed.program).empty()) std::abort();
  for (const Function& function : parsed.program.functions)
    for (const Instruction& instruction : function.code)
      if (print(instruction, function, parsed.program).empty()) std::abort();
  return 0;
}
