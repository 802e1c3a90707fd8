#include "app/state/state.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

#include "app/state/state_short.hpp"
#include "app/state/toml_reader.hpp"
#include "app/workspace.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

constexpr std::array<std::pair<CodeView, std::string_view>, 3> code_views = {
    {{CodeView::source, "source"}, {CodeView::ptx, "ptx"}, {CodeView::both, "both"}}};

constexpr std::array<std::pair<Counter, std::string_view>, 3> counters = {
    {{Counter::sectors, "sectors"}, {Counter::wavefronts, "wavefronts"}, {Counter::executed, "executed"}}};

constexpr std::array<std::pair<Page, std::string_view>, 3> pages = {
    {{Page::ladder, "ladder"}, {Page::compare, "compare"}, {Page::playground, "playground"}}};

constexpr std::array<std::pair<ComparePart, std::string_view>, 4> compare_parts = {
    {{ComparePart::all, "all"},
     {ComparePart::pictures, "pictures"},
     {ComparePart::counters, "counters"},
     {ComparePart::source, "source"}}};

constexpr std::array<std::pair<Pace, std::string_view>, 2> paces = {
    {{Pace::share, "share"}, {Pace::number, "number"}}};

constexpr std::array<std::pair<Memory, std::string_view>, 3> memories = {
    {{Memory::both, "both"}, {Memory::global, "global"}, {Memory::shared, "shared"}}};

constexpr std::array<std::pair<StepsBy, std::string_view>, 3> steps_by = {
    {{StepsBy::speed, "speed"}, {StepsBy::speed_here, "speed_here"}, {StepsBy::sectors, "sectors"}}};

constexpr std::array<std::pair<Engine, std::string_view>, 2> engines = {
    {{Engine::emulator, "emulator"}, {Engine::gpu, "gpu"}}};

constexpr std::array<std::pair<Accesses, std::string_view>, 2> accesses_of = {
    {{Accesses::emulated, "emulated"}, {Accesses::recorded, "recorded"}}};

template <class Table, class Value>
std::string_view name_in(const Table& table, Value wanted) {
  for (const auto& [value, name] : table) {
    if (value == wanted) return name;
  }
  return table.front().second;
}

// TOML basic strings: https://toml.io/en/v1.0.0#string
std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\u{:04x}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string values_table(std::string_view name, const catalog::Values& values) {
  std::string text = fmt::format("\n[{}]\n", name);
  for (const auto& [key, value] : values) text += fmt::format("{} = {}\n", key, value);
  return text;
}

using Reader = TomlReader;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::vector<Reader::Row> view_rows(Reader& reader, View& view) {
  const auto theme = [&reader, &view](const toml::node& node) {
    const auto name = node.value_exact<std::string>();
    if (!name || (*name != "dark" && *name != "light"))
      return reader.fail(node, "this is no theme", "write dark or light");
    view.dark = *name == "dark";
  };
  return {{"page", reader.one_of(view.page, pages)},
          {"figure", reader.text(view.figure)},
          {"code", reader.one_of(view.code, code_views)},
          {"counter", reader.one_of(view.counter, counters)},
          {"steps_by", reader.one_of(view.steps_by, steps_by)},
          {"theme", theme},
          {"text_scale", reader.number(view.text_scale, 0.75, 2.5)},
          {"presenter", reader.flag(view.presenter)},
          {"speed", reader.number(view.speed, 0.25, 1024)},
          {"left_width", reader.number(view.left_width, 160, 2000)},
          {"right_width", reader.number(view.right_width, 160, 4000)},
          {"width", reader.whole(view.width, 320, 16384)},
          {"height", reader.whole(view.height, 240, 16384)},
          {"export_folder", reader.text(view.export_folder)}};
}

std::vector<Reader::Row> compare_rows(Reader& reader, CompareState& compare) {
  return {{"left", reader.text(compare.left.kernel)},   {"left_params", reader.values(compare.left.params)},
          {"right", reader.text(compare.right.kernel)}, {"right_params", reader.values(compare.right.params)},
          {"figure", reader.text(compare.figure)},      {"part", reader.one_of(compare.part, compare_parts)},
          {"pace", reader.one_of(compare.pace, paces)}, {"block", reader.whole(compare.block, 0, largest)},
          {"warp", reader.whole(compare.warp, 0, 31)},  {"step", reader.whole(compare.step, 0, 0xffffffff)}};
}

