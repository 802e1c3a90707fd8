#include "viz/figures/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/explain/doubt.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/access/line_lanes.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/figure_says.hpp"
#include "viz/figures/flow/flow.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/parts/notice.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/figures/performance/performance_words.hpp"
#include "viz/figures/performance/timing.hpp"
#include "viz/figures/performance/transfers.hpp"
#include "viz/figures/tensor/boxes.hpp"
#include "viz/figures/tensor/cluster.hpp"
#include "viz/figures/tensor/fragments.hpp"
#include "viz/figures/tensor/pipeline.hpp"
#include "viz/figures/tensor/swizzle.hpp"
#include "viz/figures/tensor/tile_order.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/time/waits.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/banks.hpp"
#include "viz/figures/warp/coalescing.hpp"
#include "viz/figures/warp/rounding.hpp"
#include "viz/figures/warp/warp_access_view.hpp"
#include "viz/plot/plot_layout.hpp"

namespace warplens::figures {

using study::Fact;

bool Subject::operator==(const Subject&) const = default;

namespace {

constexpr std::array kFigures = {
    Figure{.id = "access",
           .title = "Access",
           .least = {720, 560},
           .wants = {Fact::payoffs, Fact::before},
           .on_stage = Fact::order,
           .traits = {Trait::colors, Trait::film},
           .draw = draw_access,
           .csv = access_table,
           .says = say_access,
           .pick = pick_in_access,
           .places = places_in_access},
    Figure{.id = "coalescing",
           .title = "Coalescing",
           .least = {640, 560},
           .wants = {Fact::payoffs, Fact::before},
           .memory = ptx::Space::global,
           .traits = {Trait::index, Trait::film},
           .draw = draw_coalescing,
           .csv = coalescing_table,
           .says = say_access},
    Figure{.id = "banks",
           .title = "Banks",
           .least = {640, 560},
           .wants = {Fact::payoffs, Fact::before},
           .memory = ptx::Space::shared,
           .traits = {Trait::index, Trait::film},
           .draw = draw_banks,
           .csv = banks_table,
           .says = say_access},
    Figure{.id = "bank-map",
           .title = "Bank map",
           .of = Of::block,
           .least = {600, 440},
           .needs = Fact::banks,
           .wants = Fact::payoffs,
           .memory = ptx::Space::shared,
           .draw = draw_bank_map,
           .csv = bank_map_table,
           .says = say_banks,
           .pick = pick_in_bank_map,
           .places = places_in_bank_map},
    Figure{.id = "occupancy",
           .title = "Occupancy",
           .of = Of::run,
           .least = {680, 500},
           .wants = Fact::payoffs,
           .traits = {Trait::resources},
           .draw = draw_occupancy,
           .csv = occupancy_table,
           .says = say_occupancy},
    Figure{.id = "flow",
           .title = "Data flow",
           .of = Of::run,
           .least = {660, 560},
           .wants = {Fact::payoffs, Fact::before, Fact::scale},
           .traits = {Trait::per, Trait::film},
           .draw = draw_flow,
           .csv = flow_table,
           .says = say_flow},
    Figure{.id = "time",
           .title = "Time",
           .of = Of::run,
           .least = {700, 520},
           .needs = Fact::schedule,
           .wants = Fact::payoffs,
           .traits = {Trait::cycles},
           .draw = draw_time,
           .csv = time_table,
           .says = say_time,
           .pick = pick_in_time},
    Figure{.id = "latency",
           .title = "Latency",
           .of = Of::run,
           .least = {640, 480},
           .needs = Fact::over_warps,
           .draw = draw_latency,
           .csv = latency_table,
           .says = say_latency},
    Figure{.id = "timeline",
           .title = "Timeline",
           .of = Of::run,
           .least = {640, 520},
           .needs = Fact::timeline,
           .draw = draw_timeline,
           .csv = timeline_table,
           .says = say_timeline},
    Figure{.id = "waits",
           .title = "Waiting",
           .of = Of::run,
           .least = {640, 440},
           .needs = Fact::times,
           .traits = {Trait::compares},
           .draw = draw_waits,
           .csv = waits_table,
           .says = say_waits},
    Figure{.id = "rounding",
           .title = "Rounding",
           .of = Of::run,
           .least = {640, 520},
           .needs = Fact::rounding,
           .traits = {Trait::compares},
           .draw = draw_rounding,
           .csv = rounding_table,
           .says = say_rounding},
    Figure{.id = "timing",
           .title = "Timing",
           .of = Of::run,
           .least = {640, 520},
           .traits = {Trait::samples, Trait::compares},
           .draw = draw_timing,
           .csv = timing_table,
           .says = say_timing},
    Figure{.id = "speed-map",
           .title = "Speed map",
           .of = Of::run,
           .least = {660, 520},
           .needs = Fact::speed_map,
           .traits = {Trait::axes},
           .draw = draw_speed_map,
           .csv = speed_map_table,
           .says = say_speed_map},
    Figure{.id = "fragments",
           .title = "Fragments",
           .of = Of::block,
           .least = {760, 560},
           .needs = Fact::tensor,
           .traits = {Trait::element},
           .draw = draw_fragments,
           .csv = fragments_table,
           .says = say_fragments,
           .pick = pick_in_fragments,
           .places = places_in_fragments},
    Figure{.id = "swizzle",
           .title = "Swizzle",
           .of = Of::block,
           .least = {760, 560},
           .needs = Fact::tensor,
           .traits = {Trait::element},
           .draw = draw_swizzle,
           .csv = swizzle_table,
           .says = say_swizzle,
           .pick = pick_in_swizzle,
           .places = places_in_swizzle},
    Figure{.id = "tma",
           .title = "TMA",
           .of = Of::block,
           .least = {760, 560},
           .needs = Fact::tensor,
           .traits = {Trait::element},
           .draw = draw_boxes,
           .csv = boxes_table,
           .says = say_boxes,
           .pick = pick_in_boxes,
           .places = places_in_boxes},
    Figure{.id = "pipeline",
           .title = "Pipeline",
           .of = Of::block,
           .least = {700, 520},
           .needs = Fact::tensor,
           .draw = draw_pipeline,
           .csv = pipeline_table,
           .says = say_pipeline},
    Figure{.id = "cluster",
           .title = "Cluster",
           .of = Of::block,
           .least = {640, 440},
           .needs = Fact::tensor,
           .draw = draw_cluster,
           .csv = cluster_table,
           .says = say_cluster},
    Figure{.id = "tile-order",
           .title = "Tile order",
           .of = Of::block,
           .least = {540, 440},
           .needs = Fact::tiles,
           .draw = draw_tile_order,
           .csv = tile_order_table,
           .says = say_tile_order},
    Figure{.id = "ladder",
           .title = "Ladder",
           .of = Of::ladder,
           .least = {620, 440},
           .plot = ladder_plot,
           .words = ladder_words},
    Figure{.id = "size-curve",
           .title = "Size curve",
           .of = Of::ladder,
           .least = {600, 420},
           .traits = {Trait::sizes},
           .plot = size_plot,
           .words = size_words},
    Figure{.id = "roofline",
           .title = "Roofline",
           .of = Of::ladder,
           .least = {660, 470},
           .traits = {Trait::operations},
           .plot = roofline_plot,
           .words = roofline_words},
    Figure{.id = "transfers",
           .title = "Transfers",
           .of = Of::device,
           .least = {640, 440},
           .plot = transfers_plot},
    Figure{.id = "bus", .title = "Bus", .of = Of::device, .least = {640, 360}, .plot = bus_plot},
    Figure{.id = "streams", .title = "Streams", .of = Of::device, .least = {640, 480}, .plot = streams_plot},
    Figure{.id = "concurrent",
           .title = "Kernels at once",
           .of = Of::device,
           .least = {640, 440},
           .plot = concurrent_plot},
    Figure{.id = "live", .title = "Live", .of = Of::window, .traits = {Trait::panel}},
    Figure{.id = "code",
           .title = "Code",
           .of = Of::source,
           .least = {540, 360},
           .wants = Fact::payoffs,
           .traits = {Trait::panel, Trait::code},
           .draw = draw_code,
           .csv = code_table}};

// How many rows from the first on fulfil the condition.
template <class Condition>
constexpr std::size_t first_of(Condition condition) {
  return static_cast<std::size_t>(std::find_if_not(kFigures.begin(), kFigures.end(), condition) -
                                  kFigures.begin());
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
  if (figure.of == Of::block && subject.known.banks != nullptr && subject.is_recorded())
    return explain::without_praise(block_words(subject), *subject.run);
  return {};
}

// Of what the strip below speaks.
std::string strip_of(const Figure& figure, const Subject& subject) {
  if (shows_line(figure, subject)) return std::string(kOfLine);
  if (figure.of == Of::block) return std::string(kOfBlock);
  if (figure.of != Of::access) return std::string(kOfStep);
  const auto facts = facts_of(figure, subject);
  const std::string share = facts ? explain::share_words(subject.known.payoffs.get(), *facts).text : "";
  return share.empty() ? std::string(kOfAccess) : fmt::format("{}: {}", kOfAccess, share);
}

const StepWords& step_words(const Subject& subject) {
  static const StepWords nothing;
  return subject.step == nullptr ? nothing : *subject.step;
}

// Pictures of a whole need the height, and more so where there is little.
constexpr double kLowStrip = 640;
StripType strip_type(const Figure& figure, scene::Size size) {
  return !is_of_access(figure) && size.height < kLowStrip ? StripType::small : StripType::normal;
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

// What the model of time says is in its picture.
bool is_of_time(const Figure& figure) {
  return figure.needs.has(Fact::schedule) || figure.needs.has(Fact::over_warps) ||
         figure.needs.has(Fact::timeline) || figure.needs.has(Fact::times);
}

std::optional<explain::Notice> notice_of(const Figure& figure, const Subject& subject) {
  if (subject.run == nullptr || !subject.says_notice || figure.plot != nullptr) return std::nullopt;
  auto notice = explain::notice(*subject.run);
  if (notice && is_of_time(figure) && !explain::doubt(*subject.run).empty())
    notice->words =
        "the times below are of a wrong program" + (notice->words.empty() ? "" : ": " + notice->words);
  return notice;
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
    add_explanation(scene->root, parts.strip, said, step_words(subject), subject.next(), measure,
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
  scene::Scene scene = plot::plot_scene(plot_of(figure, *subject.performance, subject.look),
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
  if (auto why = why_hidden(figure, subject)) return *std::move(why);
  auto scene = draw_whole(figure, subject, size, measure);
  if (scene && subject.run != nullptr && figure.plot == nullptr && !explain::reserve(*subject.run).empty())
    drop_green_words(scene->root);
  if (scene && is_large(subject.look)) drop_small_text(scene->root);
  return scene;
}

}  // namespace

std::span<const Figure> all_figures() { return kFigures; }

std::span<const Figure> pictures() {
  constexpr std::size_t count = first_of([](const Figure& figure) { return !figure.has(Trait::panel); });
  return std::span(kFigures).first(count);
}

std::span<const Figure> figures_of_a_run() {
  // Not constexpr: g++'s undefined-behaviour sanitizer takes no address of a function for a constant.
  static const std::size_t count = first_of([](const Figure& figure) { return !is_plot(figure); });
  return std::span(kFigures).first(count);
}

const Figure* find_figure(std::string_view id) {
  const auto found =
      std::find_if(kFigures.begin(), kFigures.end(), [&](const Figure& figure) { return figure.id == id; });
  return found == kFigures.end() ? nullptr : &*found;
}

namespace {

Said all_it_says(const Figure& figure, const Subject& subject) {
  if (subject.run == nullptr || subject.own_access != nullptr) return {};
  if (figure.says != nullptr)
    if (auto said = figure.says(figure, subject)) return *std::move(said);
  return {of_step(subject, explain::explain(*subject.run)), "What does this step cost?"};
}

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
  if (why_hidden(figure, subject)) return {};
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

plot::Plot plot_of(const Figure& figure, const PerformanceInput& input, Look look) {
  PerformanceInput shown = input;
  shown.look = look;
  plot::Plot plot = figure.plot(shown);
  if (is_brief(look)) plot.subtitle.clear(), plot.caption.clear();
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
  if (figure.memory) return nearest_access(accesses, place.warp, place.access, *figure.memory);
  return place.access < accesses.of_warp(place.warp).size() ? std::optional(place.access) : std::nullopt;
}

Result<scene::Scene> draw(const Figure& figure, const Subject& subject, scene::Size size,
                          const scene::TextMeasure& measure) {
  // Two beside each other have half of a stage each: its words stay as large as the class reads them.
  constexpr scene::Size beside{290, 280};
  scene::Size least = is_large(subject.look) && subject.beside != nullptr && figure.plot == nullptr
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
  if (auto why = why_hidden(figure, subject)) return *std::move(why);
  if (figure.plot == nullptr) return figure.csv(subject);
  if (const auto why = why_no_plot(figure, *subject.performance)) return *why;
  return plot::to_csv(figure.plot(*subject.performance));
}

}  // namespace warplens::figures
