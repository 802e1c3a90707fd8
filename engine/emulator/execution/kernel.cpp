// Kernel::prepare and Kernel::run: blocks shared out among the host's threads, counts gathered.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

#include "engine/base/text.hpp"
#include "engine/emulator/access_units.hpp"
#include "engine/emulator/execution/executor.hpp"
#include "engine/emulator/execution/launch_check.hpp"
#include "engine/emulator/execution/printed.hpp"
#include "engine/emulator/flow/flatten.hpp"
#include "engine/emulator/flow/late_loads.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/emulator/lowering/lowering.hpp"
#include "engine/emulator/watcher.hpp"

namespace warplens::emulator {

using ptx::Opcode, ptx::Space;

namespace {

// Atomics on global memory whose order cannot be seen: integers that commute, without their old value being
// used.
bool commutes(const ptx::Instruction& i) {
  if (i.opcode != Opcode::red || ptx::is_float(i.type)) return false;
  using A = ptx::AtomicOp;
  return i.atomic == A::add || i.atomic == A::min || i.atomic == A::max || i.atomic == A::and_ ||
         i.atomic == A::or_ || i.atomic == A::xor_;
}

// Whether the result could depend on the order of blocks: then they run one after another.
bool needs_order(const ptx::Program& program, const ptx::Function& function) {
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& i) {
    if (i.opcode == Opcode::call && i.operands[1].kind == ptx::Operand::Kind::function)
      return uses_heap(program.functions[i.operands[1].symbol].name);
    const bool global = i.space == Space::global || i.space == Space::generic;
    if (i.opcode == Opcode::cp_reduce_async_bulk || i.opcode == Opcode::cp_reduce_async_bulk_tensor)
      return true;
    if (i.opcode == Opcode::atom || i.opcode == Opcode::red) return global && !commutes(i);
    return (i.opcode == Opcode::ld || i.opcode == Opcode::st) && global && i.is_volatile;
  });
}

// Warp instructions of all warps together, about, beyond which a launch is an error: half a minute to a few
// minutes of a computer with few cores. What takes longer was not meant, or is asked for with a larger
// budget.
std::uint64_t limit_of(const Launch& launch) {
  constexpr std::uint64_t kWarps = 200;  // that use up the usual budget
  return std::max(launch.least_limit,
                  std::min(launch.instruction_budget, ~std::uint64_t{0} / kWarps) * kWarps);
}

// With loads where the machine code has them.
ptx::Function as_scheduled(ptx::Function flat, const MachineAccesses* issued) {
  if (issued != nullptr) move_behind_the_guard(flat, issued->accesses);
  return flat;
}

class KernelImpl : public Kernel {
 public:
  KernelImpl(std::shared_ptr<const ptx::Program> program, ptx::Function flat, const device::Device& device,
             const MachineAccesses* issued)
      : program_(std::move(program)),
        flat_(as_scheduled(std::move(flat), issued)),
        layout_(*program_, flat_),
        vectorized_(vectorize_shared_accesses(flat_, layout_)),
        apart_(flat_),
        device_(device),
        together_(together_of(flat_)) {
    if (issued == nullptr) return;
    vectorized_ = as_issued(flat_, layout_, vectorized_, issued->accesses);
    mark_combined_atomics(flat_, issued->voted_lines);
  }

  const ptx::Function& function() const override { return flat_; }
  const ptx::Program& program() const override { return *program_; }
  std::uint32_t static_shared_bytes() const override { return layout_.static_bytes(); }
  std::string shared_variable(std::uint32_t offset) const override { return layout_.describe(offset); }
  const std::vector<VectorizedAccess>& shared_accesses() const override { return vectorized_; }
  const SharedLayout& layout() const override { return layout_; }
  RunsTogether together() const override { return together_; }
  Result<Outcome> run(const Launch& launch, GlobalMemory& memory) const override;

 private:
  friend class Run;
  std::shared_ptr<const ptx::Program> program_;
  ptx::Function flat_;
  SharedLayout layout_;
  std::vector<VectorizedAccess> vectorized_;
  ApartLoads apart_;
  device::Device device_;
  RunsTogether together_;
};

