#include "viz/figures/warp/sector_strip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "viz/figures/parts/hatching.hpp"

namespace warplens::figures {
namespace {

constexpr double kIdealHeight = 22;

Color lane_color(int lane) { return lane == 0 ? Token::first_thread : Token::first_warp; }

// Which lane uses each 4-byte word (the lowest of them).
std::map<std::uint64_t, int> word_lanes(const WarpAccessView& view) {
  std::map<std::uint64_t, int> words;
  for (int lane = 31; lane >= 0; --lane) {
    if ((view.access.active >> lane & 1) == 0) continue;
    const std::uint64_t a = view.access.address[static_cast<std::size_t>(lane)];
    for (std::uint64_t w = a / 4; w <= (a + static_cast<std::uint64_t>(view.access.width) - 1) / 4; ++w)
      words[w] = lane;
  }
  return words;
}

bool is_wasteful(const WarpAccessView& view) { return view.pieces.units > view.pieces.ideal; }

// Hatched are the bytes that nobody asked for: what is used came for a reason.
void draw_unused(Group& group, const SectorStrip& strip, std::uint32_t used_words) {
  for (int word = 0; word < 8;) {
    int end = word;
    while (end < 8 && (used_words >> end & 1) == 0) ++end;
    const Rect box{word * strip.word(), 0, (end - word) * strip.word(), strip.height};
    if (end > word) add_hatched(group, box, Token::costly, std::clamp(strip.width / 3.5, 5.0, 10.0));
    word = end + 1;
  }
}

// The group is named by the sector, so that it can be pointed at and moves as one.
void draw_sector(Group& group, const WarpAccessView& view, const SectorStrip& strip, std::uint64_t s,
                 bool moved, std::uint32_t used_words) {
  Group one;
  one.origin = {strip.left.at(s), strip.top};  // what is inside looks alike wherever it stands
  const Rect box{0, 0, strip.width, strip.height};
  if (!moved)
    one.rect(box, {.fill = Color{Token::raised}, .stroke = scene::Stroke{edge(), 1, {3, 3}}});
  else if (used_words == 0xff || is_wasteful(view))
    one.rect(box, {.fill = Color{Token::panel}}), draw_unused(one, strip, used_words);
  else
    one.rect(box, {.fill = Color{Token::good, 0.3}, .stroke = scene::Stroke{Token::good}});
  group.group(std::move(one))
      .named(fmt::format("sector:{}", s),
             fmt::format("Sector at byte {}{}", strip.place(s * 32), moved ? ", moved" : ", not asked for"));
}

// Indices of sectors before which memory is left out.
std::vector<std::size_t> breaks(const SectorStrip& strip) {
  std::vector<std::size_t> found;
  for (std::size_t i = 1; i < strip.sectors.size(); ++i)
    if (strip.sectors[i] != strip.sectors[i - 1] + 1) found.push_back(i);
  return found;
}

// Bytes from the start of each stretch to that of the next, where all are alike and there are several.
std::optional<std::uint64_t> apart(const SectorStrip& strip) {
  const auto all = breaks(strip);
  if (all.size() < 2) return std::nullopt;
  std::size_t before = 0;
  std::optional<std::uint64_t> distance;
  for (const std::size_t i : all) {
    const std::uint64_t here = 32 * (strip.sectors[i] - strip.sectors[before]);
    if (distance && *distance != here) return std::nullopt;
    distance = here, before = i;
  }
  return distance;
}

}  // namespace

std::string SectorStrip::place(std::uint64_t address) const { return "+" + grouped(away(address)); }

double lane_unit(const Rect& area) { return std::min(area.width / 32, 44.0); }
double first_left(const Rect& area) { return area.x + (area.width - 32 * lane_unit(area)) / 2; }

SectorStrip sector_strip(const WarpAccessView& view, const Rect& area) {
  std::set<std::uint64_t> all;
  for (const auto& sector : view.pieces.global.sectors) all.insert(sector.id);
  for (const auto& t : view.pieces.global.transactions)
    for (std::uint64_t a = t.address; a < t.address + t.size; a += 32) all.insert(a / 32);
  SectorStrip strip{{all.begin(), all.end()}, {}, 0, 0, area.y, area.height};
  strip.unit = 32 * lane_unit(area) / static_cast<double>(std::max<std::size_t>(all.size(), 32));
  // Narrow sectors must not run together where the picture is not drawn pixel by pixel.
  strip.width = strip.unit - (strip.unit > 12 ? 3 : strip.unit > 7 ? 2 : 1);
  double x = area.center().x - strip.unit * static_cast<double>(all.size()) / 2 + 1;
  for (const std::uint64_t s : strip.sectors) strip.left[s] = x, x += strip.unit;
  return strip;
}

void draw_sectors(Group& group, const WarpAccessView& view, const SectorStrip& strip) {
  const auto moved = analysis::moved_sectors(view.pieces.global);
  const auto words = word_lanes(view);
  std::map<std::uint64_t, std::uint32_t> used;  // words of each sector, a bit each
  for (const auto& [w, lane] : words) used[w / 8] |= 1u << w % 8;
  for (const std::uint64_t s : strip.sectors) draw_sector(group, view, strip, s, moved.contains(s), used[s]);
  const double word = strip.word(), gap = word > 3 ? 0.75 : 0;
  for (const auto& [w, lane] : words)
    group
        .rect({strip.x(w * 4), strip.top, std::max(word - gap, 2.0), strip.height},
              {.fill = lane_color(lane)})
        .named(fmt::format("lane:{}", lane),
               fmt::format("Lane {}: bytes {} to {}", lane, strip.place(w * 4), strip.place(w * 4 + 3)));
}

void draw_places(Group& group, const SectorStrip& strip, double right, Look look,
                 const scene::TextMeasure& measure) {
  if (strip.sectors.empty()) return;
  const TextStyle style{.size = is_large(look) ? theme::metric::kCaption : 12,
                        .color = Token::dim,
                        .family = scene::Family::code};
  const double y = strip.top + strip.height, gap = strip.unit - strip.width;
  const std::string_view unit = is_brief(look) ? "B" : "bytes";
  std::vector<std::size_t> starts = breaks(strip);
  for (const std::size_t i : starts) {
    const double x = strip.left.at(strip.sectors[i]) - gap / 2;
    group.polyline({{x, y - 4}, {x - 2.5, y + 1}, {x + 2.5, y + 4}, {x, y + 9}}, {Token::dim, 1.2});
  }
  starts.insert(starts.begin(), 0);
  const auto text = [&](std::size_t i) {
    const std::uint64_t away = strip.away(strip.sectors[starts[i]] * 32);
    return i == 0 ? fmt::format("+{} {}", grouped(away), unit) : "+" + grouped(away);
  };
  const auto left = [&](std::size_t i) { return strip.left.at(strip.sectors[starts[i]]); };
  const auto step = apart(strip);
  const std::string note = step ? fmt::format("{} {} apart", grouped(*step), unit) : "";
  const double end = note.empty() ? right : right - measure.width(note, caption()) - 16;
  const auto clear = [&](std::size_t every) {
    for (std::size_t i = 0; i + every < starts.size(); i += every)
      if (left(i) + measure.width(text(i), style) + 10 > left(i + every)) return false;
    return true;
  };
  std::size_t every = 1;
  while (every < starts.size() && !clear(every)) every *= 2;
  for (std::size_t i = 0; i < starts.size(); i += every)
    if (i == 0 || left(i) + measure.width(text(i), style) <= end)
      group.text({left(i), y + 22}, text(i), style);
  if (!note.empty()) group.text({right, y + 22}, note, at_end(caption()));
}

bool draw_ideal(Group& group, const WarpAccessView& view, const SectorStrip& strip, double top, double right,
                const scene::TextMeasure& measure) {
  if (!is_wasteful(view) || view.pieces.ideal <= 0) return false;
  const auto ideal = static_cast<std::size_t>(view.pieces.ideal);
  const double left = strip.left.empty() ? 0 : strip.left.begin()->second;
  for (std::size_t i = 0; i < strip.sectors.size(); ++i) {
    const Rect box{left + static_cast<double>(i) * strip.unit, top, strip.width, kIdealHeight};
    if (i < ideal)
      group.rect(box, {.fill = kGhost, .stroke = scene::Stroke{Token::good}});
    else
      group.rect(box, {.stroke = scene::Stroke{edge()}});
  }
  if (!has_words(view.look)) return true;  // its keys say what it is
  const auto all = static_cast<std::uint64_t>(view.pieces.units);
  const std::uint64_t more = all - static_cast<std::uint64_t>(view.pieces.ideal);
  const double x = left + static_cast<double>(ideal) * strip.unit + 8;
  const std::string count = fmt::format("{} of {} not needed", grouped(more), grouped(all));
  std::string text = "enough, if neighbours sat side by side: " + count;
  if (x + measure.width(text, caption()) > right) text = "enough: " + count;
  if (x + measure.width(text, caption()) > right) text = "enough";
  const double wide = measure.width(text, caption());
  // Whole boxes give way to the words.
  const double boxes = std::ceil((wide + 12) / strip.unit);
  group.rect(
      {left + static_cast<double>(ideal) * strip.unit - 1, top - 1, boxes * strip.unit, kIdealHeight + 2},
      {.fill = Token::background});
  group.text({x, top + kIdealHeight / 2 + 4.5}, text, caption(Token::text));
  return true;
}

}  // namespace warplens::figures
