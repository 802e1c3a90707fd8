// Modules that a program loads itself, at run time: of PTX's text, or of a fat binary.
#include <cstring>
#include <fstream>
#include <sstream>

#include "runtime/cudart/images.hpp"
#include "runtime/cudart/runtime.hpp"

using namespace warplens::runtime;

namespace {

cudaError_t load(void** to, const void* code) {
  return api([&](Runtime& one) {
    if (to == nullptr || code == nullptr) return cudaErrorInvalidValue;
    auto* const module = new LoadedModule;
    *to = module;
    return one.load_images(images_at(code), *module);
  });
}

cudaError_t variable(void** to, std::size_t* size, void* library, const char* name) {
  return api([&](Runtime&) {
    if (library == nullptr || name == nullptr) return cudaErrorInvalidValue;
    const auto& variables = static_cast<LoadedModule*>(library)->variables;
    const auto found = variables.find(name);
    if (found == variables.end()) return cudaErrorSymbolNotFound;
    if (to != nullptr) *to = reinterpret_cast<void*>(found->second.address);
    if (size != nullptr) *size = found->second.size;
    return cudaSuccess;
  });
}

}  // namespace

WARPLENS_API cudaError_t cudaLibraryLoadData(void** library, const void* code, void*, void**, unsigned, void*, void**,
                                             unsigned) {
  return load(library, code);
}
WARPLENS_API cudaError_t cudaLibraryLoadFromFile(void** library, const char* file, void*, void**, unsigned, void*,
                                                 void**, unsigned) {
  std::ifstream from(file, std::ios::binary);
  if (!from) return runtime().keep(cudaErrorFileNotFound);
  std::ostringstream text;
  text << from.rdbuf();
  const std::string bytes = text.str();
  return load(library, bytes.c_str());
}
WARPLENS_API cudaError_t cudaLibraryUnload(void* library) {
  return api([&](Runtime&) {
    delete static_cast<LoadedModule*>(library);
    return library == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaLibraryGetKernel(const void** kernel, void* library, const char* name) {
  return api([&](Runtime& one) {
    if (kernel == nullptr || library == nullptr || name == nullptr) return cudaErrorInvalidValue;
    return one.find(*static_cast<LoadedModule*>(library), name, *kernel);
  });
}
WARPLENS_API cudaError_t cudaLibraryGetGlobal(void** to, std::size_t* size, void* library, const char* name) {
  return variable(to, size, library, name);
}
WARPLENS_API cudaError_t cudaLibraryGetManaged(void** to, std::size_t* size, void* library, const char* name) {
  return variable(to, size, library, name);
}
