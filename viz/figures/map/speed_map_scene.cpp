#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/parts/hatching.hpp"
#include "viz/figures/time/time_words.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

constexpr double kGap = 2, kHeadHeight = 24, kAxisHeight = 48, kLabelWidth = 56, kMostCell = 150;
// Of the colour of the slowest and of the quickest cell; between them it grows evenly with the speed.
constexpr double kFaintest = 0.1, kStrongest = 1;
constexpr Token kScale = Token::series_1;

struct Grid {
  Rect frame;
  double width = 1, height = 1;  // of a cell, with its gap
  Rect cell(std::size_t column, std::size_t row) const {
    return Rect{frame.x + static_cast<double>(column) * width, frame.y + static_cast<double>(row) * height,
                width, height}
        .inset(kGap / 2);
  }
};

Grid grid_of(const Slice& slice, const Rect& room) {
  const double columns = static_cast<double>(slice.xs.size()), rows = static_cast<double>(slice.ys.size());
  Grid grid;
  grid.width = std::min((room.width - kLabelWidth) / columns, kMostCell);
  grid.height = std::max(std::min((room.height - kHeadHeight - kAxisHeight) / rows, 0.7 * kMostCell), 6.0);
  grid.frame = {room.x + kLabelWidth, room.y + kHeadHeight, grid.width * columns, grid.height * rows};
  return grid;
}

// 0: as slow as the slowest cell, 1: as quick as the quickest.
double share_of(const Slice& slice, double seconds) {
  const double least = 1 / slice.slowest, most = 1 / slice.quickest;
  return most > least ? std::clamp((1 / seconds - least) / (most - least), 0.0, 1.0) : 1;
}

Color shade(double share) { return {kScale, kFaintest + (kStrongest - kFaintest) * share}; }
Color on_shade(double share) { return share > 0.75 ? Token::background : Token::text; }

