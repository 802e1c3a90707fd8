// One of a program's modules: its PTX in memory, with its machine code where the program brought some for this
// device, and its kernels as they are asked for.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/compile/cubin.hpp"
#include "engine/device/device.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/program/argument_names.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::program {

struct ModuleVariable {
  std::string name;
  std::uint64_t address = 0, size = 0;
  bool is_constant = false;
};

// A kernel of a module, for clusters of one size.
struct KernelEntry {
  std::shared_ptr<const emulator::Kernel> kernel;
  std::string name, title;
  std::optional<compile::CubinResources> resources;  // nothing: there is no machine code of it
  // Whether accesses are counted as the machine code makes them; nothing: there is none to compare with.
  std::optional<bool> vectorized_as_in_cubin;
  int max_threads = 0;                  // of a block, by __launch_bounds__ and registers
  std::vector<ArgumentName> arguments;  // empty: its source is not known
};

class Module {
 public:
  // fat: the binaries that the program registered. Errors: what cannot be read or understood, PTX for younger
  // devices alone, no room.
  static Result<Module> load(std::span<const std::byte> fat, const device::Device& device,
                             emulator::GlobalMemory& memory);

  const std::vector<ModuleVariable>& variables() const { return variables_; }
  // By the index of ptx::Program::variables, see emulator::Launch.
  const std::vector<std::uint64_t>& addresses() const { return addresses_; }
  const std::string& ptx() const { return ptx_; }  // empty where it was linked of several texts
  std::span<const std::byte> machine_code() const { return machine_code_; }
  const device::Device& device() const { return device_; }
  bool has_kernel(const std::string& name) const;

  // cluster: blocks of one in each direction as the launch asks for them; zeros: as the kernel says. stack: bytes of a thread's
  // that the program asked for; 0: it did not. Errors: no such kernel, what the emulator cannot do.
  using Cluster = std::array<std::uint32_t, 3>;
  Result<const KernelEntry*> kernel(const std::string& name, const Cluster& cluster = {},
                                    std::uint64_t stack = 0);

 private:
  using Wanted = std::tuple<std::string, Cluster,
                            std::uint64_t>;  // of whom, and the emulator's bytes of stack; 0: the usual
  const Result<KernelEntry>& prepared(const Wanted& wanted);
  Result<KernelEntry> prepare(const Wanted& wanted) const;
  std::shared_ptr<const ptx::Program> program_;
  std::string ptx_;
  std::vector<std::byte> machine_code_;
  device::Device device_;
  std::vector<std::uint64_t> addresses_;
  std::vector<ModuleVariable> variables_;
  std::map<Wanted, Result<KernelEntry>> kernels_;
};

// "scale<float>" of _Z5scaleIfEvPT_; long lists of template arguments are cut.
std::string title_of(const std::string& name);

}  // namespace warplens::program
