// By which variables of its environment a program is told where libraries of NVIDIA's are that ours hand their work on to.
#pragma once

namespace warplens::protocol {

inline constexpr const char* kNvrtcVariable = "WARPLENS_NVRTC";
inline constexpr const char* kCurandVariable = "WARPLENS_CURAND";

}  // namespace warplens::protocol
