#include "viz/figures/warp/coalescing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "viz/figures/warp/sector_strip.hpp"

namespace warplens::figures {
namespace {

constexpr double kLaneHeight = 30, kPlacesHeight = 30, kIdealRow = 30;
// Of the arrows, and of the sectors.
constexpr double kLeastWay = 36, kLeastMemory = 30, kLeastPicture = kLeastWay + kLeastMemory;
constexpr int kClassEvery = 4;  // of the lanes whose numbers a class reads
constexpr double kAboveLanes = 14, kNumbersOfLanes = 16, kAboveCards = 16;

Color lane_color(int lane) { return lane == 0 ? Token::first_thread : Token::first_warp; }

std::string lane_title(const WarpAccessView& view, const SectorStrip& strip, int lane) {
  if ((view.access.active >> lane & 1) == 0) return fmt::format("Lane {} is inactive", lane);
  return fmt::format("Lane {}: byte {}", lane,
                     strip.place(view.access.address[static_cast<std::size_t>(lane)]));
}

// lanes: the row of their boxes.
void draw_lanes(Group& group, const WarpAccessView& view, const SectorStrip& strip, const Rect& lanes) {
  const double wide = lane_unit(lanes);
  for (int lane = 0; lane < 32; ++lane) {
    const bool active = view.access.active >> lane & 1;
    const Rect box{first_left(lanes) + lane * wide + 1, lanes.y, wide - 2, lanes.height};
    Group named;
    named.rect(box, {.fill = active ? lane_color(lane) : Color{Token::raised}}, 3);
    if (!active) named.rect(box.inset(0.5), {.stroke = scene::Stroke{edge()}}, 3);
    const Color color = active && !is_large(view.look) ? Token::background : Token::dim;
    if (!is_large(view.look))
      named.text(box.center(), fmt::format("{}", lane), centred_code(wide < 22 ? 10.0 : 12.0, color));
    else if (lane % kClassEvery == 0)  // a class reads larger numbers than a box has room for
      named.text({box.center().x, box.y - 9}, fmt::format("{}", lane),
                 centred_code(theme::metric::kCaption, color));
    group.group(std::move(named)).named(fmt::format("lane:{}", lane), lane_title(view, strip, lane));
  }
}

void draw_arrows(Group& group, const WarpAccessView& view, const Rect& lanes, const SectorStrip& strip) {
  const double unit = lane_unit(lanes);
  for (int lane = 31; lane >= 0; --lane) {
    if ((view.access.active >> lane & 1) == 0) continue;
    const double reach = std::min(strip.word() * view.access.width / 4, strip.width);
    const Point from{first_left(lanes) + (lane + 0.5) * unit, lanes.bottom() + 2};
    const Point to{strip.x(view.access.address[static_cast<std::size_t>(lane)]) + reach / 2, strip.top - 3};
    group
        .arrow(
            from, to,
            {lane == 0 ? Color{Token::first_thread} : Color{Token::first_warp, 0.75}, lane == 0 ? 1.6 : 1.1},
            6)
        .named(fmt::format("lane:{}", lane), lane_title(view, strip, lane));
  }
}

// "7 × 32 bytes", "32 of 128 bytes"; short where that would touch a neighbour's, nothing where that would
// too.
std::string transaction_text(const analysis::Transaction& t, std::ptrdiff_t same, double width,
                             const TextStyle& style, const scene::TextMeasure& measure) {
  const std::string part = analysis::moves_all(t) ? "" : fmt::format("{} of ", t.sectors * 32);
  for (const std::string& text :
       {fmt::format("{}{}{} bytes", same > 1 ? fmt::format("{} × ", same) : "", part, t.size),
        fmt::format("{}{}", same > 1 ? fmt::format("{}×", same) : "",
                    analysis::moves_all(t) ? t.size : t.sectors * 32)})
    if (measure.width(text, style) <= width - 4) return text;
  return "";
}

// Rows of brackets below the memory, one for each phase of the access, and the texts of the brackets: below
// them, or on them where there is little room.
struct BracketRows {
  std::map<int, int> of_phase;
  double first = 32, pitch = 26;
  bool on_line = false, is_large = false;

