// warplens claims: what is said of kernels, claim by claim, and whether it is so.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/claims/claims_of.hpp"
#include "app/commands/commands.hpp"
#include "app/state/compare_choice.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/text.hpp"
#include "engine/catalog/ladders.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app {
namespace {

// A kernel with values of its parameters, on a device.
struct Wanted {
  const catalog::KernelSpec* spec = nullptr;
  const catalog::KernelSpec* judged_against = nullptr;
  catalog::Values parameters;  // empty: its defaults
  const device::Device* device = nullptr;
};
struct Heard {
  std::string kernel, device;
  catalog::Values parameters = {}, sizes = {};
  std::vector<Spoken> spoken = {};
  std::vector<claims_check::Failure> failures = {};
  std::string not_run = {};  // why nothing is said
};

const catalog::KernelSpec* step_before(const catalog::Ladders& ladders,
                                       const std::vector<catalog::KernelSpec>& all,
                                       const catalog::KernelSpec& spec) {
  const std::string ladder = ladder_of(spec.id);
  std::vector<const catalog::KernelSpec*> steps;
  for (const catalog::KernelSpec& each : all)
    if (ladder_of(each.id) == ladder) steps.push_back(&each);
  const auto here = static_cast<std::size_t>(std::ranges::find(steps, &spec) - steps.begin());
  const auto other = catalog::judged_against(ladders, ladder, steps, here);
  return other ? steps[*other] : nullptr;
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

Heard hear(const Wanted& wanted, run::Runner& runner) {
  Heard heard{.kernel = wanted.spec->id, .device = wanted.device->id};
  const std::atomic<bool> cancel = false;
  run::Request request{
      .spec = *wanted.spec, .parameters = wanted.parameters, .sizes = {}, .device = *wanted.device};
  request.nearest = true, request.threads = 1;
  const auto run = runner.run(request, cancel);
  if (!run) {
    heard.not_run = run.error().message;
    return heard;
  }
  heard.parameters = (*run)->plan().parameters, heard.sizes = (*run)->plan().sizes;
  heard.not_run = run::missing_instruction(**run);
  if ((*run)->fault) heard.not_run = (*run)->fault->message;
  if (!heard.not_run.empty()) return heard;
  heard.spoken = spoken_of(*run, wanted.judged_against);
  for (const Spoken& one : heard.spoken)
    for (claims_check::Failure& failure :
         claims_check::failures_of(one.texts, one.claims, **run, one.place)) {
      failure.sentence = one.where + ": " + failure.sentence;
      heard.failures.push_back(std::move(failure));
    }
  return heard;
}

std::vector<Heard> hear_all(const std::vector<Wanted>& wanted, const Workspace& workspace) {
  std::vector<Heard> heard(wanted.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t at = next++; at < wanted.size(); at = next++) {
      run::Runner runner(workspace.compiler());
      heard[at] = hear(wanted[at], runner);
    }
  };
  std::vector<std::jthread> threads;
  const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
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

Json failures_json(const std::vector<Heard>& all) {
  Json failed = Json::array();
  for (const Heard& heard : all)
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
Counts count(const std::vector<Heard>& all, std::size_t kernels) {
  Counts counts{.kernels = kernels};
  for (const Heard& heard : all) {
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

std::string values_of(const Heard& heard) {
  return fmt::format("{} on {}{}{}", heard.kernel, heard.device, heard.parameters.empty() ? "" : ", ",
                     run::value_words(heard.parameters));
}

void print_claims(const Heard& heard) {
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

void print_failures(const std::vector<Heard>& all) {
  for (const Heard& heard : all)
    for (const claims_check::Failure& failure : heard.failures)
      fmt::print("{}\n  {}\n  said \"{}\": {} = {:.6g}; found {}\n", values_of(heard), failure.sentence,
                 failure.claim.shown, explain::row_of(failure.claim.quantity).name, failure.claim.number,
                 failure.found);
}

void print_all(const std::vector<Heard>& heard, const Counts& counts, bool with_claims) {
  if (with_claims)
    for (const Heard& one : heard) print_claims(one);
  print_failures(heard);
  fmt::print("{} kernels, {} runs, {} sentences, {} claims, {} failed\n", counts.kernels, counts.runs,
             counts.sentences, counts.claims, counts.failed);
}

void print_json(const std::vector<Heard>& heard, const Counts& counts) {
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
    const auto same = std::ranges::find(all, spec.id, &catalog::KernelSpec::id);
    const catalog::KernelSpec* before = same == all.end() ? nullptr : step_before(ladders, all, *same);
    std::vector<catalog::Values> sets = random_sets(spec, options.sets);
    sets.insert(sets.begin(), catalog::Values{});
    for (const device::Device& device : *devices)
      for (const catalog::Values& values : sets) wanted.push_back({&spec, before, values, &device});
  }
  const std::vector<Heard> heard = hear_all(wanted, *workspace);
  const Counts counts = count(heard, named->kernels.size());
  if (common.json)
    print_json(heard, counts);
  else
    print_all(heard, counts, named->kernels.size() == 1);
  return counts.failed == 0 ? kExitFine : kExitWrongResult;
}

}  // namespace warplens::app
