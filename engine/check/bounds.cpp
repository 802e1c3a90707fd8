#include "engine/check/bounds.hpp"

#include <algorithm>
#include <cstdlib>

#include "engine/base/text.hpp"
#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/emulator/flow/source_name.hpp"
#include "engine/emulator/memory.hpp"

namespace warplens::check {

using ptx::Opcode, ptx::Space;

namespace {

// The first buffer begins where global memory does: what lies shortly before is before that buffer.
bool is_global(const emulator::Fault& fault) {
  return fault.address >= emulator::kGlobalBase - (std::uint64_t{1} << 32);
}

bool is_shared(const emulator::Fault& fault, const ptx::Instruction& i) {
  return i.space == Space::shared && fault.address < emulator::kOwnOffset;
}

struct Element {
  std::int64_t index = 0, count = 0;
  std::int64_t before = 0;  // of the array, before the one that the kernel's pointer is of
};

// Where the access begins in the array, in elements of its type.
std::optional<Element> element_of(const emulator::Fault& fault, const ArrayPlace& array,
                                  std::uint32_t bytes) {
  const auto into = static_cast<std::int64_t>(fault.address - array.first);
  if (bytes == 0 || array.size == 0 || into % bytes != 0 || array.size % bytes != 0) return std::nullopt;
  const auto before = static_cast<std::int64_t>(array.before / bytes);
  return Element{into / bytes - before, static_cast<std::int64_t>(array.size / bytes), before};
}

// "in has 1,000 elements", "in goes from in[-2] to in[997]"
std::string extent_words(const std::string& name, const Element& element) {
  if (element.before > 0)
    return name + " goes from " + name + "[-" + std::to_string(element.before) + "] to " + name + "[" +
           std::to_string(element.count - element.before - 1) + "]";
  return name + " has " + grouped(static_cast<std::uint64_t>(element.count)) +
         (element.count == 1 ? " element" : " elements");
}

std::string signed_index(std::int64_t index) { return "[" + std::to_string(index) + "]"; }

}  // namespace

std::optional<ArrayPlace> array_at(const emulator::Fault& fault, const ptx::Instruction& instruction,
                                   const emulator::SharedLayout& layout,
                                   const std::vector<BufferFacts>& buffers) {
  std::optional<ArrayPlace> best;
  const auto distance = [&](std::uint64_t first, std::uint64_t size) {
    return fault.address < first ? first - fault.address
                                 : fault.address - std::min(fault.address, first + size);
  };
  const auto is_nearer = [&](std::uint64_t first, std::uint64_t size) {
    return !best || distance(first, size) < distance(best->first, best->size);
  };
  if (is_global(fault)) {
    for (const BufferFacts& buffer : buffers)
      if (buffer.element != 0 && buffer.allocation == fault.nearest && is_nearer(buffer.address, buffer.size))
        best = ArrayPlace{Space::global,  buffer.address, buffer.size, buffer.name, !buffer.is_output, -1,
                          buffer.element, buffer.before};
  } else if (is_shared(fault, instruction)) {
    for (const auto& variable : layout.shared_variables())
      if (variable.size != 0 && is_nearer(variable.offset, variable.size))
        best =
            ArrayPlace{Space::shared, variable.offset, variable.size, emulator::source_name(variable.name)};
  }
  return best;
}

FaultWords words_of_fault(const emulator::Fault& fault, const ptx::Instruction& i,
                          const std::optional<ArrayPlace>& array, const std::array<std::uint32_t, 3>& block,
                          const std::array<std::uint32_t, 3>& grid) {
  FaultWords words{fault.error.message, fault.error.next_step, ""};
  const bool is_local = i.space == Space::local || fault.address >= emulator::kLocalWindow;
  words.memory = is_global(fault) ? Memory::global : is_local ? Memory::local : Memory::shared;
  if (words.memory == Memory::local) words.address = "local memory";
  const std::string& rest = fault.what;
  if (rest.empty()) return words;
  const std::string who = thread_words(fault.thread, fault.block_index, block, grid);
  words.message = who + " " + rest;
  const bool in_place = array && ((array->space == Space::global && is_global(fault)) ||
                                  (array->space == Space::shared && is_shared(fault, i)));
  if (fault.kind != emulator::Fault::Kind::out_of_bounds || !in_place) return words;
  const auto width = static_cast<std::uint32_t>(std::max(ptx::size_in_bytes(i.type), 1));
  const std::uint32_t bytes = array->element != 0 ? array->element : width;
  const auto element = element_of(fault, *array, bytes);
  constexpr std::int64_t kFar = std::int64_t{1} << 36;  // no index, but another pointer
  if (!element || std::abs(element->index) > kFar) return words;
  const bool whole = width == bytes && i.vector <= 1;
  const std::string verb = rest.substr(0, rest.find(' '));
  words.address = array->name + signed_index(element->index);
  words.is_before = element->index < 0;
  words.message = who + " " + verb + " " +
                  (whole ? words.address
                         : grouped(width * std::max<std::uint32_t>(i.vector, 1)) + " bytes from " +
                               words.address + " on") +
                  ", and " + extent_words(array->name, *element);
  words.fix = "check the index against the size of " + array->name;
  return words;
}

}  // namespace warplens::check
