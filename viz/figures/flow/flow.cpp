#include "viz/figures/flow/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <tuple>
#include <utility>

#include "engine/device/roofline.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/problem/problem.hpp"
#include "engine/ptx/matrix_products.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/time/chip/parameters_of.hpp"
#include "viz/figures/time/time_words.hpp"

namespace warplens::figures {
namespace {

constexpr double kSector = 32;
constexpr int kFirstWithL2 = 20;  // compute capability 2.0 keeps global memory in caches

// Sectors of one direction.
struct Sectors {
  double asked = 0, ideal = 0;
};
Sectors& operator+=(Sectors& to, const emulator::AccessCounts& counts) {
  to.asked += static_cast<double>(counts.sectors), to.ideal += static_cast<double>(counts.ideal_sectors);
  return to;
}

bool is_async_copy(const report::InstructionRow& row) { return row.text.starts_with("cp.async"); }

// What global memory and shared memory were asked for, of the blocks that ran.
struct Asked {
  Sectors loads, stores, copies;  // copies: cp.async, from L2 to shared memory past the registers
  double reads = 0, writes = 0;   // wavefronts of shared memory
  double ideal_reads = 0, ideal_writes = 0;
};

Asked asked_by(const run::Run& run) {
  const emulator::Counts& counts = run.report.counts;
  Asked asked;
  asked.loads += counts.global_load, asked.loads += counts.local_load;
  const auto boxes = static_cast<double>(counts.tensor.load_sectors);  // by TMA, to shared memory
  asked.loads.asked += boxes, asked.loads.ideal += boxes;
  asked.stores += counts.global_store, asked.stores += counts.global_atomic;
  asked.stores += counts.local_store;
  for (const report::InstructionRow& row : run.instructions)
    if (is_async_copy(row)) asked.copies += row.counters;
  asked.loads.asked -= asked.copies.asked, asked.loads.ideal -= asked.copies.ideal;
  const auto operands = static_cast<double>(counts.tensor.operand_wavefronts);  // of wgmma, as few as can be
  asked.reads = operands + static_cast<double>(counts.shared_load.wavefronts);
  asked.writes = static_cast<double>(counts.shared_store.wavefronts + counts.shared_atomic.wavefronts);
  asked.ideal_reads = operands + static_cast<double>(counts.shared_load.ideal_wavefronts);
  asked.ideal_writes =
      static_cast<double>(counts.shared_store.ideal_wavefronts + counts.shared_atomic.ideal_wavefronts);
  return asked;
}

// What any kernel of the problem reads and writes.
struct Least {
  double in = 0, out = 0;
};
Least least_of(const run::Run& run) {
  Least least;
  for (const report::PlacedBuffer& placed : run.buffers)
    if (placed.buffer.is_output)
      least.out += static_cast<double>(placed.buffer.elements * problem::size_in_bytes(placed.buffer.type));
  least.in = std::max(0.0, run.job->instance->least_bytes() - least.out);
  return least;
}

// Whether it has products of numbers that are no addresses: of a file's own problem nobody says so.
bool multiplies(const run::Run& run) {
  using ptx::Opcode, ptx::Type;
  constexpr std::array kOfBytes = {Opcode::dp4a, Opcode::dp2a};
  constexpr std::array kProducts = {Opcode::fma, Opcode::mad, Opcode::mul};
  constexpr std::array kFloats = {Type::f16, Type::f16x2, Type::bf16, Type::bf16x2, Type::f32, Type::f64};
  const auto has = [](const auto& list, auto value) { return std::ranges::find(list, value) != list.end(); };
  return std::ranges::any_of(run.instructions, [&](const report::InstructionRow& row) {
    const ptx::Instruction& i = run.kernel->function().code[row.pc];
    return row.counters.executed > 0 && (ptx::is_matrix_product(i.opcode) || has(kOfBytes, i.opcode) ||
                                         (has(kProducts, i.opcode) && has(kFloats, i.type)));
  });
}

class Maker {
 public:
  Maker(const run::Run& run, const StepBefore* before, const LadderScale* ladder)
      : run_(run),
        before_(before),
        ladder_(ladder),
        asked_(asked_by(run)),
        least_(least_of(run)),
        scale_(static_cast<double>(run.emulation.blocks_in_grid) /
               static_cast<double>(std::max<std::uint64_t>(run.emulation.outcome.counters.blocks_run, 1))) {
    if (auto roof = device::roofline(run.device(), run.plan().problem->has_multiply_adds())) roof_ = *roof;
  }

