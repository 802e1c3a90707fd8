#include "engine/gpu/worker/wire.hpp"

#include <functional>
#include <nlohmann/json.hpp>

namespace warplens::gpu {

// nlohmann's own way: members by name, found by argument-dependent lookup.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GpuDevice, index, name, compute_capability, multiprocessors, clock_mhz,
                                   memory_clock_mhz, memory_bus_bits, memory_bytes, l2_bytes,
                                   shared_per_block_optin, pci_bus)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(System, devices, driver, cuda_version, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimingOptions, seconds, spread, least_samples, most_samples, cold,
                                   hopeless_seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Statistics, samples, launches_per_sample, median, p10, p90, least,
                                   uncertainty)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Conditions, readings, clock_mhz, lowest_clock_mhz, memory_clock_mhz,
                                   power_watts, power_limit_watts, temperature_celsius, throttle_reasons)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Product, m, n, k, left, right, result)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExtraBuffer, bytes, start_bytes, records)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Slot, offset, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Data, id, bytes, initial, output, accumulates, result, yardstick)

namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class T>
std::optional<T> optional_at(const Json& json, const char* key) {
  const Json& value = json.at(key);
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

Json error_json(const Error& error) { return {{"message", error.message}, {"next_step", error.next_step}}; }
Error error_from(const Json& json) { return {json.at("message"), json.at("next_step")}; }

Json timing_json(const Timing& timing) {
  return {{"kernel", timing.kernel},          {"overall_seconds", timing.overall_seconds},
          {"conditions", timing.conditions},  {"repeatable", timing.repeatable},
          {"cublas", or_null(timing.cublas)}, {"cublas_name", timing.cublas_name}};
}

Timing timing_from(const Json& json) {
  return {.kernel = json.at("kernel"),
          .overall_seconds = json.at("overall_seconds"),
          .conditions = json.at("conditions"),
          .repeatable = json.at("repeatable"),
          .cublas = optional_at<Statistics>(json, "cublas"),
          .cublas_name = json.at("cublas_name")};
}

Json argument_json(const problem::Argument& argument) {
  if (const auto* buffer = std::get_if<problem::BufferArgument>(&argument))
    return {{"buffer", buffer->buffer}};
  return {{"int", std::get<problem::IntArgument>(argument).value}};
}

problem::Argument argument_from(const Json& json) {
  if (json.contains("buffer")) return problem::BufferArgument{json.at("buffer")};
  return problem::IntArgument{json.at("int")};
}

// nlohmann reports a missing or mistyped member by an exception, which ends here.
template <class T>
Result<T> guarded(const std::function<T()>& read) {
  try {
    return read();
  } catch (const Json::exception& exception) {
    return Error{std::string("a message of the GPU's process is not understood: ") + exception.what(), ""};
  }
}

}  // namespace

Json to_json(const System& system) {
  Json json;
  to_json(json, system);
  return json;
}

Json to_json(const Data& data) {
  Json json;
  to_json(json, data);
  return json;
}

Json to_json(const Job& job) {
  Json arguments = Json::array();
  for (const auto& argument : job.arguments) arguments.push_back(argument_json(argument));
  return {{"device", job.device},
          {"kernel_name", job.kernel_name},
          {"grid", job.launch.grid},
          {"block", job.launch.block},
          {"dynamic_shared_bytes", job.launch.dynamic_shared_bytes},
          {"arguments", arguments},
          {"data", job.data},
          {"timing", or_null(job.timing)},
          {"product", or_null(job.product)},
          {"library_folders", job.library_folders},
          {"extra", or_null(job.extra)},
          {"metrics", job.metrics},
          {"instruction_metrics", job.instruction_metrics}};
}

Json to_json(const Answer& answer) {
  Json json{{"error", nullptr},
            {"fault", nullptr},
            {"timing", nullptr},
            {"counted", answer.counted},
            {"instructions", answer.instructions},
            {"has_yardstick", answer.has_yardstick},
            {"places", answer.places}};
  if (answer.error) json["error"] = error_json(*answer.error);
  if (answer.fault)
    json["fault"] = {{"name", answer.fault->name}, {"error", error_json(answer.fault->error)}};
  if (answer.timing) json["timing"] = timing_json(*answer.timing);
  return json;
}

Result<Json> parse_message(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    return Error{"a message of the GPU's process is not understood: it is no JSON object", ""};
  return json;
}

std::string kind_of(const Json& message) {
  const auto what = message.find("what");
  return what != message.end() && what->is_string() ? what->get<std::string>() : "";
}

Result<System> system_from(const Json& json) {
  return guarded<System>([&] { return json.get<System>(); });
}

Result<Data> data_from(const Json& json) {
  return guarded<Data>([&] { return json.get<Data>(); });
}

Result<Job> job_from(const Json& json) {
  return guarded<Job>([&] {
    Job job{.device = json.at("device"),
            .kernel_name = json.at("kernel_name"),
            .launch = {json.at("grid"), json.at("block"), json.at("dynamic_shared_bytes")},
            .arguments = {},
            .data = json.at("data"),
            .timing = optional_at<TimingOptions>(json, "timing"),
            .product = optional_at<Product>(json, "product"),
            .library_folders = json.at("library_folders"),
            .extra = optional_at<ExtraBuffer>(json, "extra"),
            .metrics = json.at("metrics"),
            .instruction_metrics = json.at("instruction_metrics")};
    for (const Json& argument : json.at("arguments")) job.arguments.push_back(argument_from(argument));
    return job;
  });
}

Result<Answer> answer_from(const Json& json) {
  return guarded<Answer>([&] {
    Answer answer{.error = {},
                  .fault = {},
                  .timing = {},
                  .counted = json.at("counted"),
                  .instructions = json.at("instructions"),
                  .has_yardstick = json.at("has_yardstick"),
                  .places = json.at("places"),
                  .extra = {}};
    if (const Json& error = json.at("error"); !error.is_null()) answer.error = error_from(error);
    if (const Json& fault = json.at("fault"); !fault.is_null())
      answer.fault = Fault{Fault::Kind::fault, fault.at("name"), error_from(fault.at("error"))};
    if (const Json& timing = json.at("timing"); !timing.is_null()) answer.timing = timing_from(timing);
    return answer;
  });
}

}  // namespace warplens::gpu
