#include "app/page/session.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>

#include "app/base/text_table.hpp"
#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/export_ladder.hpp"
#include "app/commands/export_sources.hpp"
#include "app/commands/export_subject.hpp"
#include "app/gpu/report_text.hpp"
#include "app/gpu/time_text.hpp"
#include "app/page/lessons.hpp"
#include "app/page/page_state.hpp"
#include "app/state/compare_choice.hpp"
#include "app/state/complete_state.hpp"
#include "engine/base/text.hpp"
#include "engine/catalog/choices.hpp"
#include "engine/catalog/ladders.hpp"
#include "engine/problem/work.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/runner.hpp"
#include "engine/time/predict_run.hpp"
#include "viz/figures/slide.hpp"
#include "viz/paint/files/svg.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app::page {

namespace {
constexpr std::string_view kTaken = "taken-";
constexpr std::size_t kMostTaken = 64;  // then the oldest one goes
}  // namespace

Json error_json(const Error& error) {
  return {{"error", to_line(error)},
          {"message", sentence(error.message)},
          {"next_step", sentence(error.next_step)},
          {"line", error.place.line}};
}

bool is_taken(std::string_view kernel) { return kernel.starts_with(kTaken); }

struct Session::Parts {
  app::Workspace workspace;
  catalog::Catalog catalog;
  device::DeviceTable devices;
  std::shared_ptr<const scene::TextMeasure> fonts;
  run::Runner runner;
  study::Library library{runner, {.disassembler = app::disassembler_options(app::read_environment())}};
  std::optional<Lessons> lessons = {};  // of what is above
  std::deque<std::string> taken = {};   // ids, the oldest first
  std::atomic<bool> cancel = false;

  app::KnownNames known() const { return {catalog, devices}; }

  Result<run::Request> request(const app::State& state) const {
    const auto spec = catalog.find(state.kernel);
    if (!spec) return spec.error();
    const auto device = devices.find(state.device);
    if (!device) return device.error();
    return run::Request{.spec = *spec,
                        .parameters = state.params,
                        .sizes = state.size,
                        .device = *device,
                        .block = state.selection.block};
  }
};

