// Functions of libraries that are opened at run time: a library's are listed once, in a macro that calls its
// argument with result, name and parameters of each,
//   #define NVML_FUNCTIONS(F) F(int, nvmlInit_v2, ()) F(int, nvmlShutdown, ())
// and WARPLENS_FUNCTION_TABLE(NVML_FUNCTIONS) makes them members of a struct.
#pragma once

#include <dlfcn.h>

namespace warplens {

// Whether the opened library has a function of this name, which `function` then points to.
template <class Function>
bool bind(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace warplens

#define WARPLENS_FUNCTION_MEMBER(result, name, parameters) result(*name) parameters;
#define WARPLENS_FUNCTION_BIND(result, name, parameters) \
  if (!::warplens::bind(library, #name, name)) return #name;
// And a member function that finds all of them: the name of the first that is missing; null where all are
// there.
#define WARPLENS_FUNCTION_TABLE(FUNCTIONS) \
  FUNCTIONS(WARPLENS_FUNCTION_MEMBER)      \
  const char* bind_to(void* library) {     \
    FUNCTIONS(WARPLENS_FUNCTION_BIND)      \
    return nullptr;                        \
  }
