#include "app/page/lessons.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "app/lesson/prose_html.hpp"
#include "engine/base/cancel.hpp"
#include "engine/lesson/grade.hpp"

namespace warplens::app::page {
namespace {

Error nothing_asked() { return {"this stop asks nothing", "go to another stop"}; }

Json question_json(const lesson::Ask& ask) {
  Json json{{"question", html(lesson::parse_spans(ask.question))}, {"choices", Json::array()}};
  for (const lesson::Choice& choice : ask.choices) json["choices"].push_back(choice.text);
  return json;
}

Json exercise_json(const lesson::Try& exercise) {
  return {{"task", html(lesson::parse_spans(exercise.task))},
          {"hint", html(lesson::parse_spans(exercise.hint))}};
}

// What is behind the question gives its answer away.
void add_text(Json& json, const lesson::Stop& stop) {
  std::string before, behind;
  bool is_asked = false;
  for (const lesson::Part& part : stop.parts) {
    is_asked |= std::holds_alternative<lesson::Ask>(part);
    if (const auto* prose = std::get_if<lesson::Prose>(&part))
      for (const lesson::Block& block : prose->blocks) (is_asked ? behind : before) += html(block);
  }
  json["text"] = before, json["behind"] = behind;
}

}  // namespace

Lessons::Lessons(const std::filesystem::path& home, const catalog::Catalog& catalog,
                 const device::DeviceTable& devices, measured::Recorded& recorded, run::Runner& runner)
    : sources_{home, catalog, devices, recorded, runner} {}

Json Lessons::list() const {
  Json json = Json::array();
  for (const auto& file : lesson::lesson_files(sources_.data / "lessons")) {
    const lesson::Lesson lesson = lesson::read(file).lesson;
    json.push_back({{"name", lesson.name()},
                    {"title", lesson.title},
                    {"summary", lesson.summary},
                    {"minutes", lesson.minutes},
                    {"stops", lesson.stops.size()}});
  }
  return json;
}

// Only the program's own lessons: a name that is none of theirs opens no file.
Result<Lessons::Place> Lessons::find(const Json& asked) {
  const std::string name = asked.value("lesson", "");
  const std::size_t stop = asked.value("stop", std::size_t{1});
  if (!opened_.contains(name)) {
    const auto files = lesson::lesson_files(sources_.data / "lessons");
    const auto file = std::ranges::find(files, name, [](const auto& path) { return path.stem().string(); });
    if (file == files.end()) return Error{"there is no lesson '" + name + "'", "choose one of the list"};
    Opened opened{lesson::read(*file).lesson, {}};
    opened.stops = stops_of(opened.lesson, {sources_.catalog, sources_.devices}, sources_.data).stops;
    opened_.emplace(name, std::move(opened));
  }
  const Opened& opened = opened_.at(name);
  if (stop < 1 || stop > opened.stops.size())
    return Error{"the lesson has no stop " + std::to_string(stop),
                 "choose one from 1 to " + std::to_string(opened.stops.size())};
  return Place{&opened, stop - 1};
}

Result<Json> Lessons::stop(const Json& asked) {
  const auto place = find(asked);
  if (!place) return place.error();
  const lesson::Stop& text = place->text();
  StopContext context(sources_, place->opened->lesson, place->opened->stops[place->stop]);
  const bool is_drawn = context.stop().state.view.page == Page::ladder;
  // Where the access that it shows is one of its run.
  if (is_drawn && !(context.stop().access == lesson::AccessWish{})) static_cast<void>(context.shown());
  Json json{{"title", place->opened->lesson.title},
            {"heading", text.heading},
            {"stop", place->stop + 1},
            {"stops", place->opened->stops.size()},
            {"drawn", is_drawn},
            {"covered", !context.stop().reveal && text.find<lesson::Ask>() != nullptr},
            {"state", state_json(context.stop().state)}};
  add_text(json, text);
  const auto* ask = text.find<lesson::Ask>();
  json["ask"] = ask == nullptr ? Json(nullptr) : question_json(*ask);
  const auto* exercise = text.find<lesson::Try>();
  json["try"] = exercise == nullptr ? Json(nullptr) : exercise_json(*exercise);
  return json;
}

Result<Json> Lessons::kernels(const Json& asked) {
  const auto place = find({{"lesson", asked.value("lesson", "")}});
  if (!place) return place.error();
  std::set<std::string> names;
  for (const StopState& stop : place->opened->stops)
    names.insert({stop.state.kernel, stop.state.compare.left.kernel, stop.state.compare.right.kernel});
  names.erase("");
  return Json{{"kernels", names}};
}

Result<Json> Lessons::answer(const Json& asked) {
  const auto place = find(asked);
  if (!place) return place.error();
  const auto* ask = place->text().find<lesson::Ask>();
  if (ask == nullptr) return nothing_asked();
  StopContext context(sources_, place->opened->lesson, place->opened->stops[place->stop]);
  const auto value = lesson::answer_is_a_choice(*ask) ? Result<lesson::Value>(ask->answer.text())
                                                      : context.value_of(ask->answer);
  if (!value) return value.error();
  std::optional<std::size_t> right;
  if (!ask->choices.empty()) {
    const auto found = lesson::right_choice(*ask, *value);
    if (!found) return found.error();
    right = *found;
  }
  const auto grade = right ? lesson::grade(*ask, *value, asked.at("choice").get<std::size_t>())
                           : lesson::grade_number(*ask, *value, asked.at("number").get<double>());
  if (!grade) return grade.error();
  Json json{{"right", grade->right},
            {"reason", html(lesson::parse_spans(grade->reason))},
            {"answer", lesson::answer_words(*ask, *value, right)}};
  if (right) json["choice"] = *right;
  return json;
}

Result<Json> Lessons::reached(const Json& asked, const State& state) {
  const auto place = find(asked);
  if (!place) return place.error();
  const auto* exercise = place->text().find<lesson::Try>();
  if (exercise == nullptr) return nothing_asked();
  StopState stop{.state = state, .access = {}};
  stop.access.number = state.selection.shown_step() + 1;
  StopContext context(sources_, place->opened->lesson, std::move(stop));
  const auto value = context.value_of(exercise->goal);
  if (!value) return value.error();
  const auto* number = std::get_if<double>(&*value);
  return Json{{"reached", number != nullptr && *number != 0}};
}

}  // namespace warplens::app::page