namespace {

using Parts = Session::Parts;
using Answer = Result<Json>;

Json kernel_json(const catalog::KernelSpec& spec) {
  return {{"id", spec.id}, {"ladder", app::ladder_of(spec.id)}, {"title", spec.title}, {"idea", spec.idea}};
}

Answer answer_catalog(Parts& parts, const app::State&, const Json&) {
  Json json{{"ladders", Json::array()},
            {"kernels", Json::array()},
            {"devices", Json::array()},
            {"figures", Json::array()},
            {"lessons", parts.lessons->list()}};
  const catalog::Ladders taught = catalog::read_ladders(parts.workspace.home());
  for (const catalog::Ladder& ladder : taught.order)
    json["ladders"].push_back({{"name", ladder.name}, {"title", app::ladder_title(ladder.name)}});
  for (const catalog::KernelSpec& spec : parts.catalog.kernels())
    if (!is_taken(spec.id)) json["kernels"].push_back(kernel_json(spec));
  for (const device::Device& device : parts.devices.devices())
    json["devices"].push_back({{"id", device.id}, {"name", device.name}});
  for (const figures::Figure& figure : figures::all_figures())
    if (figures::is_drawn(figure)) json["figures"].push_back({{"id", figure.id}, {"title", figure.title}});
  return json;
}

// As `warplens run --json`.
Answer answer_run(Parts& parts, const app::State& state, const Json&) {
  const auto request = parts.request(state);
  if (!request) return request.error();
  const auto job = parts.runner.job(*request, parts.cancel);
  if (!job) return job.error();
  const auto run = run::run_checked(*job);
  if (!run) return run.error();
  Json json = app::to_json((*run)->report);
  json["predicted"] = nullptr;
  if (!time::why_not(**run))
    if (const auto predicted = time::predict(**run)) json["predicted"] = app::to_json(*predicted);
  return json;
}

Json words_of(const figures::Figure& figure, const figures::Subject& subject) {
  const figures::Said said = figures::what_it_says(figure, subject);
  return {{"headline", sentence(figures::message_of(figure, subject))},
          {"what", capitalized(said.explanation.what)},
          {"why", sentence(said.explanation.why)},
          {"fix", sentence(said.explanation.fix)},
          {"costs", said.explanation.verdict == explain::Verdict::costly}};
}

// One speed: as it was recorded with exactly these values, else as the model has it.
Json speed_json(Parts& parts, const run::Run& run) {
  const problem::Work work = problem::work_of(*run.job->instance);
  const double recorded = app::recorded_seconds(parts.workspace, run.plan());
  double seconds = recorded;
  if (seconds <= 0 && !time::why_not(run))
    if (const auto predicted = time::predict(run)) seconds = predicted->seconds;
  if (seconds <= 0 || work.amount <= 0) return nullptr;
  const std::string text = plot::si(work.amount / seconds, 3, " ", std::string(work.unit.substr(1)));
  const std::size_t space = text.find(' ');
  return {{"value", text.substr(0, space)},
          {"unit", space == std::string::npos ? "" : text.substr(space + 1)},
          {"from", recorded > 0 ? "recorded" : "predicted"}};
}

// Pixels that type has on a page: a picture that has no room for it is moved sideways.
constexpr double kLeastType = 8;

// The picture of a state as SVG, with its words. width, height: of the picture, which is larger where its type would be too small. early: before the whole launch ran, where that can
// be; without what all of it counts, and without words. beside: the words stand beside the picture, and not in it.
Answer answer_figure(Parts& parts, const app::State& state, const Json& asked) {
  auto options = app::export_options(state, parts.catalog);
  if (!options) return options.error();
  options->width = asked.value("width", options->width),
  options->height = asked.value("height", options->height);
  options->width = std::clamp(options->width, kFigureWidth.low, kFigureWidth.high);
  options->height = std::clamp(options->height, kFigureHeight.low, kFigureHeight.high);
  options->figure = app::named_figure(*options, parts.workspace);
  const figures::Figure* figure = figures::find_figure(options->figure);
  if (figure == nullptr) return Error{"there is no figure '" + options->figure + "'", "choose another one"};
  auto subject = app::subject_of({.workspace = parts.workspace,
                                  .options = *options,
                                  .figure = *figure,
                                  .library = parts.library,
                                  .is_early = asked.value("early", false) && app::is_drawn_early(*figure),
                                  .cancel = parts.cancel});
  if (!subject) return subject.error();
  if (asked.value("beside", false)) subject->look = figures::Look::page;
  const scene::Size size{static_cast<double>(options->width), static_cast<double>(options->height)};
  const auto draw = [&](scene::Size room) { return figures::draw(*figure, *subject, room, *parts.fonts); };
  const bool is_narrow = size.width < figures::least_size(*figure, subject->look).width;
  const auto slide = figures::slide(draw, size, *parts.fonts, {.least_type = is_narrow ? kLeastType : 0});
  if (!slide) return slide.error();
  const bool is_early = subject->run != nullptr && !subject->run->complete;
  const auto words = is_early ? scene::PictureWords{} : figures::picture_words(*figure, *subject);
  const auto svg =
      paint::to_svg(*slide, state.view.dark ? theme::dark() : theme::light(), *parts.fonts, words);
  if (!svg) return svg.error();
  Json json{{"figure", figure->id}, {"svg", *svg}, {"early", is_early}};
  if (!is_early) json["words"] = words_of(*figure, *subject);
  if (subject->run == nullptr) return json;
  if (!is_early) json["speed"] = speed_json(parts, *subject->run);
  json["access"] = subject->place.access + 1;
  json["accesses"] =
      subject->run->stories.at(subject->place.block)->accesses().of_warp(subject->place.warp).size();
  json["warps"] = subject->run->stories.at(subject->place.block)->accesses().warps();
  json["line"] = subject->place.line;
  if (!is_early) json["verified"] = !subject->run->report.is_wrong();
  return json;
}

// As many points are run at once in any browser: 128 x 128 x 128.
constexpr double kFirstPoints = 1 << 21;

bool runs_at_once(const catalog::Values& sizes) {
  double points = 1;
  for (const auto& [name, value] : sizes) points *= static_cast<double>(value);
  return points <= kFirstPoints;
}

// The problem's own, which is for a program on many cores, halved until it runs at once, and once more.
std::vector<catalog::Values> sizes_of(const problem::Problem& problem) {
  std::vector<catalog::Values> all{problem.default_sizes()};
  for (bool was_quick = false; !was_quick;) {
    was_quick = runs_at_once(all.back());
    all.push_back(all.back());
    for (auto& [name, value] : all.back()) value = std::max<std::int64_t>(1, value / 2);
  }
  return all;
}

catalog::Values first_size(const problem::Problem& problem) {
  const auto all = sizes_of(problem);
  return *std::ranges::find_if(all, runs_at_once);
}

std::string size_text(const problem::Problem& problem, const catalog::Values& sizes) {
  std::string text;
  for (const std::string& name : problem.size_names())
    text += (text.empty() ? "" : " × ") + std::to_string(sizes.at(name));
  return text;
}

// Those that may be chosen, and the one that is.
Json sizes_json(const problem::Problem& problem, const catalog::Values& chosen) {
  Json json = Json::array();
  auto all = sizes_of(problem);
  if (std::ranges::find(all, chosen) == all.end()) all.push_back(chosen);
  for (const catalog::Values& sizes : all)
    json.push_back({{"text", size_text(problem, sizes)}, {"size", sizes}, {"chosen", sizes == chosen}});
  return json;
}

// Complete values, the sliders' choices with why some are not valid, and the sizes. A state without a size gets one that is run
// at once, where `first` asks for it.
Answer answer_choices(Parts& parts, const app::State& asked, const Json& json_asked) {
  app::State state = asked;
  const auto spec = parts.catalog.find(state.kernel);
  if (!spec) return spec.error();
  const auto problem = problem::find_problem(*spec);
  if (!problem) return problem.error();
  if (state.size.empty() && json_asked.value("first", false)) state.size = first_size(**problem);
  if (const Status done = app::complete_kernel(state, *spec); !done) return done.error();
  const auto device = parts.devices.find(state.device);
  if (!device) return device.error();
  catalog::Choices choices(*spec, state.size, parts.runner.limits(*device, *spec, state.size));
  Json json{{"state", state_json(state)},
            {"kernel", kernel_json(*spec)},
            {"sizes", sizes_json(**problem, state.size)},
            {"sliders", Json::array()}};
  if (const auto options = app::export_options(state, parts.catalog)) {
    const figures::Figure* figure = figures::find_figure(app::named_figure(*options, parts.workspace));
    json["early"] = figure != nullptr && app::is_drawn_early(*figure);
  }
  if (const auto plan = run::plan(*spec, state.params, state.size, *device)) {
    const compile::Request wanted = run::build_request(*plan);
    json["arch"] = std::to_string(wanted.arch) + wanted.variant;
  }
  for (const catalog::Parameter& p : spec->params) {
    Json values = Json::array();
    for (const catalog::Choice& c : choices.of(p.name, state.params))
      values.push_back({{"value", c.value}, {"valid", c.valid}, {"reason", c.reason}});
    json["sliders"].push_back({{"name", p.name}, {"meaning", p.meaning}, {"values", values}});
  }
  return json;
}

// The file's lines from the kernel's own first one, with what its run counted.
Answer answer_code(Parts& parts, const app::State& state, const Json&) {
  const auto request = parts.request(state);
  if (!request) return request.error();
  const auto run = parts.runner.run(*request, parts.cancel);
  if (!run) return run.error();
  Json json{{"lines", Json::array()}};
  int number = 0;
  for (const std::string_view line : (*run)->source_lines)
    json["lines"].push_back({{"number", ++number}, {"text", line}});
  for (const report::LineRow& row : (*run)->lines.rows) {
    if (row.line < 1 || row.line > number) continue;
    Json& line = json["lines"][static_cast<std::size_t>(row.line - 1)];
    line["executed"] = row.executed, line["sector_share"] = row.sector_share;
  }
  return json;
}

// A kernel of somebody's own becomes one that states may name, each in a ladder of its own.
Answer answer_take(Parts& parts, const app::State&, const Json& asked) {
  const std::string text = asked.at("text").get<std::string>(), mark = fingerprint(text);
  const std::string id = std::string(kTaken) + mark + "/kernel";
  if (std::ranges::find(parts.taken, id) == parts.taken.end()) {
    if (const Status added = parts.catalog.add(id, text); !added) return added.error();
    parts.taken.push_back(id);
    if (parts.taken.size() > kMostTaken) parts.catalog.remove(parts.taken.front()), parts.taken.pop_front();
    parts.workspace.keep_catalog(parts.catalog);
  }
  const auto spec = parts.catalog.find(id);
  if (!spec) return spec.error();
  if (const auto problem = problem::find_problem(*spec); !problem) return problem.error();
  return Json{{"kernel", id}};
}

Answer answer_to_file(Parts&, const app::State& state, const Json&) {
  return Json{{"toml", app::to_toml(state)}};
}

Answer answer_from_file(Parts& parts, const app::State&, const Json& asked) {
  const auto read = app::parse_state(asked.value("toml", ""), "the file");
  if (!read) return read.error();
  const auto state = state_of(state_json(*read), parts.known());
  if (!state) return state.error();
  return state_json(*state);
}

template <Answer (Lessons::*Member)(const Json&)>
Answer of_lesson(Parts& parts, const app::State&, const Json& asked) {
  return (*parts.lessons.*Member)(asked);
}

Answer answer_reached(Parts& parts, const app::State& state, const Json& asked) {
  return parts.lessons->reached(asked, state);
}

struct RequestRow {
  std::string_view name;
  Answer (*answer)(Parts&, const app::State&, const Json&);
};
constexpr std::array kRequests{RequestRow{"catalog", answer_catalog},
                               RequestRow{"run", answer_run},
                               RequestRow{"figure", answer_figure},
                               RequestRow{"choices", answer_choices},
                               RequestRow{"code", answer_code},
                               RequestRow{"stop", of_lesson<&Lessons::stop>},
                               RequestRow{"kernels", of_lesson<&Lessons::kernels>},
                               RequestRow{"answer", of_lesson<&Lessons::answer>},
                               RequestRow{"reached", answer_reached},
                               RequestRow{"take", answer_take},
                               RequestRow{"to_file", answer_to_file},
                               RequestRow{"from_file", answer_from_file}};

}  // namespace

