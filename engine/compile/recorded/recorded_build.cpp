#include "engine/compile/recorded/recorded_build.hpp"

#include "engine/compile/cubin.hpp"

namespace warplens::compile {

Result<Build> build_of(const catalog::RecordedLaunch& launch) {
  Build build;
  build.ptx = launch.ptx;
  build.kernel_name = launch.kernel;
  build.static_shared_bytes = launch.static_shared_bytes;
  build.arch = launch.arch;
  build.compiler = "nvcc";
  const auto resources = read_resources(launch.machine_code, launch.kernel);
  if (!resources) return build;
  const auto code = read_machine_code(launch.machine_code, launch.kernel);
  if (!code) return code.error();
  build.cubin = launch.machine_code;
  build.instructions = count_instructions(*code);
  build.registers = resources->registers;
  build.stack_bytes = resources->stack_bytes;
  build.constant_bytes = resources->constant_bytes;
  return build;
}

}  // namespace warplens::compile
