#include "app/state/state_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <utility>

#include "viz/figures/access/access.hpp"
#include "viz/figures/flow/flow.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/transfers.hpp"

namespace warplens::app {
namespace {

using Node = toml::node;
using Names = std::vector<std::string_view>;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// TOML basic strings: https://toml.io/en/v1.0.0#string
std::string quoted(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      result += fmt::format("\\u{:04x}", byte);
    else
      (c == '"' || c == '\\' ? result += '\\' : result) += c;
  }
  return '"' + result + '"';
}

// https://toml.io/en/v1.0.0#keys
std::string written_key(std::string_view name) {
  const auto is_bare = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  return !name.empty() && std::ranges::all_of(name, is_bare) ? std::string(name) : quoted(name);
}

// parse: the value of a node, empty if it is none of the field's, which is then `wrong`.
template <class T, class Parse, class Write>
Field field(std::string key, T& to, Parse parse, Write write, std::string wrong, std::string next_step) {
  const auto read = [&to, parse, wrong, next_step](StateReader& reader, const Node& node) {
    if (const auto value = parse(node)) return void(to = static_cast<T>(*value));
    reader.fail(node, wrong, next_step);
  };
  return {std::move(key), read, [&to, write] { return write(to); }};
}

constexpr auto kWritten = [](const auto& value) { return fmt::to_string(value); };

Field text(std::string key, std::string& to) {
  const auto parse = [](const Node& node) { return node.value_exact<std::string>(); };
  return field(std::move(key), to, parse, quoted, "this is not a text", "put it in quotes");
}

Field flag(std::string key, bool& to) {
  const auto parse = [](const Node& node) { return node.value_exact<bool>(); };
  return field(std::move(key), to, parse, kWritten, "this is neither true nor false", "write true or false");
}

Field number(std::string key, double& to, double low, double high) {
  const auto parse = [low, high](const Node& node) {
    const auto value = node.value<double>();
    return value && *value >= low && *value <= high ? value : std::nullopt;
  };
  return field(std::move(key), to, parse, kWritten,
               fmt::format("this is not a number from {} to {}", low, high), "correct it");
}

auto whole_from(std::int64_t low, std::int64_t high, std::int64_t first = 0) {
  return [low, high, first](const Node& node) {
    const auto value = node.value_exact<std::int64_t>();
    return value && *value >= low && *value <= high ? std::optional(*value - first) : std::nullopt;
  };
}

std::string not_whole(std::int64_t low, std::int64_t high) {
  return fmt::format("this is not a whole number from {} to {}", low, high);
}

template <class Whole>
Field whole(std::string key, Whole& to, std::int64_t low, std::int64_t high) {
  return field(std::move(key), to, whole_from(low, high), kWritten, not_whole(low, high), "correct it");
}

// One that may be left open.
template <class Whole>
Field whole(std::string key, std::optional<Whole>& to, std::int64_t low, std::int64_t high) {
  const auto write = [](const std::optional<Whole>& value) { return value ? fmt::to_string(*value) : ""; };
  return field(std::move(key), to, whole_from(low, high), write, not_whole(low, high), "correct it");
}

// From 1 in a file, from 0 in a state.
Field stop(std::string key, std::size_t& to) {
  constexpr std::int64_t most = 10'000;
  return field(
      std::move(key), to, whole_from(1, most, 1), [](std::size_t stop) { return fmt::to_string(stop + 1); },
      "this is not the number of a stop: they count from 1", "write 1 for the first");
}
Field access(std::string key, std::uint32_t& to) {
  return field(
      std::move(key), to, whole_from(1, std::int64_t{1} << 32, 1),
      [](std::uint32_t access) { return fmt::to_string(std::uint64_t{access} + 1); },
      "this is not the number of an access: they count from 1", "write 1 for the first");
}

// The same as earlier versions wrote it, from 0.
Field step(std::string key, std::uint32_t& to) {
  Field field = whole(std::move(key), to, 0, 0xffffffff);
  field.write = [] { return ""; };
  return field;
}

Field access_width(std::string key, int& to) {
  const auto parse = [](const Node& node) {
    const auto bytes = node.value_exact<std::int64_t>();
    return bytes == 4 || bytes == 8 || bytes == 16 ? bytes : std::nullopt;
  };
  return field(std::move(key), to, parse, kWritten, "this is no width of an access", "write 4, 8 or 16");
}

std::string none_of(const Names& names) { return fmt::format("this is none of {}", fmt::join(names, ", ")); }

// Kinds of the host's memory, with commas between them.
Field memories(std::string key, std::string& to) {
  const auto parse = [](const Node& node) {
    const auto list = node.value_exact<std::string>();
    return list && figures::memories_named(*list) ? list : std::nullopt;
  };
  return field(
      std::move(key), to, parse, quoted,
      fmt::format("this names a memory that is none of {}", fmt::join(measured::kHostMemories, ", ")),
      "write some of them with commas between them, without spaces");
}

// Of an enumeration or a bool: names[0] is that of the value 0, and so on.
template <class Value>
Field choice(std::string key, Value& to, const Names& names) {
  const auto parse = [names](const Node& node) {
    const auto found = std::find(names.begin(), names.end(), node.value_exact<std::string>());
    return found == names.end() ? std::nullopt : std::optional(found - names.begin());
  };
  const auto write = [names](Value value) { return quoted(names.at(static_cast<std::size_t>(value))); };
  return field(std::move(key), to, parse, write, none_of(names), "choose one of them");
}

// One of the names of a table of values and their names.
template <class Table>
Field name(std::string key, std::string& to, const Table& table) {
  Names names;
  for (const auto& [value, known] : table) names.push_back(known);
  const auto parse = [names](const Node& node) {
    const auto written = node.value_exact<std::string>();
    return std::find(names.begin(), names.end(), written) == names.end() ? std::nullopt : written;
  };
  return field(std::move(key), to, parse, quoted, none_of(names), "choose one of them");
}

// NAME = VALUE, whole numbers.
Field values(std::string key, catalog::Values& to) {
  const auto read = [&to](StateReader& reader, const Node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return reader.fail(node, "this is not a table", "write it as NAME = VALUE lines");
    for (const auto& [name, value] : *table) {
      const auto whole = value.value_exact<std::int64_t>();
      if (!whole)
        return reader.fail(value, fmt::format("{} is not a whole number", name.str()), "correct it");
      to.insert_or_assign(std::string(name.str()), *whole);
    }
  };
  const auto write = [&to] {
    std::vector<std::string> pairs;
    for (const auto& [name, value] : to) pairs.push_back(fmt::format("{} = {}", written_key(name), value));
    return fmt::format("{{ {} }}", fmt::join(pairs, ", "));
  };
  return {std::move(key), read, write};
}

// Numbers and texts without names, 512 or "35,79,19", are left to check_names().
Field size(catalog::Values& to) {
  Field field = values("size", to);
  field.read = [&to, read = field.read](StateReader& reader, const Node& node) {
    if (node.is_string() || node.is_integer()) return;
    if (!node.is_table())
      return reader.fail(node, "this is no size", "write 512, \"35,79,19\" or a table such as { M = 512 }");
    read(reader, node);
    for (const auto& [name, value] : to)
      if (value < 1)
        reader.fail("size." + name, {fmt::format("size {} is {}", name, value), "sizes are 1 and up"});
  };
  return field;
}

// "2,1" is left to check_names().
Field block(std::uint64_t& to) {
  Field field = whole("block", to, 0, kLargest);
  field.read = [read = field.read](StateReader& reader, const Node& node) {
    if (!node.is_string()) read(reader, node);
  };
  return field;
}

std::vector<Field> head_fields(State& state) {
  Selection& selection = state.selection;
  View& view = state.view;
  return {text("kernel", state.kernel),
          values("params", state.params),
          size(state.size),
          text("device", state.device),
          choice("engine", state.engine, {"emulator", "gpu"}),
          whole("gpu", state.gpu, 0, 255),
          choice("accesses", state.accesses, {"emulated", "recorded"}),
          block(selection.block),
          whole("warp", selection.warp, 0, 31),
          access("access", selection.step),
          step("step", selection.step),
          whole("lane", selection.lane, 0, 31),
          whole("line", selection.line, 0, 1'000'000),
          choice("page", view.page, {"ladder", "compare", "playground", "start", "edit", "program"}),
          text("figure", view.figure),
          choice("code", view.code, {"source", "ptx", "both", "sass", "source_sass"}),
          choice("counter", view.counter, {"sectors", "wavefronts", "executed", "lanes", "time", "none"}),
          choice("steps_by", view.steps_by, {"speed", "speed_here", "sectors", "speed_most"}),
          choice("theme", view.dark, {"light", "dark"}),
          number("text_scale", view.text_scale, 0.75, 2.5),
          flag("presenter", view.presenter),
          flag("motion", view.motion),
          number("speed", view.speed, 0.25, 1024),
          choice("play", view.by_iteration, {"access", "iteration"}),
          flag("source", view.source),
          flag("details", view.details),
          number("left_width", view.left_width, 0, 2000),
          number("right_width", view.right_width, 0, 4000),
          whole("window_width", view.width, 320, 16384),
          whole("window_height", view.height, 240, 16384),
          text("export_folder", view.export_folder),
          text("lesson", state.lesson.file),
          stop("stop", state.lesson.stop),
          flag("answered", state.lesson.answered)};
}

std::vector<Field> table_fields(CompareState& compare, PlaygroundState& playground, OccupancyState& occupancy,
                                Drawing& drawing, EditState& edit, ProgramState& program) {
  return {text("compare.left", compare.left.kernel),
          values("compare.left_params", compare.left.params),
          text("compare.right", compare.right.kernel),
          values("compare.right_params", compare.right.params),
          text("compare.figure", compare.figure),
          choice("compare.part", compare.part, {"all", "pictures", "counters", "source"}),
          choice("compare.pace", compare.pace, {"share", "number"}),
          whole("compare.block", compare.block, 0, kLargest),
          whole("compare.warp", compare.warp, 0, 31),
          access("compare.access", compare.step),
          step("compare.step", compare.step),
          text("compare.array", compare.array),
          text("compare.op", compare.op),
          whole("compare.number", compare.number, 0, 0xffffffff),
          text("playground.index", playground.index),
          whole("playground.stride", playground.stride, -kLargestStride, kLargestStride),
          whole("playground.offset", playground.offset, -kLargestStride, kLargestStride),
          choice("playground.memory", playground.memory, {"both", "global", "shared"}),
          choice("playground.op", playground.store, {"ld", "st"}),
          access_width("playground.width", playground.width),
          whole("playground.mask", playground.mask, 0, 0xffffffff),
          whole("occupancy.threads", occupancy.threads, 1, kMostThreadsByHand),
          whole("occupancy.registers", occupancy.registers, 0, kMostRegistersByHand),
          whole("occupancy.shared", occupancy.shared, 0, kMostSharedByHand),
          name("drawing.colors", drawing.colors, figures::kColorNames),
          flag("drawing.whole", drawing.whole),
          name("drawing.per", drawing.per, figures::kPerNames),
          text("drawing.over", drawing.over),
          name("drawing.others", drawing.others, figures::kOthersNames),
          text("drawing.cycles", drawing.cycles),
          text("drawing.cursor", drawing.cursor),
          text("drawing.element", drawing.element),
          flag("drawing.all_arrays", drawing.all_arrays),
          whole("drawing.steps", drawing.steps, 0, 99),
          whole("drawing.mark", drawing.mark, 0, kLargest),
          memories("drawing.kinds", drawing.kinds),
          name("drawing.curve", drawing.curve, figures::kCurveNames),
          whole("drawing.width", drawing.width, 320, 8192),
          whole("drawing.height", drawing.height, 240, 8192),
          text("edit.original", edit.original),
          text("edit.file", edit.file),
          text("edit.exercise", edit.exercise),
          text("program.file", program.file),
          text("program.arguments", program.arguments),
          text("program.input", program.input),
          text("program.input_file", program.input_file),
          text("program.read", program.read),
          text("program.write", program.write),
          flag("program.settings", program.settings),
          values("program.values", program.values),
          whole("program.launch", program.launch, 0, kLargest)};
}

}  // namespace

std::vector<Field> state_fields(State& state) {
  auto fields = head_fields(state);
  auto more = table_fields(state.compare, state.playground, state.occupancy, state.drawing, state.edit,
                           state.program);
  std::move(more.begin(), more.end(), std::back_inserter(fields));
  for (const Limit& limit : kLimits)
    fields.push_back(number(fmt::format("program.{}", limit.name), state.program.limits.*limit.value,
                            limit.value == &ProgramLimits::memory_gb ? 0 : limit.least, limit.most));
  return fields;
}

}  // namespace warplens::app