  explicit BracketRows(const WarpAccessView& view) : is_large(figures::is_large(view.look)) {
    if (is_large) first = 40;  // below larger type
    if (view.device.global_rule == device::GlobalRule::sectors_32) return;
    for (const auto& t : view.pieces.global.transactions)
      of_phase.emplace(t.phase, static_cast<int>(of_phase.size()));
  }
  double height() const {
    const auto count = static_cast<double>(std::max<std::size_t>(of_phase.size(), on_line ? 1 : 2));
    return first + pitch * (count - 1) + (on_line ? 8 : 22);
  }
  // height: below the memory, to what stands there.
  void fit(double room) {
    if (height() <= room) return;
    first = is_large ? 38 : 30, pitch = is_large ? 18 : 15, on_line = true;
  }
};

// On a piece of ground that hides the line behind it.
void draw_on_line(Group& group, Point middle, const std::string& text, const TextStyle& style,
                  const scene::TextMeasure& measure) {
  const double width = measure.width(text, style);
  group.rect({middle.x - width / 2 - 4, middle.y - 6, width + 8, 12}, {.fill = Token::background});
  group.text({middle.x - width / 2, middle.y + 4}, text, style);
}

struct Bracket {
  double left, width;
  std::uint32_t bytes;
  std::string text;  // empty: it has no room
};

// Those of each row, without what was drawn already.
std::map<int, std::vector<Bracket>> brackets_of(const WarpAccessView& view, const SectorStrip& strip,
                                                const BracketRows& rows, const TextStyle& style,
                                                const scene::TextMeasure& measure) {
  const auto& all = view.pieces.global.transactions;
  std::map<int, std::vector<Bracket>> brackets;
  std::set<std::tuple<int, std::uint64_t, std::uint32_t>> drawn;
  for (const auto& t : all) {
    if (!drawn.emplace(t.phase, t.address, t.size).second) continue;
    const auto same = std::count_if(all.begin(), all.end(), [&](const auto& o) {
      return o.phase == t.phase && o.address == t.address && o.size == t.size;
    });
    const double wide = strip.x(t.address + t.size - 32) + strip.width - strip.x(t.address) - 2;
    brackets[rows.of_phase.at(t.phase)].push_back(
        {strip.x(t.address) + 1, wide, static_cast<std::uint32_t>(t.sectors) * 32,
         transaction_text(t, same, rows.on_line ? wide - 24 : wide, style, measure)});
  }
  return brackets;
}

// What all brackets of a row move, where not each has room for it; 0 where they differ.
std::uint32_t bytes_each(const std::vector<Bracket>& row) {
  const auto has_room = [](const Bracket& b) { return !b.text.empty(); };
  const auto differs = [&](const Bracket& b) { return b.bytes != row.front().bytes; };
  if (std::all_of(row.begin(), row.end(), has_room) || std::any_of(row.begin(), row.end(), differs)) return 0;
  return row.front().bytes;
}

// "lanes 0-15: 16 × 32 bytes", the short form last.
std::vector<std::string> phase_words(const WarpAccessView& view, int phase) {
  std::uint32_t lanes = 0;
  std::vector<std::uint32_t> bytes;
  for (const auto& t : view.pieces.global.transactions)
    if (t.phase == phase) lanes |= t.lanes, bytes.push_back(t.sectors * 32);
  if (lanes == 0) return {};
  const std::string who = fmt::format("lanes {}-{}", std::countr_zero(lanes), 31 - std::countl_zero(lanes));
  const bool alike = std::ranges::all_of(bytes, [&](std::uint32_t b) { return b == bytes.front(); });
  if (!alike) return {fmt::format("{}: {}", who, counted(bytes.size(), "transaction")), who};
  const std::string times = bytes.size() > 1 ? fmt::format("{} × ", bytes.size()) : "";
  return {fmt::format("{}: {}{} bytes", who, times, bytes.front()), who};
}

// Whose each row of brackets is, behind its last one or before its first; false where there is no room.
bool draw_phase(Group& group, const std::vector<std::string>& words, const std::vector<Bracket>& row,
                const Rect& area, double y, const scene::TextMeasure& measure) {
  constexpr double kApart = 10;
  const double left = row.front().left, right = row.back().left + row.back().width;
  for (const std::string& text : words) {
    const double width = measure.width(text, caption());
    const bool behind = right + kApart + width <= area.right();
    if (!behind && left - kApart - width < area.x) continue;
    group.text({behind ? right + kApart : left - kApart - width, y + 6}, text, caption(Token::text));
    return true;
  }
  return false;
}

// A bracket under what each transaction moves; those of one phase in one row.
void draw_transactions(Group& group, const WarpAccessView& view, const SectorStrip& strip,
                       const BracketRows& rows, const Rect& area, const scene::TextMeasure& measure) {
  if (rows.of_phase.empty()) return;
  const TextStyle style{.size = 12, .color = Token::text};
  const auto say = [&](Point middle, const std::string& text) {
    if (rows.on_line)
      draw_on_line(group, middle, text, style, measure);
    else
      group.text({middle.x, middle.y + 14}, text, centred(style));
  };
  for (const auto& [row, brackets] : brackets_of(view, strip, rows, style, measure)) {
    const double y = strip.top + strip.height + rows.first + rows.pitch * row;
    const auto phase = std::ranges::find(rows.of_phase, row, [](const auto& known) { return known.second; });
    const bool is_said = rows.of_phase.size() > 1 &&
                         draw_phase(group, phase_words(view, phase->first), brackets, area, y, measure);
    const std::uint32_t bytes = is_said ? 0 : bytes_each(brackets);
    for (const Bracket& b : brackets) {
      group.polyline({{b.left, y - 5}, {b.left, y}, {b.left + b.width, y}, {b.left + b.width, y - 5}},
                     {Token::accent, 1.5});
      if (!is_said && bytes == 0 && !b.text.empty()) say({b.left + b.width / 2, y}, b.text);
    }
    const std::string text = counted(bytes, "byte") + " each";
    if (bytes > 0) say({brackets.front().left + measure.width(text, style) / 2, y}, text);
  }
}

std::vector<NumberCard> numbers_of(const WarpAccessView& view) {
  const analysis::GlobalCounts cost = analysis::counts_of(view.pieces.global);
  const Color color = cost_color(view.pieces.units, view.pieces.ideal);
  const auto u = [](int n) { return grouped(static_cast<std::uint64_t>(n)); };
  std::set<std::uint64_t> lines;
  for (const auto& s : view.pieces.global.sectors) lines.insert(s.id / 4);
  const bool old = view.device.global_rule != device::GlobalRule::sectors_32;
  const double share = cost.bytes_moved == 0 ? 0 : 100.0 * cost.bytes_used / cost.bytes_moved;
  return {
      {"Sectors", u(view.pieces.units),
       fmt::format("ideal {}{}", view.pieces.ideal, view.pieces.exact ? "" : ", approximate"), color},
      {"Bytes used", fmt::format("{:.3g} %", share),
       fmt::format("{} of {} moved", u(cost.bytes_used), u(cost.bytes_moved)), color},
      old ? NumberCard{"Transactions", u(cost.transactions),
                       view.device.global_rule == device::GlobalRule::lines_128 ? "128-byte lines"
                                                                                : "segments of half-warps"}
          : NumberCard{"128-byte lines", grouped(lines.size()),
                       fmt::format("hold the {} of 32 bytes",
                                   counted(static_cast<std::uint64_t>(cost.sectors), "sector"))},
      {"Active lanes", fmt::format("{}", std::popcount(view.access.active)),
       fmt::format("of 32, {} each", counted(view.access.width, "byte"))}};
}

// Of what stands below the memory of an access; 0: nothing does.
double rows_height(const WarpAccessView& view) {
  const BracketRows rows(view);
  return rows.of_phase.empty() ? 0 : rows.height();
}

// With the gap above them; 0 where the picture needs their room: what they say stands in the strip below it
// and beside it, too. The same for all accesses of a kernel, so that they do not come and go between two.
double cards_height(const WarpAccessView& view, const std::vector<NumberCard>& numbers, double brackets,
                    double room, double width, const scene::TextMeasure& measure) {
  if (!has_words(view.look)) return 0;
  const double cards = number_cards_height(numbers, width, measure) + kAboveCards;
  const double below = brackets > 0 ? brackets : kPlacesHeight + kIdealRow;
  return room - below - cards >= kLeastPicture ? cards : 0;
}

// What the colours mean, of those that this access or the one beside it has.
std::vector<Key> keys_of(const WarpAccessView& view, const WarpAccessView* beside) {
  bool in_vain = false, has_ideal = false, cannot_be_less = false;
  for (const WarpAccessView* one : {&view, beside}) {
    if (one == nullptr) continue;
    const analysis::GlobalCounts cost = analysis::counts_of(one->pieces.global);
    const bool is_wasteful = one->pieces.units > one->pieces.ideal,
               in_part = cost.bytes_moved > cost.bytes_used;
    in_vain |= in_part && is_wasteful;
    cannot_be_less |= in_part && !is_wasteful;
    has_ideal |= is_wasteful && rows_height(*one) == 0;
  }
  const bool brief = is_brief(view.look);
  std::vector<Key> keys = {
      {Token::first_thread, "lane 0"},
      {Token::first_warp, brief ? "used" : "bytes asked for"},
      {Token::costly, "wasted", Key::Pattern::hatched},
      has_ideal ? Key{kGhost, "enough"}
                : Key{Token::good, brief ? "needed" : "moved, and no less can be", Key::Pattern::framed}};
  std::erase_if(keys, [&](const Key& key) {
    return (key.color == Color{Token::costly} && !in_vain) ||
           (key.color.token == Token::good && !has_ideal && !cannot_be_less);
  });
  return keys;
}

}  // namespace

scene::Scene coalescing_scene(const WarpAccessView& view, scene::Size size, const scene::TextMeasure& measure,
                              const WarpAccessView* beside) {
  scene::Scene scene{size};
  Group& root = scene.root;
  const Rect area = inner_area(size);
  const double below_head = add_head(root, area, view, keys_of(view, beside), measure, beside);
  BracketRows rows(view);
  const auto numbers = numbers_of(view);
  const double brackets = std::max(rows_height(view), beside == nullptr ? 0 : rows_height(*beside));
  const Rect lanes{area.x, below_head + (is_large(view.look) ? kNumbersOfLanes : kAboveLanes), area.width,
                   kLaneHeight - (is_large(view.look) ? 8 : 0)};
  const double cards =
      cards_height(view, numbers, brackets, area.bottom() - lanes.bottom(), area.width, measure);
  double room = area.bottom() - cards - std::max(brackets, kPlacesHeight) - lanes.bottom();
  // On old chips what each transaction moves stands there; and the sectors come first where room is short.
  const bool has_ideal = brackets == 0 && room >= kIdealRow + kLeastPicture;
  if (has_ideal) room -= kIdealRow;
  const double memory = std::clamp(room * 0.3, kLeastMemory, 72.0);
  const double top = lanes.bottom() + std::max(kLeastWay, room - memory);
  const SectorStrip strip = sector_strip(view, {area.x, top, area.width, memory});
  draw_lanes(root, view, strip, lanes);
  draw_sectors(root, view, strip);
  draw_arrows(root, view, lanes, strip);
  const double right = first_left(area) + 32 * lane_unit(area);
  draw_places(root, strip, right, view.look, measure);
  if (has_ideal) draw_ideal(root, view, strip, top + memory + kPlacesHeight, right, measure);
  rows.fit(area.bottom() - cards - top - memory);
  draw_transactions(root, view, strip, rows, area, measure);
  if (cards > 0)
    add_number_cards(root, {area.x, area.bottom() - cards + kAboveCards, area.width, cards - kAboveCards},
                     numbers, measure);
  return scene;
}

std::string coalescing_csv(const WarpAccessView& view) {
  std::string text = "phase,address,bytes,sectors,lanes\n";
  for (const auto& t : view.pieces.global.transactions)
    text += fmt::format("{},{},{},{},0x{:08x}\n", t.phase, t.address, t.size, t.sectors, t.lanes);
  return text;
}

Result<scene::Scene> draw_coalescing(const Subject& subject, scene::Size size,
                                     const scene::TextMeasure& measure) {
  return draw_view(subject, ptx::Space::global, coalescing_scene, size, measure);
}

Result<std::string> coalescing_table(const Subject& subject) {
  return view_table(subject, ptx::Space::global, coalescing_csv);
}

}  // namespace warplens::figures