  Flow make() {
    flow_.has_l2 = run_.device().compute_capability >= kFirstWithL2;
    flow_.has_l1 = flow_.has_l2 && run_.device().l1_bytes_per_clock > 0;
    flow_.blocks = static_cast<double>(run_.emulation.blocks_in_grid);
    flow_.sampled = run_.report.sampled_blocks;
    name_work();
    add_memory();
    if (flow_.has_l1) add_l2();
    add_copies();
    add_global();
    add_shared();
    find_narrow();
    if (ladder_ != nullptr && ladder_->bytes > 0) {
      flow_.widest = ladder_->bytes * run::step_count(run_).work * scale_;
      flow_.widest_step = ladder_->number;
    }
    return std::move(flow_);
  }

 private:
  void name_work() {
    const std::string& problem = run_.plan().spec.problem;
    const double operations = run_.emulation.operations * scale_;
    const bool multiply_adds = run_.plan().problem->has_multiply_adds() && multiplies(run_);
    std::size_t elements = 1;
    for (const report::PlacedBuffer& placed : run_.buffers)
      elements = std::max(elements, placed.buffer.elements);
    // A sum takes one addition an element, and is easier to think of as elements.
    const bool of_elements = operations < 2 * static_cast<double>(elements);
    std::tie(flow_.unit, flow_.units) = multiply_adds ? std::pair("multiply-add", "multiply-adds")
                                        : of_elements
                                            ? std::pair("element", "elements")
                                            : std::pair("addition and minimum", "additions and minima");
    flow_.operations = of_elements ? static_cast<double>(elements) : operations / 2;
    if (!multiply_adds && !of_elements && problem != "minplus")
      flow_.unit = "operation", flow_.units = "operations", flow_.operations = operations;
    time_arithmetic(operations);
  }
  // Tensor cores and the other units work at the same time.
  void time_arithmetic(double operations) {
    if (!roof_) return;
    const run::TensorOperations tensor =
        run::tensor_operations(run_.kernel->function(), run_.emulation.outcome.counters);
    const double others = std::max(0.0, operations - tensor.operations * scale_);
    flow_.arithmetic_seconds =
        std::max(seconds(others, roof_->peak_gflops * busy()),
                 seconds(tensor.of_16_bits * scale_, time::tensor_gflops(run_.device()) * busy()));
  }

  double busy() const { return device::busy_share(*roof_, {.blocks = run_.emulation.blocks_in_grid}); }
  static double seconds(double amount, double giga_per_s) {
    return amount > 0 && giga_per_s > 0 ? 1e-9 * amount / giga_per_s : 0;
  }
  double loads() const { return kSector * scale_ * asked_.loads.asked; }
  double stores() const { return kSector * scale_ * asked_.stores.asked; }
  double wasted(const Sectors& sectors) const {
    return kSector * scale_ * std::max(0.0, sectors.asked - sectors.ideal);
  }
  double copies() const { return kSector * scale_ * asked_.copies.asked; }

  // Without caches what is asked for is what memory gives: that pipe goes to the registers by itself.
  void add_memory() {
    if (!flow_.has_l2) return;
    Pipe pipe{.id = Pipe::Id::memory_l2,
              .down = std::min(least_.in, loads() + copies()),
              .up = std::min(least_.out, stores()),
              .most = loads() + copies() + stores()};
    if (pipe.bytes() >= pipe.most) pipe.most = 0;
    if (roof_) pipe.seconds = seconds(pipe.bytes(), roof_->memory_gb_per_s);
    if (pipe.bytes() > 0) flow_.pipes.push_back(pipe);
  }

