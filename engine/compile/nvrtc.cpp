#include "engine/compile/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "engine/base/shared_library.hpp"
#include "engine/compile/diagnostics.hpp"
#include "engine/compile/guarded.hpp"
#include "engine/compile/include_rules.hpp"
#include "engine/compile/source/host_headers.hpp"

namespace warplens::compile {
namespace {

using Program = void*;

// The few functions that are used, as nvrtc.h declares them; result 0 is success.
#define NVRTC_FUNCTIONS(F)                                                                         \
  F(int, nvrtcVersion, (int* major, int* minor))                                                   \
  F(int, nvrtcGetNumSupportedArchs, (int* count))                                                  \
  F(int, nvrtcGetSupportedArchs, (int* archs))                                                     \
  F(const char*, nvrtcGetErrorString, (int result))                                                \
  F(int, nvrtcCreateProgram,                                                                       \
    (Program*, const char* source, const char* name, int header_count, const char* const* headers, \
     const char* const* include_names))                                                            \
  F(int, nvrtcDestroyProgram, (Program*))                                                          \
  F(int, nvrtcAddNameExpression, (Program, const char* name))                                      \
  F(int, nvrtcCompileProgram, (Program, int option_count, const char* const* options))             \
  F(int, nvrtcGetPTXSize, (Program, std::size_t*))                                                 \
  F(int, nvrtcGetPTX, (Program, char*))                                                            \
  F(int, nvrtcGetCUBINSize, (Program, std::size_t*))                                               \
  F(int, nvrtcGetCUBIN, (Program, char*))                                                          \
  F(int, nvrtcGetProgramLogSize, (Program, std::size_t*))                                          \
  F(int, nvrtcGetProgramLog, (Program, char*))

struct Functions {
  WARPLENS_FUNCTION_TABLE(NVRTC_FUNCTIONS)
  // Null where the version has none. The callback returns 1 to stop.
  int (*nvrtcSetFlowCallback)(Program, int (*callback)(void* payload, void*), void* payload);
};

// NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_COMPILATION, NVRTC_ERROR_CANCELLED
constexpr int kOutOfMemory = 1, kCompilationError = 6, kCancelled = 16;

ErrorCode code_of(int result) { return result == kOutOfMemory ? ErrorCode::out_of_memory : ErrorCode::none; }

Error not_loaded(std::string reason) {
  return {"NVRTC, CUDA's run-time compiler, cannot be used: " + std::move(reason),
          "install the CUDA toolkit, or run `pip install nvidia-cuda-nvrtc` (no GPU or driver is needed)"};
}

// NVRTC opens its built-in headers by file name only and does not search its own folder, so they are loaded
// first.
void load_builtins(const std::filesystem::path& library) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(library.parent_path(), ignored)) {
    if (entry.path().filename().string().starts_with("libnvrtc-builtins.so.")) {
      dlopen(entry.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
    }
  }
}

using GetSize = int (*)(Program, std::size_t*);
using GetText = int (*)(Program, char*);

// Empty where there is nothing to get.
template <class Container>
Container fetch(Program program, GetSize get_size, GetText get) {
  std::size_t size = 0;
  if (get_size(program, &size) != 0 || size == 0) return {};
  Container content(size, typename Container::value_type{});
  if (get(program, reinterpret_cast<char*>(content.data())) != 0) return {};
  return content;
}

// NVRTC ends its texts, and each part of the log, with NULs.
std::string without_nuls(std::string text) {
  std::erase(text, '\0');
  return text;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  for (const std::string& text : texts) result.push_back(text.c_str());
  return result;
}

}  // namespace

struct Nvrtc::Library {
  Functions functions{};
  // The library stays loaded: unloading 109 MB that other threads may be compiling with gains nothing.
};

Result<Nvrtc> Nvrtc::load(const NvrtcLocation& location) {
  if (location.library.empty()) return not_loaded("it was not found");
  load_builtins(location.library);
  void* handle = dlopen(location.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    return not_loaded(reason == nullptr ? "it cannot be loaded" : reason);
  }
  auto library = std::make_shared<Library>();
  if (library->functions.bind_to(handle) != nullptr) {
    return not_loaded(location.library.string() + " lacks functions of version 11.2 and later");
  }
  bind(handle, "nvrtcSetFlowCallback", library->functions.nvrtcSetFlowCallback);
  Nvrtc nvrtc;
  int minor = 0, count = 0;
  library->functions.nvrtcVersion(&nvrtc.major_, &minor);
  // NVRTC documentation, --minimal: since CUDA 12.4.
  nvrtc.knows_minimal_ = nvrtc.major_ > 12 || (nvrtc.major_ == 12 && minor >= 4);
  nvrtc.name_ = fmt::format("NVRTC {}.{}", nvrtc.major_, minor);
  if (library->functions.nvrtcGetNumSupportedArchs(&count) == 0 && count > 0) {
    nvrtc.architectures_.resize(static_cast<std::size_t>(count));
    library->functions.nvrtcGetSupportedArchs(nvrtc.architectures_.data());
  }
  nvrtc.include_ = location.include;
  nvrtc.library_ = std::move(library);
  return nvrtc;
}

