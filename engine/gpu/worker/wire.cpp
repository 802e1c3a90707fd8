#include "engine/gpu/worker/wire.hpp"

#include <nlohmann/json.hpp>

// nlohmann's own way: each list of members serves both directions, found by argument-dependent lookup.
// Members that are not listed keep their defaults.
namespace nlohmann {

template <class T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& j, const std::optional<T>& value) { j = value ? json(*value) : json(nullptr); }
  static void from_json(const json& j, std::optional<T>& value) {
    value = j.is_null() ? std::nullopt : std::optional<T>(j.get<T>());
  }
};

template <>
struct adl_serializer<warplens::problem::Argument> {
  static void to_json(json& j, const warplens::problem::Argument& argument) {
    if (const auto* buffer = std::get_if<warplens::problem::BufferArgument>(&argument))
      j = {{"buffer", buffer->buffer}, {"offset", buffer->offset}};
    else if (const auto* mapped = std::get_if<warplens::problem::TensorMapArgument>(&argument))
      j = {{"mapped", mapped->buffer}, {"map", warplens::tensor::encode(mapped->map)}};
    else if (const auto* object = std::get_if<warplens::problem::StructArgument>(&argument))
      j = json_of_struct(*object);
    else if (const auto* number = std::get_if<warplens::problem::IntArgument>(&argument))
      j = {{"int", number->value}};
    else
      j = {{"bits", number_of(argument).bits}, {"bytes", number_of(argument).bytes}};
  }
  static json json_of_struct(const warplens::problem::StructArgument& object) {
    json members = json::array();
    for (const auto& member : object.members) {
      json one = std::visit([](const auto& value) { return json(warplens::problem::Argument(value)); },
                            member.value);
      one["at"] = member.offset, one["name"] = member.name;
      members.push_back(std::move(one));
    }
    return {{"bytes of all", object.bytes}, {"members", std::move(members)}};
  }
  static warplens::problem::StructArgument struct_argument(const json& j) {
    using namespace warplens::problem;
    StructArgument object{j.at("bytes of all"), {}};
    for (const json& one : j.at("members")) {
      StructArgument::Member member{one.at("at"), one.at("name"), {}};
      if (one.contains("buffer"))
        member.value = BufferArgument{one.at("buffer"), one.at("offset")};
      else
        member.value = ScalarArgument{one.at("bits"), one.at("bytes")};
      object.members.push_back(std::move(member));
    }
    return object;
  }
  static warplens::problem::TensorMapArgument mapped_argument(const json& j) {
    const auto bytes = j.at("map").get<std::vector<std::byte>>();
    return {j.at("mapped"), warplens::tensor::decode(bytes).value_or(warplens::tensor::TensorMap{})};
  }
  static void from_json(const json& j, warplens::problem::Argument& argument) {
    if (j.contains("members"))
      argument = struct_argument(j);
    else if (j.contains("map"))
      argument = mapped_argument(j);
    else if (j.contains("buffer"))
      argument = warplens::problem::BufferArgument{j.at("buffer"), j.at("offset")};
    else if (j.contains("int"))
      argument = warplens::problem::IntArgument{j.at("int")};
    else
      argument = warplens::problem::ScalarArgument{j.at("bits"), j.at("bytes")};
  }
};

}  // namespace nlohmann

namespace warplens {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Error, message, next_step)

namespace catalog {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchShape, grid, block, dynamic_shared_bytes)
}

namespace gpu {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GpuDevice, index, name, compute_capability, multiprocessors, clock_mhz,
                                   memory_clock_mhz, memory_bus_bits, memory_bytes, l2_bytes,
                                   shared_per_block_optin, pci_bus)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(System, devices, driver, cuda_version, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimingOptions, seconds, spread, least_samples, most_samples, cold,
                                   hopeless_seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Statistics, samples, launches_per_sample, median, p10, p90, least,
                                   uncertainty, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Conditions, readings, clock_mhz, lowest_clock_mhz, memory_clock_mhz,
                                   power_watts, power_limit_watts, temperature_celsius, throttle_reasons)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Timing, kernel, overall_seconds, conditions, repeatable, cublas,
                                   cublas_name)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Fault, name, error)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Product, m, n, k, left, right, result, numbers, left_is_turned)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExtraBuffer, bytes, start_bytes, records)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Slot, offset, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Data, id, bytes, initial, output, accumulates, result, yardstick)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Job, device, kernel_name, launch, arguments, data, timing, product,
                                   library_folders, extra, metrics, instruction_metrics, cooperative)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Answer, error, fault, timing, counted, instructions, has_yardstick, places)

template <class T>
Json json_of(const T& message) {
  return message;
}

// nlohmann reports a missing or mistyped member by an exception, which ends here.
template <class T>
Result<T> read(const Json& message) {
  try {
    return message.get<T>();
  } catch (const Json::exception& exception) {
    return Error{std::string("a message of the GPU's process is not understood: ") + exception.what(), ""};
  }
}

template Json json_of(const System& message);
template Json json_of(const Data& message);
template Json json_of(const Job& message);
template Json json_of(const Answer& message);
template Result<System> read(const Json& message);
template Result<Data> read(const Json& message);
template Result<Job> read(const Json& message);
template Result<Answer> read(const Json& message);

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

}  // namespace gpu
}  // namespace warplens