Session::Session(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(const CommonOptions& common,
                                               std::shared_ptr<const scene::TextMeasure> fonts) {
  auto workspace = app::Workspace::open(common);
  if (!workspace) return workspace.error();
  auto catalog = workspace->catalog();
  if (!catalog) return catalog.error();
  workspace->keep_catalog(*catalog);
  auto devices = workspace->devices();
  if (!devices) return devices.error();
  compile::Compiler compiler = workspace->compiler();
  auto parts =
      std::unique_ptr<Parts>(new Parts{*std::move(workspace), *std::move(catalog), *std::move(devices),
                                       std::move(fonts), run::Runner(std::move(compiler))});
  parts->lessons.emplace(parts->workspace.home(), parts->catalog, parts->devices,
                         *parts->workspace.recorded(), parts->runner);
  return std::unique_ptr<Session>(new Session(std::move(parts)));
}

Json Session::answer(std::string_view request, const Json& asked) {
  const auto& rows = kRequests;
  const auto row = std::ranges::find(rows, request, &RequestRow::name);
  if (row == rows.end()) return error_json({"there is no request '" + std::string(request) + "'", ""});
  parts_->cancel = false;
  const auto state = state_of(asked, parts_->known());
  if (!state) return error_json(state.error());
  try {
    const Answer answer = row->answer(*parts_, *state, asked);
    return answer ? *answer : error_json(answer.error());
  } catch (const nlohmann::json::exception& wrong) {
    return error_json({std::string("the request is not understood: ") + wrong.what(), ""});
  }
}

void Session::cancel() { parts_->cancel = true; }

Result<compile::Request> Session::to_compile(const Json& asked) {
  const auto state = state_of(asked, parts_->known());
  if (!state) return state.error();
  const auto request = parts_->request(*state);
  if (!request) return request.error();
  const auto plan = run::plan(request->spec, request->parameters, request->sizes, request->device);
  if (!plan) return plan.error();
  return run::build_request(*plan);
}

}  // namespace warplens::app::page