std::vector<std::string> Nvrtc::options_for(const Request& request) const {
  // A real architecture gives PTX and machine code from one pass; the PTX is that of the virtual one.
  std::vector<std::string> options{
      fmt::format("-arch={}_{}{}", request.want_cubin ? "sm" : "compute", request.arch, request.variant),
      "-std=c++17", "-lineinfo", "-brief-diag=true", "-no-source-include"};
  if (request.want_cubin) options.emplace_back("--ptxas-options=-v");  // registers and spills go to the log
  // Where there is a driver, NVRTC 13 returns what its own cache has, and then the log says nothing of
  // spills.
  if (major_ >= 13) options.emplace_back("-no-cache");
  for (const std::filesystem::path& folder : include_) options.push_back("-I" + folder.string());
  for (const auto& [name, value] : request.defines) options.push_back(fmt::format("-D{}={}", name, value));
  return options;
}

namespace {

// What a compilation takes, looked at whenever NVRTC asks whether to go on.
class Watch {
 public:
  explicit Watch(const std::stop_token& stop) : stop_(stop), pages_(pages_now()) {}

  bool stops() {
    if (stop_.stop_requested()) return true;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (processor_time() - began_at_ > kMostSeconds)
      reason_ = fmt::format("it took more than {} seconds", kMostSeconds);
    if (seconds > kMostSecondsOfClock)
      reason_ =
          fmt::format("it took more than {} seconds of a machine that does much else", kMostSecondsOfClock);
    if (seconds > 0.5 && pages_now() - pages_ > kMostBytes / sysconf(_SC_PAGESIZE))
      reason_ = "it took more than 2 GiB of memory";
    return !reason_.empty();
  }
  const std::string& reason() const { return reason_; }

 private:
  static constexpr int kMostSeconds = 20;  // of a processor
  static constexpr long kMostBytes = 2L << 30;

  // Of this thread, in seconds.
  static double processor_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

  // In memory, of this process; 0 where nothing says so.
  static long pages_now() {
    long all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident;
  }

  const std::stop_token& stop_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const double began_at_ = processor_time();
  long pages_;
  std::string reason_;
};

bool says(const Nvrtc::Outcome& outcome, std::string_view words) {
  return outcome.output.log.find(words) != std::string::npos;
}

// "k.cu(3): error: "int8_t" has already been declared (at line 2 of warplens/integers)"
bool blames_prelude(const Nvrtc::Outcome& outcome) {
  const std::string& log = outcome.output.log;
  for (std::size_t at = log.find("warplens/"); at != std::string::npos; at = log.find("warplens/", at + 1)) {
    const std::size_t begin = at == 0 ? 0 : log.rfind('\n', at - 1) + 1;
    if (log.substr(begin, log.find('\n', at) - begin).find(" error: ") != std::string::npos) return true;
  }
  return false;
}

// The file of an #include that is not there; empty where that is not what is missing.
std::string missing_file(const Nvrtc::Outcome& outcome, const std::string& file_name) {
  const std::string& log = outcome.output.log;
  std::size_t at = log.find("open source file \"");
  if (at == std::string::npos) return "";
  at = log.find('"', at) + 1;
  const std::string name = log.substr(at, log.find('"', at) - at);
  if (name.empty() || name.front() == '/') return "";
  std::error_code failed;  // what is there and cannot be included is an error
  return std::filesystem::exists(std::filesystem::path(file_name).parent_path() / name, failed) ? "" : name;
}

}  // namespace

// Without the declarations of textures and of the runtime's types a small kernel compiles 10 to 25 ms
// sooner, to the same PTX and machine code. A kernel that names them is compiled once more, with them.
Result<Nvrtc::Outcome> Nvrtc::compile(const Request& request, const std::string& file_name,
                                      const std::stop_token& stop) const {
  if (std::find(architectures_.begin(), architectures_.end(), request.arch) == architectures_.end()) {
    return Error{fmt::format("{} cannot compile for compute capability {}.{}", name_, request.arch / 10,
                             request.arch % 10),
                 fmt::format("choose one of {}", fmt::join(architectures_, ", "))};
  }
  Result<Outcome> outcome = compile_first(request, file_name, stop);
  if (!outcome || outcome->ok) return outcome;
  // A pasted kernel comes without the files of its author, and may need none of them.
  Request without = request;
  for (std::string file = missing_file(*outcome, request.file_name);
       !file.empty() && without.headers.size() < 64;
       file = outcome && !outcome->ok ? missing_file(*outcome, request.file_name) : "") {
    if (!without.headers.emplace(file, left_out_header(file)).second) break;
    outcome = compile_first(without, file_name, stop);
  }
  return outcome && !outcome->ok ? compile_again(without, file_name, stop, *std::move(outcome)) : outcome;
}

