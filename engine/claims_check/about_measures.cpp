// Of what steps are about: the places of threads, what they move for what they compute, words that are passed
// on, constant memory, loops. By addresses of the trace and by the text of the PTX.
#include <array>
#include <bit>
#include <set>
#include <string>
#include <string_view>

#include "engine/claims_check/found.hpp"

namespace warplens::claims_check {
namespace {

using explain::ClaimKind, explain::Quantity;
using trace::Access;

double number(std::uint64_t value) { return static_cast<double>(value); }
double threads_of(const std::array<std::uint32_t, 3>& shape) {
  return static_cast<double>(shape[0]) * shape[1] * shape[2];
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
std::string_view without_guard(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(text.find(' ') + 1);
  return text;
}
std::string_view opcode_of(std::string_view text) { return text.substr(0, text.find_first_of(" \t;")); }

// From where the thread's place in the grid would put each lane.
Measured place_of_thread(const Subject& s) {
  const auto access = access_of(s);
  const report::Face* array = access ? array_of(s, *access) : nullptr;
  if (array == nullptr) return std::nullopt;
  const double threads = threads_of(s.run.plan().launch.block),
               block = number(s.run.trace->blocks()[s.place.block].block);
  std::vector<double> away;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    if ((access->active >> lane & 1) != 0)
      away.push_back(number(access->address[lane] - array->address) / number(array->element_bytes) -
                     (block * threads + access->warp * 32 + lane));
  return over(away);
}
double threads_of_grid(const Subject& s) {
  return threads_of(s.run.plan().launch.grid) * threads_of(s.run.plan().launch.block);
}
Measured grid_threads(const Subject& s) { return one(threads_of_grid(s)); }
Measured array_elements(const Subject& s) {
  const report::Face* array = array_named(s, s.claim.of);
  return array != nullptr ? Measured(one(number(array->elements))) : std::nullopt;
}

// ---- threads that execute instructions, over those that make the access

std::optional<double> threads_of_access(const Subject& s) {
  const auto access = access_of(s);
  return access ? std::optional(number(s.run.instructions[access->pc].counters.lanes)) : std::nullopt;
}
Measured threads_left_out(const Subject& s) {
  const auto threads = threads_of_access(s);
  return threads ? Measured(one(threads_of_grid(s) - *threads)) : std::nullopt;
}
using Weight = double (*)(const report::InstructionRow& row, std::string_view opcode);
Measured a_thread(const Subject& s, Weight weight) {
  const auto threads = threads_of_access(s);
  if (!threads) return std::nullopt;
  double sum = 0;
  for (const auto& row : s.run.instructions)
    sum += number(row.counters.lanes) * weight(row, opcode_of(without_guard(row.text)));
  return one(sum / *threads);
}
bool is_global(const report::InstructionRow& row, std::string_view opcode, std::string_view name) {
  return opcode.starts_with(name) && row.counters.space == ptx::Space::global;
}
Measured loads_of_thread(const Subject& s) {
  return a_thread(s, [](const auto& row, auto opcode) { return is_global(row, opcode, "ld.") ? 1.0 : 0.0; });
}
Measured stores_of_thread(const Subject& s) {
  return a_thread(s, [](const auto& row, auto opcode) { return is_global(row, opcode, "st.") ? 1.0 : 0.0; });
}
Measured bytes_of_thread(const Subject& s) {
  return a_thread(s, [](const auto& row, auto opcode) {
    if (!is_global(row, opcode, "ld.") && !is_global(row, opcode, "st.")) return 0.0;
    const double bytes = opcode.ends_with("64")   ? 8
                         : opcode.ends_with("16") ? 2
                         : opcode.ends_with("8")  ? 1
                                                  : 4;
    return bytes * (has(opcode, ".v4.") ? 4 : has(opcode, ".v2.") ? 2 : 1);
  });
}
template <char first, char second, char third>
double is_float(const report::InstructionRow&, std::string_view opcode) {
  constexpr std::array name = {first, second, third, '.'};
  return opcode.ends_with(".f32") && opcode.starts_with(std::string_view(name.data(), name.size())) ? 1 : 0;
}
double is_product(const report::InstructionRow& row, std::string_view opcode) {
  return is_float<'f', 'm', 'a'>(row, opcode) + is_float<'m', 'a', 'd'>(row, opcode);
}
Measured floats_of_thread(const Subject& s) {
  const std::string& kind = s.claim.of;
  if (kind == "addition") return a_thread(s, is_float<'a', 'd', 'd'>);
  if (kind == "subtraction") return a_thread(s, is_float<'s', 'u', 'b'>);
  if (kind == "multiplication") return a_thread(s, is_float<'m', 'u', 'l'>);
  return kind == "multiply-add" ? a_thread(s, is_product) : std::nullopt;
}
Measured loads_a_multiply_add(const Subject& s) {
  const auto loads = loads_of_thread(s), products = a_thread(s, is_product);
  return loads && products && products->mean > 0 ? Measured(one(loads->mean / products->mean)) : std::nullopt;
}
// By the first active thread of the access.
Measured elements_stored(const Subject& s) {
  const auto access = access_of(s);
  if (!access) return std::nullopt;
  const auto lane = static_cast<std::size_t>(std::countr_zero(access->active));
  std::set<std::uint64_t> stored;
  for (const std::uint32_t event : events_of_warp(s)) {
    const Access other = s.run.trace->access(s.place.block, event);
    const bool stores = other.kind == emulator::AccessKind::store && other.space == ptx::Space::global;
    if (!stores || (other.active >> lane & 1) == 0) continue;
    for (std::uint64_t b = 0; b < other.width; b += array_of(s, other)->element_bytes)
      stored.insert(other.address[lane] + b);
  }
  return one(number(stored.size()));
}

// ---- words of a load: "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4];"

std::vector<std::string> loaded_words(const Subject& s) {
  const auto access = access_of(s);
  if (!access) return {};
  const std::string& text = s.run.instructions[access->pc].text;
  const std::size_t close = text.find('}');
  std::vector<std::string> words;
  for (std::size_t at = text.find('{'); at < close;) {
    at = text.find('%', at);
    if (at >= close) break;
    const std::size_t end = text.find_first_of(" ,}", at);
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}
// By a store to global memory; else behind the first operand of an instruction that is no access.
bool is_read(const Subject& s, const std::string& word, bool by_store = false) {
  for (const auto& row : s.run.instructions) {
    const std::string_view text = without_guard(row.text);
    if (by_store ? !is_global(row, text, "st.") : text.starts_with("st.") || text.starts_with("ld."))
      continue;
    for (std::size_t at = text.find(word, by_store ? 0 : text.find(',')); at < text.size();
         at = text.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if (end >= text.size() || text[end] < '0' || text[end] > '9') return true;
    }
  }
  return false;
}
Measured words_computed_with(const Subject& s) {
  double count = 0;
  for (const std::string& word : loaded_words(s)) count += is_read(s, word) ? 1 : 0;
  return one(count);
}
Measured words_passed_on(const Subject& s) {
  double count = 0;
  for (const std::string& word : loaded_words(s))
    count += !is_read(s, word) && is_read(s, word, true) ? 1 : 0;
  return one(count);
}

// ---- constant memory, loops

Measured constant_words(const Subject& s) {
  std::vector<double> words;
  s.run.trace->for_each(0, [&](const Access& access) {
    if (access.active == 0 || access.space != ptx::Space::constant) return;
    std::set<std::uint64_t> asked;
    for (const std::uint64_t address : addresses_of(access)) asked.insert(address / 4);
    words.push_back(number(asked.size()));
  });
  const auto found = over(words);
  return found && s.claim.kind != ClaimKind::every ? Measured(one(found->most)) : found;
}
Measured loop_turns(const Subject& s) {
  const auto& code = s.run.kernel->function().code;
  double turns = 0;
  for (std::size_t pc = 0; pc < code.size(); ++pc)
    for (const ptx::Operand& operand : code[pc].operands)
      if (operand.kind == ptx::Operand::Kind::label && operand.target <= pc)
        turns += number(s.run.instructions[pc].counters.executed);
  return one(turns);
}

}  // namespace

std::vector<Row> about_measures() {
  return {{Quantity::place_of_thread, place_of_thread},
          {Quantity::grid_threads, grid_threads},
          {Quantity::array_elements, array_elements},
          {Quantity::threads_left_out, threads_left_out},
          {Quantity::bytes_of_thread, bytes_of_thread},
          {Quantity::floats_of_thread, floats_of_thread},
          {Quantity::loads_of_thread, loads_of_thread},
          {Quantity::stores_of_thread, stores_of_thread},
          {Quantity::loads_a_multiply_add, loads_a_multiply_add},
          {Quantity::elements_stored, elements_stored},
          {Quantity::words_computed_with, words_computed_with},
          {Quantity::words_passed_on, words_passed_on},
          {Quantity::constant_words, constant_words},
          {Quantity::loop_turns, loop_turns}};
}

}  // namespace warplens::claims_check
