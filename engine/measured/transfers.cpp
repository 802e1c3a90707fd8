#include "engine/measured/transfers.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/base/whole_file.hpp"

namespace warplens::measured {
namespace {

constexpr int kFormat = 1;

Json spread_json(const Spread10To90& spread) {
  return {{"median", spread.median}, {"p10", spread.p10}, {"p90", spread.p90}};
}
Spread10To90 spread_of(const Json& json) { return {json.at("median"), json.at("p10"), json.at("p90")}; }

Json to_json(const CopyTime& copy) {
  return {{"memory", copy.memory},
          {"direction", copy.direction},
          {"bytes", copy.bytes},
          {"seconds", spread_json(copy.seconds)},
          {"gb_per_second", gb_per_second(copy)}};
}
Json to_json(const PiecesTime& time) {
  return {{"bytes", time.bytes}, {"pieces", time.pieces}, {"seconds", spread_json(time.seconds)}};
}
Json to_json(const StreamItem& item) {
  return {{"stream", item.stream}, {"what", item.what}, {"begin", item.begin}, {"end", item.end}};
}
Json to_json(const StreamsTime& time) {
  Json items = Json::array();
  for (const StreamItem& item : time.items) items.push_back(to_json(item));
  return {{"streams", time.streams}, {"bytes", time.bytes}, {"seconds", time.seconds}, {"items", items}};
}
Json to_json(const KernelsTime& time) {
  return {{"kernels", time.kernels}, {"streams", time.streams}, {"seconds", time.seconds}};
}
template <class Row>
Json rows_json(const std::vector<Row>& rows) {
  Json all = Json::array();
  for (const Row& row : rows) all.push_back(to_json(row));
  return all;
}

void read_row(const Json& json, CopyTime& copy) {
  copy = {json.at("memory"), json.at("direction"), json.at("bytes"), spread_of(json.at("seconds"))};
}
void read_row(const Json& json, PiecesTime& time) {
  time = {json.at("bytes"), json.at("pieces"), spread_of(json.at("seconds"))};
}
void read_row(const Json& json, StreamItem& item) {
  item = {json.at("stream"), json.at("what"), json.at("begin"), json.at("end")};
}
template <class Row>
void read_rows(const Json& json, std::vector<Row>& rows);
void read_row(const Json& json, StreamsTime& time) {
  time = {json.at("streams"), json.at("bytes"), json.at("seconds"), {}};
  read_rows(json.at("items"), time.items);
}
void read_row(const Json& json, KernelsTime& time) {
  time = {json.at("kernels"), json.at("streams"), json.at("seconds")};
}
template <class Row>
void read_rows(const Json& json, std::vector<Row>& rows) {
  for (const Json& row : json) read_row(row, rows.emplace_back());
}

}  // namespace

double gb_per_second(const CopyTime& copy) {
  return static_cast<double>(copy.bytes) / copy.seconds.median / 1e9;
}

Json to_json(const Transfers& transfers) {
  return {{"format", kFormat},
          {"device", transfers.device},
          {"driver", transfers.driver},
          {"date", transfers.date},
          {"bus", transfers.bus},
          {"copies", rows_json(transfers.copies)},
          {"pieces", rows_json(transfers.pieces)},
          {"streams", rows_json(transfers.streams)},
          {"kernels", rows_json(transfers.kernels)}};
}

Result<Transfers> Transfers::parse(std::string_view text, const std::string& file) {
  Transfers read;
  try {
    const Json json = Json::parse(text);
    read = {json.at("device"), json.at("driver"), json.at("date"), json.at("bus"), {}, {}, {}, {}};
    read_rows(json.at("copies"), read.copies);
    read_rows(json.at("pieces"), read.pieces);
    read_rows(json.at("streams"), read.streams);
    read_rows(json.at("kernels"), read.kernels);
  } catch (const nlohmann::json::exception&) {
    return Error{
        "this is no file of measured transfers", "write one with 'warplens transfers --save FILE'", {file}};
  }
  return read;
}

Result<Transfers> Transfers::read(const std::filesystem::path& folder, const std::string& device) {
  const std::filesystem::path path = folder / (device + "-transfers.json");
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return Transfers{};
  const auto text = read_whole_file(path);
  if (!text) return text.error();
  return parse(*text, path.string());
}

const CopyTime* nearest_copy(const Transfers& transfers, std::string_view memory, std::string_view direction,
                             double bytes) {
  const CopyTime* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const CopyTime& copy : transfers.copies) {
    if (copy.memory != memory || copy.direction != direction) continue;
    const double apart = std::abs(std::log(static_cast<double>(copy.bytes) / bytes));
    if (apart < least) least = apart, nearest = &copy;
  }
  return nearest;
}

}  // namespace warplens::measured
