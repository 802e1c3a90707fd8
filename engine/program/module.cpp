#include "engine/program/module.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/emulator/flow/recursion.hpp"
#include "engine/program/fat_binary.hpp"
#include "engine/program/link_ptx.hpp"
#include "engine/ptx/parser.hpp"
#include "engine/run/issued.hpp"

namespace warplens::program {
namespace {

// Of the parameters behind the name, which stand in brackets at the end.
std::string_view without_parameters(std::string_view words) {
  int depth = 0;
  for (std::size_t i = words.size(); i-- > 0;) {
    if (words[i] == ')') ++depth;
    if (words[i] == '(' && --depth == 0) return words.substr(0, i);
  }
  return words;
}

// Of the return type in front of it, which templates have: up to the last space outside of < > and ( ).
std::string_view without_type(std::string_view words) {
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '<' || words[i] == '(') ++depth;
    if (words[i] == '>' || words[i] == ')') --depth;
    if (words[i] == ' ' && depth == 0) start = i + 1;
  }
  return words.substr(start);
}

std::string shortened(std::string_view title) {
  constexpr std::size_t kMost = 60;
  if (title.size() <= kMost) return std::string(title);
  const std::size_t arguments = title.find('<');
  std::string_view name = title.substr(0, std::min(arguments, title.size()));
  if (const auto scope = name.rfind("::"); scope != name.npos) name.remove_prefix(scope + 2);
  return arguments == title.npos ? std::string(name) : std::string(name) + "<...>";
}

Error not_understood(const ptx::Parsed& parsed) {
  Error error = parsed.errors.front();
  error.message = fmt::format("PTX that the emulator does not know: {}", error.message);
  return error;
}

Error no_ptx(const std::vector<FatBinary>& binaries, const device::Device& device) {
  const bool has_some = std::ranges::any_of(
      binaries, [](const FatBinary& binary) { return std::ranges::any_of(binary.images, &Image::is_ptx); });
  const int arch = device.compute_capability;
  return {has_some ? fmt::format("the program has no PTX for {}, compute capability {}.{}", device.name,
                                 arch / 10, arch % 10)
                   : "the program has machine code alone and no PTX",
          fmt::format("compile it with -gencode arch=compute_{0},code=[sm_{0},compute_{0}]", arch)};
}

Result<std::vector<ptx::Program>> parse_all(const std::vector<const Image*>& texts) {
  std::vector<ptx::Program> programs;
  for (const Image* text : texts) {
    ptx::Parsed parsed = ptx::parse(text->bytes, "ptx");
    if (!parsed.errors.empty()) return not_understood(parsed);
    programs.push_back(std::move(parsed.program));
  }
  return programs;
}

std::vector<std::byte> bytes_of(const Image* image) {
  if (image == nullptr) return {};
  const auto bytes = std::as_bytes(std::span(image->bytes));
  return {bytes.begin(), bytes.end()};
}

std::vector<ModuleVariable> variables_of(const ptx::Program& program,
                                         const std::vector<std::uint64_t>& addresses) {
  std::vector<ModuleVariable> list;
  for (std::size_t v = 0; v < addresses.size(); ++v) {
    const ptx::Variable& variable = program.variables[v];
    if (addresses[v] != 0 && variable.name.front() != '$')
      list.push_back({variable.name, addresses[v], variable.size, variable.space == ptx::Space::constant});
  }
  return list;
}

}  // namespace

std::string title_of(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> words(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0) return name;
  return shortened(without_type(without_parameters(words.get())));
}

