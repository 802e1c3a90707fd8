

#include "engine/compile/build.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <optional>
#include "engine/base/ptx_file_name.hpp"
#include "engine/compile/cache.hpp"
#include "engine/compile/cubin.hpp"
#include "engine/compile/diagnostics.hpp"
#include "engine/compile/guarded.hpp"
#include "engine/compile/include_rules.hpp"
#include "engine/compile/nvrtc.hpp"
#include "engine/compile/outcome_parcel.hpp"
#include "engine/compile/source/macro_size.hpp"
#include "engine/compile/worker.hpp"

namespace warplens::compile {
namespace {

// The PTX names the kernel file and its headers as the request does: NVRTC puts a folder before them.
std::string restore_file_names(std::string ptx, const Request& request) {
  const std::string written = fmt::format("\"{}\"", file_name_for_nvrtc(request.file_name));
  constexpr std::string_view kFile = "\t.file\t";
  for (auto at = ptx.find(kFile); at != std::string::npos; at = ptx.find(kFile, at + 1)) {
    const auto end = std::min(ptx.find('\n', at), ptx.size());
    const auto open = ptx.find('"', at);
    if (open >= end) continue;
    const std::string_view quoted(ptx.data() + open, end - open);
    if (quoted.starts_with(written)) {
      ptx.replace(open, written.size(), fmt::format("\"{}\"", ptx_file_name(request.file_name)));
      continue;
    }
    const std::string_view path = quoted.substr(1, quoted.find('"', 1) - 1);
    const auto header = std::ranges::find_if(
        request.headers, [&](const auto& one) { return path.ends_with("/" + one.first); });
    if (header != request.headers.end()) ptx.replace(open + 1, path.size(), header->first);
  }
  return ptx;
}

Status read_cubin(Build& build, std::string_view log, const std::string& file_name) {
  const Result<CubinResources> stated = read_resources(build.cubin, build.kernel_name);
  if (!stated) return stated.error();
  const Result<MachineCode> code = read_machine_code(build.cubin, build.kernel_name);
  if (!code) return code.error();
  build.instructions = count_instructions(*code);
  build.constant_bytes = stated->constant_bytes;
  const ResourceLog said = read_resource_log(log, build.kernel_name);
  build.registers = said.registers >= 0 ? said.registers : stated->registers;
  build.static_shared_bytes =
      said.static_shared_bytes >= 0 ? said.static_shared_bytes : stated->static_shared_bytes;
  build.stack_bytes = said.stack_bytes >= 0 ? said.stack_bytes : stated->stack_bytes;
  build.spill_store_bytes = std::max<std::int64_t>(0, said.spill_store_bytes);
  build.spill_load_bytes = std::max<std::int64_t>(0, said.spill_load_bytes);
  // CUDA C++ Programming Guide, shared memory: 48 KB static on every device. NVRTC before 12.9 leaves it to
  // the driver.
  if (constexpr std::int64_t kStaticLimit = 48 * 1024; build.static_shared_bytes > kStaticLimit) {
    return Error{fmt::format("the kernel uses too much shared data ({} bytes, {} are allowed)",
                             build.static_shared_bytes, kStaticLimit),
                 "choose smaller tiles, or use dynamic shared memory",
                 {file_name, 0, 0}};
  }
  return Done{};
}

Result<Build> make_build(const Request& request, CompilerOutput output) {
  Result<std::string> entry = find_entry(request, output.ptx);
  if (!entry) return entry.error();
  Build build;
  build.kernel_name = std::move(*entry);
  build.ptx = restore_file_names(std::move(output.ptx), request);
  build.warnings = warnings_of(request, output.log);
  build.arch = request.arch;
  build.compiler = std::move(output.compiler);
  if (!request.want_cubin) return build;
  build.cubin = std::move(output.cubin);
  if (const Status read = read_cubin(build, output.log, request.file_name); !read) return read.error();
  return build;
}

}  // namespace

struct Compiler::State {
  explicit State(const Options& options)
      : location(find_nvrtc(options)),
        cache(options.cache_folder, options.cache_bytes),
        worker(options.worker) {}

  // Loads NVRTC at the first call. Null where it cannot be; then *why says so.
  const Nvrtc* nvrtc() {
    const std::lock_guard lock(loading);
    if (!loaded) loaded = Nvrtc::load(location);
    return loaded->has_value() ? &loaded->value() : nullptr;
  }

