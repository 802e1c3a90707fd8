// warplens claims: what is said of kernels, claim by claim, and whether it is so.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/claims/claims_of.hpp"
#include "app/commands/claims/ladder_claims.hpp"
#include "app/commands/commands.hpp"
#include "app/state/compare_choice.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/text.hpp"
#include "engine/catalog/ladders.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app {
namespace {

// A kernel with values of its parameters, on a device.
struct Wanted {
  const catalog::KernelSpec* spec = nullptr;
  std::vector<const catalog::KernelSpec*> ladder;  // in its order
  std::optional<std::size_t> judged_against;       // of these
  catalog::Ladder taught;
  catalog::Values parameters;  // empty: its defaults
  const device::Device* device = nullptr;
};
struct Checked {
  std::string kernel, device;
  catalog::Values parameters = {}, sizes = {};
  std::vector<Spoken> spoken = {};
  std::vector<claims_check::Failure> failures = {};
  std::string not_run = {};  // why nothing is said
};

// The kernel's place in its ladder.
void place_in_ladder(Wanted& wanted, const catalog::Ladders& ladders,
                     const std::vector<catalog::KernelSpec>& all) {
  const std::string ladder = ladder_of(wanted.spec->id);
  wanted.taught = ladders.of(ladder);
  for (const catalog::KernelSpec& each : all)
    if (ladder_of(each.id) == ladder) wanted.ladder.push_back(&each);
  const auto here =
      std::ranges::find(wanted.ladder, wanted.spec->id, [](const auto* step) { return step->id; });
  if (here == wanted.ladder.end()) return;
  wanted.judged_against = catalog::judged_against(ladders, ladder, wanted.ladder,
                                                  static_cast<std::size_t>(here - wanted.ladder.begin()));
}

// What is asked of the others for a run.
InLadder in_ladder(const Wanted& wanted, const run::Run& run, const measured::RecordedSpeeds& recorded) {
  InLadder place;
  place.steps = wanted.ladder, place.taught = wanted.taught, place.recorded = &recorded;
  const run::Plan& plan = run.plan();
  if (const auto* own = recorded.find(plan.spec, plan.sizes, &plan.parameters))
    place.recorded_seconds = own->seconds;
  if (wanted.judged_against) {
    place.judged_against = wanted.ladder[*wanted.judged_against];
    place.number = std::to_string(*wanted.judged_against + 1);
    const catalog::Values its_own = catalog::default_values(*place.judged_against);
    const auto *own = recorded.find(plan.spec, plan.sizes, &plan.parameters),
               *its = recorded.find(*place.judged_against, plan.sizes, &its_own);
    if (own != nullptr && its != nullptr && rate_of(*own).unit == rate_of(*its).unit)
      place.measured = rate_of(*own).value / rate_of(*its).value;
  }
  constexpr std::size_t most = 4;  // as many as a box looks at
  const auto here = std::ranges::find(wanted.ladder, plan.spec.id, [](const auto* step) { return step->id; });
  for (auto step = here; step != wanted.ladder.end() && place.later.size() < most; ++step)
    if (step != here)
      place.later.push_back({std::to_string(step - wanted.ladder.begin() + 1), request_beside(run, **step)});
  return place;
}

// The same sets for the same kernel each time.
std::vector<catalog::Values> random_sets(const catalog::KernelSpec& spec, int count) {
  const auto problem = problem::find_problem(spec);
  if (!problem || count <= 0) return {};
  std::vector<catalog::Values> legal = catalog::valid_parameter_sets(spec, (*problem)->default_sizes());
  std::mt19937_64 random(std::stoull(fingerprint(spec.id), nullptr, 16));
  std::ranges::shuffle(legal, random);
  if (legal.size() > static_cast<std::size_t>(count)) legal.resize(static_cast<std::size_t>(count));
  return legal;
}

// What all kernels are run by, and what was recorded of each device.
struct Desk {
  Desk(const Workspace& workspace, std::size_t most_sets)
      : runner(workspace.compiler()), sets{most_sets, [this](const compile::Request& request) {
                                             return runner.build(request);
                                           }} {}
  run::Runner runner;
  explain::Sides sides{runner};
  OtherSets sets;
  std::map<std::string, measured::RecordedSpeeds> recorded;
};

Checked hear(const Wanted& wanted, Desk& desk) {
  Checked heard{.kernel = wanted.spec->id, .device = wanted.device->id};
  const std::atomic<bool> cancel = false;
  run::Request request{
      .spec = *wanted.spec, .parameters = wanted.parameters, .sizes = {}, .device = *wanted.device};
  request.nearest = true, request.threads = 1;
  const auto run = desk.runner.run(request, cancel);
  if (!run) {
    heard.not_run = run.error().message;
    return heard;
  }
  heard.parameters = (*run)->plan().parameters, heard.sizes = (*run)->plan().sizes;
  heard.not_run = run::missing_instruction(**run);
  if ((*run)->fault) heard.not_run = (*run)->fault->message;
  if (!heard.not_run.empty()) return heard;
  Heard all = heard_of(*run, in_ladder(wanted, **run, desk.recorded.at(heard.device)), desk.sides, desk.sets);
  heard.spoken = std::move(all.spoken);
  for (const Spoken& one : heard.spoken)
    for (claims_check::Failure& failure :
         claims_check::failures_of(one.texts, one.claims, **run, one.place, &all.beside)) {
      failure.sentence = one.where + ": " + failure.sentence;
      heard.failures.push_back(std::move(failure));
    }
  return heard;
}

// options.threads: 0: one a core, as many as there mostly is memory for.
// ended: called of each when it is heard, by one thread at a time.
std::vector<Checked> hear_all(const std::vector<Wanted>& wanted, const Workspace& workspace,
                              const ClaimsOptions& options,
                              const std::function<void(const Checked&)>& ended) {
  std::vector<Checked> heard(wanted.size());
  Desk desk(workspace, options.sets > 0 ? static_cast<std::size_t>(options.sets) + 1 : 0);
  for (const Wanted& one : wanted)
    if (!desk.recorded.contains(one.device->id)) {
      const auto recorded = workspace.recorded()->speeds(one.device->id);
      desk.recorded[one.device->id] = recorded ? **recorded : measured::RecordedSpeeds{};
    }
  std::atomic<std::size_t> next = 0;
  std::mutex one_at_a_time;
  const auto work = [&] {
    for (std::size_t at = next++; at < wanted.size(); at = next++) {
      heard[at] = hear(wanted[at], desk);
      const std::lock_guard lock(one_at_a_time);
      ended(heard[at]);
    }
  };
  std::vector<std::jthread> threads;
  const unsigned count = options.threads > 0 ? static_cast<unsigned>(options.threads)
                                             : std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
  for (unsigned t = 1; t < count; ++t) threads.emplace_back(work);
  work();
  threads.clear();
  return heard;
}

Json to_json(const explain::Claim& claim) {
  Json json = {{"kind", explain::name_of(claim.kind)},
               {"quantity", explain::row_of(claim.quantity).name},
               {"number", claim.number},
               {"unit", claim.unit()},
               {"scope", explain::name_of(claim.scope)}};
  if (!claim.of.empty()) json["of"] = claim.of;
  if (!claim.size.empty()) json["size"] = claim.size;
  return json;
}

Json failures_json(const std::vector<Checked>& all) {
  Json failed = Json::array();
  for (const Checked& heard : all)
    for (const claims_check::Failure& failure : heard.failures)
      failed.push_back({{"kernel", heard.kernel},
                        {"parameters", heard.parameters},
                        {"device", heard.device},
                        {"size", heard.sizes},
                        {"sentence", failure.sentence},
                        {"claim", to_json(failure.claim)},
                        {"said", failure.claim.shown},
                        {"found", failure.found}});
  return failed;
}

struct Counts {
  std::size_t kernels = 0, runs = 0, sentences = 0, claims = 0, failed = 0;
};
Counts count(const std::vector<Checked>& all, std::size_t kernels) {
  Counts counts{.kernels = kernels};
  for (const Checked& heard : all) {
    counts.runs += heard.not_run.empty() ? 1 : 0;
    counts.failed += heard.failures.size();
    for (const Spoken& one : heard.spoken) {
      counts.sentences += one.texts.size();
      counts.claims += static_cast<std::size_t>(std::ranges::count_if(
          one.claims, [](const explain::Claim& claim) { return claim.kind != explain::ClaimKind::name; }));
    }
  }
  return counts;
}

std::string values_of(const Checked& heard) {
  return fmt::format("{} on {}{}{}", heard.kernel, heard.device, heard.parameters.empty() ? "" : ", ",
                     run::value_words(heard.parameters));
}

void print_claims(const Checked& heard) {
  fmt::print("{}\n", values_of(heard));
  if (!heard.not_run.empty()) return fmt::print("  not run: {}\n", heard.not_run);
  for (const Spoken& one : heard.spoken) {
    fmt::print("  {}\n", one.where);
    for (const std::string& text : one.texts) fmt::print("    {}\n", text);
    for (const explain::Claim& claim : one.claims)
      if (claim.kind != explain::ClaimKind::name)
        fmt::print("      {:<24} {} {} = {:.6g}{}\n", claim.shown, explain::name_of(claim.kind),
                   explain::row_of(claim.quantity).name, claim.number,
                   claim.of.empty() ? "" : ", of " + claim.of);
  }
}

// At once, so that a run that is stopped loses nothing.
void print_failures(std::FILE* to, const Checked& heard) {
  for (const claims_check::Failure& failure : heard.failures)
    fmt::print(to, "{}\n  {}\n  said \"{}\": {} = {:.6g}; found {}\n", values_of(heard), failure.sentence,
               failure.claim.shown, explain::row_of(failure.claim.quantity).name, failure.claim.number,
               failure.found);
  std::fflush(to);
}

// All sets of a ladder take minutes: every ten seconds a line on stderr of how far it is.
class HowFar {
 public:
  explicit HowFar(std::size_t all) : all_(all) {}
  void heard(const Checked& one) {
    ++heard_, failed_ += one.failures.size();
    const Clock::time_point now = Clock::now();
    if (now - said_ < std::chrono::seconds(10)) return;
    said_ = now;
    fmt::print(stderr, "warplens: {} of {} runs heard after {:.0f} s, {} claims failed\n", heard_, all_,
               std::chrono::duration<double>(now - start_).count(), failed_);
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::size_t all_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point said_ = start_;
  std::size_t heard_ = 0, failed_ = 0;
};

void print_counts(const Counts& counts) {
  fmt::print("{} kernels, {} runs, {} sentences, {} claims, {} failed\n", counts.kernels, counts.runs,
             counts.sentences, counts.claims, counts.failed);
}

void print_json(const std::vector<Checked>& heard, const Counts& counts) {
  const Json json = {{"kernels", counts.kernels},
                     {"runs", counts.runs},
                     {"sentences", counts.sentences},
                     {"claims", counts.claims},
                     {"failed", failures_json(heard)}};
  fmt::print("{}", warplens::to_text(json));
}

Result<std::vector<device::Device>> devices_of(const Workspace& workspace, const ClaimsOptions& options) {
  std::vector<device::Device> devices;
  for (const std::string& id : options.devices) {
    auto device = workspace.device(id);
    if (!device) return device.error();
    devices.push_back(*std::move(device));
  }
  return devices;
}

}  // namespace

Result<int> claims_command(const CommonOptions& common, const ClaimsOptions& options) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto catalog = workspace->catalog();
  if (!catalog) return catalog.error();
  const std::vector<catalog::KernelSpec> all(catalog->kernels().begin(), catalog->kernels().end());
  const bool is_all = options.kernel == "all";
  const auto named = is_all ? Result<Chosen>(Chosen{all}) : choose_kernels(*workspace, options.kernel);
  if (!named) return named.error();
  const auto devices = devices_of(*workspace, options);
  if (!devices) return devices.error();
  const auto ladders = catalog::read_ladders(workspace->home());
  std::vector<Wanted> wanted;
  for (const catalog::KernelSpec& spec : named->kernels) {
    std::vector<catalog::Values> sets = random_sets(spec, options.sets);
    sets.insert(sets.begin(), catalog::Values{});
    for (const device::Device& device : *devices)
      for (const catalog::Values& values : sets) {
        Wanted one;
        one.spec = &spec, one.parameters = values, one.device = &device;
        wanted.push_back(std::move(one));
        place_in_ladder(wanted.back(), ladders, all);
      }
  }
  const bool with_claims = !common.json && named->kernels.size() == 1;
  HowFar how_far(wanted.size());
  const std::vector<Checked> heard = hear_all(wanted, *workspace, options, [&](const Checked& one) {
    if (with_claims) print_claims(one);
    print_failures(common.json ? stderr : stdout, one);
    how_far.heard(one);
  });
  const Counts counts = count(heard, named->kernels.size());
  if (common.json)
    print_json(heard, counts);
  else
    print_counts(counts);
  return counts.failed == 0 ? kExitFine : kExitWrongResult;
}

}  // namespace warplens::app