  // L1 keeps nothing from launch to launch, and what is stored passes it.
  void add_l2() {
    Pipe pipe{.id = Pipe::Id::l2_l1,
              .down = std::min(std::max(0.0, least_.in - copies()), loads()),
              .up = stores(),
              .most = loads() + stores()};
    if (pipe.bytes() >= pipe.most) pipe.most = 0;
    if (pipe.bytes() > 0 || pipe.most > 0) flow_.pipes.push_back(pipe);
  }

  void add_copies() {
    if (copies() <= 0) return;
    flow_.pipes.push_back({.id = Pipe::Id::l2_shared,
                           .down = copies(),
                           .wasted_down = wasted(asked_.copies),
                           .units = scale_ * asked_.copies.asked});
  }

  void add_global() {
    Pipe pipe{.id = Pipe::Id::global_registers,
              .down = loads(),
              .up = stores(),
              .wasted_down = wasted(asked_.loads),
              .wasted_up = wasted(asked_.stores),
              .units = scale_ * (asked_.loads.asked + asked_.stores.asked)};
    if (roof_)
      pipe.seconds = flow_.has_l2 ? seconds(pipe.bytes(), roof_->l1_gb_per_s * busy())
                                  : seconds(pipe.bytes(), roof_->memory_gb_per_s);
    if (const auto before = of_step_before(&run::StepCount::bytes)) pipe.before = *before;
    if (pipe.bytes() > 0) flow_.pipes.push_back(pipe);
  }

  void add_shared() {
    const double wide = 4.0 * run_.device().shared_banks;  // bytes that one wavefront can carry
    const double all = asked_.reads + asked_.writes;
    // Of the kernel itself: on 1.x a block has its arguments there too.
    const std::int64_t own = run_.job->build.static_shared_bytes + run_.plan().launch.dynamic_shared_bytes;
    flow_.uses_shared = all > 0 || copies() > 0 || own > 0;
    if (!(all > 0)) return;
    Pipe pipe{.id = Pipe::Id::shared_registers,
              .down = wide * scale_ * asked_.reads,
              .up = wide * scale_ * asked_.writes,
              .wasted_down = wide * scale_ * std::max(0.0, asked_.reads - asked_.ideal_reads),
              .wasted_up = wide * scale_ * std::max(0.0, asked_.writes - asked_.ideal_writes),
              .units = scale_ * all,
              .is_wavefronts = true};
    if (roof_) pipe.seconds = seconds(pipe.units, roof_->shared_giga_per_s * busy());
    if (const auto before = of_step_before(&run::StepCount::wavefronts)) pipe.before = *before * wide;
    flow_.pipes.push_back(pipe);
  }

  std::optional<double> of_step_before(double run::StepCount::*amount) const {
    if (before_ == nullptr || before_->count.work <= 0 || !before_->count.missing.empty())
      return std::nullopt;
    const run::StepCount own = run::step_count(run_);
    return before_->count.*amount / before_->count.work * own.work * scale_;
  }

  void find_narrow() {
    double longest = flow_.arithmetic_seconds;
    for (std::size_t i = 0; i < flow_.pipes.size(); ++i)
      if (flow_.pipes[i].seconds > longest) longest = flow_.pipes[i].seconds, flow_.narrow = i;
  }

