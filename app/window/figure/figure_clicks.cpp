#include "app/window/figure/figure_clicks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "engine/catalog/launches.hpp"
#include "engine/explain/facts.hpp"
#include "viz/figures/access/pick.hpp"

namespace warplens::app {
namespace {

using Kind = FigureTarget::Kind;

struct NumberedKind {
  std::string_view word;
  Kind kind;
};
constexpr std::array kNumbered = {
    NumberedKind{"lane", Kind::lane},       NumberedKind{"warp", Kind::warp},
    NumberedKind{"bank", Kind::bank},       NumberedKind{"block", Kind::block},
    NumberedKind{"access", Kind::access},   NumberedKind{"line", Kind::line},
    NumberedKind{"threads", Kind::threads}, NumberedKind{"registers", Kind::registers},
    NumberedKind{"shared", Kind::shared}};

// Whole numbers with commas between; nothing for anything else.
std::optional<std::vector<std::int64_t>> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  const char *at = text.data(), *end = text.data() + text.size();
  while (true) {
    std::int64_t number = 0;
    const auto [next, code] = std::from_chars(at, end, number);
    if (code != std::errc() || number < 0) return std::nullopt;
    numbers.push_back(number);
    if (next == end) return numbers;
    if (*next != ',') return std::nullopt;
    at = next + 1;
  }
}

// "BM=64,BN=64"; nothing for anything else.
std::optional<catalog::Values> values_in(std::string_view text) {
  catalog::Values values;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const auto equals = one.find('=');
    if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
    const auto number = numbers_in(one.substr(equals + 1));
    if (!number || number->size() != 1) return std::nullopt;
    values[std::string(one.substr(0, equals))] = number->front();
  }
  return values.empty() ? std::nullopt : std::optional(values);
}

// Those that the kernel on screen is not set to.
catalog::Values changes_to(const Model& model, const std::string& set) {
  catalog::Values changed;
  for (const auto& [name, value] : values_in(set).value_or(catalog::Values{})) {
    const auto slider =
        std::ranges::find(model.sliders(), name, [](const Slider& s) { return s.parameter.name; });
    if (slider != model.sliders().end() && slider->value != value) changed[name] = value;
  }
  return changed;
}

// ---- from a point of the occupancy curves back to a slider

struct ParameterValue {
  std::string name;
  std::int64_t value = 0;
};

// The one parameter that makes the block so large, the others as they are; the nearest value where several
// do.
std::optional<ParameterValue> parameter_for_threads(const Model& model, std::int64_t threads) {
  catalog::Launches launches(model.spec(), model.state.size);
  for (const Slider& slider : model.sliders()) {
    for (const catalog::Choice& choice : slider.choices) {
      if (!choice.valid || choice.value == slider.value) continue;
      catalog::Values values = model.state.params;
      values[slider.parameter.name] = choice.value;
      const auto launch = launches.at(values);
      if (launch && catalog::threads_in_block(*launch) == static_cast<std::uint64_t>(threads))
        return ParameterValue{slider.parameter.name, choice.value};
    }
  }
  return std::nullopt;
}

// The first access of the chosen warp to shared memory that has a word in this bank.
std::optional<int> lane_of_bank(const Model& model, std::int64_t bank) {
  const auto access = model.access();
  if (!access || access->space != ptx::Space::shared) return std::nullopt;
  const int banks = model.device().shared_banks;
  const std::uint32_t own = access->active & ~report::lanes_elsewhere(*access);
  for (int lane = 0; lane < 32; ++lane)
    if ((own >> lane & 1) != 0 &&
        static_cast<std::int64_t>(access->address[static_cast<std::size_t>(lane)] / 4) % banks == bank)
      return lane;
  return std::nullopt;
}

bool in_range(std::int64_t number, std::uint64_t count) {
  return number >= 0 && static_cast<std::uint64_t>(number) < count;
}

Status go_to_cell(Model& model, const FigureTarget& target) {
  const auto cell = figures::parse_cell(target.name);
  const run::Run* run = model.run();
  const figures::Figure* figure = figures::find_figure(model.state.view.figure);
  if (cell && figure != nullptr && figure->has(figures::Trait::element)) {
    model.state.drawing.element = fmt::format("{},{},{}", cell->name, cell->row, cell->column);
    return Done{};
  }
  if (!cell || run == nullptr || model.trace_block() >= run->stories.size()) return Done{};
  Selection& now = model.state.selection;
  const auto there = figures::touching(*run, {model.trace_block(), now.warp, now.lane, now.step}, *cell);
  if (!there)
    return Error{
        fmt::format("This block does not use {}, row {}, column {}", cell->name, cell->row, cell->column),
        "choose another block"};
  now.warp = there->warp, now.step = there->access, now.lane = there->lane, now.line = 0;
  return Done{};
}

}  // namespace

