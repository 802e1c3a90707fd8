// Any bytes are a cubin, an error or nothing worse.
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/compile/cubin.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warplens::compile;
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto code = read_machine_code(bytes, "kernel");
  if (code) (void)count_instructions(*code);
  (void)read_resources(bytes, "kernel");
  return 0;
}