// One call of Kernel::run.
class Run {
 public:
  Run(const KernelImpl& kernel, const Launch& launch, GlobalMemory& memory)
      : kernel_(kernel),
        launch_(launch),
        memory_(memory),
        work_(launch.blocks, std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2]) {}
  Result<Outcome> go();

 private:
  Status place_variables();
  Status place_workspace();
  void find_units();
  // Of blocks that run one by one, or of units that run together.
  std::uint64_t count() const;
  // Which of them has the i-th turn.
  std::uint64_t turn_of(std::uint64_t i) const { return launch_.backwards ? count() - 1 - i : i; }
  std::uint64_t block_at(std::uint64_t i) const {
    return launch_.blocks.empty() ? i : launch_.blocks[static_cast<std::size_t>(i)];
  }
  // The only block of the i-th turn, or the first of its unit.
  std::uint64_t first_block(std::uint64_t turn) const;
  void keep_printed(Worker& worker, std::uint64_t block);
  void take_printed(Worker& worker, std::uint64_t block);
  bool is_stopped(Worker& worker, std::uint64_t i) const;
  void work_or_stop(Worker& worker);
  void work(Worker& worker);
  void run_block(Executor& executor, Worker& worker, std::uint64_t i);
  void run_aside(Executor& executor, Worker& worker, std::size_t left);
  void end_block(std::uint64_t block);
  void run_unit(Executor& executor, std::uint64_t i);
  void respecialise(Executor& executor, std::uint64_t& version);
  std::uint64_t most_at_once() const;
  void make_ready(Worker& worker) const;
  Counters take_counts(Worker& worker) const;
  void gather(std::vector<Worker>& workers, Outcome& outcome);
  void stop_at_limit(Outcome& outcome, std::uint64_t not_printed) const;

  const KernelImpl& kernel_;
  const Launch& launch_;
  GlobalMemory& memory_;
  LaunchConstants constants_;
  LaunchState state_;
  WorkOfBlocks work_;
  std::atomic<std::uint64_t> next_{0}, stop_at_{~std::uint64_t{0}}, done_{0};
  std::mutex mutex_;  // guards the members below
  std::shared_ptr<const Code> code_;
  std::atomic<std::uint64_t> version_{0};
  BitSet forced_;
  Printed printed_;
  std::exception_ptr thrown_;  // by one of the threads
  std::atomic<bool> prints_much_{false};
  std::atomic<std::uint64_t> spent_{0};
  std::vector<std::vector<std::uint64_t>> units_;  // of blocks; none where they run one by one
  std::uint64_t at_once_ = 1;                      // blocks, where they may have to wait for each other
  std::vector<Counters> each_;  // by their place in the launch's blocks; each is one worker's own
};

// The module's variables, and a copy of the arguments for kernels that take their address.
Status Run::place_variables() {
  if (launch_.variables != nullptr) {
    constants_.variable_address = *launch_.variables;
  } else {
    auto placed = emulator::place_variables(*kernel_.program_, memory_, true);
    if (!placed) return placed.error();
    constants_.variable_address = *std::move(placed);
  }
  if (launch_.arguments.empty()) return Done{};
  auto parameters =
      memory_.allocate_for_module("the kernel's parameters", launch_.arguments.size(), true, true);
  if (!parameters) return parameters.error();
  std::copy(launch_.arguments.begin(), launch_.arguments.end(), memory_.bytes(*parameters).begin());
  constants_.parameter_address = parameters->address;
  return Done{};
}

// What grid.sync() counts its blocks in.
Status Run::place_workspace() {
  if (!kernel_.together_.whole_grid) return Done{};
  auto workspace = memory_.allocate_for_module("the workspace of the grid", 64, false, true);
  if (!workspace) return workspace.error();
  constants_.grid_workspace = workspace->address;
  return Done{};
}

std::uint64_t Run::count() const {
  if (!units_.empty()) return units_.size();
  return launch_.blocks.empty() ? std::uint64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2]
                                : launch_.blocks.size();
}

void Run::find_units() {
  const RunsTogether& together = kernel_.together_;
  if (together.alone()) return;
  std::vector<std::uint64_t> blocks = launch_.blocks;
  if (blocks.empty()) {
    // More than memory has addresses for are too many for a vector as well.
    blocks.resize(static_cast<std::size_t>(std::min<std::uint64_t>(count(), SIZE_MAX)));
    std::iota(blocks.begin(), blocks.end(), 0);
  }
  if (together.whole_grid) return units_.push_back(with_companions(blocks, together, launch_.grid));
  std::set<std::vector<std::uint64_t>> clusters;
  for (const std::uint64_t block : blocks) clusters.insert(with_companions({block}, together, launch_.grid));
  units_.assign(clusters.begin(), clusters.end());
}

