#include "app/export_tour.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>

#include "app/paths.hpp"

namespace warplens::app {
namespace {

bool set_text(ExportOptions& o, std::string_view key, const std::string& text) {
  const std::pair<std::string_view, std::string*> texts[] = {{"figure", &o.figure},
                                                             {"kernel", &o.kernel.kernel},
                                                             {"size", &o.kernel.size},
                                                             {"device", &o.kernel.device},
                                                             {"block", &o.block},
                                                             {"index", &o.index},
                                                             {"op", &o.op},
                                                             {"colors", &o.colors}};
  for (const auto& [name, place] : texts)
    if (name == key) return *place = text, true;
  return false;
}

bool set_number(ExportOptions& o, std::string_view key, std::int64_t number) {
  if (number < 0 || number > 1'000'000'000) return false;
  if (key == "warp") return o.warp = static_cast<std::uint32_t>(number), true;
  if (key == "step") return o.step = static_cast<std::uint32_t>(number), true;
  const std::pair<std::string_view, int*> numbers[] = {
      {"bytes", &o.access_width}, {"width", &o.width}, {"height", &o.height}};
  for (const auto& [name, place] : numbers)
    if (name == key) return *place = static_cast<int>(number), true;
  return false;
}

bool set_params(ExportOptions& o, const toml::table& params) {
  for (const auto& [name, value] : params) {
    const auto number = value.value<std::int64_t>();
    if (!number) return false;
    o.kernel.defines.push_back(fmt::format("{}={}", name.str(), *number));
  }
  return true;
}

bool set(ExportOptions& options, std::string_view key, const toml::node& value) {
  if (const auto* params = value.as_table()) return key == "params" && set_params(options, *params);
  if (value.is_boolean() && key == "whole") return options.whole = *value.value<bool>(), true;
  if (value.is_integer()) return set_number(options, key, *value.value<std::int64_t>());
  return value.is_string() && set_text(options, key, *value.value<std::string>());
}

Result<TourStop> read_stop(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) return text.error();
  TourStop stop{path.stem().string(), {}};
  try {
    const toml::table table = toml::parse(*text, path.string());
    for (const auto& [key, value] : table)
      if (!set(stop.options, key.str(), value))
        return Error{fmt::format("'{}' is not a key of a tour state, or not of its kind", key.str()),
                     "see app/export_tour.hpp for the keys",
                     {path.string(), static_cast<int>(value.source().begin.line), 0}};
  } catch (const toml::parse_error& error) {
    return Error{std::string(error.description()),
                 "correct the file",
                 {path.string(), static_cast<int>(error.source().begin.line), 0}};
  }
  return stop;
}

}  // namespace

Result<std::vector<TourStop>> read_tour(const std::filesystem::path& folder) {
  std::error_code failed;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  if (files.empty()) return Error{"no tour in " + folder.string(), "put .toml states there"};
  std::sort(files.begin(), files.end());
  std::vector<TourStop> stops;
  for (const auto& file : files) {
    auto stop = read_stop(file);
    if (!stop) return stop.error();
    stops.push_back(*std::move(stop));
  }
  return stops;
}

}  // namespace warplens::app
