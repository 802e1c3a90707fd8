// warplens bench: a ladder timed over sizes and parameters, in several passes over all of it: what changes
// from process to process (where the buffers lie) and in the course of minutes (heat) is larger than the
// spread of the samples of one second, and two benches agree only within the spread that takes it in.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <deque>
#include <filesystem>
#include <future>
#include <optional>
#include <thread>

#include "app/base/text_table.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run_progress.hpp"
#include "app/gpu/gpu_run.hpp"
#include "app/gpu/report_text.hpp"
#include "engine/base/speed.hpp"
#include "engine/base/text.hpp"
#include "engine/catalog/rules.hpp"
#include "engine/measured/recordings.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {
namespace {

constexpr int kFinalists = 3;

struct Bench {
  const Workspace& workspace;
  const BenchOptions& options;
  catalog::Values defines;
  device::Device device;
  compile::Compiler compiler;
  std::optional<GpuEngine> gpu;  // nothing: the emulator
  measured::Recordings recordings;
  std::unique_ptr<run::Instances> instances = std::make_unique<run::Instances>(run::Instances::Options());
};

void say(const std::string& line) { fmt::print(stderr, "warplens: {}\n", line); }

// "512,64x64x32" -> {"512", "64,64,32"}
std::vector<std::string> split_sizes(const std::string& text) {
  std::vector<std::string> sizes(1);
  for (const char c : text) {
    if (c == ',')
      sizes.emplace_back();
    else
      sizes.back() += c == 'x' ? ',' : c;
  }
  return sizes;
}

Json named(const std::vector<std::string>& names, const catalog::Values& values) {
  Json json = Json::object();
  for (const std::string& name : names) {
    if (const auto found = values.find(name); found != values.end()) json[name] = found->second;
  }
  return json;
}

Json params_json(const catalog::KernelSpec& spec, const catalog::Values& values) {
  return named(catalog::parameter_names(spec), values);
}

std::string words_of(const Json& values) {
  std::string words;
  for (const auto& [name, value] : values.items())
    words += fmt::format("{}{}={}", words.empty() ? "" : " ", name, value.get<std::int64_t>());
  return words;
}

Result<run::Report> time_plan(Bench& bench, const run::Plan& plan, compile::Build build,
                              const GpuRunOptions& options) {
  const RunProgress progress;
  auto instance = bench.instances->instantiate(plan);
  if (!instance) return instance.error();
  const Status complete = bench.instances->complete(
      plan, **instance, [&](const compile::Request& one) { return bench.compiler.compile(one); });
  if (!complete) return complete.error();
  const run::Job job{plan, *std::move(instance), std::move(build)};
  if (bench.gpu) return run_on_gpu(*bench.gpu, job, options);
  const auto run = run::run_on_emulator(job);
  return run ? Result<run::Report>((*run)->report) : run.error();
}

// A search launches hundreds of forms of a kernel and has no window that a fault could harm.
GpuRunOptions unchecked(GpuRunOptions options) {
  options.check = false;
  return options;
}

Result<run::Report> time_fully(Bench& bench, const run::Plan& plan) {
  auto build = run::compile(bench.compiler, plan);
  if (!build) return build.error();
  return time_plan(bench, plan, *std::move(build), unchecked(gpu_run_options(bench.options.gpu)));
}

// A search over the legal sets of one kernel at one size.
class Search {
 public:
  Search(Bench& bench, const run::Plan& plan, const measured::BenchKey& key)
      : bench_(bench), plan_(plan), key_(key) {
    options_ = unchecked(gpu_run_options(bench.options.gpu));
    // Enough to rank them; the finalists are timed in full.
    options_.timing.seconds = 0.02;
    options_.timing.least_samples = 5;
    options_.cublas = false;
    options_.operations_to_verify = 5e8;
  }

  Result<run::Report> run() {
    const auto waiting = sets_to_try();
    if (const auto tried = try_all(waiting); !tried) return tried.error();
    return best_of_finalists();
  }
  std::size_t tried() const { return tried_; }