// A register was not what the code took it for: lower again without that assumption, for the blocks to come.
void Run::respecialise(Executor& executor, std::uint64_t& version) {
  constexpr std::uint64_t kMostVersions = 12;
  const auto demoted = executor.take_demoted();
  if (!demoted.empty() && version_.load() < kMostVersions) {
    const std::lock_guard lock(mutex_);
    bool news = false;
    for (ptx::RegisterId r : demoted) {
      news |= !forced_.test(r);
      forced_.set(r);
    }
    if (news) {
      auto lowered = lower(kernel_.flat_, constants_, forced_, handlers(launch_.isa));
      if (lowered) {
        code_ = std::move(*lowered);
        ++version_;
      }
    }
  }
  if (version == version_.load()) return;
  const std::lock_guard lock(mutex_);
  version = version_.load();
  executor.use(code_);
}

void Run::run_block(Executor& executor, Worker& worker, std::uint64_t i) {
  const std::uint64_t block = block_at(i);
  BlockObserver* observer = launch_.observer != nullptr ? launch_.observer->begin_block(block) : nullptr;
  BlockWatcher* watcher = launch_.watcher != nullptr ? launch_.watcher->begin_block(block) : nullptr;
  if (!executor.run_block(block, observer, watcher, at_once_ > 1)) return;
  end_block(block);
  if (!launch_.count_each || worker.fault) return;
  Counters& own = each_[static_cast<std::size_t>(i)];
  own = take_counts(worker), own.blocks_run = 1;
}

void Run::end_block(std::uint64_t block) {
  if (launch_.observer != nullptr) launch_.observer->end_block(block);
  if (launch_.watcher != nullptr) launch_.watcher->end_block(block);
  ++done_;
}

// Blocks that wait for each other, until no more than so many are left.
void Run::run_aside(Executor& executor, Worker& worker, std::size_t left) {
  while (executor.aside() > left && !worker.fault && !state_.is_over_limit() && !state_.is_cancelled())
    for (const std::uint64_t block : executor.run_aside()) end_block(block);
}

void Run::run_unit(Executor& executor, std::uint64_t i) {
  std::vector<Companion> companions;
  for (const std::uint64_t block : units_[static_cast<std::size_t>(i)])
    companions.push_back({block, launch_.observer != nullptr ? launch_.observer->begin_block(block) : nullptr,
                          launch_.watcher != nullptr ? launch_.watcher->begin_block(block) : nullptr});
  executor.run_together(companions);
  for (const std::uint64_t block : units_[static_cast<std::size_t>(i)]) end_block(block);
}

std::uint64_t Run::first_block(std::uint64_t turn) const {
  return units_.empty() ? block_at(turn) : units_[static_cast<std::size_t>(turn)].front();
}

