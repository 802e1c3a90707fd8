// Of the way of the data, by the counters of the run and the rates of the device: what passes from memory to the
// registers, and how long that takes at least.
#include <algorithm>
#include <map>
#include <string>

#include "engine/claims_check/found.hpp"
#include "engine/device/roofline.hpp"
#include "engine/time/chip/parameters_of.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;

double number(std::uint64_t value) { return static_cast<double>(value); }

// Of a launch.
struct Amounts {
  double units = 0, wasted = 0;        // sectors or wavefronts
  double bytes = 0, wasted_bytes = 0;  // that these carry
  double seconds = 0;                  // at the device's rate
};

class Ways {
 public:
  explicit Ways(const Subject& s) : s_(s) {
    const auto roof = device::roofline(s.run.device(), s.run.plan().problem->has_multiply_adds());
    if (roof) roof_ = *roof;
    const auto& grid = s.run.report.grid;
    blocks_ = static_cast<double>(grid[0]) * grid[1] * grid[2];
    const double ran = number(std::max<std::uint64_t>(s.run.emulation.outcome.counters.blocks_run, 1));
    whole_ = blocks_ / ran;
    sort_out();
  }

  std::optional<Amounts> find(const std::string& of) const {
    if (of == "global-registers") return global();
    if (of == "shared-registers") return shared();
    if (of == "memory-l2") return memory();
    if (of == "arithmetic") return Amounts{.seconds = arithmetic()};
    return std::nullopt;
  }
  // What takes longest.
  double longest() const {
    double most = arithmetic();
    for (const char* of : {"global-registers", "shared-registers", "memory-l2"})
      if (const auto amounts = find(of)) most = std::max(most, amounts->seconds);
    return most;
  }
  double arithmetic() const {
    if (!roof_) return 0;
    const auto& tensor = s_.run.emulation.outcome.counters.tensor;
    const double products = number(tensor.operations) * whole_,
                 others = s_.run.emulation.operations * whole_ - products;
    const double most = std::max(0.0, 1e-9 * others / (roof_->peak_gflops * used()));
    return std::max(most, tensor_seconds());
  }

  // By the shapes of the products that each instruction of a warp made, at the data sheet's rate of their operands.
  double tensor_seconds() const {
    const device::Device& device = s_.run.device();
    const double a_second =
        time::parameters_of(device).tensor_peak * device.sm_count * device.boost_clock_mhz * 1e6 * used();
    if (a_second <= 0) return 0;
    double seconds = 0;
    const auto& code = s_.run.kernel->function().code;
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      const ptx::Instruction& i = code[pc];
      const bool is_of_group = i.opcode == ptx::Opcode::wgmma_mma_async;
      const bool is_sparse = i.opcode == ptx::Opcode::mma_sp;
      const bool is_one =
          is_of_group || is_sparse || i.opcode == ptx::Opcode::mma || i.opcode == ptx::Opcode::wmma_mma;
      const ptx::Type type = i.matrix_types[1];
      const bool has_rate =
          type != ptx::Type::f64 && type != ptx::Type::s4 && type != ptx::Type::u4 && type != ptx::Type::b1;
      if (!is_one || !has_rate) continue;
      const double products = number(s_.run.emulation.outcome.counters.instructions[pc].executed) * whole_;
      const double rate = a_second * 2 / static_cast<double>(ptx::size_in_bytes(type));
      const auto [m, n, k] = i.shape;
      seconds += products * 2 * m * n * k / rate / (is_of_group ? 4 : 1) / (is_sparse ? 2 : 1);
    }
    return seconds;
  }

 private:
  struct Kind {
    double asked = 0, least = 0;
  };
  // Counters by instruction: asynchronous copies go to shared memory, all else to registers.
  void sort_out() {
    const ptx::Function& function = s_.run.kernel->function();
    const emulator::Counters& counters = s_.run.emulation.outcome.counters;
    const auto kind = [](std::initializer_list<const emulator::AccessCounts*> all, bool of_sectors) {
      Kind sum;
      for (const emulator::AccessCounts* one : all) {
        sum.asked += number(of_sectors ? one->sectors : one->wavefronts);
        sum.least += number(of_sectors ? one->ideal_sectors : one->ideal_wavefronts);
      }
      return sum;
    };
    loads_ = kind({&counters.global_load, &counters.local_load}, true);
    loads_.asked += number(counters.tensor.load_sectors),
        loads_.least += number(counters.tensor.load_sectors);
    stores_ = kind({&counters.global_store, &counters.global_atomic, &counters.local_store}, true);
    reads_ = kind({&counters.shared_load}, false);
    const double operands = number(counters.tensor.operand_wavefronts);  // of wgmma
    reads_.asked += operands, reads_.least += operands;
    writes_ = kind({&counters.shared_store, &counters.shared_atomic}, false);
    for (std::size_t pc = 0; pc < function.code.size(); ++pc) {
      if (s_.run.instructions[pc].text.find("cp.async") == std::string::npos) continue;
      copies_.asked += number(counters.instructions[pc].sectors);
      copies_.least += number(counters.instructions[pc].ideal_sectors);
    }
  }
  double used() const { return device::busy_share(*roof_, {.blocks = static_cast<std::uint64_t>(blocks_)}); }
  bool has_caches() const { return s_.run.device().compute_capability >= 20; }
  Amounts amounts(const Kind& one, const Kind& other, double bytes) const {
    Amounts all;
    all.units = whole_ * (one.asked + other.asked);
    all.wasted = whole_ * (std::max(0.0, one.asked - one.least) + std::max(0.0, other.asked - other.least));
    all.bytes = bytes * all.units, all.wasted_bytes = bytes * all.wasted;
    return all;
  }
  std::optional<Amounts> global() const {
    Amounts all = amounts({loads_.asked - copies_.asked, loads_.least - copies_.least}, stores_, 32);
    const double rate = !roof_ ? 0 : has_caches() ? roof_->l1_gb_per_s * used() : roof_->memory_gb_per_s;
    all.seconds = rate > 0 ? 1e-9 * all.bytes / rate : 0;
    return all;
  }
  std::optional<Amounts> shared() const {
    Amounts all = amounts(reads_, writes_, 4.0 * s_.run.device().shared_banks);
    const double rate = roof_ ? roof_->shared_giga_per_s * used() : 0;
    all.seconds = rate > 0 ? 1e-9 * all.units / rate : 0;
    return all;
  }
  // Each buffer once, and no more than is asked for.
  std::optional<Amounts> memory() const {
    double stored = 0;
    for (const report::PlacedBuffer& placed : s_.run.buffers)
      if (placed.buffer.is_output)
        stored += number(placed.buffer.elements) * number(problem::size_in_bytes(placed.buffer.type));
    const double read = std::max(0.0, s_.run.job->instance->least_bytes() - stored);
    Amounts all;
    all.bytes = std::min(read, 32 * whole_ * loads_.asked) + std::min(stored, 32 * whole_ * stores_.asked);
    all.seconds = roof_ ? 1e-9 * all.bytes / roof_->memory_gb_per_s : 0;
    return all;
  }

  const Subject& s_;
  std::optional<device::Roofline> roof_;
  double blocks_ = 1, whole_ = 1;  // whole: the grid over the blocks that ran
  Kind loads_, stores_, copies_, reads_, writes_;
};

