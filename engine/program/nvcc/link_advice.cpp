#include "engine/program/nvcc/link_advice.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <vector>

namespace warplens::program {
namespace {

// A library that a name belongs to, by how the name begins: the first row that fits.
struct Library {
  std::string_view prefix, title, option;
};
constexpr std::array<Library, 15> kLinked{{
    {"cublasLt", "cuBLASLt", "-lcublasLt"},
    {"cublas", "cuBLAS", "-lcublas"},
    {"curand", "cuRAND", "-lcurand"},
    {"cufft", "cuFFT", "-lcufft"},
    {"cusparse", "cuSPARSE", "-lcusparse"},
    {"cusolver", "cuSOLVER", "-lcusolver"},
    {"cudnn", "cuDNN", "-lcudnn"},
    {"nccl", "NCCL", "-lnccl"},
    {"nvrtc", "NVRTC", "-lnvrtc"},
    {"nvml", "NVML", "-lnvidia-ml"},
    {"omp_", "OpenMP", "-Xcompiler=-fopenmp"},
    {"GOMP_", "OpenMP", "-Xcompiler=-fopenmp"},
    {"glut", "GLUT", "-lglut"},
    {"gl", "OpenGL", "-lGL"},
    {"cu", "CUDA's driver interface", "-lcuda"},
}};

// The name of a library's function goes on with a capital letter: "gl" is not that of "global_sum".
const Library* library_of(std::string_view name) {
  const auto* found = std::ranges::find_if(kLinked, [&](const Library& row) {
    const std::string_view rest = name.starts_with(row.prefix) ? name.substr(row.prefix.size()) : "";
    return !rest.empty() &&
           (row.prefix.ends_with('_') || std::isupper(static_cast<unsigned char>(rest.front())) != 0);
  });
  return found == kLinked.end() ? nullptr : found;
}

// NVIDIA's package for pip with a header of this name, by how that begins; the packages that ./run fetches have nvcc's own alone.
std::string_view package_of(std::string_view header) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kPackages{{
      {"cublas", "nvidia-cublas"},
      {"curand", "nvidia-curand"},
      {"cufft", "nvidia-cufft"},
      {"cusparse", "nvidia-cusparse"},
      {"cusolver", "nvidia-cusolver"},
      {"nvrtc", "nvidia-cuda-nvrtc"},
  }};
  const auto* found =
      std::ranges::find_if(kPackages, [&](const auto& row) { return header.starts_with(row.first); });
  return found == kPackages.end() ? "" : found->second;
}

// What stands between these marks, each time, once: "... `main'" or "... '_Z3addii'".
std::vector<std::string> names_after(std::string_view said, std::string_view before) {
  std::vector<std::string> names;
  for (std::size_t at = said.find(before); at != said.npos; at = said.find(before, at)) {
    at += before.size();
    std::string name(said.substr(at, said.find_first_of("'\n", at) - at));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

// g++ says "fatal error: cublas_v2.h: No such file or directory", the first that it does not find.
std::optional<Error> lacks_header(const std::string& source, std::string_view said) {
  constexpr std::string_view kBehind = ": No such file or directory";
  for (std::string header : names_after(said, "fatal error: ")) {
    if (!header.ends_with(kBehind)) continue;
    header.resize(header.size() - kBehind.size());
    const std::string_view package = package_of(header);
    if (package.empty()) return std::nullopt;
    return Error{fmt::format("{} includes {}, which is not beside nvcc", source, header),
                 fmt::format("'pip install --no-deps --target DIR {}', then add --nvcc "
                             "-IDIR/nvidia/cu13/include",
                             package)};
  }
  return std::nullopt;
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return text == nullptr ? name : text.get();
}

void add_once(std::vector<std::string_view>& list, std::string_view text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

Error lacks_libraries(const std::string& source, const std::vector<const Library*>& libraries) {
  std::vector<std::string_view> titles, options;
  for (const Library* library : libraries) {
    add_once(titles, library->title);
    add_once(options, library->option);
  }
  return {
      fmt::format("{} uses {}, which nvcc links only when it is told to", source, fmt::join(titles, ", ")),
      fmt::format("add --nvcc {}", fmt::join(options, " --nvcc "))};
}

// Of all that the linker misses: libraries, where it is theirs alone.
std::optional<Error> lacks(const std::string& source, const std::vector<std::string>& names) {
  std::vector<const Library*> libraries;
  for (const std::string& name : names) {
    const Library* library = library_of(name);
    if (library == nullptr)
      return Error{fmt::format("{} calls {}, which is in none of the files that were compiled", source, name),
                   "add the file that has it with --nvcc OTHER.cu, or its library with --nvcc -lNAME"};
    libraries.push_back(library);
  }
  if (libraries.empty()) return std::nullopt;
  return lacks_libraries(source, libraries);
}

}  // namespace

std::optional<Error> link_advice(const std::string& source, std::string_view said) {
  if (const auto header = lacks_header(source, said)) return header;
  if (const auto names = names_after(said, "Unresolved extern function '"); !names.empty())
    return Error{
        fmt::format("{} calls {} on the device, which another file has", source, demangled(names.front())),
        "add --nvcc -rdc=true --nvcc OTHER.cu"};
  if (const auto names = names_after(said, "nvlink error   : Undefined reference to '"); !names.empty())
    return Error{fmt::format("{} calls {} on the device, which is in none of the files that were compiled",
                             source, demangled(names.front())),
                 "add the file that has it with --nvcc OTHER.cu"};
  if (said.find("requires separate compilation mode") != said.npos)
    return Error{
        source + " launches kernels from a kernel, which is not emulated; it compiles with -rdc=true",
        "add --nvcc -rdc=true to run what else it does"};
  const auto names = names_after(said, "undefined reference to `");
  if (std::ranges::find(names, "main") != names.end())
    return Error{source + " has no main(), so it is not a program",
                 "run its kernel with 'warplens run " + source + "'"};
  return lacks(source, names);
}

}  // namespace warplens::program