 private:
  struct Candidate {
    run::Plan plan;
    std::future<Result<compile::Build>> build;
  };

  std::vector<catalog::Values> sets_to_try() {
    auto sets = catalog::valid_parameter_sets(plan_.spec, plan_.sizes);
    const catalog::Values fixed = own_part(plan_.spec, bench_.defines);
    std::erase_if(sets, [&](const catalog::Values& set) {
      return std::any_of(fixed.begin(), fixed.end(),
                         [&](const auto& f) { return set.at(f.first) != f.second; });
    });
    tried_ = sets.size();
    const Json& known = bench_.recordings.tuning(key_);
    std::erase_if(sets, [&](const catalog::Values& set) {
      const Json params = params_json(plan_.spec, set);
      return std::any_of(known.begin(), known.end(),
                         [&](const Json& row) { return at(row, "params") == params; });
    });
    for (const Json& row : known) note_best(row);
    return sets;
  }

  // The compiler works ahead of the GPU on all cores.
  Status try_all(const std::vector<catalog::Values>& sets) {
    const std::size_t ahead = std::max(2u, std::thread::hardware_concurrency());
    std::deque<Candidate> under_way;
    std::size_t next = 0, done = 0;
    while (done < sets.size()) {
      while (next < sets.size() && under_way.size() < ahead) {
        if (auto plan = plan_.with(sets[next]))
          begin(*std::move(plan), under_way);
        else
          note({{"params", params_json(plan_.spec, sets[next])}, {"error", plan.error().message}}), ++done;
        ++next;
      }
      if (under_way.empty()) continue;
      finish(std::move(under_way.front()));
      under_way.pop_front();
      if (++done % 25 == 0 || done == sets.size()) {
        progress(done, sets.size());
        if (const auto saved = bench_.recordings.save(); !saved) return saved;
      }
    }
    return Done{};
  }

  void begin(run::Plan plan, std::deque<Candidate>& under_way) {
    auto build = std::async(std::launch::async, [this, plan] { return run::compile(bench_.compiler, plan); });
    under_way.push_back({std::move(plan), std::move(build)});
  }

  void finish(Candidate candidate) {
    Json row = {{"params", params_json(plan_.spec, candidate.plan.parameters)}};
    auto build = candidate.build.get();
    options_.timing.hopeless_seconds = 1.5 * best_;
    const auto report = build ? time_plan(bench_, candidate.plan, *std::move(build), options_)
                              : Result<run::Report>(build.error());
    if (report) {
      row["seconds"] = report->seconds;
      row["verified"] = report->verified;
    } else {
      row["error"] = to_line(report.error());
    }
    note(std::move(row));
  }

  void note(Json row) {
    note_best(row);
    bench_.recordings.tuning(key_).push_back(std::move(row));
  }

  void note_best(const Json& row) {
    if (!row.value("verified", false)) return;
    const double seconds = row.value("seconds", 0.0);
    if (best_ != 0 && seconds >= best_) return;
    best_ = seconds;
    best_params_ = at(row, "params");
  }

  void progress(std::size_t done, std::size_t all) const {
    say(fmt::format("{} {}: {} of {} sets tried, best {:.4g} ms with {}", plan_.spec.id, words_of(key_.size),
                    done, all, best_ * 1e3, best_params_.is_null() ? "none" : words_of(best_params_)));
  }

  Result<run::Report> best_of_finalists() {
    std::vector<Json> rows;
    for (const Json& row : bench_.recordings.tuning(key_)) {
      if (row.value("verified", false)) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(),
              [](const Json& a, const Json& b) { return at(a, "seconds") < at(b, "seconds"); });
    std::optional<run::Report> best;
    for (std::size_t i = 0; i < rows.size() && i < kFinalists; ++i) {
      auto plan = plan_.with(rows[i]["params"].get<catalog::Values>());
      if (!plan) return plan.error();
      auto report = time_fully(bench_, *plan);
      if (!report) return report.error();
      if (report->verified && (!best || report->seconds < best->seconds)) best = *std::move(report);
    }
    if (best) return *best;
    return Error{"no set of parameters of " + plan_.spec.id + " gives a right result",
                 "see why with 'warplens run " + plan_.spec.id + " --engine gpu'"};
  }

