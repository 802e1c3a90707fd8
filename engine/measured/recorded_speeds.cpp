#include "engine/measured/recorded_speeds.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/base/speed.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::measured {
namespace {

using nlohmann::json;

// The value of this key where it has the type that is asked for.
template <class Value>
Value value_at(const json& object, const char* key, Value otherwise) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end() || found->is_null()) return otherwise;
  if constexpr (std::is_same_v<Value, std::string>)
    return found->is_string() ? found->template get<std::string>() : otherwise;
  else if constexpr (std::is_same_v<Value, bool>)
    return found->is_boolean() ? found->template get<bool>() : otherwise;
  else
    return found->is_number() ? found->template get<Value>() : otherwise;
}

json part(const json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object[key] : json();
}

catalog::Values values_at(const json& object, const char* key) {
  catalog::Values values;
  const json table = part(object, key);
  if (!table.is_object()) return values;
  for (const auto& [name, value] : table.items())
    if (value.is_number_integer()) values[name] = value.get<std::int64_t>();
  return values;
}

template <class Value>
std::vector<Value> list_at(const json& object, const char* key) {
  std::vector<Value> values;
  const json list = part(object, key);
  if (!list.is_array()) return values;
  for (const json& value : list)
    if (std::is_same_v<Value, std::string> ? value.is_string() : value.is_number())
      values.push_back(value.get<Value>());
  return values;
}

SharedTiming timing_of(const json& gpu) {
  const json timing = part(gpu, "timing"), conditions = part(gpu, "conditions");
  const double median = value_at(timing, "median_seconds", 0.0);
  if (median <= 0) return nullptr;
  return std::make_shared<const Timing>(
      Timing{.seconds = list_at<double>(timing, "sample_seconds"),
             .samples = value_at(timing, "samples", 0),
             .launches_per_sample = value_at(timing, "launches_per_sample", 1),
             .least = value_at(timing, "least_seconds", median),
             .p10 = value_at(timing, "p10_seconds", median),
             .median = median,
             .p90 = value_at(timing, "p90_seconds", median),
             .clock_mhz = value_at(conditions, "clock_mhz", 0.0),
             .lowest_clock_mhz = value_at(conditions, "lowest_clock_mhz", 0.0),
             .power_watts = value_at(conditions, "power_watts", 0.0),
             .held_back_by = list_at<std::string>(conditions, "held_back_by"),
             .device = value_at<std::string>(gpu, "chip", "")});
}

RecordedSpeed speed_of(const json& result) {
  const json gpu = part(result, "gpu"), timing = part(gpu, "timing"), cublas = part(gpu, "cublas");
  RecordedSpeed speed{.kernel = value_at<std::string>(result, "kernel", ""),
                      .source = value_at<std::string>(result, "source", ""),
                      .params = values_at(result, "params"),
                      .size = values_at(result, "size"),
                      .seconds = value_at(result, "seconds", 0.0),
                      .spread = value_at(timing, "uncertainty", 0.0),
                      .launches = value_at(timing, "samples", 0) * value_at(timing, "launches_per_sample", 1),
                      .gflops = value_at(result, "gflops", 0.0),
                      .is_whole = value_at<std::string>(result, "unit", "") == kWholeNumbers,
                      .gb_per_second = value_at(gpu, "gb_per_second", 0.0),
                      .cublas_gflops = 0,
                      .cublas_version = value_at<std::string>(cublas, "version", ""),
                      .tuned = value_at(result, "tuned", false),
                      .timing = timing_of(gpu)};
  if (value_at(cublas, "verified", false)) speed.cublas_gflops = value_at(cublas, "gflops", 0.0);
  return speed;
}

bool is_step_of(const RecordedSpeed& speed, std::string_view ladder) {
  return speed.kernel.starts_with(ladder) && speed.kernel.substr(ladder.size()).starts_with('/');
}

// How far two sizes are apart, as the sum of the octaves between their numbers.
double distance(const catalog::Values& a, const catalog::Values& b) {
  double sum = 0;
  for (const auto& [name, value] : a) {
    const auto found = b.find(name);
    if (found == b.end() || found->second < 1 || value < 1) return std::numeric_limits<double>::infinity();
    sum += std::abs(std::log2(static_cast<double>(value) / static_cast<double>(found->second)));
  }
  return sum;
}

