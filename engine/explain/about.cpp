#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <string>

#include "engine/base/text.hpp"
#include "engine/explain/access_rule.hpp"
#include "engine/explain/made_of.hpp"
#include "engine/explain/reuse.hpp"

namespace warplens::explain {
namespace {

using catalog::About, ptx::Opcode;

const catalog::LaunchShape& launch_of(const Facts& f) { return f.run.plan().launch; }
double threads_of(const std::array<std::uint32_t, 3>& shape) {
  return static_cast<double>(shape[0]) * shape[1] * shape[2];
}
bool is_line(const std::array<std::uint32_t, 3>& shape) { return shape[1] == 1 && shape[2] == 1; }

// ---- the instructions of the run, by threads

const emulator::InstructionCounters& counted(const Facts& f, std::size_t pc) {
  return f.run.instructions[pc].counters;
}
// Threads that execute such instructions, over those that make this access.
template <class Weight>
double a_thread(const Facts& f, Weight weight) {
  const auto& code = f.run.kernel->function().code;
  double sum = 0;
  for (std::size_t pc = 0; pc < code.size(); ++pc)
    sum += static_cast<double>(counted(f, pc).lanes) * weight(code[pc], counted(f, pc).space);
  const auto working = static_cast<double>(counted(f, f.access.pc).lanes);
  return working > 0 ? sum / working : 0;
}
double a_thread(const Facts& f, Opcode opcode, ptx::Space space) {
  return a_thread(f, [&](const ptx::Instruction& i, ptx::Space its) {
    return i.opcode == opcode && its == space ? 1.0 : 0.0;
  });
}
double loads_of(const Facts& f) { return a_thread(f, Opcode::ld, ptx::Space::global); }
double stores_of(const Facts& f) { return a_thread(f, Opcode::st, ptx::Space::global); }
double bytes_of(const Facts& f) {
  return a_thread(f, [](const ptx::Instruction& i, ptx::Space space) {
    const bool moves = (i.opcode == Opcode::ld || i.opcode == Opcode::st) && space == ptx::Space::global;
    return moves ? static_cast<double>(ptx::size_in_bytes(i.type)) * i.vector : 0;
  });
}

struct Floats {
  std::string kind = {};  // "addition"; empty: none, or of several kinds
  double count = 0;
  std::string words() const { return fmt::format("{:.0f} {}{}", count, kind, count == 1 ? "" : "s"); }
};
Floats floats_of(const Facts& f) {
  static const std::map<Opcode, std::string> names = {{Opcode::add, "addition"},
                                                      {Opcode::sub, "subtraction"},
                                                      {Opcode::mul, "multiplication"},
                                                      {Opcode::fma, "multiply-add"},
                                                      {Opcode::mad, "multiply-add"}};
  Floats floats;
  const auto& code = f.run.kernel->function().code;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const auto name = names.find(code[pc].opcode);
    if (code[pc].type != ptx::Type::f32 || name == names.end() || counted(f, pc).lanes == 0) continue;
    if (!floats.kind.empty() && floats.kind != name->second) return {};
    floats.kind = name->second;
  }
  floats.count = a_thread(f, [&](const ptx::Instruction& i, ptx::Space) {
    const auto name = names.find(i.opcode);
    return i.type == ptx::Type::f32 && name != names.end() && name->second == floats.kind ? 1.0 : 0.0;
  });
  return floats;
}
double multiply_adds_of(const Facts& f) {
  return a_thread(f, [](const ptx::Instruction& i, ptx::Space) {
    return i.type == ptx::Type::f32 && (i.opcode == Opcode::fma || i.opcode == Opcode::mad) ? 1.0 : 0.0;
  });
}
bool is_whole(double value) { return value >= 1 && value == std::round(value); }

// ---- where threads are

// Elements from the one at block × threads of a block + thread, the same for all lanes; nothing where it is not.
bool is_at_its_place(const Facts& f) {
  const auto& launch = launch_of(f);
  if (f.face == nullptr || !is_line(launch.block) || !is_line(launch.grid)) return false;
  const trace::Trace& trace = f.story.accesses().trace();
  const std::uint64_t block = trace.blocks()[f.story.accesses().block()].block;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((f.access.active >> lane & 1) == 0) continue;
    const std::uint64_t thread = block * launch.block[0] + f.access.warp * 32 + lane;
    if (f.access.address[lane] != f.face->address + thread * f.face->element_bytes) return false;
  }
  return f.access.width == f.face->element_bytes;
}
double elements_stored(const Facts& f) {
  const auto& faces = f.story.faces();
  const auto first = f.access.warp * 32 + static_cast<std::uint32_t>(std::countr_zero(f.access.active));
  double stored = 0;
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (const auto& owned : f.story.owned(face))
      if (owned.thread == first && !faces[face].is_shared) ++stored;
  return stored;
}
double left_out(const Facts& f) {
  return threads_of(launch_of(f).grid) * threads_of(launch_of(f).block) -
         static_cast<double>(counted(f, f.access.pc).lanes);
}
// Some threads of the last block have no element, and all elements a thread.
bool has_guard(const Facts& f) {
  const auto& all = f.run.emulation.outcome.counters;
  const double out = left_out(f), last = threads_of(launch_of(f).block);
  return f.face != nullptr && static_cast<double>(all.blocks_run) == threads_of(launch_of(f).grid) &&
         static_cast<double>(counted(f, f.access.pc).lanes) == static_cast<double>(f.face->elements) &&
         out > 0 && out < last;
}