  Bench& bench_;
  const run::Plan& plan_;
  const measured::BenchKey& key_;
  GpuRunOptions options_;
  double best_ = 0;
  Json best_params_;
  std::size_t tried_ = 0;
};

Json row_of(const run::Report& report, const measured::BenchKey& key, std::size_t tried) {
  Json row = to_json(report);
  row["source"] = key.source;
  row["tuned"] = key.params.is_null();
  row["tried"] = tried;
  return row;
}

std::string unit_of(const Json& row) { return row.value("unit", std::string(kFloatingPoint)); }
std::string unit_of(const std::vector<Json>& rows) {
  std::string unit = rows.empty() ? std::string(kFloatingPoint) : unit_of(rows.front());
  for (const Json& row : rows) unit = common_unit(unit, unit_of(row));
  return unit;
}

// Of arithmetic, or of the bytes that any kernel must move.
std::string rate_words(const Json& row) {
  const double gflops = row.value("gflops", 0.0);
  const Json& gpu = at(row, "gpu");
  const double gb_per_second = gpu.is_object() ? gpu.value("gb_per_second", 0.0) : 0;
  if (!gpu.is_object() || is_told_in_operations(gflops, gb_per_second))
    return fmt::format("{:.1f} {}", gflops, unit_of(row));
  return fmt::format("{:.1f} GB/s", gb_per_second);
}

// One kernel at one size, and what the passes over it have come to.
struct Entry {
  run::Plan plan;
  measured::BenchKey key;
  bool failed = false;
};

Result<Entry> entry_of(const Bench& bench, const catalog::KernelSpec& spec, const std::string& size) {
  auto plan = plan_of(spec, own_part(spec, bench.defines), size, bench.device);
  if (!plan) return plan.error();
  measured::BenchKey key{spec.id, fingerprint(spec.code), named(plan->problem->size_names(), plan->sizes),
                         params_json(spec, plan->parameters)};
  if (bench.options.autotune) key.params = nullptr;
  return Entry{*std::move(plan), std::move(key)};
}

// What the search found in the first pass stands in the later ones.
Result<Json> search_or_time(Bench& bench, const Entry& entry, const Json& passes) {
  const bool search = entry.key.params.is_null() && passes.empty();
  if (search) {
    Search of_all(bench, entry.plan, entry.key);
    const auto report = of_all.run();
    return report ? Result<Json>(row_of(*report, entry.key, of_all.tried())) : report.error();
  }
  const Json& params = entry.key.params.is_null() ? at(passes.front(), "params") : entry.key.params;
  const auto plan = entry.plan.with(params.get<catalog::Values>());
  if (!plan) return plan.error();
  const auto report = time_fully(bench, *plan);
  if (!report) return report.error();
  return row_of(*report, entry.key, passes.empty() ? 1 : passes.front().value("tried", std::size_t{1}));
}

Status time_once(Bench& bench, const Entry& entry, int pass) {
  if (bench.recordings.find(entry.key) != nullptr) return Done{};
  Json& passes = bench.recordings.passes(entry.key);
  if (passes.size() <= static_cast<std::size_t>(pass)) {
    if (const auto ready = bench.instances->instantiate(entry.plan); !ready) return ready.error();
    auto row = search_or_time(bench, entry, passes);
    if (!row) return row.error();
    say(fmt::format("{} {}: {:.4g} ms, {}{} with {}", entry.key.kernel, words_of(entry.key.size),
                    row->value("seconds", 0.0) * 1e3, rate_words(*row), bench.gpu ? "" : " of the emulator",
                    words_of((*row)["params"])));
    passes.push_back(*std::move(row));
  }
  if (passes.size() >= static_cast<std::size_t>(bench.options.passes))
    bench.recordings.add(entry.key, measured::median_pass(passes));
  return bench.recordings.save();
}

// Errors are printed as they come; an entry that failed is left out of the passes that follow.
void time_all(Bench& bench, std::vector<Entry>& entries) {
  for (int pass = 0; pass < bench.options.passes; ++pass) {
    if (pass > 0 && bench.gpu) bench.gpu->renew();
    for (Entry& entry : entries) {
      if (entry.failed) continue;
      const Status timed = time_once(bench, entry, pass);
      if (timed) continue;
      entry.failed = true;
      print_error(timed.error());
    }
  }
}

// The emulator's own speed, which says nothing of a GPU's: a table of its own, without the GPU's columns.
std::vector<TextRow> emulator_table(const std::vector<Json>& rows) {
  std::vector<TextRow> table = {
      {"kernel", "size", "parameters", "verified", "emulator ms", "emulator " + unit_of(rows)}};
  for (const Json& row : rows) {
    table.push_back({row.value("kernel", ""), words_of(at(row, "size")), words_of(at(row, "params")),
                     row.value("verified", false) ? "yes" : "WRONG",
                     fmt::format("{:.4g}", row.value("seconds", 0.0) * 1e3),
                     fmt::format("{:.3f}", row.value("gflops", 0.0))});
  }
  return table;
}

TextRow gpu_row(const Json& row) {
  const Json& gpu = at(row, "gpu");
  const measured::Spread spread = measured::spread_of(row);
  const Json& cublas = at(gpu, "cublas");
  const double mine = row.value("gflops", 0.0);
  const double theirs = cublas.is_object() ? cublas.value("gflops", 0.0) : 0;
  return {row.value("kernel", ""),
          words_of(at(row, "size")),
          words_of(at(row, "params")),
          row.value("verified", false) ? "yes" : "WRONG",
          fmt::format("{:.4g}", row.value("seconds", 0.0) * 1e3),
          fmt::format("{:.4g} to {:.4g}", spread.low_seconds * 1e3, spread.high_seconds * 1e3),
          fmt::format("{:.1f}", mine),
          fmt::format("{:.1f}", gpu.value("gb_per_second", 0.0)),
          fmt::format("{:.4g}", gpu.value("overall_seconds", 0.0) * 1e3),
          theirs > 0 ? fmt::format("{:.1f}", theirs) : "-",
          theirs > 0 ? fmt::format("{:.1f} %", 100 * mine / theirs) : "-"};
}

std::vector<TextRow> gpu_table(const std::vector<Json>& rows) {
  std::vector<TextRow> table = {{"kernel", "size", "parameters", "verified", "ms", "10 % to 90 %",
                                 unit_of(rows), "GB/s", "overall ms", "cuBLAS " + unit_of(rows),
                                 "of cuBLAS"}};
  for (const Json& row : rows) table.push_back(gpu_row(row));
  return table;
}

std::string table_text(const Bench& bench, const std::vector<Json>& rows) {
  if (rows.empty()) return "";
  if (bench.gpu) return format_table(gpu_table(rows));
  return "Timed on the emulator, on this computer's processor: no GPU's speed\n" +
         format_table(emulator_table(rows));
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:%Y-%m-%d}", utc);
}