// The same of parameters, which may be 0.
double value_distance(const catalog::Values& a, const catalog::Values& b) {
  double sum = 0;
  for (const auto& [name, value] : a)
    if (const auto found = b.find(name); found != b.end())
      sum += std::abs(std::log2((1.0 + std::abs(static_cast<double>(value))) /
                                (1.0 + std::abs(static_cast<double>(found->second)))));
  return sum;
}

}  // namespace

std::filesystem::path recordings_folder(const std::filesystem::path& home) {
  return home / "assets" / "recorded";
}

Rate rate_of(const RecordedSpeed& speed) {
  if (!is_told_in_operations(speed.gflops, speed.gb_per_second)) return {speed.gb_per_second, kBytes};
  return {speed.gflops, speed.is_whole ? kWholeNumbers : kFloatingPoint};
}

Result<RecordedSpeeds> RecordedSpeeds::parse(std::string_view text, const std::string& file) {
  const json all = json::parse(text, nullptr, false);
  if (all.is_discarded() || !all.is_object())
    return Error{"the recorded measurements are not JSON",
                 "make them again with 'warplens bench --save'",
                 {file, 0, 0}};
  RecordedSpeeds speeds{.device = value_at<std::string>(part(all, "device"), "name", ""),
                        .driver = value_at<std::string>(all, "driver", ""),
                        .date = value_at<std::string>(all, "recorded", ""),
                        .results = {}};
  for (const json& result : part(all, "results")) {
    if (!value_at(result, "verified", false)) continue;
    RecordedSpeed speed = speed_of(result);
    if (speed.seconds > 0 && rate_of(speed).value > 0) speeds.results.push_back(std::move(speed));
  }
  return speeds;
}

Result<RecordedSpeeds> RecordedSpeeds::read(const std::filesystem::path& folder, const std::string& device) {
  const std::filesystem::path file = folder / (device + ".json");
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return RecordedSpeeds{};
  const auto text = read_whole_file(file);
  if (!text) return text.error();
  return parse(*text, file.string());
}

namespace {

std::set<std::string> measured_sources(const std::filesystem::path& folder) {
  std::set<std::string> sources;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".json") continue;
    const auto speeds = RecordedSpeeds::read(folder, entry.path().stem().string());
    if (!speeds) continue;
    for (const RecordedSpeed& speed : speeds->results) sources.insert(speed.source);
  }
  return sources;
}

}  // namespace

bool MeasuredKernels::have(const catalog::KernelSpec& kernel) {
  if (!sources_) sources_ = measured_sources(folder_);
  return sources_->contains(fingerprint(kernel.code));
}

const RecordedSpeed* RecordedSpeeds::find(const catalog::KernelSpec& kernel, const catalog::Values& size,
                                          const catalog::Values* params) const {
  return find(kernel.id, fingerprint(kernel.code), size, params);
}

const RecordedSpeed* RecordedSpeeds::find(std::string_view kernel, std::string_view source,
                                          const catalog::Values& size, const catalog::Values* params) const {
  const RecordedSpeed* best = nullptr;
  for (const RecordedSpeed& speed : results) {
    if (speed.kernel != kernel || speed.source != source || speed.size != size) continue;
    if (params != nullptr && speed.params != *params) continue;
    if (best == nullptr || rate_of(speed).value > rate_of(*best).value) best = &speed;
  }
  return best;
}

const RecordedSpeed* RecordedSpeeds::nearest(const catalog::KernelSpec& kernel, const catalog::Values& size,
                                             const catalog::Values& params) const {
  struct Rank {
    double size = 0;
    std::ptrdiff_t others = 0;
    double values = 0;
    bool tuned = false;
    auto operator<=>(const Rank&) const = default;
  };
  const std::string source = fingerprint(kernel.code);
  const RecordedSpeed* best = nullptr;
  Rank least;
  for (const RecordedSpeed& speed : results) {
    if (speed.kernel != kernel.id || speed.source != source) continue;
    const auto differs = [&](const auto& entry) {
      const auto found = speed.params.find(entry.first);
      return found == speed.params.end() || found->second != entry.second;
    };
    const Rank rank{distance(size, speed.size), std::ranges::count_if(params, differs),
                    value_distance(params, speed.params), speed.tuned};
    if (best == nullptr || rank < least) least = rank, best = &speed;
  }
  return best;
}

