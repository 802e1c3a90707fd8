#include "engine/program/argument_names.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "engine/base/whole_file.hpp"
#include "engine/ptx/source_place.hpp"
#include "engine/source/signature.hpp"
#include "engine/source/types.hpp"

namespace warplens::program {
namespace {

namespace fs = std::filesystem;

// The file that the kernel's first instruction with a line is of.
std::string file_of(const emulator::Kernel& kernel) {
  const ptx::Function& function = kernel.function();
  for (std::size_t pc = 0; pc < function.code.size(); ++pc)
    if (const Place place = ptx::place_of(kernel.program(), function, pc); !place.file.empty())
      return place.file;
  return {};
}

std::string read_source(const fs::path& file) {
  constexpr std::uintmax_t kMost = 4 << 20;
  std::error_code error;
  if (file.empty() || fs::file_size(file, error) > kMost || error) return {};
  return read_whole_file(file) ? *read_whole_file(file) : std::string();
}

std::uint32_t bytes_of(const std::string& type) {
  const auto known = source::read_type(type);
  return known ? static_cast<std::uint32_t>(known->bytes()) : 0;
}

std::uint64_t value_of(const ptx::Parameter& parameter, const std::vector<std::byte>& arguments) {
  std::uint64_t value = 0;
  if (parameter.size == sizeof value && parameter.offset + sizeof value <= arguments.size())
    std::memcpy(&value, arguments.data() + parameter.offset, sizeof value);
  return value;
}

}  // namespace

SourceOfKernel source_of(const emulator::Kernel& kernel) {
  SourceOfKernel source{file_of(kernel), {}};
  source.code = read_source(source.file);
  return source;
}

std::vector<ArgumentName> argument_names(const emulator::Kernel& kernel, const std::string& title) {
  const std::string file = file_of(kernel), code = read_source(file);
  if (code.empty()) return {};
  const std::size_t open = title.find('<');
  const std::string name = title.substr(0, open);
  for (source::KernelSignature signature :
       source::kernel_signatures(code, fs::path(file).parent_path().string())) {
    if (signature.name != name || signature.parameters.size() != kernel.function().parameters.size())
      continue;
    if (open != title.npos)
      signature = source::with_arguments(signature, title.substr(open + 1, title.size() - open - 2));
    std::vector<ArgumentName> names;
    for (const source::KernelParameter& parameter : signature.parameters)
      names.push_back({parameter.name, parameter.is_pointer, parameter.type,
                       parameter.is_pointer ? bytes_of(parameter.type) : 0});
    return names;
  }
  return {};
}

std::vector<check::BufferFacts> named_arrays(const std::vector<emulator::Allocation>& arrays,
                                             const std::vector<ArgumentName>& names,
                                             const ptx::Function& kernel,
                                             const std::vector<std::byte>& arguments) {
  constexpr std::uint32_t kUsualElement = 4;
  std::vector<check::BufferFacts> facts;
  for (const emulator::Allocation& array : arrays)
    facts.push_back({array.address, array.size, array.name, true, true, kUsualElement, array.name});
  std::vector<bool> is_named(facts.size(), false);
  for (std::size_t a = 0; a < std::min(names.size(), kernel.parameters.size()); ++a) {
    if (!names[a].is_pointer || names[a].name.empty()) continue;
    const std::uint64_t value = value_of(kernel.parameters[a], arguments);
    for (std::size_t b = 0; b < facts.size(); ++b) {
      if (is_named[b] || value < facts[b].address || value - facts[b].address >= facts[b].size) continue;
      is_named[b] = true;
      facts[b].name = names[a].name;
      if (names[a].element > 0) facts[b].element = names[a].element;
      facts[b].before = value - facts[b].address;
    }
  }
  return facts;
}

}  // namespace warplens::program
