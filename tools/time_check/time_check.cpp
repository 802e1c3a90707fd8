// time_check ROWS.csv [--cache DIR] [--from N] [--to N] [--set NAME=VALUE ...] [--ptx]: predicts every row of
// a file of measured times (kernel,params,size,...,seconds as assets/recorded/h100_times.csv has them) and
// prints a line a row: measured and predicted microseconds and what the model says of it.
// tools/time_check/summary.py makes docs/evidence/time.md of them. --cache keeps what the emulator counted, so that
// the model alone runs again.
#include <fmt/format.h>

#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>

#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/testing/measured_rows.hpp"

namespace warplens {
namespace {

using time::Counted, time::Row;

using Columns = std::vector<double time::AccessProfile::*>;
const Columns kProfile = {
    &time::AccessProfile::requests, &time::AccessProfile::turns,      &time::AccessProfile::sectors,
    &time::AccessProfile::missed,   &time::AccessProfile::miss_share, &time::AccessProfile::same_address,
    &time::AccessProfile::shared_x, &time::AccessProfile::shared_y,   &time::AccessProfile::moved,
    &time::AccessProfile::lines,    &time::AccessProfile::camping,    &time::AccessProfile::pages,
    &time::AccessProfile::fresh,    &time::AccessProfile::filled};

void save(const Counted& counted, const std::filesystem::path& path) {
  std::ofstream out(path);
  out << counted.counters.blocks_run << ' ' << counted.counters.instructions.size() << '\n';
  for (const auto& i : counted.counters.instructions)
    out << i.executed << ' ' << i.diverged << ' ' << i.requests << ' ' << i.sectors << ' ' << i.wavefronts
        << '\n';
  out << counted.watched.footprint_bytes << '\n';
  for (const auto& [pc, profile] : counted.watched.profile) {
    out << pc;
    for (const auto column : kProfile) out << ' ' << profile.*column;
    out << '\n';
  }
}

bool load(Counted& counted, const std::filesystem::path& path) {
  std::ifstream in(path);
  std::size_t size = 0;
  if (!(in >> counted.counters.blocks_run >> size)) return false;
  counted.counters.instructions.resize(size);
  for (auto& i : counted.counters.instructions)
    in >> i.executed >> i.diverged >> i.requests >> i.sectors >> i.wavefronts;
  in >> counted.watched.footprint_bytes;
  for (std::uint32_t pc = 0; in >> pc;)
    for (const auto column : kProfile) in >> counted.watched.profile[pc].*column;
  return true;
}

struct Options {
  std::string file, cache, device = "h100";
  std::size_t from = 0, to = ~std::size_t{0};
  time::Settings parameters;
  bool from_ptx = false;
};

Status check(const Row& row, const Options& options) {
  const auto plan = time::plan_of(row, options.device);
  if (!plan) return plan.error();
  auto build = run::compile(run::compiler(), *plan);
  if (!build) return build.error();
  const auto kernel = run::prepare(*build, plan->device);
  if (!kernel) return kernel.error();
  run::Job job{*plan, nullptr, *std::move(build)};
  Counted counted;
  const auto path = std::filesystem::path(options.cache) / (std::to_string(row.number) + ".counted");
  if (options.cache.empty() || !load(counted, path)) {
    auto instance = run::Instances({.most_bytes = std::uint64_t{1} << 32}).instantiate(*plan);
    if (!instance) return instance.error();
    job.instance = *std::move(instance);
    auto now = time::count(job, **kernel);
    if (!now) return now.error();
    counted = *std::move(now);
    if (!options.cache.empty()) save(counted, path);
  }
  const std::clock_t start = std::clock();  // of the processor, whoever else is at work
  const auto p =
      time::predict(job, **kernel, counted, {.parameters = options.parameters, .from_ptx = options.from_ptx});
  if (!p) return p.error();
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const auto& u = p->units;
  fmt::print(
      "{}|{}|{}|{}|{:.2f}|{:.2f}|{:.3f}|{}|issue {:.2f} fma {:.2f} alu {:.2f} shared {:.2f} l1 {:.2f} "
      "l2 {:.2f} dram {:.2f}|waves {:.2f} hits {:.2f} {:.2f}|{:.0f} ms|",
      row.number, row.kernel, row.params, row.size, row.seconds * 1e6, p->seconds * 1e6,
      p->seconds / row.seconds, p->limiter, u.issue, u.fma, u.alu, u.shared, u.l1, u.l2, u.dram, p->waves,
      p->l1_hits, p->l2_hits, took * 1e3);
  for (std::size_t i = 1; i < time::kStalls; ++i) fmt::print("{:.2f} ", p->stalls[i]);
  fmt::print("|{:.6g}\n", p->warp_instructions);
  return Done{};
}

void set(time::Settings& settings, const std::string& words) {
  const auto equals = words.find('=');
  const std::string name = words.substr(0, equals);
  settings[name] = std::stod(words.substr(equals + 1));
  time::Parameters any;
  if (!time::set_parameter(any, name, 0)) std::cerr << "no parameter " << words << '\n';
}

int check_all(const Options& options) {
  int failures = 0;
  for (const Row& row : time::rows_of(options.file)) {
    if (row.number < options.from || row.number >= options.to) continue;
    if (const auto done = check(row, options); !done) {
      std::cerr << row.number << ' ' << row.kernel << ": " << to_line(done.error()) << '\n';
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace warplens

int main(int count, char** words) {
  warplens::Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i], next = i + 1 < count ? words[i + 1] : "";
    if (word == "--ptx") {
      options.from_ptx = true;
      continue;
    }
    if (word.starts_with("--")) ++i;
    if (word == "--cache")
      options.cache = next;
    else if (word == "--device")
      options.device = next;
    else if (word == "--from")
      options.from = std::stoul(next);
    else if (word == "--to")
      options.to = std::stoul(next);
    else if (word == "--set")
      warplens::set(options.parameters, next);
    else
      options.file = word;
  }
  return warplens::check_all(options);
}