Result<Module> Module::load(std::span<const std::byte> fat, const device::Device& device,
                            emulator::GlobalMemory& memory) {
  const auto binaries = read_fat_binaries(fat);
  if (!binaries) return binaries.error();
  Module module;
  module.device_ = device;
  std::vector<const Image*> texts;
  for (const FatBinary& binary : *binaries)
    if (const Image* text = binary.ptx_for(device.compute_capability)) texts.push_back(text);
  const bool is_empty = binaries->empty();
  if (texts.empty() && !is_empty) return no_ptx(*binaries, device);
  auto programs = parse_all(texts);
  if (!programs) return programs.error();
  if (texts.size() == 1) {
    module.ptx_ = texts.front()->bytes;
    module.machine_code_ = bytes_of(binaries->front().machine_code_for(device.compute_capability));
  }
  module.program_ = std::make_shared<const ptx::Program>(texts.size() == 1 ? std::move(programs->front())
                                                                           : link(*std::move(programs)));
  auto addresses = emulator::place_variables(*module.program_, memory);
  if (!addresses) return addresses.error();
  module.addresses_ = *std::move(addresses);
  module.variables_ = variables_of(*module.program_, module.addresses_);
  return module;
}

bool Module::has_kernel(const std::string& name) const {
  return std::ranges::find(program_->functions, name, &ptx::Function::name) != program_->functions.end();
}

Result<KernelEntry> Module::prepare(const Wanted& wanted) const {
  const auto& [name, cluster, stack] = wanted;
  auto program = program_;
  const auto found = std::ranges::find(program_->functions, name, &ptx::Function::name);
  if (found == program_->functions.end()) return Error{"the program has no kernel " + title_of(name), ""};
  if (cluster[0] != 0 || stack != 0) {
    auto changed = std::make_shared<ptx::Program>(*program_);
    ptx::Function& function =
        changed->functions[static_cast<std::size_t>(found - program_->functions.begin())];
    if (cluster[0] != 0) function.cluster = cluster;
    if (stack != 0) function.variables.push_back(emulator::call_stack(stack));
    program = changed;
  }
  KernelEntry entry;
  entry.name = name;
  entry.title = title_of(name);
  compile::Build build;
  build.kernel_name = name;
  build.cubin = machine_code_;
  if (const auto resources = compile::read_resources(machine_code_, name)) entry.resources = *resources;
  const auto issued = entry.resources ? run::issued_accesses(build) : std::nullopt;
  auto kernel = emulator::Kernel::prepare(program, name, device_, issued ? &*issued : nullptr);
  if (!kernel) return kernel.error();
  entry.kernel = *std::move(kernel);
  if (issued)
    entry.vectorized_as_in_cubin =
        emulator::are_issued(entry.kernel->function(), entry.kernel->shared_accesses(), issued->accesses);
  entry.arguments = argument_names(*entry.kernel, entry.title);
  entry.max_threads = device_.max_threads_per_block;
  const auto& most = entry.kernel->function().maximum_threads;
  if (most[0] != 0)
    entry.max_threads = static_cast<int>(most[0] * std::max(most[1], 1u) * std::max(most[2], 1u));
  return entry;
}

const Result<KernelEntry>& Module::prepared(const Wanted& wanted) {
  auto known = kernels_.find(wanted);
  if (known == kernels_.end()) known = kernels_.emplace(wanted, prepare(wanted)).first;
  return known->second;
}

// What the program asks for is for the machine's frames, which are smaller than the emulator's; a thread has 512 KiB of local memory
// at most (CUDA C++ Programming Guide, technical specifications).
Result<const KernelEntry*> Module::kernel(const std::string& name, const Cluster& cluster,
                                          std::uint64_t stack) {
  constexpr std::uint64_t kLargerFrames = 4, kMost = std::uint64_t{512} << 10;
  const Result<KernelEntry>* entry = &prepared({name, cluster, 0});
  const std::uint64_t bytes = std::min(kMost, kLargerFrames * std::min(stack, kMost));
  if (*entry && bytes > emulator::kStackBytes &&
      std::ranges::any_of((*entry)->kernel->function().variables, emulator::is_call_stack))
    entry = &prepared({name, cluster, bytes});
  if (!*entry) return entry->error();
  return &**entry;
}

}  // namespace warplens::program
