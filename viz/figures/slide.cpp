#include "viz/figures/slide.hpp"
#include "engine/run/quantities/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/explain/instruction_cost.hpp"
#include "engine/measured/shown_speed.hpp"
#include "engine/problem/work.hpp"
#include "viz/figures/access/lane_card.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/warp/warp_access_view.hpp"
#include "viz/plot/number_format.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::figures {
namespace {

constexpr std::array<std::pair<Ground, std::string_view>, 3> kGrounds = {
    {{Ground::theme, "theme"}, {Ground::white, "white"}, {Ground::transparent, "transparent"}}};

// Of a page: how wide its picture is; and how small its code, so that lines stay whole.
constexpr double kPictureShare = 0.54, kCodeScale = 0.8;
constexpr double kTitleSize = 26, kTitleStep = 34, kMostTitleLines = 2;

TextStyle title_style() { return {.size = kTitleSize, .color = Token::text, .weight = scene::Weight::bold}; }

// Films of another size than this one have the same picture, larger.
constexpr scene::Size kFilm{1280, 720};

double type_of(const SlideOptions& options, scene::Size size) {
  const double film = std::max(1.0, std::min(size.width / kFilm.width, size.height / kFilm.height));
  const double own = is_large(options.look) ? stage_type(size) : options.is_film ? film : 1;
  return std::clamp(options.type, kLeastType, kMostType) * own;
}

// Returns the height that it takes.
double add_title(Group& group, const std::string& title, double width, const scene::TextMeasure& measure) {
  if (title.empty()) return 0;
  auto lines = scene::wrapped(title, width - 2 * kMargin, title_style(), measure);
  if (lines.size() > kMostTitleLines) lines.resize(static_cast<std::size_t>(kMostTitleLines));
  double y = kMargin + kTitleSize - 4;
  for (const std::string& line : lines) {
    group.text({kMargin, y}, line, within(title_style(), width - 2 * kMargin));
    y += kTitleStep;
  }
  return y - kTitleStep + 6;
}

// Of the smallest text, in pixels of whoever draws the group; infinite where there is no text.
double smallest_type(const Group& group) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const scene::Item& item : group.items) {
    if (const auto* inner = std::get_if<Group>(&item.shape))
      smallest = std::min(smallest, smallest_type(*inner));
    const auto* text = std::get_if<scene::TextShape>(&item.shape);
    if (text != nullptr && !text->text.empty()) smallest = std::min(smallest, text->style.size);
  }
  return smallest * group.scale;
}

Result<scene::Scene> slide_of_size(const DrawIn& draw, scene::Size size, const scene::TextMeasure& measure,
                                   const SlideOptions& options) {
  const double type = type_of(options, size);
  const scene::Size room{size.width / type, size.height / type};
  scene::Scene whole(size);
  Group scaled;
  scaled.scale = type;
  const double top = add_title(scaled, options.title, room.width, measure);
  auto picture = draw({room.width, room.height - top});
  if (!picture) return picture.error();
  whole.background = options.ground == Ground::transparent ? Color::transparent() : picture->background;
  Group below = std::move(picture->root);
  below.origin = below.origin + Point{0, top};
  if (type == 1 && top == 0) {
    whole.root = std::move(below);
    return whole;
  }
  scaled.group(std::move(below));
  whole.root.group(std::move(scaled));
  return whole;
}

// How many times the ideal; in words for no more than that.
std::string over_ideal(std::uint64_t count, std::uint64_t ideal) {
  const double times = ideal == 0 ? 1 : static_cast<double>(count) / static_cast<double>(ideal);
  return times < 1.005 ? "as few as can be" : fmt::format("{:.3g} times the ideal", times);
}

// A number of a sample is never shown as if it were of the whole grid.
std::string in_blocks(const run::Run& run) {
  return run.report.sampled_blocks ? fmt::format(", in {} of {} blocks", grouped(*run.report.sampled_blocks),
                                                 grouped(run.emulation.blocks_in_grid))
                                   : "";
}

std::vector<NumberCard> numbers_of(const run::Run& run) {
  std::vector<NumberCard> cards;
  const auto& global = run.lines.total.traffic.global;
  const auto& shared = run.lines.total.traffic.shared;
  cards.push_back(
      {"Global sectors of 32 bytes", plot::si(static_cast<double>(global.sectors), 3, " ", ""),
       over_ideal(global.sectors, global.ideal_sectors) + in_blocks(run),
       cost_color(static_cast<double>(global.sectors), static_cast<double>(global.ideal_sectors))});
  if (shared.wavefronts > 0)
    cards.push_back(
        {"Shared wavefronts", plot::si(static_cast<double>(shared.wavefronts), 3, " ", ""),
         over_ideal(shared.wavefronts, shared.ideal_wavefronts) + in_blocks(run),
         cost_color(static_cast<double>(shared.wavefronts), static_cast<double>(shared.ideal_wavefronts))});
  const bool is_full = run::why_not_full(run.report).empty();
  cards.push_back({is_full ? "Occupancy" : "Occupancy of a full SM", plot::percent(run.report.occupancy),
                   run.device().name, Token::text});
  return cards;
}

}  // namespace

std::optional<Ground> ground_named(std::string_view name) {
  for (const auto& [ground, known] : kGrounds)
    if (known == name) return ground;
  return std::nullopt;
}

double stage_type(scene::Size size) {
  return 18 / theme::metric::kCaption * std::min(size.width / 1280, size.height / 720);
}