std::optional<FigureTarget> target_of(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view word = name.substr(0, colon), of = name.substr(colon + 1);
  if (of.empty()) return std::nullopt;
  if (word == "step") return FigureTarget{.kind = Kind::step, .name = std::string(of)};
  if (word == "set")
    return values_in(of) ? std::optional(FigureTarget{.kind = Kind::set, .name = std::string(of)})
                         : std::nullopt;
  if (word == "cell")
    return figures::parse_cell(name)
               ? std::optional(FigureTarget{.kind = Kind::cell, .name = std::string(name)})
               : std::nullopt;
  for (const NumberedKind& row : kNumbered) {
    if (row.word != word) continue;
    const auto numbers = numbers_in(of);
    if (!numbers || numbers->size() != 1) return std::nullopt;
    return FigureTarget{.kind = row.kind, .number = numbers->front()};
  }
  return std::nullopt;
}

std::string proposal(const Model& model, const FigureTarget& target) {
  const Selection& now = model.state.selection;
  switch (target.kind) {
    case Kind::lane:
      return in_range(target.number, 32) && target.number != now.lane
                 ? fmt::format("Click to choose lane {}", target.number)
                 : "";
    case Kind::warp:
      return in_range(target.number, model.warps()) && target.number != now.warp
                 ? fmt::format("Click to choose warp {}", target.number)
                 : "";
    case Kind::bank: {
      const auto lane = lane_of_bank(model, target.number);
      return lane ? fmt::format("Click to choose lane {}, which uses this bank", *lane) : "";
    }
    case Kind::block:
      return in_range(target.number, model.blocks()) && static_cast<std::uint64_t>(target.number) != now.block
                 ? fmt::format("Click to choose block {}", target.number)
                 : "";
    case Kind::access:
      return in_range(target.number, model.events().size()) && target.number != now.step
                 ? fmt::format("Click to go to access {}", target.number + 1)
                 : "";
    case Kind::line:
      return fmt::format("Click to go to the next access of line {}", target.number);
    case Kind::step:
      return target.name != model.state.kernel ? "Click to open this step" : "";
    case Kind::threads: {
      const auto set = parameter_for_threads(model, target.number);
      return set ? fmt::format("Click to set {} to {}", set->name, set->value) : "";
    }
    case Kind::registers:
    case Kind::shared:
      return "";  // the compiler's answer, not a choice
    case Kind::set: {
      const catalog::Values changed = changes_to(model, target.name);
      return changed.empty() ? "" : "Click to set " + run::value_words(changed);
    }
    case Kind::cell:
      return "Click to go to the next access of it";  // whether there is one takes a search
  }
  return "";
}

Status choose(Model& model, const FigureTarget& target) {
  Selection& now = model.state.selection;
  switch (target.kind) {
    case Kind::lane:
      if (in_range(target.number, 32)) now.lane = static_cast<int>(target.number);
      return Done{};
    case Kind::warp:
      if (in_range(target.number, model.warps()))
        model.choose_warp(static_cast<std::uint32_t>(target.number));
      return Done{};
    case Kind::bank:
      if (const auto lane = lane_of_bank(model, target.number)) now.lane = *lane;
      return Done{};
    case Kind::block:
      if (!in_range(target.number, model.blocks())) return Done{};
      now.block = static_cast<std::uint64_t>(target.number), now.step = kOpeningAccess;
      return Done{};
    case Kind::access:
      if (in_range(target.number, model.events().size()))
        now.step = static_cast<std::uint32_t>(target.number), now.line = 0;
      return Done{};
    case Kind::line:
      model.choose_line(static_cast<int>(target.number));
      return Done{};
    case Kind::step:
      model.choose_kernel(target.name);
      return Done{};
    case Kind::threads:
      if (const auto set = parameter_for_threads(model, target.number))
        model.set_parameter(set->name, set->value);
      return Done{};
    case Kind::registers:
    case Kind::shared:
      return Done{};
    case Kind::set:
      for (const auto& [name, value] : changes_to(model, target.name)) model.set_parameter(name, value);
      return Done{};
    case Kind::cell:
      return go_to_cell(model, target);
  }
  return Done{};
}

}  // namespace warplens::app
