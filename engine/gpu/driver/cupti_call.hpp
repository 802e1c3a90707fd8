// How CUPTI's functions are called. Inside engine/gpu only.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.hpp"

namespace warplens::gpu {

// Every call takes one structure which begins with its size, so that later versions can add members behind.
// The functions are documented with these members, in this order.
struct Head {
  std::size_t size = 0;
  void* reserved = nullptr;
};

// The bytes up to the end of the last member, without padding behind it.
template <class Parameters, class Last>
Parameters sized(Last Parameters::*last) {
  Parameters parameters;
  const auto* begin = reinterpret_cast<const std::byte*>(&parameters);
  const auto* member = reinterpret_cast<const std::byte*>(&(parameters.*last));
  parameters.head.size = static_cast<std::size_t>(member - begin) + sizeof(Last);
  return parameters;
}

using CuptiResultString = int (*)(int code, const char** text);

inline Status check_cupti(CuptiResultString describe, int code, std::string_view call) {
  constexpr int may_not = 35, may_not_in_virtual_machine = 40;  // CUptiResult
  if (code == 0) return Done{};
  if (code == may_not || code == may_not_in_virtual_machine)
    return Error{"this user may not read the GPU's counters (CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)",
                 "run as root, or see https://developer.nvidia.com/ERR_NVGPUCTRPERM"};
  const char* text = nullptr;
  describe(code, &text);
  return Error{fmt::format("{} failed with {}", call, text == nullptr ? std::to_string(code) : text), ""};
}

// Undoes what a call did, whatever comes after it.
class Undo {
 public:
  explicit Undo(std::function<void()> what) : what_(std::move(what)) {}
  ~Undo() { what_(); }
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;

 private:
  std::function<void()> what_;
};

// Calls a function of `f`, which has check(code, name), and returns its error where it fails.
#define WARPLENS_CUPTI_TRY(call, parameters) \
  if (const auto status = f.check(f.call(&(parameters)), #call); !status) return status.error()

}  // namespace warplens::gpu
