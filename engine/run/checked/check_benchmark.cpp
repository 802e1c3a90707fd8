// What the checkers cost: each kernel of the repository as it opens, counted alone and with them, in time of
// the processor, which other programs disturb least.
//
//   check_benchmark [WORD]   kernels with WORD in their id; at the end the table of docs/findings.md
#include <fmt/format.h>
#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "engine/base/testing/processor_time.hpp"
#include "engine/run/checked/check_blocks.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/checked/odd_sizes.hpp"
#include "engine/run/checked/other_data.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

template <class Work>
double milliseconds(const Work& work) {
  double least = 1e9;
  for (int pass = 0; pass < 3; ++pass) {
    const double start = seconds_of_processor();
    work();
    least = std::min(least, seconds_of_processor() - start);
  }
  return least * 1e3;
}

struct Cost {
  std::string kernel;
  double counted = 0, watched = 0, odd = 0, checked = 0;
  double ratio() const { return checked / counted; }
};

void try_others(const Job& job, const emulator::Kernel& kernel) {
  Tried tried;
  const Trials trials(job, kernel, tried);
  static_cast<void>(finding_at_odd_sizes(trials));
  static_cast<void>(finding_at_large_sizes(trials));
  static_cast<void>(finding_with_other_data(trials, tried.data));
}

Cost cost_of(const Job& job) {
  const auto kernel = *prepare(job.build, job.plan.device);
  Cost cost{job.plan.spec.id};
  cost.counted = milliseconds([&] { static_cast<void>(run_on_emulator(job)); });
  cost.watched = milliseconds(
      [&] { static_cast<void>(check_blocks(*kernel, *job.instance, job.plan.launch, check_options(job))); });
  cost.odd = milliseconds([&] { try_others(job, *kernel); });
  cost.checked = milliseconds([&] { static_cast<void>(run_checked(job)); });
  return cost;
}

std::string name_of_processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "an unknown processor";
}

void print_row(std::string_view name, std::vector<Cost> costs) {
  std::ranges::sort(costs, {}, &Cost::ratio);
  const Cost& worst = costs.back();
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {} ({:.1f} ms and {:.1f} ms) |\n", name, costs.size(),
             costs[costs.size() / 2].ratio(), worst.ratio(), worst.kernel, worst.counted, worst.checked);
}

// Each launch has its own costs, of compiling and of trials at other sizes, which short ones show.
void print_table(const std::vector<Cost>& costs) {
  constexpr double kShort = 5;  // milliseconds of counting
  std::map<std::string, std::vector<Cost>> ladders;
  std::vector<Cost> shorter, longer;
  for (const Cost& cost : costs) {
    (cost.counted < kShort ? shorter : longer).push_back(cost);
    if (cost.counted >= kShort) ladders[cost.kernel.substr(0, cost.kernel.find('/'))].push_back(cost);
  }
  fmt::print("On {}, in times of counting alone:\n\n", name_of_processor());
  fmt::print("| kernels | number | median | most | which |\n|---|---:|---:|---:|---|\n");
  for (const auto& [ladder, of_ladder] : ladders) print_row(ladder, of_ladder);
  if (!longer.empty()) print_row(fmt::format("all of {} ms and more", kShort), longer);
  if (!shorter.empty()) print_row(fmt::format("shorter than {} ms", kShort), shorter);
  print_row("all", costs);
}

int measure(const std::string& word) {
  std::vector<Cost> costs;
  fmt::print("{:<36} {:>9} {:>9} {:>9} {:>9}\n", "kernel", "counted", "watched", "odd sizes", "checked");
  for (const auto& spec : kernels().kernels()) {
    if (spec.id.find(word) == std::string::npos) continue;
    const auto job = job_of(spec, {}, {});
    if (!job) continue;
    const Cost cost = cost_of(*job);
    fmt::print("{:<36} {:6.1f} ms {:6.1f} ms {:6.1f} ms {:6.1f} ms {:6.2f}\n", cost.kernel, cost.counted,
               cost.watched, cost.odd, cost.checked, cost.ratio());
    std::fflush(stdout);
    costs.push_back(cost);
  }
  if (costs.empty()) return 1;
  print_table(costs);
  return 0;
}

}  // namespace
}  // namespace warplens::run

int main(int argc, char** argv) { return warplens::run::measure(argc > 1 ? argv[1] : ""); }
