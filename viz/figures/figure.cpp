#include "viz/figures/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/explain/doubt.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/explain/reuse.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/access/block_order.hpp"
#include "viz/figures/access/line_lanes.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/flow/flow.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/parts/notice.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/figures/performance/performance_words.hpp"
#include "viz/figures/performance/transfers.hpp"
#include "viz/figures/rounding/rounding.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/time/waits.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/banks.hpp"
#include "viz/figures/warp/coalescing.hpp"
#include "viz/figures/warp/warp_access_view.hpp"
#include "viz/plot/plot_layout.hpp"

namespace warplens::figures {

bool Subject::operator==(const Subject&) const = default;

namespace {

constexpr std::array kFigures = {
    Figure{.id = "access",
           .title = "Access",
           .least = {720, 560},
           .takes_colors = true,
           .moves = true,
           .draw = draw_access,
           .csv = access_table,
           .pick = pick_in_access,
           .places = places_in_access},
    Figure{.id = "coalescing",
           .title = "Coalescing",
           .least = {640, 560},
           .takes_index = true,
           .moves = true,
           .draw = draw_coalescing,
           .csv = coalescing_table},
    Figure{.id = "banks",
           .title = "Banks",
           .least = {640, 560},
           .takes_index = true,
           .shows_shared = true,
           .moves = true,
           .draw = draw_banks,
           .csv = banks_table},
    Figure{.id = "bank-map",
           .title = "Bank map",
           .reads = Reads::block,
           .least = {600, 440},
           .draw = draw_bank_map,
           .csv = bank_map_table,
           .pick = pick_in_bank_map,
           .places = places_in_bank_map},
    Figure{.id = "occupancy",
           .title = "Occupancy",
           .reads = Reads::occupancy,
           .least = {680, 500},
           .draw = draw_occupancy,
           .csv = occupancy_table},
    Figure{.id = "flow",
           .title = "Data flow",
           .reads = Reads::run,
           .least = {660, 560},
           .takes_per = true,
           .moves = true,
           .draw = draw_flow,
           .csv = flow_table},
    Figure{.id = "time",
           .title = "Time",
           .reads = Reads::schedule,
           .least = {700, 520},
           .takes_cycles = true,
           .draw = draw_time,
           .csv = time_table,
           .pick = pick_in_time},
    Figure{.id = "latency",
           .title = "Latency",
           .reads = Reads::warps,
           .least = {640, 480},
           .draw = draw_latency,
           .csv = latency_table},
    Figure{.id = "timeline",
           .title = "Timeline",
           .reads = Reads::timeline,
           .least = {640, 520},
           .draw = draw_timeline,
           .csv = timeline_table},
    Figure{.id = "waits",
           .title = "Waiting",
           .reads = Reads::steps,
           .least = {640, 440},
           .draw = draw_waits,
           .csv = waits_table},
    Figure{.id = "rounding",
           .title = "Rounding",
           .reads = Reads::rounding,
           .least = {640, 520},
           .draw = draw_rounding,
           .csv = rounding_table},
    Figure{.id = "speed-map",
           .title = "Speed map",
           .reads = Reads::map,
           .least = {660, 520},
           .takes_axes = true,
           .draw = draw_speed_map,
           .csv = speed_map_table},
    Figure{.id = "ladder",
           .title = "Ladder",
           .reads = Reads::ladder,
           .least = {620, 440},
           .plot = ladder_plot,
           .words = ladder_words},
    Figure{.id = "size-curve",
           .title = "Size curve",
           .reads = Reads::ladder,
           .least = {600, 420},
           .over_sizes = true,
           .plot = size_plot,
           .words = size_words},
    Figure{.id = "roofline",
           .title = "Roofline",
           .reads = Reads::ladder,
           .least = {660, 470},
           .needs_operations = true,
           .plot = roofline_plot,
           .words = roofline_words},
    Figure{.id = "transfers",
           .title = "Transfers",
           .reads = Reads::ladder,
           .least = {640, 440},
           .of_transfers = true,
           .plot = transfers_plot},
    Figure{.id = "bus",
           .title = "Bus",
           .reads = Reads::ladder,
           .least = {640, 360},
           .of_transfers = true,
           .plot = bus_plot},
    Figure{.id = "streams",
           .title = "Streams",
           .reads = Reads::ladder,
           .least = {640, 480},
           .of_transfers = true,
           .plot = streams_plot},
    Figure{.id = "concurrent",
           .title = "Kernels at once",
           .reads = Reads::ladder,
           .least = {640, 440},
           .of_transfers = true,
           .plot = concurrent_plot},
    Figure{.id = "live", .title = "Live", .reads = Reads::window, .has_panel = true},
    Figure{.id = "code",
           .title = "Code",
           .least = {540, 360},
           .has_panel = true,
           .takes_code = true,
           .draw = draw_code,
           .csv = code_table}};

// How many rows from the first on fulfil the condition.
template <class Condition>
constexpr std::size_t first_of(Condition condition) {
  return static_cast<std::size_t>(std::find_if_not(kFigures.begin(), kFigures.end(), condition) -
                                  kFigures.begin());
}

std::optional<explain::Facts> facts_of(const Figure& figure, const Subject& subject) {
  const bool is_of_access = figure.reads == Reads::access && !figure.has_panel;
  if (!is_of_access || subject.run == nullptr || subject.own_access != nullptr) return std::nullopt;
  const Place& place = subject.place;
  const auto shown = shown_access(figure, *subject.run, place);
  return shown ? explain::facts_at(*subject.run, {place.block, place.warp, *shown}) : std::nullopt;
}

// Pictures of sectors and banks say what an access costs, that of all arrays also what it is for.
explain::Explanation words_of(const Figure& figure, const Subject& subject, const explain::Facts& facts) {
  return explain::that_pays(
      figure.draw == draw_access ? explain::explain_use(facts) : explain::explain(facts),
      subject.payoffs.get(), &facts);
}
// Of the whole step, or of a line of it.
explain::Explanation of_step(const Subject& subject, explain::Explanation said) {
  return explain::that_pays(std::move(said), subject.payoffs.get());
}

// Whether the access figure shows the lanes of a line instead.
bool shows_line(const Figure& figure, const Subject& subject) {
  return figure.draw == draw_access && subject.is_recorded() && subject.place.line > 0;
}

explain::Explanation block_words(const Subject& subject) {
  return bank_map_words(*subject.banks, *subject.run, subject.place.block, subject.payoffs.get());
}

// Of the access that a figure of one access shows; nothing said of all others.
explain::Explanation explanation_of(const Figure& figure, const Subject& subject) {
  if (!has_words(subject.look) || subject.is_guessed) return {};  // a headline says it
  if (shows_line(figure, subject))
    return explain::without_praise(of_step(subject, line_words(*subject.run, subject.place)), *subject.run);
  if (const auto facts = facts_of(figure, subject))
    return explain::without_praise(words_of(figure, subject, *facts), *subject.run);
  if (figure.draw == draw_occupancy) {
    const explain::Explanation said = occupancy_words(subject);
    return subject.run == nullptr ? said : explain::without_praise(said, *subject.run);
  }
  if (figure.reads == Reads::block && subject.banks != nullptr && subject.is_recorded())
    return explain::without_praise(block_words(subject), *subject.run);
  return {};
}

// Of what the strip below speaks.
std::string strip_of(const Figure& figure, const Subject& subject) {
  if (shows_line(figure, subject)) return std::string(kOfLine);
  if (figure.reads == Reads::block) return std::string(kOfBlock);
  if (figure.reads != Reads::access) return std::string(kOfStep);
  const auto facts = facts_of(figure, subject);
  const std::string share = facts ? explain::share_words(subject.payoffs.get(), *facts).text : "";
  return share.empty() ? std::string(kOfAccess) : fmt::format("{}: {}", kOfAccess, share);
}

const StepWords& step_words(const Subject& subject) {
  static const StepWords nothing;
  return subject.step == nullptr ? nothing : *subject.step;
}

// Pictures of a whole need the height, and more so where there is little.
constexpr double kLowStrip = 640;
StripType strip_type(const Figure& figure, scene::Size size) {
  const bool is_of_access = figure.reads == Reads::access;
  return !is_of_access && size.height < kLowStrip ? StripType::small : StripType::normal;
}

StripType plot_strip_type(scene::Size size) {
  return size.height < kLowStrip ? StripType::small : StripType::normal;
}

// Of the strip below a figure; two pictures beside each other have strips of one height.
double strip_height(const Figure& figure, const Subject& subject, scene::Size size,
                    const scene::TextMeasure& measure) {
  const double width = size.width - 2 * kMargin;
  const auto height_of = [&](const Subject& one) {
    return explanation_height(explanation_of(figure, one), step_words(one), width, measure,
                              strip_type(figure, size));
  };
  return subject.beside == nullptr ? height_of(subject)
                                   : std::max(height_of(subject), height_of(*subject.beside));
}

// What is new in the step stands above a picture of one of its accesses.
double head_height(const Figure& figure, const Subject& subject, double width,
                   const scene::TextMeasure& measure) {
  if (subject.step == nullptr || explanation_of(figure, subject).what.empty()) return 0;
  return head_height(*subject.step, width, measure);
}

std::optional<explain::Notice> notice_of(const Figure& figure, const Subject& subject) {
  if (subject.run == nullptr || !subject.says_notice || figure.plot != nullptr) return std::nullopt;
  return explain::notice(*subject.run);
}

// Above everything; two pictures beside each other leave the same room for it.
double notice_room(const Figure& figure, const Subject& subject, scene::Size size,
                   const scene::TextMeasure& measure) {
  const auto room_of = [&](const Subject& one) {
    const auto notice = notice_of(figure, one);
    return notice ? notice_height(*notice, size.width - 2 * kMargin, measure) + kMargin / 2 : 0;
  };
  return subject.beside == nullptr ? room_of(subject) : std::max(room_of(subject), room_of(*subject.beside));
}

void add_notice_above(Group& group, const Figure& figure, const Subject& subject, scene::Size size,
                      const scene::TextMeasure& measure) {
  const auto notice = notice_of(figure, subject);
  if (!notice) return;
  const double width = size.width - 2 * kMargin;
  add_notice(group, {kMargin, kMargin / 2, width, notice_height(*notice, width, measure)}, *notice, measure);
}

// A figure, the notice and the head above it, and the strip below it.
struct Parts {
  scene::Size figure;
  Rect strip = {}, head = {};
  double notice = 0;                                   // the room above the head
  double top() const { return notice + head.height; }  // of the figure
};
Parts parts_of(const Figure& figure, const Subject& subject, scene::Size size,
               const scene::TextMeasure& measure) {
  const double width = size.width - 2 * kMargin, notice = notice_room(figure, subject, size, measure);
  const double height = strip_height(figure, subject, size, measure);
  if (height == 0) return {.figure = {size.width, size.height - notice}, .notice = notice};
  const double head = head_height(figure, subject, width, measure), top = size.height - kMargin - height;
  return {{size.width, top - head - notice},
          {kMargin, top, width, height},
          {kMargin, notice + kMargin / 2, width, head},
          notice};
}

Result<scene::Scene> draw_explained(const Figure& figure, const Subject& subject, scene::Size size,
                                    const scene::TextMeasure& measure) {
  const Parts parts = parts_of(figure, subject, size, measure);
  auto scene = figure.draw(subject, parts.figure, measure);
  if (!scene) return scene;
  scene->size = size;
  if (parts.top() > 0) {
    Group picture = std::exchange(scene->root, {});
    picture.origin = picture.origin + Point{0, parts.top()};
    scene->root.group(std::move(picture));
  }
  add_notice_above(scene->root, figure, subject, size, measure);
  if (parts.head.height > 0) add_head(scene->root, parts.head, *subject.step, measure);
  if (const explain::Explanation said = explanation_of(figure, subject); !said.what.empty())
    add_explanation(scene->root, parts.strip, said, step_words(subject), subject.next, measure,
                    strip_of(figure, subject), strip_type(figure, size));
  return scene;
}

// What a class could not read is left out.
void drop_small_text(Group& group, double scale = 1) {
  std::erase_if(group.items, [&](scene::Item& item) {
    if (auto* inner = std::get_if<Group>(&item.shape)) drop_small_text(*inner, scale * inner->scale);
    const auto* text = std::get_if<scene::TextShape>(&item.shape);
    return text != nullptr && text->style.size * scale < theme::metric::kCaption - 0.01;
  });
}

Result<scene::Scene> draw_whole(const Figure& figure, const Subject& subject, scene::Size size,
                                const scene::TextMeasure& measure) {
  if (figure.plot == nullptr) return draw_explained(figure, subject, size, measure);
  if (const auto why = why_no_plot(figure, *subject.performance)) return *why;
  const explain::Explanation said =
      has_words(subject.look) ? plot_words(figure, *subject.performance) : explain::Explanation{};
  scene::Scene scene = plot::plot_scene(plot_of(figure, *subject.performance, subject.for_class()),
                                        room_above(said, size, measure), measure);
  add_words_below(scene, said, size, measure);
  return scene;
}

// Numbers are green where they are good.
void drop_green_words(Group& group) {
  for (scene::Item& item : group.items) {
    if (auto* inner = std::get_if<Group>(&item.shape)) drop_green_words(*inner);
    auto* text = std::get_if<scene::TextShape>(&item.shape);
    if (text != nullptr && text->style.color == Color{Token::good}) text->style.color = Token::text;
  }
}

Result<scene::Scene> draw_for(const Figure& figure, const Subject& subject, scene::Size size,
                              const scene::TextMeasure& measure) {
  auto scene = draw_whole(figure, subject, size, measure);
  if (scene && subject.run != nullptr && figure.plot == nullptr && !explain::reserve(*subject.run).empty())
    drop_green_words(scene->root);
  if (scene && subject.for_class()) drop_small_text(scene->root);
  return scene;
}

}  // namespace

std::span<const Figure> all_figures() { return kFigures; }

std::span<const Figure> pictures() {
  constexpr std::size_t count = first_of([](const Figure& figure) { return !figure.has_panel; });
  return std::span(kFigures).first(count);
}

std::span<const Figure> figures_of_a_run() {
  constexpr std::size_t count = first_of([](const Figure& figure) { return figure.reads != Reads::ladder; });
  return std::span(kFigures).first(count);
}

const Figure* find_figure(std::string_view id) {
  const auto found =
      std::find_if(kFigures.begin(), kFigures.end(), [&](const Figure& figure) { return figure.id == id; });
  return found == kFigures.end() ? nullptr : &*found;
}

std::optional<Error> why_no_plot(const Figure& figure, const PerformanceInput& input) {
  if (figure.needs_operations && !has_operations(input))
    return Error{"this problem has no floating-point operations to put on a roofline",
                 "the ladder shows its speed in bytes a second"};
  if (figure.needs_operations && !input.roofline)
    return Error{"the peaks of this device are not known", "choose another device"};
  if (!figure.plot(input).series.empty()) return std::nullopt;
  if (figure.of_transfers)
    return Error{"transfers to " + input.device + " were not measured",
                 "choose the H200, or measure with 'warplens transfers' on a machine with a GPU"};
  return Error{
      "there is nothing to plot: no recorded measurement, and nothing that the model of time predicts",
      "choose another ladder, such as matmul"};
}

namespace {

Said all_it_says(const Figure& figure, const Subject& subject) {
  AccessOptions options = subject.access;
  options.look = subject.look;
  if (figure.draw == draw_access && subject.is_recorded() && shows_order(subject.place, options))
    return {order_words(*subject.run, *options.order), "In which order do blocks take tiles?"};
  if (shows_line(figure, subject))
    return {of_step(subject, line_words(*subject.run, subject.place)),
            shows_instructions(*subject.run, subject.place) ? "How many instructions does a thread execute?"
                                                            : "How many lanes of this warp work here?"};
  if (const auto facts = facts_of(figure, subject)) {
    const bool loads = facts->access.kind == emulator::AccessKind::load;
    const explain::Explanation said = words_of(figure, subject, *facts);
    const std::string question = explain::question_of(said, *facts);
    return {said,
            !question.empty() ? question
                              : fmt::format("How many {} does this {} {} take?",
                                            facts->pieces.is_shared ? "wavefronts" : "sectors",
                                            loads ? "load of" : "access to", facts->array),
            "", explain::share_words(subject.payoffs.get(), *facts).text};
  }
  if (subject.run == nullptr || subject.own_access != nullptr) return {};
  if (figure.reads == Reads::occupancy && subject.run->complete)
    return {occupancy_words(subject), "How many warps does a multiprocessor hold?"};
  if (figure.reads == Reads::run && subject.run->complete) {
    FlowSaid said = flow_words(subject);
    return {std::move(said.explanation), std::move(said.question), std::move(said.unit)};
  }
  if (figure.reads == Reads::schedule && subject.schedule != nullptr && *subject.schedule) {
    TimeSaid said = time_words(*subject.run->job, (*subject.schedule)->prediction);
    return {std::move(said.explanation), std::move(said.question), std::move(said.unit)};
  }
  if (figure.reads == Reads::warps && subject.over_warps != nullptr && *subject.over_warps) {
    TimeSaid said = latency_words(*subject.run, **subject.over_warps);
    return {std::move(said.explanation), std::move(said.question), std::move(said.unit)};
  }
  if (figure.reads == Reads::map && subject.speed_map != nullptr && *subject.speed_map) {
    TimeSaid said = map_words(subject, **subject.speed_map);
    return {std::move(said.explanation), std::move(said.question), std::move(said.unit)};
  }
  if (figure.reads == Reads::timeline && subject.timeline != nullptr && *subject.timeline) {
    TimeSaid said = timeline_words((*subject.timeline)->model);
    return {std::move(said.explanation), std::move(said.question), std::move(said.unit)};
  }
  if (figure.reads == Reads::steps && subject.times != nullptr) {
    TimeSaid said = waits_words(*subject.run, *subject.times);
    return {std::move(said.explanation), std::move(said.question), std::move(said.unit)};
  }
  if (figure.reads == Reads::rounding && subject.rounding != nullptr && *subject.rounding)
    return {rounding_words(**subject.rounding), "How far is the sum from the true one?"};
  if (subject.banks != nullptr) return {block_words(subject), "Where do words wait for a bank?"};
  return {of_step(subject, explain::explain(*subject.run)), "What does this step cost?"};
}

}  // namespace

namespace {

// What was found in a run that stopped or is wrong comes before what its pictures cost.
std::optional<Said> finding_of(const run::Run& run) {
  if (!run.fault && !check::has_error(run.report.findings)) return std::nullopt;
  const auto notice = explain::notice(run);
  const int line = notice ? notice->line : run.fault->place.line;
  explain::Explanation said;
  said.verdict = explain::Verdict::costly, said.what = explain::doubt(run);
  if (line > 0) said.what += fmt::format(", line {}", line);
  said.why = notice ? notice->words : run.fault->message;
  said.fix = notice ? notice->fix : run.fault->next_step;
  return Said{std::move(said), "Does it do what it shall?"};
}

}  // namespace

Said what_it_says(const Figure& figure, const Subject& subject) {
  if (subject.run != nullptr)
    if (auto found = finding_of(*subject.run)) return *std::move(found);
  Said said = all_it_says(figure, subject);
  if (subject.run != nullptr)
    said.explanation = explain::without_praise(std::move(said.explanation), *subject.run);
  return said;
}

scene::Size least_size(const Figure& figure, Look look) {
  constexpr scene::Size on_stage{420, 320};
  // Without the words of some figures less is enough.
  constexpr scene::Size on_page{560, 400};
  if (is_on_stage(look)) return on_stage;
  if (has_words(look)) return figure.least;
  return {std::min(figure.least.width, on_page.width), std::min(figure.least.height, on_page.height)};
}

plot::Plot plot_of(const Figure& figure, const PerformanceInput& input, bool for_class) {
  PerformanceInput shown = input;
  shown.for_class = for_class;
  plot::Plot plot = figure.plot(shown);
  if (for_class) plot.subtitle.clear(), plot.caption.clear();
  return plot;
}

explain::Explanation plot_words(const Figure& figure, const PerformanceInput& input) {
  return figure.words == nullptr ? explain::Explanation{} : figure.words(input);
}

scene::Size room_above(const explain::Explanation& said, scene::Size size,
                       const scene::TextMeasure& measure) {
  const double height =
      explanation_height(said, {}, size.width - 2 * kMargin, measure, plot_strip_type(size));
  return {size.width, size.height - (height > 0 ? height + kMargin / 2 : 0)};
}

void add_words_below(scene::Scene& plot, const explain::Explanation& said, scene::Size size,
                     const scene::TextMeasure& measure) {
  const StripType type = plot_strip_type(size);
  const double width = size.width - 2 * kMargin, height = explanation_height(said, {}, width, measure, type);
  plot.size = size;
  if (height <= 0) return;
  const Rect strip{kMargin, size.height - kMargin / 2 - height, width, height};
  add_explanation(plot.root, strip, said, {}, {}, measure, kOfPlot, type);
}

std::optional<std::uint32_t> shown_access(const Figure& figure, const run::Run& run, const Place& place) {
  const report::BlockAccesses& accesses = story_at(run, place).accesses();
  const bool of_shared = figure.shows_shared || figure.reads == Reads::block;  // whose map it is
  if (figure.takes_index || figure.reads == Reads::block)
    return nearest_access(accesses, place.warp, place.access,
                          of_shared ? ptx::Space::shared : ptx::Space::global);
  return place.access < accesses.of_warp(place.warp).size() ? std::optional(place.access) : std::nullopt;
}

Result<scene::Scene> draw(const Figure& figure, const Subject& subject, scene::Size size,
                          const scene::TextMeasure& measure) {
  // Two beside each other have half of a stage each: its words stay as large as the class reads them.
  constexpr scene::Size beside{290, 280};
  scene::Size least = subject.for_class() && subject.beside != nullptr && figure.plot == nullptr
                          ? beside
                          : least_size(figure, subject.look);
  least.height += notice_room(figure, subject, least, measure);
  const double scale = std::min(size.width / least.width, size.height / least.height);
  if (scale >= 1) return draw_for(figure, subject, size, measure);
  auto whole = draw_for(figure, subject, {size.width / scale, size.height / scale}, measure);
  if (!whole) return whole;
  scene::Scene smaller{size, whole->background};
  whole->root.scale = scale;
  smaller.root.group(std::move(whole->root));
  return smaller;
}

scene::Scene draw_or_say(const Figure& figure, const Subject& subject, scene::Size size,
                         const scene::TextMeasure& measure) {
  const auto scene = draw(figure, subject, size, measure);
  if (scene) return *scene;
  const Error& error = scene.error();
  scene::Scene message = message_scene(size, sentence(error.message), sentence(error.next_step), measure);
  add_notice_above(message.root, figure, subject, size, measure);
  return message;
}

std::optional<Pick> pick(const Figure& figure, const Subject& subject, const scene::Scene& shown,
                         const scene::TextMeasure& measure, Point point) {
  if (figure.pick == nullptr) return std::nullopt;
  const Parts parts = parts_of(figure, subject, shown.size, measure);
  return figure.pick(subject, shown, parts.figure, measure, {point.x, point.y - parts.top()});
}

std::vector<Rect> places(const Figure& figure, const Subject& subject, const scene::Scene& shown,
                         const scene::TextMeasure& measure, std::span<const CellId> cells) {
  if (figure.places == nullptr || cells.empty()) return {};
  const Parts parts = parts_of(figure, subject, shown.size, measure);
  auto found = figure.places(subject, shown, parts.figure, measure, cells);
  for (Rect& rect : found) rect.y += parts.top();
  return found;
}

Result<std::string> csv(const Figure& figure, const Subject& subject) {
  if (figure.plot == nullptr) return figure.csv(subject);
  if (const auto why = why_no_plot(figure, *subject.performance)) return *why;
  return plot::to_csv(figure.plot(*subject.performance));
}

}  // namespace warplens::figures
