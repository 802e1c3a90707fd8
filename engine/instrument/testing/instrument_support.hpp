// For tests: the repository's kernels at small sizes, as written and as rewritten, on the emulator and
// through ptxas.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/testing/test_folder.hpp"
#include "engine/ptx/parser.hpp"
#include "engine/run/arguments.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::instrument {

// One kernel of kernels/ with its data, ready to run with any text that keeps its parameters and may add one.
class Subject {
 public:
  static Result<Subject> make(const catalog::KernelSpec& spec, const std::string& size, int arch = 90) {
    const auto named = problem::find_problem(spec);
    if (!named) return named.error();
    const auto sizes = problem::parse_sizes(**named, size);
    if (!sizes) return sizes.error();
    const auto values = catalog::resolve_values(spec, {}, *sizes);
    if (!values) return values.error();
    const auto problem = problem::find_problem(spec, *values);
    if (!problem) return problem.error();
    const auto shape = catalog::launch_shape(spec, *values, *sizes);
    if (!shape) return shape.error();
    device::Device device;
    device.compute_capability = arch;
    const auto planned = run::choose_values(spec, *values, *sizes, device);
    if (!planned) return planned.error();
    auto build = run::compiler().compile(run::build_request(*planned, false));
    if (!build) return build.error();
    auto instance = (*problem)->make(*sizes, problem::Pattern::random, 1, std::uint64_t{1} << 30);
    if (!instance) return instance.error();
    return Subject(*shape, *std::move(build), *std::move(instance));
  }

  const compile::Build& build() const { return build_; }
  const catalog::LaunchShape& shape() const { return shape_; }
  const problem::Instance& instance() const { return *instance_; }
  void set_grid(const std::array<std::uint32_t, 3>& grid) { shape_.grid = grid; }
  std::uint64_t blocks() const { return catalog::blocks_in_grid(shape_); }
  // "cp.async needs 8.0": what its text has and such a device has not.
  std::string missing_on(int arch) const {
    const ptx::Parsed parsed = ptx::parse(build_.ptx);
    const auto entry = std::ranges::find(parsed.program.functions, build_.kernel_name, &ptx::Function::name);
    device::Device device;
    device.compute_capability = arch;
    return entry == parsed.program.functions.end() ? "" : run::missing_instruction(*entry, device);
  }

  struct Run {
    emulator::Outcome outcome;
    std::vector<emulator::Allocation> buffers;
    std::vector<std::byte> output, extra;  // the problem's output; the buffer that `extra` filled
    std::shared_ptr<const emulator::Kernel> kernel;
  };
  // extra: contents of a buffer whose address is the last parameter; empty: there is none. blocks: only
  // these; empty: all.
  Result<Run> run(const std::string& text, std::span<const std::byte> extra = {},
                  emulator::Observer* observer = nullptr, std::vector<std::uint64_t> blocks = {}) const {
    ptx::Parsed parsed = ptx::parse(text);
    if (!parsed.errors.empty()) return parsed.errors.front();
    auto kernel = emulator::Kernel::prepare(std::make_shared<const ptx::Program>(std::move(parsed.program)),
                                            build_.kernel_name, run::h100());
    if (!kernel) return kernel.error();
    auto memory = emulator::GlobalMemory::create(std::uint64_t{1} << 30);
    if (!memory) return memory.error();
    Run run;
    run.kernel = *kernel;
    // First, so that the buffers are elsewhere than in a run without it.
    emulator::Allocation place;
    if (!extra.empty()) {
      place = *memory->allocate("records", extra.size());
      std::ranges::copy(extra, memory->bytes(place).begin());
    }
    std::size_t output = 0;
    for (std::size_t b = 0; b < instance_->buffers().size(); ++b) {
      run.buffers.push_back(*memory->allocate(instance_->buffers()[b].name, instance_->initial(b).size()));
      std::ranges::copy(instance_->initial(b), memory->bytes(run.buffers.back()).begin());
      if (instance_->buffers()[b].is_output) output = b;
    }
    auto arguments = run::argument_bytes(instance_->arguments(), (*kernel)->function(), run.buffers,
                                         extra.empty() ? std::nullopt : std::optional(place.address));
    if (!arguments) return arguments.error();
    const emulator::Launch launch{.grid = shape_.grid,
                                  .block = shape_.block,
                                  .dynamic_shared_bytes = shape_.dynamic_shared_bytes,
                                  .arguments = *std::move(arguments),
                                  .blocks = std::move(blocks),
                                  .observer = observer};
    auto outcome = (*kernel)->run(launch, *memory);
    if (!outcome) return outcome.error();
    run.outcome = *std::move(outcome);
    const auto written = memory->bytes(run.buffers[output]);
    run.output.assign(written.begin(), written.end());
    if (!extra.empty()) run.extra.assign(memory->bytes(place).begin(), memory->bytes(place).end());
    return run;
  }

 private:
  Subject(catalog::LaunchShape shape, compile::Build build, std::shared_ptr<const problem::Instance> instance)
      : shape_(shape), build_(std::move(build)), instance_(std::move(instance)) {}

  catalog::LaunchShape shape_;
  compile::Build build_;
  std::shared_ptr<const problem::Instance> instance_;
};

// Whether the file has values for it: some take multiples of 8 or 16 alone.
inline bool takes_size(const catalog::KernelSpec& spec, const std::string& size) {
  const auto sizes = problem::parse_sizes(**problem::find_problem(spec), size);
  return sizes && catalog::resolve_values(spec, {}, *sizes);
}

// A size at which tails are there and everything is quick.
inline std::string small_size(const catalog::KernelSpec& spec) {
  const auto sizes = (*problem::find_problem(spec))->default_sizes();
  if (sizes.size() == 3)
    for (const char* size : {"70,67,37", "72,88,40"})
      if (takes_size(spec, size)) return size;
  if (sizes.size() == 3) return "80,112,48";
  if (sizes.size() == 2) return "70,67";
  return sizes.begin()->second > 10'000 ? "1000" : "67";  // a vector, or square matrices
}

// Those of the repository whose text ptxas takes for any H100: code for 9.0a alone is not recorded yet.
inline std::vector<catalog::KernelSpec> recorded_kernels() {
  std::vector<catalog::KernelSpec> some;
  for (const catalog::KernelSpec& spec : run::kernels().kernels())
    if (spec.arch.empty()) some.push_back(spec);
  return some;
}

inline std::string label_of(const std::string& id) {
  std::string label = id;
  std::ranges::replace_if(
      label, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return label;
}

inline const std::filesystem::path kPtxas = "/usr/local/cuda/bin/ptxas";
// What ptxas says of a text for an architecture; empty where it takes it.
inline std::string ptxas_complaint(const std::string& text, int arch) {
  const TestFolder folder;
  const std::string name = (folder / "text").string();
  folder.write("text.ptx", text);
  const std::string command = kPtxas.string() + " -arch=sm_" + std::to_string(arch) + " -o " + name +
                              ".cubin " + name + ".ptx > " + name + ".log 2>&1";
  const bool taken = std::system(command.c_str()) == 0;
  std::ifstream log(name + ".log");
  const std::string said{std::istreambuf_iterator<char>(log), {}};
  return taken ? "" : "ptxas: " + said;
}

}  // namespace warplens::instrument