Result<Nvrtc::Outcome> Nvrtc::compile_first(const Request& request, const std::string& file_name,
                                            const std::stop_token& stop) const {
  std::vector<std::string> options = options_for(request);
  if (knows_minimal_) options.emplace_back("--minimal");
  return compile_with(options, request, file_name, stop);
}

// What nvcc takes and NVRTC does not, one after the other: what --minimal leaves out, names that nvcc knows
// without an #include, and code of no space (constexpr, or called by nobody), which is all the device's here.
Result<Nvrtc::Outcome> Nvrtc::compile_again(const Request& request, const std::string& file_name,
                                            const std::stop_token& stop, Outcome first) const {
  std::vector<std::string> options = options_for(request);
  Request with_names = request;
  // Kernels of one name: all that are no templates are made without being asked for.
  if (says(first, "cannot determine which instance of overloaded function")) with_names.kernel.clear();
  // C++17 has no "register" variables any more, of which nvcc only warns.
  if (says(first, "storage class specifier is not allowed"))
    std::ranges::replace(options, "-std=c++17", "-std=c++14");
  const bool has_prelude =
      says(first, "is undefined") || says(first, "has no member") || says(first, "must be a namespace name");
  if (has_prelude) {
    add_prelude(with_names.headers, what_is_missing(first.output.log, request.source));
    options.push_back(fmt::format("-include={}", kPreludeName));
  }
  Result<Outcome> outcome = compile_with(options, with_names, file_name, stop);
  if (has_prelude && outcome && !outcome->ok && blames_prelude(*outcome)) {  // the file has such names too
    options.pop_back();
    with_names.headers = request.headers;
    outcome = compile_with(options, with_names, file_name, stop);
  }
  if (!outcome || outcome->ok || !says(*outcome, "not allowed in JIT mode")) return outcome;
  options.emplace_back("-default-device");
  Result<Outcome> second = compile_with(options, with_names, file_name, stop);
  const bool is_better = !second || second->ok || says(*second, kTooComplex);
  return is_better ? second : outcome;
}

Result<Nvrtc::Outcome> Nvrtc::compile_with(const std::vector<std::string>& options, const Request& request,
                                           const std::string& file_name, const std::stop_token& stop) const {
  const Functions& f = library_->functions;
  std::vector<std::string> names, texts;
  const std::string source = without_line_directives(request.source);
  for (const auto& [name, text] : request.headers) {
    names.push_back(name);
    texts.push_back(without_line_directives(text));
  }
  const auto name_pointers = pointers(names), text_pointers = pointers(texts);
  Program program = nullptr;
  if (const int result =
          f.nvrtcCreateProgram(&program, source.c_str(), file_name.c_str(), static_cast<int>(names.size()),
                               text_pointers.data(), name_pointers.data());
      result != 0) {
    return Error{name_ + " cannot start: " + f.nvrtcGetErrorString(result),
                 "",
                 {request.file_name, 0, 0},
                 code_of(result)};
  }
  Watch watch(stop);
  if (f.nvrtcSetFlowCallback != nullptr) {
    const auto is_stopped = [](void* watched, void*) {
      return static_cast<Watch*>(watched)->stops() ? 1 : 0;
    };
    f.nvrtcSetFlowCallback(program, is_stopped, &watch);
  }
  if (!request.kernel.empty()) f.nvrtcAddNameExpression(program, request.kernel.c_str());
  const auto option_pointers = pointers(options);
  const int result = f.nvrtcCompileProgram(program, static_cast<int>(options.size()), option_pointers.data());
  Outcome outcome;
  outcome.ok = result == 0;
  outcome.output.compiler = name_;
  outcome.output.log =
      without_nuls(fetch<std::string>(program, f.nvrtcGetProgramLogSize, f.nvrtcGetProgramLog));
  outcome.output.ptx = without_nuls(fetch<std::string>(program, f.nvrtcGetPTXSize, f.nvrtcGetPTX));
  if (outcome.ok && request.want_cubin) {
    outcome.output.cubin = fetch<std::vector<std::byte>>(program, f.nvrtcGetCUBINSize, f.nvrtcGetCUBIN);
  }
  f.nvrtcDestroyProgram(&program);
  if (result == kCancelled && !watch.reason().empty())
    return Error{"the compilation was stopped: " + watch.reason(),
                 "look for a template, a macro or an unrolled loop without an end",
                 {request.file_name, 0, 0}};
  if (result == kCancelled) return Error{"the compilation was stopped", ""};
  if (result != 0 && result != kCompilationError) {
    return Error{fmt::format("{}: {} {}", name_, f.nvrtcGetErrorString(result), outcome.output.log),
                 "",
                 {request.file_name, 0, 0},
                 code_of(result)};
  }
  return outcome;
}

}  // namespace warplens::compile
