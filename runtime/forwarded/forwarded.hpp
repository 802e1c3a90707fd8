// A library of NVIDIA's that does the work for one of ours, from the place that `warplens exec` names.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace warplens::runtime {

class Forwarded {
 public:
  // variable: of the environment, the library's path; missing: what is said where there is none, a whole line.
  Forwarded(const char* variable, const char* missing) {
    const char* const place = std::getenv(variable);
    if (place != nullptr) library_ = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) std::fputs(missing, stderr);
  }
  explicit operator bool() const { return library_ != nullptr; }

  // What the function answers to these; `without` where there is none of this name.
  template <class Answer, class... Types>
  Answer call(const char* name, Answer without, Types... values) const {
    void* const function = library_ != nullptr ? dlsym(library_, name) : nullptr;
    return function != nullptr ? reinterpret_cast<Answer (*)(Types...)>(function)(values...) : without;
  }

 private:
  void* library_ = nullptr;
};

}  // namespace warplens::runtime