  const run::Run& run_;
  const StepBefore* before_;
  const LadderScale* ladder_;
  Asked asked_;
  Least least_;
  double scale_;  // of the blocks that ran to the whole grid
  std::optional<device::Roofline> roof_;
  Flow flow_;
};

Result<Flow> counted_flow(const Subject& subject) {
  if (subject.run == nullptr || !subject.run->complete)
    return Error{"waiting for the kernel’s counts", "try again in a moment"};
  Flow flow = flow_of(*subject.run, subject.known.before.get(), subject.known.scale.get());
  if (subject.known.payoffs != nullptr) follow_the_model(flow, subject.known.payoffs->now);
  return flow;
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The word of several behind a name: "elements" in " elements into"; empty where another one follows.
std::string_view word_of_many(std::string_view rest) {
  if (!rest.starts_with(' ')) return {};
  std::size_t end = 1;
  while (end < rest.size() && std::islower(static_cast<unsigned char>(rest[end])) != 0) ++end;
  const bool is_many = end > 3 && rest[end - 1] == 's' && rest[end - 2] != 's';
  return is_many && (end == rest.size() || !is_of_name(rest[end])) ? rest.substr(1, end - 1)
                                                                   : std::string_view();
}

// What follows a colon is what comes of the values of the file: with others nobody promises it.
std::string_view kept_part(const run::Plan& plan) {
  const std::string_view idea = plan.spec.idea;
  const std::size_t colon = idea.find(": ");
  if (colon == std::string_view::npos) return idea;
  for (const auto& parameter : plan.spec.params)
    if (idea.find(parameter.name, colon) != std::string_view::npos) return idea;  // it says them itself
  for (const auto& parameter : plan.spec.params) {
    const std::size_t at = idea.find(parameter.name);
    const auto value = plan.parameters.find(parameter.name);
    if (at < colon && value != plan.parameters.end() && value->second != parameter.default_value)
      return idea.substr(0, colon);
  }
  return idea;
}

// "Each thread computes 8 x 8 elements": names of parameters as their values. One of anything is left by its
// name where the words around it are of many, but for the word behind it: "1 element".
std::string idea_with_values(const run::Plan& plan) {
  const std::string idea(kept_part(plan));
  std::string said;
  for (std::size_t at = 0; at < idea.size();) {
    std::size_t end = at;
    while (end < idea.size() && is_of_name(idea[end])) ++end;
    const std::string word = idea.substr(at, std::max(end, at + 1) - at);
    const auto value = plan.parameters.find(word);
    at += word.size();
    const std::string_view many = value != plan.parameters.end() && value->second == 1
                                      ? word_of_many(std::string_view(idea).substr(at))
                                      : "";
    if (!many.empty()) {
      said += fmt::format("1 {}", many.substr(0, many.size() - 1));
      at += 1 + many.size();
      continue;
    }
    said += value != plan.parameters.end() && value->second > 1 ? std::to_string(value->second) : word;
  }
  return said;
}

}  // namespace

std::string_view name_of(Pipe::Id id) {
  switch (id) {
    case Pipe::Id::memory_l2:
      return "memory-l2";
    case Pipe::Id::l2_l1:
      return "l2-l1";
    case Pipe::Id::l2_shared:
      return "l2-shared";
    case Pipe::Id::global_registers:
      return "global-registers";
    case Pipe::Id::shared_registers:
      break;
  }
  return "shared-registers";
}

std::optional<FlowOptions::Per> per_named(std::string_view name) {
  for (const auto& [per, known] : kPerNames)
    if (known == name) return per;
  return std::nullopt;
}

const Pipe* Flow::find(Pipe::Id id) const {
  const auto found = std::ranges::find(pipes, id, &Pipe::id);
  return found == pipes.end() ? nullptr : &*found;
}

double Flow::parts(FlowOptions::Per per) const {
  const double count = per == FlowOptions::Per::operation ? operations
                       : per == FlowOptions::Per::block   ? blocks
                                                          : 1;
  return std::max(count, 1.0);
}

std::string other_size(const AgainstStep& against, const run::Plan& plan) {
  return against.recorded_at == measured::short_size(plan.sizes) ? "" : against.recorded_at;
}

std::shared_ptr<const StepWords> step_words(const run::Run& run, const std::optional<AgainstStep>& against) {
  auto words = std::make_shared<StepWords>();
  words->title = run.plan().spec.title;
  const std::string replaced =
      run::replaced_instruction(run.plan().spec.code, run.kernel->function(), run.device());
  // What the idea promises is not what runs then.
  words->idea = replaced.empty() ? idea_with_values(run.plan())
                                 : fmt::format("{}. What the step is for does not happen on {}",
                                               sentence(replaced), run.device().name);
  words->whole = explain::explain(run);
  // That is the size's fault and no step's; the card of the speed says it.
  if (words->whole.rule == explain::RuleId::few_blocks) words->whole = {};
  if (!against) return words;
  words->before = "Against step " + against->number;
  if (!explain::reserve(run).empty()) {
    words->against = explain::no_comparison(run);
    return words;
  }
  words->before += !against->recorded_at.empty() ? ", recorded at " + against->recorded_at
                   : against->said.times         ? ", by the model"
                                                 : ", counted";
  words->against = against->said;
  return words;
}

Flow flow_of(const run::Run& run, const StepBefore* before, const LadderScale* scale) {
  return Maker(run, explain::reserve(run).empty() ? before : nullptr, scale).make();
}

void follow_the_model(Flow& flow, const time::Prediction& prediction) {
  if (prediction.seconds <= 0) return;
  constexpr double kHardly = 0.005;  // the figure of time names no such unit either
  constexpr std::pair<std::string_view, Pipe::Id> kPipes[] = {{"dram", Pipe::Id::memory_l2},
                                                              {"l2", Pipe::Id::l2_l1},
                                                              {"l2", Pipe::Id::l2_shared},
                                                              {"l1", Pipe::Id::global_registers},
                                                              {"shared", Pipe::Id::shared_registers}};
  const time::UnitShares& units = prediction.units;
  flow.arithmetic_busy = std::max({units.fma, units.fp64, units.tensor});
  flow.narrow.reset();
  for (const time::UnitShare& unit : time::shares_of(units)) {
    const auto is_of_it = [&](const Pipe& pipe) {
      // Without caches memory's pipe goes to the registers by itself.
      if (!flow.has_l2 && unit.name == "dram") return pipe.id == Pipe::Id::global_registers;
      return std::ranges::find(kPipes, std::pair(unit.name, pipe.id)) != std::end(kPipes);
    };
    const auto pipe = std::ranges::find_if(flow.pipes, is_of_it);
    if (pipe == flow.pipes.end() || unit.busy < kHardly) continue;
    pipe->busy = unit.busy;
    if (has_limiter(prediction) && unit.name == busiest(units).name)
      flow.narrow = static_cast<std::size_t>(pipe - flow.pipes.begin());
  }
}

std::string flow_csv(const Flow& flow) {
  std::string text = "pipe,direction,bytes,known,at_most_bytes,units,least_seconds\n";
  for (const Pipe& pipe : flow.pipes) {
    const auto row = [&](std::string_view direction, double bytes) {
      text += fmt::format(
          "{},{},{:.0f},{},{},{},{}\n", name_of(pipe.id), direction, bytes,
          pipe.most > 0                    ? "at least"
          : pipe.id == Pipe::Id::memory_l2 ? "with an empty L2"
                                           : "exact",
          pipe.most > 0 ? fmt::format("{:.0f}", pipe.most) : "",
          pipe.units > 0 ? fmt::format("{:.0f} {}", pipe.units, pipe.is_wavefronts ? "wavefronts" : "sectors")
                         : "",
          pipe.seconds > 0 ? fmt::format("{:.4g}", pipe.seconds) : "");
    };
    row("to registers", pipe.down);
    row("from registers", pipe.up);
  }
  return text;
}

Result<scene::Scene> draw_flow(const Subject& subject, scene::Size size, const scene::TextMeasure& measure) {
  const auto flow = counted_flow(subject);
  return flow ? flow_scene(*subject.run, *flow, subject, size, measure) : Result<scene::Scene>(flow.error());
}

Result<std::string> flow_table(const Subject& subject) {
  const auto flow = counted_flow(subject);
  return flow ? flow_csv(*flow) : Result<std::string>(flow.error());
}

}  // namespace warplens::figures