// Numbers of cells have the prefix of the largest, which the legend names.
struct Unit {
  double divisor = 1;
  std::string text;
};
Unit unit_of(const Work& work, double quickest) {
  constexpr std::array<std::pair<double, std::string_view>, 5> kPrefixes = {
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
  const double most = work.amount / quickest;
  for (const auto& [divisor, prefix] : kPrefixes)
    if (most >= divisor) return {divisor, fmt::format("{}{}", prefix, work.unit)};
  return {1, std::string(work.unit)};
}

void add_text(Group& group, const Rect& box, const std::string& text, Color color, bool is_best,
              const scene::TextMeasure& measure) {
  TextStyle style = centred_code(theme::metric::kCode, color);
  if (is_best) style.weight = scene::Weight::bold;
  if (box.height >= 18 && measure.width(text, style) + 4 <= box.width) group.text(box.center(), text, style);
}

void add_cell(Group& group, const Rect& box, const Slice& slice, const SliceCell& cell, const Work& work,
              const Unit& unit, const scene::TextMeasure& measure) {
  if (cell.set == nullptr) {
    if (cell.why_not.empty())
      group.rect(box, {.fill = Color{Token::raised}}, 3);
    else
      add_hatched(group, box, Color{Token::dim, 0.5}, 8, 3);
    return;
  }
  const double share = share_of(slice, cell.set->seconds);
  group.rect(box, {.fill = Color{Token::panel}}, 3);
  group.rect(box, {.fill = shade(share)}, 3);
  add_text(group, box, plot::plain(work.amount / cell.set->seconds / unit.divisor, 3), on_shade(share),
           cell.is_best, measure);
  if (cell.measured != nullptr && box.height >= 14)
    group.circle({box.right() - 9, box.y + 9}, 3.5, {.fill = on_shade(share)});
}

// Over all cells, so that no neighbour covers it.
void add_outlines(Group& group, const Slice& slice, const Grid& grid) {
  for (std::size_t i = 0; i < slice.cells.size(); ++i) {
    const Rect box = grid.cell(i % slice.xs.size(), i / slice.xs.size());
    if (slice.cells[i].is_best) group.rect(box, {.stroke = scene::Stroke{Token::good, 3}}, 3);
    if (slice.cells[i].is_now)
      group.rect(slice.cells[i].is_best ? box.inset(3) : box,
                 {.stroke = scene::Stroke{Token::first_thread, 3}}, 3);
  }
}

void add_axes(Group& group, const Slice& slice, const Grid& grid) {
  for (std::size_t c = 0; c < slice.xs.size(); ++c)
    group.text({grid.cell(c, 0).center().x, grid.frame.bottom() + 18}, fmt::format("{}", slice.xs[c]),
               centred(code(Token::dim)));
  for (std::size_t r = 0; r < slice.ys.size(); ++r) {
    TextStyle style = at_end(code(Token::dim));
    style.baseline = scene::Baseline::middle;
    group.text({grid.frame.x - 8, grid.cell(0, r).center().y}, fmt::format("{}", slice.ys[r]), style);
  }
  group.text({grid.frame.center().x, grid.frame.bottom() + 40}, slice.x, centred(heading()));
  group.text({grid.frame.x - kLabelWidth, grid.frame.y - 10}, slice.y, heading());
}

// What the mark of the values of now means. A cell has the best of the values that it does not name: where
// those of now are others, their speed is not the cell's.
std::string now_key(const Subject& subject, const time::SpeedMap& map, const Slice& slice, const Work& work,
                    const Unit& unit) {
  const catalog::Values& now = subject.run->plan().parameters;
  const auto cell = std::ranges::find_if(slice.cells, &SliceCell::is_now);
  const time::MapSet* own = map.find(now);
  if (cell == slice.cells.end() || cell->set == nullptr || cell->set->values == now || own == nullptr ||
      own->seconds <= 0)
    return "this one";
  return fmt::format("this one: {} with its other values",
                     plot::plain(work.amount / own->seconds / unit.divisor, 3));
}

// Above the map: the scale with its ends, and what the marks mean.
double add_legend(Group& group, Point at, double width, const Slice& slice, const Work& work,
                  const Unit& unit, const std::string& now, bool has_measured,
                  const scene::TextMeasure& measure) {
  constexpr std::uint8_t kSteps = 84;
  constexpr double kWidth = 168, kHeight = 14;
  const auto speed = [&](double seconds) { return plot::plain(work.amount / seconds / unit.divisor, 3); };
  const std::string low = speed(slice.slowest), high = fmt::format("{} {}", speed(slice.quickest), unit.text);
  const double left = at.x + measure.width(low, caption()) + 8;
  group.text({at.x, at.y + 12}, low, caption());
  std::vector<std::uint8_t> pixels;
  std::vector<Color> palette;
  for (std::uint8_t i = 0; i < kSteps; ++i) pixels.push_back(i), palette.push_back(shade((i + 0.5) / kSteps));
  group.image({left, at.y, kWidth, kHeight},
              scene::make_indexed_image(kSteps, 1, std::move(pixels), std::move(palette)));
  group.text({left + kWidth + 8, at.y + 12}, high, caption());
  std::vector<Key> keys;
  if (std::ranges::any_of(slice.cells, &SliceCell::is_best)) keys.push_back({Token::good, "best"});
  keys.push_back({Token::first_thread, now});
  if (std::ranges::any_of(slice.cells, [](const SliceCell& cell) { return !cell.why_not.empty(); }))
    keys.push_back({Color{Token::dim, 0.7}, "not offered", Key::Pattern::hatched});
  if (has_measured) keys.push_back({Token::text, "dot: measured"});
  const double used = left + kWidth + 8 + measure.width(high, caption()) + 24 - at.x;
  if (used + 320 <= width) {
    add_key_row(group, {at.x + used, at.y}, keys, width - used, measure);
    return 32;
  }
  return 24 + add_key_row(group, {at.x, at.y + 26}, keys, width, measure) + 8;
}

// Beside the map where there is room: the quickest sets, each with all its values.
void add_ranking(Group& group, const Rect& room, const Subject& subject, const time::SpeedMap& map,
                 const Work& work, const Unit& unit) {
  constexpr double kColumn = 52, kSpeed = 76, kRow = 22;
  const auto varied = time::varied_parameters(map);
  const double width = static_cast<double>(varied.size()) * kColumn + 2 * kSpeed;
  const auto most = static_cast<std::ptrdiff_t>((room.height - kHeadHeight) / kRow);
  if (room.width < width + 32 || most < 4) return;
  std::vector<const time::MapSet*> sets;
  for (const time::MapSet& set : map.sets)
    if (set.seconds > 0) sets.push_back(&set);
  std::ranges::stable_sort(sets, {}, &time::MapSet::seconds);
  const double left = room.x + 32;
  const auto add_row = [&](Group& row, double y, const auto& text_of, std::string speed, std::string measured,
                           const TextStyle& style) {
    for (std::size_t p = 0; p < varied.size(); ++p)
      row.text({left + static_cast<double>(p + 1) * kColumn - 12, y}, text_of(varied[p]),
               within(at_end(style), kColumn - 4));
    const double numbers = left + static_cast<double>(varied.size()) * kColumn;
    row.text({numbers + kSpeed, y}, std::move(speed), at_end(style));
    row.text({numbers + 2 * kSpeed, y}, std::move(measured), at_end(style));
  };
  const bool has_measured = std::ranges::any_of(
      sets, [&](const time::MapSet* set) { return find_measured(subject, set->values) != nullptr; });
  add_row(
      group, room.y + kHeadHeight - 10, [](const std::string& name) { return name; }, unit.text,
      has_measured ? "measured" : "", caption());
  const auto speed = [&](double seconds) { return plot::plain(work.amount / seconds / unit.divisor, 3); };
  const catalog::Values& now = subject.run->plan().parameters;
  for (std::ptrdiff_t i = 0; i < std::min(most, std::ssize(sets)); ++i) {
    const time::MapSet& set = *sets[static_cast<std::size_t>(i)];
    const MeasuredSet* measured = find_measured(subject, set.values);
    const double y = room.y + kHeadHeight + static_cast<double>(i) * kRow;
    Group row;
    row.rect({left - 8, y, width + 16, kRow},
             {.fill = Color{set.values == now ? Token::raised : Token::background}}, 3);
    add_row(
        row, y + 16, [&](const std::string& name) { return fmt::format("{}", set.values.at(name)); },
        speed(set.seconds), measured == nullptr ? "" : speed(measured->seconds),
        sized(code(set.values == now ? Token::first_thread : Token::text), 13));
    group.group(std::move(row)).named(set_id(set.values), set_words(subject, set, measured));
  }
}

}  // namespace

