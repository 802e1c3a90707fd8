// What nvcc's start code tells: fat binaries, the stubs of kernels, and variables.
#include "runtime/cudart/images.hpp"
#include "runtime/cudart/runtime.hpp"

namespace warplens::runtime {
namespace {

using protocol::Request;

}  // namespace

Registered& Runtime::add_registered() {
  registered_.push_back(std::make_unique<Registered>());
  return *registered_.back();
}

cudaError_t Runtime::load_images(std::string_view images, LoadedModule& to) {
  if (const auto error = start()) return error;
  const Answer answer = connection_.ask(Request::module, images);
  std::string_view body = answer.body;
  const auto module = take<protocol::Module>(body);
  to.id = module.id;
  for (std::uint32_t e = 0; e < module.entries; ++e) {
    const auto entry = take<protocol::Entry>(body);
    to.variables.emplace(take(body, entry.name_size), entry);
    blocks_[entry.address] = {entry.size, protocol::Memory::device, true};
  }
  return static_cast<cudaError_t>(answer.status);
}

void Runtime::open_variable(const protocol::Entry& entry, void** place) {
  *place = reinterpret_cast<void*>(entry.address);
  connection_.open_to_host(entry.address, entry.size, true);
  connection_.tell(Request::visible, bytes_of(entry.address));
  blocks_[entry.address].kind = protocol::Memory::managed;
}

cudaError_t Runtime::load(Registered& one) {
  if (one.is_loaded) return cudaSuccess;
  if (const auto error = start()) return error;
  one.is_loaded = true;
  std::string all;
  for (const std::string& binary : one.binaries) all += binary;
  LoadedModule module;
  const cudaError_t status = load_images(all, module);
  for (const auto& [host, name] : one.functions) {
    Function& function = functions_[host];
    function.name = name;
    function.module = module.id;
    if (status != cudaSuccess) function.is_known = true, function.status = status;
  }
  for (const Registered::Named& named : one.variables) {
    const auto found = module.variables.find(named.name);
    if (found == module.variables.end()) continue;
    const protocol::Entry& entry = found->second;
    const bool is_managed = named.managed != nullptr;
    if (is_managed) open_variable(entry, named.managed);
    variables_[is_managed ? reinterpret_cast<void*>(entry.address) : named.host] = {entry.address, entry.size};
  }
  return cudaSuccess;
}

// The handle is an address that no stub has; like stubs it lives until the process ends.
cudaError_t Runtime::find(LoadedModule& module, const std::string& name, const void*& handle) {
  const auto [known, is_new] = module.kernels.try_emplace(name, nullptr);
  if (is_new) known->second = new char;
  handle = known->second;
  Function& function = functions_[handle];
  function.name = name;
  function.module = module.id;
  return ask_kernel(function);
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
  one.binaries = binaries_of(wrapper);
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