Said sizes_of_grid(const Facts& f) {
  return say("the grid is {} of {} threads: the last has more of them than elements are left",
             {claim::amount(Quantity::blocks, threads_of(launch_of(f).grid), Scope::kernel),
              claim::of(claim::number(Quantity::block_threads, launch_of(f).block[0], Scope::kernel), "x")});
}
Claim of_thread(Quantity quantity, double number) { return claim::amount(quantity, number, Scope::thread); }

struct Rule {
  About about;
  RuleId id;
  bool (*holds)(const Facts&);
  Said (*what)(const Facts&);
  Said (*why)(const Facts&);
};

constexpr std::array kRules = {
    Rule{About::place, RuleId::place_of_thread, is_at_its_place,
         [](const Facts& f) {
           return say("{} {} {}[{} × b + t]",
                      {claim::every("thread t of block b", Quantity::place_of_thread, 0),
                       claim::name(verb(f)), claim::name(f.array),
                       claim::of(claim::number(Quantity::block_threads, launch_of(f).block[0]), "x")});
         },
         neighbours},
    Rule{About::guard, RuleId::guard, has_guard,
         [](const Facts& f) {
           const double threads = threads_of(launch_of(f).grid) * threads_of(launch_of(f).block);
           return say(
               "{} for {}: {} keeps {} out",
               {claim::amount(Quantity::grid_threads, threads, Scope::kernel),
                claim::of(claim::amount(Quantity::array_elements, static_cast<double>(f.face->elements)),
                          f.array),
                claim::name(f.condition.empty() ? "the guard" : f.condition),
                claim::number(Quantity::threads_left_out, left_out(f), Scope::kernel)});
         },
         sizes_of_grid},
    Rule{About::bytes, RuleId::bytes_of_thread,
         [](const Facts& f) {
           const Floats floats = floats_of(f);
           return is_whole(floats.count) && is_whole(bytes_of(f)) && is_whole(loads_of(f));
         },
         [](const Facts& f) {
           const Floats floats = floats_of(f);
           return say("a thread moves {} for {}",
                      {of_thread(Quantity::bytes_of_thread, bytes_of(f)),
                       claim::of(claim::words(floats.words(), Quantity::floats_of_thread, floats.count,
                                              Scope::thread),
                                 floats.kind)});
         },
         [](const Facts& f) {
           return say("{} and {} of a thread", {of_thread(Quantity::loads_of_thread, loads_of(f)),
                                                of_thread(Quantity::stores_of_thread, stores_of(f))});
         }},
    Rule{About::loads, RuleId::loads_of_product,
         [](const Facts& f) {
           return multiply_adds_of(f) > 0 && is_whole(loads_of(f) / multiply_adds_of(f)) &&
                  elements_stored(f) > 0;
         },
         [](const Facts& f) {
           const double loads = loads_of(f) / multiply_adds_of(f);
           return say("a thread makes {}, with {} for a multiply-add",
                      {of_thread(Quantity::elements_stored, elements_stored(f)),
                       of_thread(Quantity::loads_a_multiply_add, loads)});
         },
         neighbours},
};

constexpr auto kIds = [] {
  std::array<RuleId, kRules.size()> ids{};
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kRules[i].id;
  return ids;
}();

}  // namespace

std::span<const RuleId> about_rules() { return kIds; }

Explanation explain_about(const Facts& f) {
  const catalog::KernelSpec& spec = f.run.plan().spec;
  if (!f.run.complete || (!spec.show.empty() && spec.show != f.array)) return {};
  for (const Rule& rule : kRules)
    if (rule.about == spec.about && rule.holds(f))
      return made_of(rule.id, Verdict::good, {rule.what(f), rule.why(f), nothing_to_fix(f)});
  return {};
}

}  // namespace warplens::explain
