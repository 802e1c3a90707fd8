// What nvcc's start code tells: fat binaries, the stubs of kernels, and variables.
#include <cstring>

#include "runtime/cudart/runtime.hpp"

namespace warplens::runtime {
namespace {

using protocol::Request;

// The wrapper around a fat binary, as nvcc writes it: version 2, of -rdc, has a list of linked ones too.
struct Wrapper {
  std::uint32_t magic, version;
  const char* data;
  const char* const* linked;
};
constexpr std::uint32_t kWrapper = 0x466243b1;

struct BinaryHead {
  std::uint32_t magic;
  std::uint16_t version, head_bytes;
  std::uint64_t bytes;
};
constexpr std::uint32_t kBinary = 0xba55ed50;

// An empty one may stand in front of the one that is meant: all in a row are taken.
void add_binaries(const char* at, std::vector<std::string>& binaries) {
  for (BinaryHead head; at != nullptr; at += head.head_bytes + head.bytes) {
    std::memcpy(&head, at, sizeof head);
    if (head.magic != kBinary) return;
    binaries.emplace_back(at, head.head_bytes + head.bytes);
    if (head.bytes > 0) return;
  }
}

}  // namespace

Registered& Runtime::add_registered() {
  registered_.push_back(std::make_unique<Registered>());
  return *registered_.back();
}

cudaError_t Runtime::load(Registered& one) {
  if (one.is_loaded) return cudaSuccess;
  if (const auto error = start()) return error;
  one.is_loaded = true;
  std::string all;
  for (const std::string& binary : one.binaries) all += binary;
  const Answer answer = connection_.ask(Request::module, all);
  std::string_view body = answer.body;
  const auto module = take<protocol::Module>(body);
  std::map<std::string, protocol::Entry, std::less<>> entries;
  for (std::uint32_t e = 0; e < module.entries; ++e) {
    const auto entry = take<protocol::Entry>(body);
    entries.emplace(take(body, entry.name_size), entry);
  }
  for (const auto& [host, name] : one.functions) {
    Function& function = functions_[host];
    function.name = name;
    function.module = module.id;
    if (answer.status != 0) function.is_known = true, function.status = static_cast<cudaError_t>(answer.status);
  }
  for (const Registered::Named& named : one.variables) {
    const auto found = entries.find(named.name);
    if (found == entries.end()) continue;
    const protocol::Entry& entry = found->second;
    const bool is_managed = named.managed != nullptr;
    if (is_managed) *named.managed = reinterpret_cast<void*>(entry.address);
    if (is_managed) connection_.open_to_host(entry.address, entry.size, true);
    variables_[is_managed ? reinterpret_cast<void*>(entry.address) : named.host] = {entry.address, entry.size};
    blocks_[entry.address] = {entry.size, is_managed ? protocol::Memory::managed : protocol::Memory::device, true};
  }
  return cudaSuccess;
}

cudaError_t Runtime::load_all() {
  for (const auto& one : registered_)
    if (const auto error = load(*one)) return error;
  return cudaSuccess;
}

cudaError_t Runtime::find(const void* host, Function*& function) {
  if (const auto error = load_all()) return error;
  const auto found = functions_.find(host);
  if (found == functions_.end()) return cudaErrorInvalidResourceHandle;
  function = &found->second;
  return ask_kernel(*function);
}

cudaError_t Runtime::ask_kernel(Function& function) {
  if (function.is_known) return function.status;
  function.is_known = true;
  const Answer answer =
      connection_.ask(Request::kernel, bytes_of(protocol::KernelQuestion{function.module}), function.name);
  function.status = static_cast<cudaError_t>(answer.status);
  if (answer.status != 0) return function.status;
  std::string_view body = answer.body;
  function.facts = take<protocol::Kernel>(body);
  for (std::uint32_t p = 0; p < function.facts.parameters; ++p) {
    const auto parameter = take<protocol::Parameter>(body);
    function.parameters.push_back(parameter);
    function.parameter_bytes =
        std::max<std::size_t>(function.parameter_bytes, parameter.offset + parameter.size);
  }
  return cudaSuccess;
}

cudaError_t Runtime::find(const void* host, const Variable*& variable) {
  if (const auto error = load_all()) return error;
  const auto found = variables_.find(host);
  if (found == variables_.end()) return cudaErrorInvalidSymbol;
  variable = &found->second;
  return cudaSuccess;
}

}  // namespace warplens::runtime

using namespace warplens::runtime;

WARPLENS_API void** __cudaRegisterFatBinary(void* wrapper) {
  Registered& one = runtime().add_registered();
  Wrapper head;
  std::memcpy(&head, wrapper, sizeof head);
  if (head.magic == kWrapper) {
    for (const char* const* linked = head.version == 2 ? head.linked : nullptr; linked != nullptr && *linked != nullptr; ++linked)
      add_binaries(*linked, one.binaries);
    if (one.binaries.empty()) add_binaries(head.data, one.binaries);
  }
  return reinterpret_cast<void**>(&one);
}
WARPLENS_API void __cudaRegisterFatBinaryEnd(void**) {}
WARPLENS_API void __cudaUnregisterFatBinary(void**) {}
WARPLENS_API void __cudaRegisterFunction(void** of, const char* host, char*, const char* name, int, void*, void*,
                                         void*, void*, int*) {
  reinterpret_cast<Registered*>(of)->functions.emplace_back(host, name);
}
WARPLENS_API void __cudaRegisterVar(void** of, char* host, char*, const char* name, int, std::size_t, int, int) {
  reinterpret_cast<Registered*>(of)->variables.push_back({host, nullptr, name});
}
WARPLENS_API void __cudaRegisterManagedVar(void** of, void** host, char*, const char* name, int, std::size_t, int,
                                           int) {
  reinterpret_cast<Registered*>(of)->variables.push_back({nullptr, host, name});
}
WARPLENS_API char __cudaInitModule(void** of) {
  const std::lock_guard lock(runtime().mutex());
  return runtime().load(*reinterpret_cast<Registered*>(of)) == cudaSuccess;
}
