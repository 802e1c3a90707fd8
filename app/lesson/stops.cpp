#include "app/lesson/stops.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "app/state/state_fields.hpp"
#include "engine/analysis/index_expression.hpp"
#include "engine/base/toml_parsing.hpp"

namespace warplens::app {
namespace {

// What belongs to a kernel: another one has none of it.
constexpr std::array kOfKernel = {"params",  "array", "op",   "access",    "step",
                                  "compare", "block", "warp", "occupancy", "line"};

// What whoever looks at a lesson sets for himself, and what is the window's: a lesson has no say in it.
constexpr std::array kOfWindow = {"theme",    "text_scale",   "presenter",    "motion", "speed",
                                  "play",     "left_width",   "right_width",  "lesson", "stop",
                                  "answered", "window_width", "window_height"};

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

class Reader {
 public:
  Reader(const lesson::Lesson& lesson, const KnownNames& known, const std::filesystem::path& data)
      : lesson_(lesson), known_(known), kernels_{lesson.folder(), data} {}

  LessonStops read() {
    for (const lesson::Stop& stop : lesson_.stops) {
      StopState now = stops_.stops.empty() ? StopState{} : stops_.stops.back();
      const auto* block = stop.find<lesson::StateBlock>();
      now.reveal = true;
      now.line = block != nullptr ? block->line : stop.line;
      read_stop(block, stop, now);
      stops_.stops.push_back(std::move(now));
    }
    return std::move(stops_);
  }

 private:
  void fail(int line, std::string message, std::string next_step) {
    stops_.errors.push_back({std::move(message), std::move(next_step), {lesson_.file, line, 0}});
  }
  void fail(const toml::node& node, std::string message, std::string next_step) {
    fail(line_of(node) + first_line_ - 1, std::move(message), std::move(next_step));
  }

  void read_stop(const lesson::StateBlock* block, const lesson::Stop& stop, StopState& now) {
    toml::table own;
    first_line_ = now.line;
    if (block != nullptr) try {
        own = warplens::parse_toml(block->toml);
      } catch (const toml::parse_error& error) {
        const int line = static_cast<int>(error.source().begin.line);
        return fail(first_line_ + line - 1, std::string(error.description()),
                    "correct this line; texts stand in quotes");
      }
    if (!check_keys(own)) return;
    toml::table all = inherited(own);
    for (auto& [key, node] : own) take(all, key, std::move(node));
    StopState read = now;
    if (!read_lesson_keys(all, read)) return;
    const toml::table kept = all;  // a copy has no places in the file
    make_plain(all);
    auto state = state_of(all, lesson_.file, &known_);
    if (!state) {
      Error error = state.error();
      error.place = {lesson_.file,
                     error.place.line > 0 ? error.place.line + first_line_ - 1
                     : block != nullptr   ? first_line_
                                          : stop.line,
                     0};
      stops_.errors.push_back(std::move(error));
      return;
    }
    read.state = *std::move(state);
    if (const auto* write = stop.find<lesson::Write>()) {  // the page for that
      read.state.view.page = Page::edit;
      read.state.edit.exercise = lesson_.assignment(*write).string();
    }
    // What a lesson speaks of is in the picture of an access, unless it says another one, and at its small sizes
    // no step is as fast as it can be.
    if (read.state.view.figure == kOpeningFigure) read.state.view.figure = "access";
    if (read.state.view.steps_by == StepsBy::speed) read.state.view.steps_by = StepsBy::speed_most;
    if (CompareState& compare = read.state.compare; compare.array.empty() && compare.op.empty())
      compare.array = read.access.array, compare.op = read.access.op,
      compare.number = read.access.number.value_or(0);
    now = std::move(read);
    table_ = kept;
  }

  // What a lesson may not say, and files that it may not open.
  bool check_keys(toml::table& own) {
    if (toml::node* kernel = own.get("kernel")) {
      if (!check_kernel(*kernel)) return false;
    }
    if (toml::table* compare = own.get_as<toml::table>("compare"))
      for (const char* side : {"left", "right"})
        if (toml::node* kernel = compare->get(side); kernel != nullptr && !check_kernel(*kernel))
          return false;
    if (toml::node* compare = own.get("compare");
        compare != nullptr && compare->is_string() && !check_kernel(*compare))
      return false;
    for (const char* heading : {"selection", "view"})
      if (const toml::node* node = own.get(heading))
        return fail(*node, fmt::format("a lesson's state has no table '{}'", heading),
                    "write its keys without a table"),
               false;
    if (const toml::node* node = own.get("export_folder"))
      return fail(*node, "a lesson does not say where figures are saved", "remove export_folder"), false;
    for (const char* key : kOfWindow)
      if (const toml::node* node = own.get(key))
        return fail(*node, fmt::format("a lesson has no say in '{}'", key), "remove it"), false;
    return true;
  }

  // A file stands in the lesson's folder, or is the program's; its name becomes one that can be opened.
  bool check_kernel(toml::node& node) {
    toml::value<std::string>* name = node.as_string();
    if (name == nullptr) return true;
    const auto file = kernels_.find(name->get());
    if (!file) return fail(node, file.error().message, file.error().next_step), false;
    *name = *file;
    return true;
  }

  // What the stop before has and this one does not change.
  toml::table inherited(const toml::table& own) const {
    toml::table all = table_;
    all.erase("reveal");
    if (all.contains("compare") || all["page"].value<std::string>() == "compare") {
      all.erase("compare");
      all.erase("page");
    }
    if (own.contains("kernel")) {
      for (const char* key : kOfKernel) all.erase(key);
      for (const char* key : {"index", "bytes", "playground"}) all.erase(key);
      if (all["page"].value<std::string>() == "playground") all.erase("page");
    }
    if (own.contains("array"))
      for (const char* key : {"op", "access"}) all.erase(key);
    if (own.contains("access")) all.erase("step");
    return all;
  }

