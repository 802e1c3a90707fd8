#include "engine/measured/recordings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/whole_file.hpp"

namespace warplens::measured {
namespace {

constexpr const char* kStatistics[] = {"median_seconds", "p10_seconds", "p90_seconds"};

std::string tuning_name(const BenchKey& key) {
  return fmt::format("{} {} {}", key.kernel, key.size.dump(), key.source);
}

std::string pass_name(const BenchKey& key) {
  return fmt::format("{} {}", tuning_name(key), key.params.dump());
}

Json summary_of_pass(const Json& result) {
  const Json& gpu = at(result, "gpu");
  Json pass;
  for (const char* name : kStatistics) pass[name] = at(at(gpu, "timing"), name);
  if (at(gpu, "cublas").is_object()) pass["cublas_seconds"] = at(gpu["cublas"], "median_seconds");
  if (at(gpu, "conditions").is_object()) pass["clock_mhz"] = at(gpu["conditions"], "clock_mhz");
  return pass;
}

bool is_of(const Json& result, const BenchKey& key) {
  return result.value("kernel", "") == key.kernel && result.value("size", Json()) == key.size &&
         result.value("tuned", false) == key.params.is_null();
}

bool is_table_of_integers(const Json& table) {
  return table.is_object() &&
         std::all_of(table.begin(), table.end(), [](const Json& value) { return value.is_number_integer(); });
}

bool is_absent_or_number(const Json& value) { return value.is_null() || value.is_number(); }
bool is_absent_or_boolean(const Json& value) { return value.is_null() || value.is_boolean(); }

bool has_statistics(const Json& timing) {
  return std::all_of(std::begin(kStatistics), std::end(kStatistics),
                     [&](const char* name) { return at(timing, name).is_number(); });
}

// What was tried: its parameters, and how it ended.
bool is_trial(const Json& row) {
  return is_table_of_integers(at(row, "params")) && is_absent_or_number(at(row, "seconds")) &&
         is_absent_or_boolean(at(row, "verified"));
}

bool is_result(const Json& row) {
  const Json &gpu = at(row, "gpu"), &passes = at(row, "passes");
  return is_trial(row) && at(row, "seconds").is_number() && at(row, "kernel").is_string() &&
         is_table_of_integers(at(row, "size")) && at(row, "source").is_string() &&
         is_absent_or_number(at(row, "gflops")) && is_absent_or_number(at(row, "tried")) &&
         is_absent_or_boolean(at(row, "tuned")) && (gpu.is_null() || has_statistics(at(gpu, "timing"))) &&
         (passes.is_null() ||
          (passes.is_array() && std::all_of(passes.begin(), passes.end(), has_statistics)));
}

bool are_lists_of(const Json& section, bool (*is_right)(const Json&)) {
  return section.is_null() ||
         (section.is_object() && std::all_of(section.begin(), section.end(), [&](const Json& list) {
            return list.is_array() && std::all_of(list.begin(), list.end(), is_right);
          }));
}

Status check_same_device(const Json& file, const Json& header, const std::string& path) {
  const Error other{
      "holds recordings of another kind or device", "name another file with --save", {path, 0, 0}};
  if (!file.is_object() || at(file, "format") != header["format"]) return other;
  if (at(file, "engine") != header["engine"]) return other;
  if (at(at(file, "device"), "name") != at(at(header, "device"), "name")) return other;
  const Json& results = at(file, "results");
  const bool whole = results.is_array() && std::all_of(results.begin(), results.end(), is_result) &&
                     are_lists_of(at(file, "passes"), is_result) &&
                     are_lists_of(at(file, "tuning"), is_trial);
  if (whole) return Done{};
  return Error{"holds recordings of which something is missing",
               "name another file with --save, or remove this one",
               {path, 0, 0}};
}

}  // namespace

Result<Recordings> Recordings::open(const std::filesystem::path& path, Json header) {
  Recordings recordings;
  recordings.path_ = path;
  recordings.file_ = std::move(header);
  recordings.file_["results"] = Json::array();
  recordings.file_["tuning"] = Json::object();
  recordings.file_["passes"] = Json::object();
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return recordings;
  const auto text = read_whole_file(path);
  if (!text) return text.error();
  const Json file = Json::parse(*text, nullptr, false);
  if (file.is_discarded())
    return Error{
        "this is not JSON", "name another file with --save, or remove this one", {path.string(), 0, 0}};
  if (const auto same = check_same_device(file, recordings.file_, path.string()); !same) return same.error();
  recordings.file_["results"] = file["results"];
  for (const char* under_way : {"tuning", "passes"})
    if (const Json& lists = at(file, under_way); !lists.is_null()) recordings.file_[under_way] = lists;
  return recordings;
}

const Json* Recordings::find(const BenchKey& key) const {
  for (const Json& result : file_["results"]) {
    const bool same = is_of(result, key) && result.value("source", "") == key.source &&
                      (key.params.is_null() || result.value("params", Json()) == key.params);
    if (same) return &result;
  }
  return nullptr;
}

void Recordings::add(const BenchKey& key, Json result) {
  Json& results = file_["results"];
  for (std::size_t i = results.size(); i-- > 0;) {
    const bool same_params = key.params.is_null() || results[i].value("params", Json()) == key.params;
    if (is_of(results[i], key) && same_params) results.erase(i);
  }
  results.push_back(std::move(result));
  file_["passes"].erase(pass_name(key));
  if (key.params.is_null()) file_["tuning"].erase(tuning_name(key));
}

Json& Recordings::tuning(const BenchKey& key) { return list_at("tuning", tuning_name(key)); }
Json& Recordings::passes(const BenchKey& key) { return list_at("passes", pass_name(key)); }

Json& Recordings::list_at(const char* section, const std::string& name) {
  Json& list = file_[section][name];
  if (!list.is_array()) list = Json::array();
  return list;
}

Status Recordings::save() const {
  return path_.empty() ? Status(Done{}) : write_whole_file(path_, to_text(file_));
}

Json median_pass(const Json& passes) {
  std::vector<const Json*> sorted;
  for (const Json& pass : passes) sorted.push_back(&pass);
  std::sort(sorted.begin(), sorted.end(),
            [](const Json* a, const Json* b) { return at(*a, "seconds") < at(*b, "seconds"); });
  Json median = *sorted[(sorted.size() - 1) / 2];
  median["verified"] = std::all_of(passes.begin(), passes.end(),
                                   [](const Json& pass) { return pass.value("verified", false); });
  if (at(median, "gpu").is_object() && passes.size() > 1) {
    for (const Json& pass : passes) median["passes"].push_back(summary_of_pass(pass));
  }
  return median;
}

Spread spread_of(const Json& result) {
  const Json& timing = at(at(result, "gpu"), "timing");
  Spread spread{timing.at("p10_seconds"), timing.at("p90_seconds")};
  for (const Json& pass : at(result, "passes")) {
    spread.low_seconds = std::min(spread.low_seconds, pass.at("p10_seconds").get<double>());
    spread.high_seconds = std::max(spread.high_seconds, pass.at("p90_seconds").get<double>());
  }
  return spread;
}

}  // namespace warplens::measured