template <class Value>
Measured of_way(const Subject& s, Value value) {
  const Ways ways(s);
  const auto found = ways.find(s.claim.of);
  return found ? Measured(one(value(*found, ways))) : std::nullopt;
}
Measured seconds_of_pipe(const Subject& s) {
  return of_way(s, [](const Amounts& a, const Ways&) { return a.seconds; });
}
Measured units_of_pipe(const Subject& s) {
  return of_way(s, [](const Amounts& a, const Ways&) { return a.units; });
}
Measured wasted_of_pipe(const Subject& s) {
  return of_way(s, [](const Amounts& a, const Ways&) { return a.wasted; });
}
Measured times_needed_of_pipe(const Subject& s) {
  return of_way(s, [](const Amounts& a, const Ways&) { return a.bytes / (a.bytes - a.wasted_bytes); });
}
Measured bytes_of_pipe(const Subject& s) {
  return of_way(s, [](const Amounts& a, const Ways&) { return a.bytes; });
}
Measured busy_of_pipe(const Subject& s) {
  return of_way(s, [](const Amounts& a, const Ways& ways) { return a.seconds / ways.longest(); });
}
Measured measured_seconds(const Subject& s) {
  return s.beside != nullptr && s.beside->recorded_seconds ? Measured(one(*s.beside->recorded_seconds))
                                                           : std::nullopt;
}
Measured seconds_unnamed(const Subject& s) {
  const auto measured = measured_seconds(s);
  return measured ? Measured(one(measured->mean - Ways(s).arithmetic())) : std::nullopt;
}

}  // namespace

std::vector<Row> flow_measures() {
  return {
      {Quantity::seconds_of_pipe, seconds_of_pipe},   {Quantity::units_of_pipe, units_of_pipe},
      {Quantity::wasted_of_pipe, wasted_of_pipe},     {Quantity::times_needed_of_pipe, times_needed_of_pipe},
      {Quantity::bytes_of_pipe, bytes_of_pipe},       {Quantity::busy_of_pipe, busy_of_pipe},
      {Quantity::measured_seconds, measured_seconds}, {Quantity::seconds_unnamed, seconds_unnamed}};
}

}  // namespace warplens::claims_check