std::optional<measured::Rate> predicted_rate(const run::Run& run, const time::Prediction& predicted) {
  const problem::Work work = problem::work_of(*run.job->instance);
  if (work.amount <= 0) return std::nullopt;
  return measured::Rate{1e-9 * work.amount / predicted.seconds, work.unit};
}

std::vector<NumberCard> speed_cards(const measured::RecordedSpeed* recorded,
                                    const std::optional<measured::Rate>& predicted) {
  const auto source =
      measured::shown_source({.recorded = recorded != nullptr, .predicted = predicted.has_value()});
  if (source == measured::SpeedSource::none) return {};
  const bool is_measured = source == measured::SpeedSource::recorded;
  const measured::Rate rate = is_measured ? measured::rate_of(*recorded) : *predicted;
  std::string note =
      is_measured ? "recorded at " + measured::short_size(recorded->size) : "by the model of time";
  if (is_measured && recorded->cublas_gflops > 0)
    note += fmt::format(", {} of cuBLAS", plot::percent(recorded->gflops / recorded->cublas_gflops));
  return {{"Speed", plot::si(1e9 * rate.value, 3, " ", std::string(rate.unit.substr(1))), std::move(note),
           Token::text}};
}

theme::Theme theme_on(Ground ground, const theme::Theme& theme) {
  if (ground != Ground::white) return theme;
  theme::Theme white = theme::light();
  white.colors[static_cast<std::size_t>(Token::background)] = theme::rgb(0xffffff);
  return white;
}

scene::Size room_of(scene::Size size, const scene::TextMeasure& measure, const SlideOptions& options) {
  const double type = type_of(options, size);
  Group nothing;
  const double top = add_title(nothing, options.title, size.width / type, measure);
  return {size.width / type, size.height / type - top};
}

Result<scene::Scene> slide(const DrawIn& draw, scene::Size size, const scene::TextMeasure& measure,
                           const SlideOptions& options) {
  auto made = slide_of_size(draw, size, measure, options);
  const double times = made ? options.least_type / smallest_type(made->root) : 0;
  if (times <= 1) return made;
  return slide_of_size(draw, {std::round(size.width * times), std::round(size.height * times)}, measure,
                       options);
}

Result<scene::Scene> step_page(const Figure& figure, const Subject& subject, scene::Size size,
                               const scene::TextMeasure& measure, const std::vector<NumberCard>& more,
                               bool marks_access) {
  if (!subject.is_recorded() || !subject.run->complete)
    return Error{"a page of a whole step needs a kernel that ran", "name one, such as matmul/03_shared_tile"};
  std::vector<NumberCard> cards = numbers_of(*subject.run);
  cards.insert(cards.end(), more.begin(), more.end());
  const double inner = size.width - 2 * kMargin;
  const double numbers = number_cards_height(cards, inner, measure);
  const double above = size.height - numbers - kMargin;
  const double left = std::floor(size.width * kPictureShare);
  scene::Scene page(size);
  auto picture = draw(figure, subject, {left, above}, measure);
  if (!picture) return picture.error();
  page.root.group(std::move(picture->root));
  Subject of_code = subject;
  if (of_code.place.line == 0 && !marks_access)
    of_code.place.line = explain::line_of_instructions(*subject.run);
  auto source = draw_code(of_code, {(size.width - left) / kCodeScale, above / kCodeScale}, measure);
  if (!source) return source.error();
  source->root.origin = {left, 0}, source->root.scale = kCodeScale;
  page.root.group(std::move(source->root));
  add_number_cards(page.root, {kMargin, above, inner, numbers}, cards, measure);
  return page;
}

scene::Scene fitted(const scene::Scene& picture, scene::Size size) {
  scene::Scene whole(size, picture.background);
  Group inner = picture.root;
  const double scale = std::min(size.width / picture.size.width, size.height / picture.size.height);
  inner.origin = inner.origin * scale + Point{(size.width - picture.size.width * scale) / 2,
                                              (size.height - picture.size.height * scale) / 2};
  inner.scale *= scale;
  whole.root.group(std::move(inner));
  return whole;
}

std::string message_of(const Figure& figure, const Subject& subject, bool of_step) {
  if (subject.performance != nullptr) {
    const std::string said = plot_words(figure, *subject.performance).what;
    return said.empty() ? subject.performance->title : said;
  }
  if (subject.occupancy != nullptr) {
    const std::string said = occupancy_words(*subject.occupancy).what;
    return said.empty() ? subject.occupancy->title : said;
  }
  if (subject.own_access != nullptr)
    return subject.own_access->title + ": " + cost_words(subject.own_access->pieces);
  if (subject.run == nullptr) return std::string(figure.title);
  const std::string said =
      (of_step ? explain::explain(*subject.run) : what_it_says(figure, subject).explanation).what;
  const std::string step = subject.run->plan().spec.title;
  return said.empty() ? step : fmt::format("{}: {}", step, said);
}

scene::PictureWords picture_words(const Figure& figure, const Subject& subject) {
  Said said;
  if (subject.performance != nullptr)
    said.explanation = plot_words(figure, *subject.performance);
  else if (subject.occupancy != nullptr)
    said.explanation = occupancy_words(*subject.occupancy);
  else if (subject.run != nullptr)
    said = what_it_says(figure, subject);
  std::string description(figure.title);
  for (const std::string& part : {said.explanation.why, said.share, said.explanation.fix})
    if (!part.empty()) description += ". " + sentence(part);
  return {sentence(message_of(figure, subject)), description + "."};
}

}  // namespace warplens::figures