Json header_of(const Workspace& workspace, const std::optional<GpuEngine>& gpu, compile::Compiler& compiler) {
  static_cast<void>(workspace);
  // The path of the compiler is nobody's business in a file that is passed on.
  std::string description = compiler.description();
  description = description.substr(0, description.find(" ("));
  Json header = {{"format", 1},        {"engine", gpu ? "gpu" : "emulator"},
                 {"device", nullptr},  {"driver", ""},
                 {"cuda", ""},         {"compiler", description},
                 {"recorded", today()}};
  if (gpu) {
    const Json system = system_json(gpu->system());
    header["device"] = system["devices"][static_cast<std::size_t>(gpu->hardware().index)];
    header["driver"] = system["driver"];
    header["cuda"] = system["cuda"];
  }
  return header;
}

Result<Bench> open_bench(const Workspace& workspace, const BenchOptions& options) {
  auto defines = parse_defines(options.kernel.defines);
  if (!defines) return defines.error();
  std::optional<GpuEngine> gpu;
  if (options.engine == "gpu") {
    auto engine = GpuEngine::start(options.gpu);
    if (engine)
      gpu.emplace(*std::move(engine));
    else
      print_warning("no GPU: using the emulator (" + engine.error().message + ")");
  }
  if (options.autotune && !gpu)
    return Error{"the emulator does not tell which parameters are the quickest",
                 "leave --autotune away, or use a machine with a GPU"};
  const auto device = gpu ? device_of(workspace, gpu->hardware(), options.kernel.device)
                          : workspace.device(options.kernel.device);
  if (!device) return device.error();
  compile::Compiler compiler = workspace.compiler();
  const std::filesystem::path folder = std::filesystem::path(options.save).parent_path();
  if (std::error_code failed; !folder.empty() && !std::filesystem::is_directory(folder, failed))
    return Error{"there is no folder " + folder.string(), "make it, or name another file with --save"};
  auto recordings = measured::Recordings::open(options.save, header_of(workspace, gpu, compiler));
  if (!recordings) return recordings.error();
  return Bench{workspace,           options,        *std::move(defines),   *device,
               std::move(compiler), std::move(gpu), *std::move(recordings)};
}