  // A table of the same name keeps its other keys; an empty one has none, and sizes are all of them.
  static void take(toml::table& all, const toml::key& key, toml::node&& node) {
    toml::table* before = all.get_as<toml::table>(key.str());
    toml::table* now = node.as_table();
    if (before == nullptr || now == nullptr || now->empty() || key.str() == "size") {
      all.insert_or_assign(key.str(), std::move(node));
      return;
    }
    for (auto& [below, value] : *now) before->insert_or_assign(below.str(), std::move(value));
  }

  bool read_lesson_keys(toml::table& all, StopState& now) {
    now.access = {};
    const bool in_playground = all.contains("index") || all["page"].value<std::string>() == "playground";
    const auto text = [&](const char* key, std::string& to) {
      const toml::node* node = all.get(key);
      if (node == nullptr) return true;
      if (const auto value = node->value_exact<std::string>()) return to = *value, true;
      return fail(*node, fmt::format("{} is no text", key), "put it in quotes"), false;
    };
    if (!text("array", now.access.array)) return false;
    if (!in_playground && !text("op", now.access.op)) return false;
    if (!now.access.op.empty() && now.access.op != "ld" && now.access.op != "st")
      return fail(*all.get("op"), fmt::format("unknown operation '{}'", now.access.op), "write ld or st"),
             false;
    if (const toml::node* node = all.get("reveal")) {
      const auto value = node->value_exact<bool>();
      if (!value) return fail(*node, "reveal is neither true nor false", "write reveal = false"), false;
      now.reveal = *value;
    }
    if (const toml::node* node = all.get("access")) {
      const auto value = node->value_exact<std::int64_t>();
      if (!value || *value < 1 || *value > 0xffffffff)
        return fail(*node, "this is not the number of an access: they count from 1", "write 1 for the first"),
               false;
      now.access.number = static_cast<std::uint32_t>(*value);
    }
    return true;
  }

  // As state files have it.
  static void make_plain(toml::table& all) {
    const bool in_playground = all.contains("index") || all["page"].value<std::string>() == "playground";
    if (!in_playground) all.erase("op");
    for (const char* key : {"array", "access", "reveal"}) all.erase(key);
    if (!all.contains("compare")) return;
    if (!all.contains("page")) all.insert("page", "compare");
    if (const auto left = all["compare"].value_exact<std::string>())
      all.insert_or_assign("compare", toml::table{{"left", *left},
                                                  {"right", all["kernel"].value_or(State().kernel)},
                                                  {"right_params", params_of(all)},
                                                  {"part", "pictures"},
                                                  {"figure", compare_figure(all)}});
  }
  static toml::table params_of(const toml::table& all) {
    const toml::table* params = all.get_as<toml::table>("params");
    return params != nullptr ? *params : toml::table();
  }
  // Of two steps there are no ladders.
  static std::string compare_figure(const toml::table& all) {
    const std::string figure = all["figure"].value_or(std::string("access"));
    for (const char* known :
         {"access", "coalescing", "banks", "bank-map", "occupancy", "flow", "time", "latency", "timeline",
          "timing", "speed-map", "fragments", "swizzle", "tma", "pipeline", "cluster", "tile-order"})
      if (figure == known) return figure;
    return "access";
  }

  const lesson::Lesson& lesson_;
  const KnownNames& known_;
  const lesson::KernelPlace kernels_;
  LessonStops stops_;
  toml::table table_;   // of the stop before, all that it has
  int first_line_ = 1;  // of the block that is read
};

}  // namespace

LessonStops stops_of(const lesson::Lesson& lesson, const KnownNames& known,
                     const std::filesystem::path& data) {
  return Reader(lesson, known, data).read();
}

lesson::RunKey run_key(const State& state) {
  return {.kernel = state.kernel,
          .parameters = state.params,
          .sizes = state.size,
          .device = state.device,
          .block = state.selection.block};
}

Result<lesson::Subject> settle(StopState& stop, run::SharedRun run) {
  auto subject =
      lesson::subject_of(std::move(run), stop.state.selection.block, stop.state.selection.warp, stop.access);
  if (!subject) return subject.error();
  const OccupancyState& by_hand = stop.state.occupancy;
  subject->by_hand = {by_hand.threads, by_hand.registers, by_hand.shared};
  stop.state.selection.warp = subject->place.warp;
  stop.state.selection.step = subject->place.access;
  return subject;
}

Result<std::optional<lesson::OwnAccess>> own_access(const State& state, const device::DeviceTable& devices) {
  if (state.view.page != Page::playground) return std::optional<lesson::OwnAccess>();
  const PlaygroundState& own = state.playground;
  const auto device = devices.find(state.device);
  if (!device) return device.error();
  const std::array names = {analysis::NamedIndex{"stride", own.stride},
                            analysis::NamedIndex{"offset", own.offset}};
  const auto access =
      analysis::access_at_index(own.index, own.store ? analysis::AccessOp::store : analysis::AccessOp::load,
                                own.width, own.mask, {.warp = state.selection.warp, .more = names}, "index");
  if (!access) return access.error();
  return std::optional(
      lesson::OwnAccess{*access, own.memory != Memory::shared, own.memory != Memory::global, *device});
}

}  // namespace warplens::app