void Run::keep_printed(Worker& worker, std::uint64_t block) {
  worker.keeps_printed = true;
  if (!prints_much_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  worker.keeps_printed = printed_.has_room(block);
}

void Run::take_printed(Worker& worker, std::uint64_t block) {
  if (worker.printed.empty()) return;
  const std::lock_guard lock(mutex_);
  printed_.add(block, std::exchange(worker.printed, {}));
  prints_much_ = printed_.is_full();
}

// Between blocks: short ones never look themselves.
bool Run::is_stopped(Worker& worker, std::uint64_t i) const {
  if (state_.is_over_limit()) return true;
  if (!state_.is_cancelled()) return false;
  Fault fault;
  fault.kind = Fault::Kind::cancelled;
  fault.block = first_block(turn_of(i));
  fault.error = {"was stopped", ""};
  worker.fault = std::move(fault);
  return true;
}

// An exception that leaves a thread ends the process: whoever waits for the launch gets it, and the other
// threads stop.
void Run::work_or_stop(Worker& worker) {
  try {
    work(worker);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
    stop_at_ = 0;
  }
}

void Run::work(Worker& worker) {
  std::uint64_t version = 0;
  std::shared_ptr<const Code> code;
  {
    const std::lock_guard lock(mutex_);
    code = code_;
    version = version_.load();
  }
  Executor executor(std::move(code), state_, worker);
  const std::uint64_t all = count();
  for (std::uint64_t i = next_++; i < all && i <= stop_at_.load() && !is_stopped(worker, i); i = next_++) {
    const std::uint64_t turn = turn_of(i);
    keep_printed(worker, first_block(turn));
    if (units_.empty())
      run_block(executor, worker, turn);
    else
      run_unit(executor, turn);
    run_aside(executor, worker, static_cast<std::size_t>(i + 1 < all ? at_once_ - 1 : 0));
    take_printed(worker, first_block(turn));
    if (worker.fault) {  // blocks behind this one need not run; those before it are running or done
      std::uint64_t stop = stop_at_.load();
      while (i < stop && !stop_at_.compare_exchange_weak(stop, i)) {
      }
      return;
    }
    if (executor.aside() == 0) respecialise(executor, version);  // their registers lie as they lie
  }
}

bool is_asynchronous(Opcode opcode) {
  return (opcode >= Opcode::cp_async_bulk && opcode <= Opcode::cp_reduce_async_bulk_tensor) ||
         opcode == Opcode::wgmma_mma_async;
}

AccessKind kind_of(const ptx::Instruction& i) {
  if (i.opcode == Opcode::atom || i.opcode == Opcode::red) return AccessKind::atomic;
  const bool store = i.opcode == Opcode::st || i.opcode == Opcode::stmatrix || i.opcode == Opcode::wmma_store;
  return store ? AccessKind::store : AccessKind::load;
}

std::uint64_t bytes_of_lane(const ptx::Instruction& i) {
  return static_cast<std::uint64_t>(std::max(ptx::size_in_bytes(i.type) * i.vector, 1));
}

void add_site(Counters& counters, const ptx::Instruction& i, InstructionCounters& row, const Site& site,
              std::size_t third) {
  Space space = third == 1 ? Space::shared : third == 2 ? Space::local : Space::global;
  const bool direct = i.opcode == Opcode::ld || i.opcode == Opcode::ldu || i.opcode == Opcode::st;
  if (third == 0 && direct && i.space != Space::generic) space = i.space;
  if (row.requests_in_ptx == 0)
    row.space = space;
  else if (row.space != space)
    row.space = Space::generic;
  AccessCounts counts;
  counts.requests = site.requests;
  counts.requests_in_ptx = site.in_ptx;
  counts.bytes_used = site.bytes;
  const bool shared = space == Space::shared;
  if (space == Space::constant) {
    counts.wavefronts = site.bytes / bytes_of_lane(i), counts.ideal_wavefronts = site.requests;
  } else {
    (shared ? counts.wavefronts : counts.sectors) = site.units;
    (shared ? counts.ideal_wavefronts : counts.ideal_sectors) = site.ideal;
  }
  row += counts;
  if (space == Space::param) return;  // not part of global memory's traffic
  // Bulk copies go past the load/store units, whose requests and sectors the totals are: ncu has none of them
  // on an H200 (l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum), nor the operands of wgmma on an H100
  // (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum).
  if (is_asynchronous(i.opcode)) return;
  totals_of(counters, space, kind_of(i)) += counts;
}

// What the worker counted since it was made ready, which it is again.
Counters Run::take_counts(Worker& worker) const {
  Counters counters;
  const auto& code = kernel_.flat_.code;
  counters.instructions.resize(code.size());
  std::int64_t executed = 0, lanes = 0;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    InstructionCounters& row = counters.instructions[pc];
    executed += worker.executed[pc];
    lanes += worker.lanes[pc];
    row.executed = static_cast<std::uint64_t>(executed);
    row.lanes = static_cast<std::uint64_t>(lanes);
    row.diverged = worker.diverged[pc];
    row.chosen = worker.chosen[pc];
    counters.warp_instructions += row.executed;
    counters.thread_instructions += row.lanes;
    for (std::size_t third = 0; third < 3; ++third) {
      const Site& site = worker.sites[pc + third * code.size()];
      if (site.in_ptx != 0) add_site(counters, code[pc], row, site, third);
    }
  }
  counters.barriers = worker.barriers;
  counters.tensor = worker.tensor;
  make_ready(worker);
  return counters;
}