auto read_op(Reader& reader, PlaygroundState& playground) {
  return [&reader, &playground](const toml::node& node) {
    const auto name = node.value_exact<std::string>();
    if (!name || (*name != "ld" && *name != "st"))
      return reader.fail(node, "this is no operation", "write ld or st");
    playground.store = *name == "st";
  };
}

auto read_width(Reader& reader, PlaygroundState& playground) {
  return [&reader, &playground](const toml::node& node) {
    const auto bytes = node.value_exact<std::int64_t>();
    if (!bytes || (*bytes != 4 && *bytes != 8 && *bytes != 16))
      return reader.fail(node, "this is no width of an access", "write 4, 8 or 16");
    playground.width = static_cast<int>(*bytes);
  };
}

std::vector<Reader::Row> playground_rows(Reader& reader, PlaygroundState& playground) {
  return {{"index", reader.text(playground.index)},
          {"stride", reader.whole(playground.stride, -largest_stride, largest_stride)},
          {"offset", reader.whole(playground.offset, -largest_stride, largest_stride)},
          {"memory", reader.one_of(playground.memory, memories)},
          {"op", read_op(reader, playground)},
          {"width", read_width(reader, playground)},
          {"mask", reader.whole(playground.mask, 0, 0xffffffff)}};
}

template <class Whole>
auto set_by_hand(Reader& reader, std::optional<Whole>& to, std::int64_t low, std::int64_t high) {
  return [&reader, &to, low, high](const toml::node& node) {
    to.emplace();
    reader.whole(*to, low, high)(node);
  };
}

std::vector<Reader::Row> occupancy_rows(Reader& reader, OccupancyState& occupancy) {
  return {{"threads", set_by_hand(reader, occupancy.threads, 1, most_threads_by_hand)},
          {"registers", set_by_hand(reader, occupancy.registers, 0, most_registers_by_hand)},
          {"shared", set_by_hand(reader, occupancy.shared, 0, most_shared_by_hand)}};
}

std::vector<Reader::Row> state_rows(Reader& reader, State& state, ShortForm& form) {
  Selection& selection = state.selection;
  const auto size = [&](const toml::node& node) { read_size(reader, node, state, form); };
  std::vector<Reader::Row> rows = short_rows(reader, state, form);
  const std::vector<Reader::Row> own = {
      {"kernel", reader.text(state.kernel)},
      {"device", reader.text(state.device)},
      {"engine", reader.one_of(state.engine, engines)},
      {"gpu", reader.whole(state.gpu, 0, 255)},
      {"accesses", reader.one_of(state.accesses, accesses_of)},
      {"params", reader.values(state.params)},
      {"size", size},
      {"selection", reader.rows({{"block", reader.whole(selection.block, 0, largest)},
                                 {"warp", reader.whole(selection.warp, 0, 31)},
                                 {"step", reader.whole(selection.step, 0, 0xffffffff)},
                                 {"lane", reader.whole(selection.lane, 0, 31)}})},
      {"view", reader.rows(view_rows(reader, state.view))},
      {"compare", reader.rows(compare_rows(reader, state.compare))},
      {"playground", reader.rows(playground_rows(reader, state.playground))},
      {"occupancy", reader.rows(occupancy_rows(reader, state.occupancy))},
      {"op", read_op(reader, state.playground)},
      {"bytes", read_width(reader, state.playground)}};
  rows.insert(rows.end(), own.begin(), own.end());
  return rows;
}

std::string compare_table(const CompareState& compare) {
  std::string text =
      fmt::format("\n[compare]\nleft = {}\nright = {}\nfigure = {}\n", toml_text(compare.left.kernel),
                  toml_text(compare.right.kernel), toml_text(compare.figure));
  text += fmt::format("part = {}\npace = {}\n", toml_text(name_in(compare_parts, compare.part)),
                      toml_text(name_in(paces, compare.pace)));
  text += fmt::format("block = {}\nwarp = {}\nstep = {}\n", compare.block, compare.warp, compare.step);
  if (!compare.left.params.empty()) text += values_table("compare.left_params", compare.left.params);
  if (!compare.right.params.empty()) text += values_table("compare.right_params", compare.right.params);
  return text;
}

std::string playground_table(const PlaygroundState& playground) {
  std::string text = fmt::format("\n[playground]\nindex = {}\nstride = {}\noffset = {}\n",
                                 toml_text(playground.index), playground.stride, playground.offset);
  return text + fmt::format("memory = {}\nop = {}\nwidth = {}\nmask = 0x{:08x}\n",
                            toml_text(name_in(memories, playground.memory)),
                            toml_text(playground.store ? "st" : "ld"), playground.width, playground.mask);
}