scene::Scene map_scene(const Subject& subject, const time::SpeedMap& map, const Slice& slice,
                       scene::Size size, const scene::TextMeasure& measure) {
  scene::Scene scene{size};
  Group& root = scene.root;
  Rect area = inner_area(size);
  const auto lower = [&](double by) { area = {area.x, area.y + by, area.width, area.height - by}; };
  if (!is_brief(subject.look)) {
    const MapTitle title = map_title(subject, map, slice);
    root.text({area.x, area.y + 14}, title.title, within(sized(heading(), 17), area.width));
    root.text({area.x, area.y + 36}, title.subtitle, within(caption(), area.width));
    lower(52);
  }
  const Work work = work_of(*subject.run);
  const Unit unit = slice.quickest > 0 ? unit_of(work, slice.quickest) : Unit{};
  if (slice.quickest > 0) {
    const bool has_measured =
        std::ranges::any_of(slice.cells, [](const SliceCell& cell) { return cell.measured != nullptr; });
    lower(add_legend(root, {area.x, area.y}, area.width, slice, work, unit,
                     now_key(subject, map, slice, work, unit), has_measured, measure));
  }
  const Grid grid = grid_of(slice, area);
  for (std::size_t i = 0; i < slice.cells.size(); ++i) {
    Group cell;
    add_cell(cell, grid.cell(i % slice.xs.size(), i / slice.xs.size()), slice, slice.cells[i], work, unit,
             measure);
    const bool is_there = slice.cells[i].set != nullptr;
    root.group(std::move(cell))
        .named(is_there ? set_id(slice.cells[i].set->values) : fmt::format("refused:{}", i),
               cell_words(subject, slice, i));
  }
  add_outlines(root, slice, grid);
  if (!is_brief(subject.look))
    add_ranking(root, {grid.frame.right(), area.y, area.right() - grid.frame.right(), area.height}, subject,
                map, work, unit);
  add_axes(root, slice, grid);
  return scene;
}

}  // namespace warplens::figures
