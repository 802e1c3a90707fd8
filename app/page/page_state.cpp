#include "app/page/page_state.hpp"

#include <algorithm>

namespace warplens::app::page {
namespace {

constexpr std::uint32_t kOpening = app::kOpeningAccess;

template <class Value>
void read(const Json& json, const char* key, Value& value) {
  if (const auto found = json.find(key); found != json.end() && !found->is_null()) found->get_to(value);
}

void read(const Json& json, const char* key, catalog::Values& values) {
  const auto found = json.find(key);
  if (found == json.end()) return;
  for (const auto& [name, value] : found->items()) values[name] = value.get<std::int64_t>();
}

}  // namespace

Json state_json(const app::State& state) {
  Json json{{"kernel", state.kernel},
            {"params", Json::object()},
            {"size", Json::object()},
            {"device", state.device},
            {"figure", state.view.figure},
            {"block", state.selection.block},
            {"warp", state.selection.warp},
            {"access", state.selection.step == kOpening ? 0 : state.selection.step + 1},
            {"line", state.selection.line},
            {"dark", state.view.dark}};
  for (const auto& [name, value] : state.params) json["params"][name] = value;
  for (const auto& [name, value] : state.size) json["size"][name] = value;
  return json;
}

Result<app::State> state_of(const Json& json, const app::KnownNames& known) {
  app::State state;
  try {
    read(json, "kernel", state.kernel);
    read(json, "params", state.params);
    read(json, "size", state.size);
    read(json, "device", state.device);
    read(json, "figure", state.view.figure);
    read(json, "block", state.selection.block);
    read(json, "warp", state.selection.warp);
    read(json, "line", state.selection.line);
    read(json, "dark", state.view.dark);
    std::uint32_t access = 0;
    read(json, "access", access);
    state.selection.step = access == 0 ? kOpening : access - 1;
  } catch (const nlohmann::json::exception& wrong) {
    return Error{std::string("the link is not one of Warplens: ") + wrong.what(), "open the page without it"};
  }
  if (std::ranges::find(known.catalog.kernels(), state.kernel, &catalog::KernelSpec::id) ==
      known.catalog.kernels().end())
    return Error{"there is no kernel " + state.kernel, "choose a step of a ladder"};
  // What a file may say a link may: names and ranges are checked by the same rules.
  return app::parse_state(app::to_toml(state), "the link", &known);
}

}  // namespace warplens::app::page