bool RecordedSpeeds::has_steps_of(std::string_view ladder) const {
  return std::any_of(results.begin(), results.end(),
                     [&](const RecordedSpeed& speed) { return is_step_of(speed, ladder); });
}

std::vector<catalog::Values> RecordedSpeeds::sizes(std::string_view ladder) const {
  std::vector<catalog::Values> sizes;
  for (const RecordedSpeed& speed : results)
    if (is_step_of(speed, ladder) && std::find(sizes.begin(), sizes.end(), speed.size) == sizes.end())
      sizes.push_back(speed.size);
  std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  return sizes;
}

bool RecordedSpeeds::has_size(std::string_view ladder, const catalog::Values& size) const {
  return std::ranges::any_of(
      results, [&](const RecordedSpeed& speed) { return is_step_of(speed, ladder) && speed.size == size; });
}

std::optional<catalog::Values> RecordedSpeeds::main_size(std::string_view ladder) const {
  std::optional<catalog::Values> best;
  std::ptrdiff_t most = 0;
  for (const catalog::Values& size : sizes(ladder)) {
    const auto count = std::count_if(results.begin(), results.end(), [&](const RecordedSpeed& speed) {
      return is_step_of(speed, ladder) && speed.size == size;
    });
    if (count >= most) most = count, best = size;
  }
  return best;
}

std::optional<catalog::Values> RecordedSpeeds::nearest_size(std::string_view ladder,
                                                            const catalog::Values& wanted) const {
  // Of two sizes the one with chosen values comes first: steps at their quickest hide what a step is about.
  struct Rank {
    bool quickest_only = true;
    double away = 0;
    auto operator<=>(const Rank&) const = default;
  };
  std::optional<catalog::Values> best;
  Rank least;
  for (const catalog::Values& size : sizes(ladder)) {
    if (size == wanted) return size;
    const bool chosen = std::any_of(results.begin(), results.end(), [&](const RecordedSpeed& speed) {
      return is_step_of(speed, ladder) && speed.size == size && !speed.tuned;
    });
    const Rank rank{!chosen, distance(wanted, size)};
    if (!best || rank < least) least = rank, best = size;
  }
  return best;
}

std::string_view without_brand(std::string_view name) {
  for (const std::string_view brand : {"NVIDIA ", "GeForce ", "Tesla "})
    if (name.starts_with(brand)) name.remove_prefix(brand.size());
  return name;
}

std::string short_device_name(std::string_view device) {
  const std::string_view own = without_brand(device);
  const bool two_words = device.find("GeForce ") != std::string_view::npos;  // its number is the second one
  return std::string(two_words ? own : own.substr(0, own.find(' ')));
}

std::string size_words(const catalog::Values& size, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto value = size.find(names[i]);
    if (value == size.end()) continue;
    text += names[i] + " = ";
    const auto next = i + 1 < names.size() ? size.find(names[i + 1]) : size.end();
    if (next != size.end() && next->second == value->second) continue;
    text += grouped(static_cast<std::uint64_t>(value->second)) + (i + 1 == names.size() ? "" : ", ");
  }
  return text;
}

std::vector<std::string> size_names(const catalog::Values& size) {
  std::vector<std::string> names;
  for (const auto& [name, value] : size) names.push_back(name);
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) { return name != "K"; });
  return names;
}

std::string long_size(const catalog::Values& size, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : " × ") + grouped(static_cast<std::uint64_t>(size.at(name)));
  return text;
}

std::string short_size(const catalog::Values& size) {
  const auto other = [&](const auto& value) { return value.second != size.begin()->second; };
  std::vector<std::string> names = size_names(size);
  if (std::ranges::none_of(size, other)) names.resize(std::min<std::size_t>(names.size(), 1));
  return long_size(size, names);
}

}  // namespace warplens::measured
