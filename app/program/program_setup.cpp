#include "app/program/program_setup.hpp"

#include <stdlib.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <array>

#include "app/base/compiler_options.hpp"
#include "app/program/compiled_program.hpp"
#include "engine/base/toml_parsing.hpp"
#include "engine/base/toolkit_library.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/compile/nvrtc.hpp"
#include "runtime/protocol/forwarded_names.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

// Of our runtime: beside the program, where it is built and where it is installed.
fs::path runtime_folder(const Environment& environment) {
  return environment.executable.parent_path().parent_path() / "lib" / "warplens";
}

// What the driver calls the device, and its memory: assets/programs/devices.toml.
struct Told {
  std::string name;
  std::uint64_t memory = std::uint64_t{16} << 30;
};
Told told_of(const device::Device& device, const fs::path& home) {
  Told told{device.name};
  const auto text = read_whole_file(home / "assets" / "programs" / "devices.toml");
  if (!text) return told;
  try {
    const toml::table table = parse_toml(*text);
    const auto row = table[device.id];
    told.name = row["name"].value_or(told.name);
    told.memory =
        static_cast<std::uint64_t>(row["memory_bytes"].value_or(static_cast<std::int64_t>(told.memory)));
  } catch (const toml::parse_error&) {
  }
  return told;
}

std::uint64_t bytes_of(double gib) { return static_cast<std::uint64_t>(gib * (1 << 30)); }

std::uint64_t most_memory(const ProgramOptions& options, const Told& told) {
  if (options.limits.memory_gb > 0) return bytes_of(options.limits.memory_gb);
  struct sysinfo info {};
  if (sysinfo(&info) != 0) return told.memory;
  return std::min(told.memory, std::uint64_t{info.totalram} * info.mem_unit / 4 * 3);
}

Result<fs::path> program_of(const SetupRequest& request) {
  const fs::path named = request.options.words.front();
  if (named.extension() != ".cu") return named;
  const auto nvcc = nvcc_of(request.environment, request.workspace.home());
  if (!nvcc) return nvcc.error();
  const fs::path cache = cache_folder(request.environment, request.common);
  const bool is_kept = !cache.empty() && !request.common.no_cache;
  return compiled_program({.nvcc = *nvcc,
                           .source = named,
                           .options = request.options.nvcc,
                           .values = request.options.values,
                           .compute_capability = request.device.compute_capability,
                           .folder = is_kept ? cache / "programs" : request.scratch / "compiled",
                           .cancel = request.cancel});
}

// The folders that the source and the program stand in, which it may read.
std::vector<fs::path> readable_of(const ProgramOptions& options) {
  std::vector<fs::path> readable(options.read.begin(), options.read.end());
  std::error_code ignored;
  readable.push_back(fs::absolute(options.words.front(), ignored).parent_path());
  return readable;
}

// Roots of toolkits to look in first; the first is where ./run puts what it fetches.
std::vector<fs::path> toolkits(const Environment& environment) {
  std::vector<fs::path> roots = {environment.executable.parent_path() / "cuda"};
  for (const std::string& folder : {environment.cuda_path, environment.virtual_env})
    if (!folder.empty()) roots.emplace_back(folder);
  return roots;
}

// NVIDIA's cuRAND; empty: there is none.
fs::path curand_of(const Environment& environment) {
  constexpr std::array<const char*, 1> kNames{"libcurand.so.10"};
  const auto found = toolkit_candidates(toolkits(environment), kNames);
  std::error_code ignored;
  return found.empty() ? fs::path() : fs::canonical(found.front(), ignored);
}

program::StartOptions start_options(const SetupRequest& request, const fs::path& program) {
  const ProgramOptions& options = request.options;
  program::StartOptions start;
  start.words = options.words;
  std::error_code ignored;
  start.words.front() = fs::absolute(program, ignored).string();
  start.libraries = runtime_folder(request.environment);
  start.confinement.is_on = !options.unconfined;
  start.confinement.readable = readable_of(options);
  start.confinement.writable.assign(options.write.begin(), options.write.end());
  start.scratch = request.scratch;
  start.limits = {bytes_of(options.limits.host_memory_gb), bytes_of(options.limits.output_gb),
                  options.limits.host_seconds};
  const auto nvrtc = compile::find_nvrtc(compiler_options(request.environment, request.common));
  if (!nvrtc.library.empty()) start.forwarded.emplace_back(protocol::kNvrtcVariable, nvrtc.library);
  if (const fs::path curand = curand_of(request.environment); !curand.empty())
    start.forwarded.emplace_back(protocol::kCurandVariable, curand);
  const auto headers = nvrtc.readable();
  start.confinement.readable.insert(start.confinement.readable.end(), headers.begin(), headers.end());
  return start;
}

}  // namespace

Scratch::Scratch() {
  std::error_code ignored;
  std::string name = (fs::temp_directory_path(ignored) / "warplens-exec-XXXXXX").string();
  if (mkdtemp(name.data()) != nullptr) path_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<program::Nvcc> nvcc_of(const Environment& environment, const fs::path& home) {
  return program::find_nvcc(toolkits(environment), environment.path, runtime_folder(environment),
                            home / "assets" / "programs");
}

Result<ProgramSetup> set_up(const SetupRequest& request) {
  const ProgramOptions& options = request.options;
  const auto program = program_of(request);
  if (!program) return program.error();
  if (const auto right = program::check_runtime(*program); !right) return right.error();
  const Told told = told_of(request.device, request.workspace.home());
  return ProgramSetup{.program = *program,
                      .session = {.device = request.device,
                                  .device_name = told.name,
                                  .device_memory = told.memory,
                                  .most_memory = most_memory(options, told),
                                  .is_strict = options.strict,
                                  .checks = options.check,
                                  .repeats = options.repeats,
                                  .sample = options.sample},
                      .start = start_options(request, *program)};
}

}  // namespace warplens::app
