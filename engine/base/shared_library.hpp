// Functions of libraries that are opened at run time.
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