int print_rows(const Bench& bench, const std::vector<Json>& rows, bool json) {
  Json object = bench.recordings.file();
  object.erase("tuning");
  object.erase("passes");
  object["results"] = rows;
  fmt::print("{}", json ? to_text(object) : table_text(bench, rows));
  const bool right =
      std::all_of(rows.begin(), rows.end(), [](const Json& row) { return row.value("verified", false); });
  return right ? kExitFine : kExitWrongResult;
}

// What no step could take is said once, before anything runs.
Status check_words(const BenchOptions& options, const std::vector<catalog::KernelSpec>& kernels) {
  const auto defines = parse_defines(options.kernel.defines);
  if (!defines) return defines.error();
  if (const Status known = check_someone_has(kernels, *defines); !known) return known;
  for (const std::string& size : split_sizes(options.sizes)) {
    if (size.empty() && !options.sizes.empty())
      return Error{fmt::format("--sizes '{}' has an empty size", options.sizes), "write it as 512,1024"};
    for (const catalog::KernelSpec& spec : kernels) {
      const auto problem = problem::find_problem(spec);
      if (size.empty() || !problem) continue;
      if (const auto sizes = problem::parse_sizes(**problem, size); !sizes) return sizes.error();
    }
  }
  return Done{};
}

}  // namespace

Result<int> bench_command(const CommonOptions& common, const BenchOptions& options) {
  const auto engine = chosen_word<int>("engine", options.engine, {{"gpu", 0}, {"emulator", 1}});
  if (!engine) return engine.error();
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto chosen = choose_kernels(*workspace, options.kernel.kernel);
  if (!chosen) return chosen.error();
  if (const Status words = check_words(options, chosen->kernels); !words) return words.error();
  auto bench = open_bench(*workspace, options);
  if (!bench) return bench.error();
  std::vector<Entry> entries;
  bool failed = false;
  for (const std::string& size : split_sizes(options.sizes)) {
    for (const catalog::KernelSpec& spec : chosen->kernels) {
      auto entry = entry_of(*bench, spec, size);
      if (entry) {
        entries.push_back(*std::move(entry));
      } else {
        failed = true;
        print_error(entry.error());
      }
    }
  }
  time_all(*bench, entries);
  std::vector<Json> rows;
  for (const Entry& entry : entries) {
    failed = failed || entry.failed;
    if (const Json* row = bench->recordings.find(entry.key)) rows.push_back(*row);
  }
  const int code = print_rows(*bench, rows, common.json);
  return failed ? kExitBadInput : code;
}

}  // namespace warplens::app