std::uint64_t calls_left_out(const std::vector<Worker>& workers) {
  std::uint64_t calls = 0;
  for (const Worker& worker : workers) calls += worker.not_printed;
  return calls;
}

std::vector<Fault> read_beside(std::vector<Worker>& workers) {
  std::map<std::uint32_t, Fault> first;
  for (Worker& worker : workers)
    for (auto& [pc, fault] : worker.read_beside) {
      const auto [known, is_new] = first.try_emplace(pc, fault);
      if (!is_new && fault.block < known->second.block) known->second = std::move(fault);
    }
  std::vector<Fault> all;
  for (auto& [pc, fault] : first) all.push_back(std::move(fault));
  return all;
}

void Run::gather(std::vector<Worker>& workers, Outcome& outcome) {
  outcome.read_beside = read_beside(workers);
  for (const Counters& counters : each_) outcome.counters += counters;
  for (Worker& worker : workers) {
    outcome.counters += take_counts(worker);
    if (worker.fault && (!outcome.fault || worker.fault->block < outcome.fault->block))
      outcome.fault = std::move(worker.fault);
  }
  outcome.counters.blocks_run = done_.load();
  outcome.each = std::move(each_);
  if (!outcome.fault) outcome.work = work_.all();
  // Of the blocks behind a fault some had run, by chance.
  const std::uint64_t not_printed = calls_left_out(workers);
  const bool is_whole = !outcome.fault || state_.is_over_limit();
  outcome.printed = printed_.text(is_whole ? ~std::uint64_t{0} : outcome.fault->block, not_printed);
}

// What was printed until then stays.
void Run::stop_at_limit(Outcome& outcome, std::uint64_t not_printed) const {
  Fault fault;
  fault.kind = Fault::Kind::limit;
  fault.block = first_block(turn_of(0));
  const std::string message =
      "the launch takes more than " + grouped(state_.limit) + " instructions of warps";
  const std::string advice =
      "choose a smaller size, or raise the instruction budget (--budget of warplens run)";
  const bool is_flood = not_printed > state_.limit / kCostLeftOut / 2;
  fault.error = {is_flood ? message + ", most of them for printf: " + grouped(not_printed) +
                                " calls were left out until then"
                          : message,
                 is_flood ? "print from one thread, if (i == 0), or " + advice : advice};
  outcome.fault = std::move(fault);
}

// Blocks that may wait for each other: as many as the device holds, and there is room for.
std::uint64_t Run::most_at_once() const {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  const std::uint64_t warps =
      (std::uint64_t{launch_.block[0]} * launch_.block[1] * launch_.block[2] + 31) / 32;
  const std::uint64_t bytes =
      warps * (code_->register_bytes + 32 * kernel_.layout_.local_bytes()) + state_.shared_bytes;
  return std::clamp<std::uint64_t>(
      blocks_at_once({kernel_.device_, kernel_.flat_, kernel_.layout_, kernel_.together_}, launch_), 1,
      std::max<std::uint64_t>(1, kMostBytes / std::max<std::uint64_t>(bytes, 1)));
}

void Run::make_ready(Worker& worker) const {
  const std::size_t pcs = kernel_.flat_.code.size();
  worker.sites.assign(pcs * 3, {});
  worker.executed.assign(pcs + 2, 0);
  worker.lanes.assign(pcs + 2, 0);
  worker.diverged.assign(pcs, 0);
  worker.chosen.assign(pcs, 0);
  worker.barriers = 0;
  worker.tensor = {};
}

