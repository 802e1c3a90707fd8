// PTX text -> parse -> prepare -> run with a small budget: whatever the text says, this returns a result, a
// fault or an error, never a crash.
#include <cstdint>
#include <string_view>

#include "engine/emulator/testing/emulator_support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warplens;
  using namespace warplens::emulator;
  if (size == 0) return 0;
  // The first byte chooses the launch.
  static constexpr std::array<std::uint32_t, 3> kBlocks[] = {{32, 1, 1}, {1, 1, 1}, {40, 1, 1}, {5, 3, 4}};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  ptx::Parsed parsed = ptx::parse(text);
  if (!parsed.errors.empty()) return 0;
  const auto program = std::make_shared<ptx::Program>(std::move(parsed.program));
  for (const ptx::Function& function : program->functions) {
    if (!function.is_entry) continue;
    const auto kernel = Kernel::prepare(program, function.name, test_device());
    if (!kernel) continue;
    auto memory = GlobalMemory::create(std::uint64_t{1} << 24);
    if (!memory) continue;
    Launch launch;
    launch.block = kBlocks[data[0] % 4];
    launch.grid = {2, 1, 1};
    launch.isa = static_cast<Isa>(1 + data[0] / 4 % 3);
    if (launch.isa > best_isa()) launch.isa = Isa::sse2;
    launch.threads = 1;
    launch.dynamic_shared_bytes = data[0] / 16 % 2 * 256;
    launch.instruction_budget = 2000;
    // Every parameter that can hold a pointer gets one.
    std::uint64_t bytes = 0;
    for (const auto& parameter : (*kernel)->function().parameters)
      bytes = std::max(bytes, parameter.offset + parameter.size);
    if (bytes > 4096) continue;
    launch.arguments.resize(bytes, std::byte{3});
    for (const auto& parameter : (*kernel)->function().parameters) {
      if (parameter.size != 8) continue;
      const auto buffer = memory->allocate(parameter.name, 4096);
      if (buffer) std::memcpy(launch.arguments.data() + parameter.offset, &buffer->address, 8);
    }
    (void)(*kernel)->run(launch, *memory);
  }
  return 0;
}
