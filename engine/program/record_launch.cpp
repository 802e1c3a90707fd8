#include "engine/program/record_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "engine/base/text.hpp"
#include "engine/emulator/flow/recursion.hpp"
#include "engine/program/argument_names.hpp"

namespace warplens::program {
namespace {

using catalog::RecordedArray, catalog::RecordedLaunch;

RecordedArray array_of(const emulator::Allocation& place, const emulator::GlobalMemory& memory) {
  const auto bytes = memory.bytes(place);
  RecordedArray array;
  array.name = place.name;
  array.address = place.address;
  array.bytes.assign(bytes.begin(), bytes.end());
  array.read_only = place.read_only;
  array.internal = place.internal;
  array.of_module = place.of_module;
  return array;
}

std::vector<catalog::RecordedArgument> parameters_of(const Subject& subject) {
  std::vector<catalog::RecordedArgument> list;
  const auto& parameters = subject.entry.kernel->function().parameters;
  const auto& names = subject.entry.arguments;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    catalog::RecordedArgument one;
    if (p < names.size())
      one.name = names[p].name, one.type = names[p].type + (names[p].is_pointer ? "*" : "");
    one.offset = static_cast<std::uint32_t>(parameters[p].offset);
    one.size = static_cast<std::uint32_t>(parameters[p].size);
    list.push_back(std::move(one));
  }
  return list;
}

std::uint64_t word_at(const std::vector<std::byte>& bytes, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

bool is_in(const RecordedArray& array, std::uint64_t address) {
  return address >= array.address && address - array.address < array.bytes.size();
}

// Those that any word of the arguments points into come first, in the order of these.
void choose_arrays(RecordedLaunch& launch) {
  for (std::size_t at = 0; at + 8 <= launch.arguments.size(); at += 8) {
    const std::uint64_t word = word_at(launch.arguments, at);
    const auto found =
        std::ranges::find_if(launch.others, [&](const auto& array) { return is_in(array, word); });
    if (found == launch.others.end() || found->internal) continue;
    launch.arrays.push_back(std::move(*found));
    launch.others.erase(found);
  }
}

// As the kernel calls them. An array that two arguments point into has the first one's name.
void name_arrays(RecordedLaunch& launch, const std::vector<ArgumentName>& names) {
  for (RecordedArray& array : launch.arrays)
    for (std::size_t p = 0; p < std::min(names.size(), launch.parameters.size()); ++p) {
      const auto& parameter = launch.parameters[p];
      const bool points = names[p].is_pointer && parameter.size == 8 &&
                          parameter.offset + 8 <= launch.arguments.size() &&
                          is_in(array, word_at(launch.arguments, parameter.offset));
      if (!points || names[p].name.empty()) continue;
      array.name = names[p].name;
      array.type = names[p].type;
      break;
    }
}

// Kernels that are given no array at all: figures have one to show, which nobody touches.
RecordedArray unused_array(const RecordedLaunch& launch) {
  constexpr std::uint64_t kPage = 4096;
  RecordedArray array;
  array.name = "no array";
  array.address = emulator::kGlobalBase;
  for (const RecordedArray& other : launch.others)
    array.address = std::max(array.address, (other.address + other.bytes.size()) / kPage * kPage + 2 * kPage);
  array.bytes.resize(sizeof(std::uint32_t));
  return array;
}

// The text with what the launch itself brought to its kernel: the size of its clusters, and a larger stack. Lines stay what they are.
std::string ptx_of(const Subject& subject) {
  std::string text = subject.module.ptx();
  const ptx::Function& kernel = subject.entry.kernel->function();
  const std::size_t entry = text.find(".entry " + subject.entry.name + "(");
  const std::size_t body = text.find('{', std::min(entry, text.size()));
  if (body == text.npos) return text;
  const std::string_view head = std::string_view(text).substr(entry, body - entry);
  const bool has_clusters = head.find(".reqnctapercluster") != head.npos;
  std::string variables, directives;
  for (const ptx::Variable& variable : kernel.variables)
    if (emulator::is_call_stack(variable) && variable.size != emulator::kStackBytes)
      variables =
          fmt::format(" .local .align {} .b8 {}[{}];", variable.alignment, variable.name, variable.size);
  const auto& cluster = kernel.cluster;
  if (!has_clusters && cluster[0] * cluster[1] * cluster[2] > 1)
    directives = fmt::format(".reqnctapercluster {}, {}, {} ", cluster[0], cluster[1], cluster[2]);
  return text.replace(body, 1, directives + "{" + variables);
}

std::uint64_t bytes_of(const emulator::GlobalMemory& memory) {
  std::uint64_t sum = 0;
  for (const emulator::Allocation& place : memory.allocations()) sum += place.size;
  return sum;
}

}  // namespace

Result<std::shared_ptr<RecordedLaunch>> record_launch(const Subject& subject,
                                                      const emulator::GlobalMemory& memory,
                                                      std::uint64_t most_bytes) {
  if (subject.module.ptx().empty())
    return Error{"its code is linked of several files, which cannot be kept yet", ""};
  if (const std::uint64_t bytes = bytes_of(memory); bytes > most_bytes)
    return Error{fmt::format("the program has {} bytes of memory then, and there is room for {} more",
                             grouped(bytes), grouped(most_bytes)),
                 ""};
  auto launch = std::make_shared<RecordedLaunch>();
  for (const emulator::Allocation& place : memory.allocations())
    launch->others.push_back(array_of(place, memory));
  launch->parameters = parameters_of(subject);
  launch->arguments = subject.launch.arguments;
  choose_arrays(*launch);
  name_arrays(*launch, subject.entry.arguments);
  if (launch->arrays.empty()) launch->arrays.push_back(unused_array(*launch));
  launch->variables = subject.module.addresses();
  launch->ptx = ptx_of(subject);
  const auto code = subject.module.machine_code();
  launch->machine_code.assign(code.begin(), code.end());
  launch->kernel = subject.entry.name;
  SourceOfKernel source = source_of(*subject.entry.kernel);
  launch->file = std::move(source.file);
  launch->code = std::move(source.code);
  launch->static_shared_bytes = subject.entry.kernel->static_shared_bytes();
  launch->arch = subject.device.compute_capability;
  launch->id = fmt::format("{} {}", static_cast<const void*>(launch.get()),
                           std::chrono::steady_clock::now().time_since_epoch().count());
  return launch;
}

void mark_outputs(RecordedLaunch& launch, const emulator::GlobalMemory& memory) {
  for (RecordedArray& array : launch.arrays) {
    const emulator::Allocation* place =
        memory.find(array.address, std::max<std::uint64_t>(array.bytes.size(), 1));
    if (place == nullptr || array.bytes.empty()) continue;
    array.is_output = std::memcmp(memory.bytes(*place).data(), array.bytes.data(), array.bytes.size()) != 0;
  }
}

}  // namespace warplens::program