Result<Outcome> Run::go() {
  if (auto status =
          check_launch({kernel_.device_, kernel_.flat_, kernel_.layout_, kernel_.together_}, launch_);
      !status)
    return status.error();
  if (auto status = place_variables(); !status) return status.error();
  if (auto status = place_workspace(); !status) return status.error();
  find_units();
  constants_.program = kernel_.program_.get();
  constants_.layout = &kernel_.layout_;
  constants_.grid = launch_.grid;
  constants_.block = launch_.block;
  constants_.cluster = kernel_.together_.cluster;
  constants_.is_explicit_cluster = kernel_.flat_.cluster[0] != 0;
  constants_.dynamic_shared_bytes = launch_.dynamic_shared_bytes;
  constants_.arguments = launch_.arguments;
  constants_.watched = launch_.watcher != nullptr;
  constants_.vectorized = &kernel_.vectorized_;
  constants_.apart = &kernel_.apart_;
  constants_.sm_count = std::max(kernel_.device_.sm_count, 1);
  constants_.warps_per_sm = kernel_.device_.max_warps_per_sm;
  state_ = {launch_.grid,
            launch_.block,
            kernel_.layout_.static_bytes() + launch_.dynamic_shared_bytes,
            launch_.instruction_budget,
            launch_.cancel,
            &kernel_.layout_,
            kernel_.together_,
            launch_.backwards,
            std::nullopt,
            limit_of(launch_),
            &spent_,
            &work_};
  if (reads_special(kernel_.flat_, ptx::Special::reserved_smem_1)) {
    state_.reserved_shared = reserved_shared(kernel_.layout_.static_bytes(), launch_.dynamic_shared_bytes);
    state_.shared_bytes = *state_.reserved_shared + kReservedShared;
  }
  forced_ = BitSet(kernel_.flat_.registers.size());
  auto lowered = lower(kernel_.flat_, constants_, forced_, handlers(launch_.isa));
  if (!lowered) return lowered.error();
  code_ = std::move(*lowered);

  Outcome outcome;
  outcome.serial = launch_.backwards || needs_order(*kernel_.program_, kernel_.flat_);
  const int wanted = launch_.threads > 0
                         ? launch_.threads
                         : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  outcome.threads_used =
      outcome.serial ? 1
                     : static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(wanted), count()));
  if (outcome.serial && kernel_.together_.alone() && !launch_.count_each && count() > 1)
    at_once_ = most_at_once();
  std::vector<Worker> workers(static_cast<std::size_t>(outcome.threads_used));
  if (launch_.count_each && units_.empty()) each_.resize(launch_.blocks.size());
  for (Worker& worker : workers) {
    make_ready(worker);
    worker.memory = &memory_;
    worker.device = &kernel_.device_;
    worker.stop_at_uninitialised = launch_.stop_at_uninitialised;
    worker.reads_go_on = launch_.reads_go_on;
    worker.sectors_of_32 = kernel_.device_.global_rule == device::GlobalRule::sectors_32;
    worker.phase_bits = worker.sectors_of_32 ? 31 : 255;
    worker.shared_phase_bits = kernel_.device_.compute_capability / 10 == 3 ? 255 : 3;
    worker.function = &kernel_.flat_;
    worker.program = kernel_.program_.get();
    worker.layout = &kernel_.layout_;
  }
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> helpers;
    for (std::size_t w = 1; w < workers.size(); ++w)
      helpers.emplace_back([this, &workers, w] { work_or_stop(workers[w]); });
    work_or_stop(workers[0]);
  }
  if (thrown_) std::rethrow_exception(thrown_);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  gather(workers, outcome);
  if (state_.is_over_limit()) stop_at_limit(outcome, calls_left_out(workers));
  return outcome;
}

Result<Outcome> KernelImpl::run(const Launch& launch, GlobalMemory& memory) const {
  return Run(*this, launch, memory).go();
}

}  // namespace

Result<std::shared_ptr<const Kernel>> Kernel::prepare(std::shared_ptr<const ptx::Program> program,
                                                      std::string_view entry, const device::Device& device,
                                                      const MachineAccesses* issued) {
  std::size_t found = program->functions.size(), entries = 0;
  for (std::size_t f = 0; f < program->functions.size(); ++f) {
    if (!program->functions[f].is_entry) continue;
    ++entries;
    if (entry.empty() || program->functions[f].name == entry) found = f;
  }
  if (found == program->functions.size())
    return Error{"the program has no kernel" + (entry.empty() ? "" : " called " + std::string(entry)),
                 "declare one extern \"C\" __global__ function"};
  if (entry.empty() && entries > 1)
    return Error{"the program has " + std::to_string(entries) + " kernels", "keep one kernel in a file"};
  auto flat = inline_calls(*program, found);
  if (!flat) return flat.error();
  if (auto status = check_sizes(*program, *flat); !status) return status.error();
  return std::shared_ptr<const Kernel>(
      std::make_shared<KernelImpl>(std::move(program), std::move(*flat), device, issued));
}

}  // namespace warplens::emulator