std::string occupancy_table(const OccupancyState& occupancy) {
  std::string text = "\n[occupancy]\n";
  if (occupancy.threads) text += fmt::format("threads = {}\n", *occupancy.threads);
  if (occupancy.registers) text += fmt::format("registers = {}\n", *occupancy.registers);
  if (occupancy.shared) text += fmt::format("shared = {}\n", *occupancy.shared);
  return text;
}

std::string drawing_lines(const Drawing& drawing) {
  return fmt::format("colors = {}\nwhole = {}\nwidth = {}\nheight = {}\n", toml_text(drawing.colors),
                     drawing.whole, drawing.width, drawing.height);
}

}  // namespace

std::string to_toml(const State& state) {
  std::string text =
      fmt::format("kernel = {}\ndevice = {}\n", toml_text(state.kernel), toml_text(state.device));
  if (state.engine == Engine::gpu) text += fmt::format("engine = \"gpu\"\ngpu = {}\n", state.gpu);
  if (state.accesses == Accesses::recorded) text += "accesses = \"recorded\"\n";
  if (state.drawing != Drawing{}) text += drawing_lines(state.drawing);
  if (!state.params.empty()) text += values_table("params", state.params);
  if (!state.size.empty()) text += values_table("size", state.size);
  const Selection& selection = state.selection;
  text += fmt::format("\n[selection]\nblock = {}\nwarp = {}\nstep = {}\nlane = {}\n", selection.block,
                      selection.warp, selection.step, selection.lane);
  const View& view = state.view;
  text += fmt::format("\n[view]\npage = {}\nfigure = {}\ncode = {}\ncounter = {}\ntheme = {}\n",
                      toml_text(name_in(pages, view.page)), toml_text(view.figure),
                      toml_text(name_in(code_views, view.code)), toml_text(name_in(counters, view.counter)),
                      toml_text(view.dark ? "dark" : "light"));
  text += fmt::format("steps_by = {}\n", toml_text(name_in(steps_by, view.steps_by)));
  text += fmt::format("text_scale = {}\npresenter = {}\nspeed = {}\n", view.text_scale, view.presenter,
                      view.speed);
  text += fmt::format("left_width = {}\nright_width = {}\nwidth = {}\nheight = {}\n", view.left_width,
                      view.right_width, view.width, view.height);
  if (!view.export_folder.empty()) text += fmt::format("export_folder = {}\n", toml_text(view.export_folder));
  if (state.compare != CompareState{}) text += compare_table(state.compare);
  if (state.playground != PlaygroundState{}) text += playground_table(state.playground);
  if (state.occupancy != OccupancyState{}) text += occupancy_table(state.occupancy);
  return text;
}

Result<State> parse_state(std::string_view text, std::string_view file, const KnownNames* known) {
  State state;
  Reader reader(file);
  try {
    const toml::table table = toml::parse(text, file);
    ShortForm form;
    reader.table(table, state_rows(reader, state, form));
    // The figure says which memory the access of a short form is to.
    if (table.contains("index") && !table.contains("playground"))
      state.playground.memory = state.view.figure == "banks" ? Memory::shared : Memory::global;
    if (known != nullptr)
      spell_out(reader, table, form, *known, state);
    else
      refuse_short(reader, form);
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    return Error{std::string(error.description()), "correct this line",
                 Place{std::string(file), static_cast<int>(at.line), static_cast<int>(at.column)}};
  }
  if (reader.error) return *reader.error;
  return state;
}

Result<State> read_state(const std::filesystem::path& file, const KnownNames* known) {
  const auto text = read_file(file);
  if (!text) return text.error();
  return parse_state(*text, file.string(), known);
}

Result<State> read_named_state(const CommonOptions& common, const std::filesystem::path& file) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto catalog = workspace->catalog();
  if (!catalog) return catalog.error();
  const auto devices = workspace->devices();
  if (!devices) return devices.error();
  const KnownNames known{*catalog, *devices};
  return read_state(file, &known);
}

Status write_state(const std::filesystem::path& file, const State& state) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), code);
  return write_whole_file(file, to_toml(state));
}

std::filesystem::path remembered_state(const Environment& environment) {
  // The XDG base directory specification: a relative path there is invalid and ignored.
  const std::filesystem::path xdg = environment.xdg_config_home;
  if (xdg.is_absolute()) return xdg / "warplens" / "window.toml";
  if (environment.home.empty()) return {};
  return std::filesystem::path(environment.home) / ".config" / "warplens" / "window.toml";
}

}  // namespace warplens::app
