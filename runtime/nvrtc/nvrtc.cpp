// NVRTC for programs that compile kernels while they run: NVIDIA's own does all of it, from the place that `warplens exec` names.
// Only what it gives as machine code is a fat binary here, with the PTX beside it, since the emulator runs PTX.
#include <cstdlib>
#include <string>

#include "runtime/forwarded/forwarded.hpp"
#include "runtime/protocol/fat_binary_text.hpp"
#include "runtime/protocol/forwarded_names.hpp"

namespace {

constexpr int kInternalError = 11;  // nvrtcResult

const warplens::runtime::Forwarded& library() {
  static const warplens::runtime::Forwarded loaded(
      warplens::protocol::kNvrtcVariable,
      "warplens: there is no NVRTC, which this program compiles its kernels with: install a CUDA 13 toolkit\n");
  return loaded;
}

template <class... Types>
int forward(const char* name, Types... values) {
  return library().call(name, kInternalError, values...);
}

std::string bytes_of(void* program, const char* size_name, const char* name) {
  std::size_t size = 0;
  if (forward(size_name, program, &size) != 0 || size == 0) return {};
  std::string bytes(size, '\0');
  return forward(name, program, bytes.data()) == 0 ? bytes : std::string();
}

// "sm_90a" of ".target sm_90a": 90.
std::uint32_t architecture_of(const std::string& ptx) {
  const std::size_t at = ptx.find(".target sm_");
  return at == ptx.npos ? 0 : static_cast<std::uint32_t>(std::atoi(ptx.c_str() + at + 11));
}

// Empty where the program was compiled for a virtual architecture alone, as there.
std::string fat_binary_of(void* program) {
  const std::string code = bytes_of(program, "nvrtcGetCUBINSize", "nvrtcGetCUBIN");
  const std::string ptx = bytes_of(program, "nvrtcGetPTXSize", "nvrtcGetPTX");
  if (code.empty() || ptx.empty()) return {};
  using warplens::program::fat_entry;
  const std::uint32_t architecture = architecture_of(ptx);
  return warplens::program::fat_binary(fat_entry(1, architecture, ptx) + fat_entry(2, architecture, code));
}

}  // namespace

#define NVRTC_API extern "C" __attribute__((visibility("default"))) int

NVRTC_API nvrtcGetCUBINSize(void* program, std::size_t* size) {
  *size = fat_binary_of(program).size();
  return 0;
}
NVRTC_API nvrtcGetCUBIN(void* program, char* to) {
  const std::string bytes = fat_binary_of(program);
  bytes.copy(to, bytes.size());
  return 0;
}

extern "C" __attribute__((visibility("default"))) const char* nvrtcGetErrorString(int error) {
  return library().call("nvrtcGetErrorString", "there is no NVRTC", error);
}
NVRTC_API nvrtcVersion(int* major, int* minor) { return forward("nvrtcVersion", major, minor); }
NVRTC_API nvrtcGetNumSupportedArchs(int* count) { return forward("nvrtcGetNumSupportedArchs", count); }
NVRTC_API nvrtcGetSupportedArchs(int* list) { return forward("nvrtcGetSupportedArchs", list); }
NVRTC_API nvrtcCreateProgram(void** program, const char* text, const char* name, int headers, const char* const* texts,
                             const char* const* names) {
  return forward("nvrtcCreateProgram", program, text, name, headers, texts, names);
}
NVRTC_API nvrtcDestroyProgram(void** program) { return forward("nvrtcDestroyProgram", program); }
NVRTC_API nvrtcCompileProgram(void* program, int options, const char* const* list) {
  return forward("nvrtcCompileProgram", program, options, list);
}
NVRTC_API nvrtcAddNameExpression(void* program, const char* expression) {
  return forward("nvrtcAddNameExpression", program, expression);
}
NVRTC_API nvrtcGetLoweredName(void* program, const char* expression, const char** name) {
  return forward("nvrtcGetLoweredName", program, expression, name);
}
NVRTC_API nvrtcSetFlowCallback(void* program, void* callback, void* data) {
  return forward("nvrtcSetFlowCallback", program, callback, data);
}
NVRTC_API nvrtcGetPCHHeapSize(std::size_t* size) { return forward("nvrtcGetPCHHeapSize", size); }
NVRTC_API nvrtcSetPCHHeapSize(std::size_t size) { return forward("nvrtcSetPCHHeapSize", size); }
NVRTC_API nvrtcGetPCHCreateStatus(void* program) { return forward("nvrtcGetPCHCreateStatus", program); }
NVRTC_API nvrtcGetPCHHeapSizeRequired(void* program, std::size_t* size) {
  return forward("nvrtcGetPCHHeapSizeRequired", program, size);
}

#define GET(what)                                                                                                  \
  NVRTC_API nvrtcGet##what##Size(void* program, std::size_t* size) {                                               \
    return forward("nvrtcGet" #what "Size", program, size);                                                        \
  }                                                                                                                \
  NVRTC_API nvrtcGet##what(void* program, char* to) { return forward("nvrtcGet" #what, program, to); }
GET(PTX)
GET(LTOIR)
GET(OptiXIR)
GET(ProgramLog)