  std::optional<Build> find_in_cache(const Request& request) const;
  Result<Nvrtc::Outcome> run(const Request& request, const std::stop_token& stop);
  std::optional<Result<Nvrtc::Outcome>> run_in_worker(const Request& request, const std::stop_token& stop);
  Result<Build> compile_anew(const Request& request, const std::stop_token& stop);

  NvrtcLocation location;
  DiskCache cache;
  std::vector<std::string> worker;
  std::mutex loading;  // guards the two below
  std::vector<std::unique_ptr<CompileWorker>> idle;
  std::optional<Result<Nvrtc>> loaded;
};

// Where only PTX is wanted, an entry that holds the machine code too will do.
std::optional<Build> Compiler::State::find_in_cache(const Request& request) const {
  Request with_cubin = request;
  with_cubin.want_cubin = true;
  std::optional<CompilerOutput> output = cache.find({request_key(with_cubin), location.identity});
  if (!output && !request.want_cubin) output = cache.find({request_key(request), location.identity});
  if (!output) return std::nullopt;
  Result<Build> build = make_build(request, std::move(*output));
  if (!build) return std::nullopt;  // an entry that cannot be used is compiled again
  build->from_cache = true;
  return std::move(*build);
}

// Nothing: there is no such process.
std::optional<Result<Nvrtc::Outcome>> Compiler::State::run_in_worker(const Request& request,
                                                                     const std::stop_token& stop) {
  if (worker.empty()) return std::nullopt;
  std::unique_ptr<CompileWorker> one;
  {
    const std::lock_guard lock(loading);
    if (!idle.empty()) one = std::move(idle.back()), idle.pop_back();
  }
  if (one == nullptr) one = std::make_unique<CompileWorker>(worker);
  auto answer = one->ask({.request = request, .nice = niceness()}, [&] { return stop.stop_requested(); });
  if (!one->can_start()) return std::nullopt;
  {
    const std::lock_guard lock(loading);
    idle.push_back(std::move(one));
  }
  if (!answer) return Error{"the compilation was stopped", ""};
  auto outcome = *answer ? unpacked_outcome(**answer) : std::nullopt;
  if (!outcome) return Error{"the compiler ended without an answer", "", {request.file_name, 0, 0}};
  return outcome;
}

Result<Nvrtc::Outcome> Compiler::State::run(const Request& request, const std::stop_token& stop) {
  if (!has_one_thread())
    if (auto outcome = run_in_worker(request, stop)) return *std::move(outcome);
  const Nvrtc* compiler = nvrtc();
  if (compiler == nullptr) return loaded->error();
  const auto compile = [&] {
    return compiler->compile(request, file_name_for_nvrtc(request.file_name), stop);
  };
  const Limits limits{request.file_name, location.readable(), [&] { return stop.stop_requested(); }};
  auto guarded = compile_guarded(compile, limits);
  return guarded ? *std::move(guarded) : compile_confined(compile, limits);
}

Result<Build> Compiler::State::compile_anew(const Request& request, const std::stop_token& stop) {
  Result<Nvrtc::Outcome> outcome = run(request, stop);
  if (!outcome) return outcome.error();
  if (!outcome->ok) return compile_error(request, outcome->output.log, outcome->output.ptx);
  Result<Build> build = make_build(request, outcome->output);
  if (build) cache.store({request_key(request), location.identity}, outcome->output);
  return build;
}

Compiler::Compiler(Options options) : state_(std::make_unique<State>(options)) {}
Compiler::~Compiler() = default;
Compiler::Compiler(Compiler&&) noexcept = default;

Result<Build> Compiler::compile(const Request& request, const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  if (auto forbidden = forbidden_include(request)) return *std::move(forbidden);
  if (auto endless = endless_macro(request.source, request.file_name)) return *std::move(endless);
  std::optional<Build> cached = state_->find_in_cache(request);
  Result<Build> build = cached ? Result<Build>(std::move(*cached)) : state_->compile_anew(request, stop);
  if (build) build->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return build;
}

bool Compiler::available() { return state_->nvrtc() != nullptr; }

std::string Compiler::description() {
  const Nvrtc* nvrtc = state_->nvrtc();
  if (nvrtc == nullptr) return to_line(state_->loaded->error());
  return fmt::format("{} ({})", nvrtc->name(), state_->location.library.string());
}

std::string Compiler::cache_warning() const { return state_->cache.warning(); }

}  // namespace warplens::compile
