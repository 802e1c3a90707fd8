#include "viz/figures/tensor/tile_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/study/tile_order.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/parts/matrix_grid.hpp"

namespace warplens::figures {
namespace {

using explain::Quantity, explain::Scope;
using study::OrderedTile, study::TileOrder;

constexpr double kStrip = 0.14;  // of the picture's side, for A beside C and B above it
constexpr double kGap = 12, kLabel = 22;

struct Wave {
  const TileOrder& order;
  std::size_t number = 0;  // from 0
  const std::vector<OrderedTile>& tiles() const { return order.waves[number]; }
};

// The place's, in the grid.
std::uint64_t block_of(const Subject& subject) {
  const auto& recorded = subject.run->trace->blocks();
  return subject.place.block < recorded.size() ? recorded[subject.place.block].block : 0;
}

// That of the first tile of the place's block.
Result<Wave> wave_of(const Subject& subject) {
  if (subject.known.tiles == nullptr)
    return Error{"the tiles of this run are not known yet", "wait until they are"};
  const Result<TileOrder>& found = *subject.known.tiles;
  if (!found) return found.error();
  const std::uint64_t block = block_of(subject);
  for (std::size_t number = 0; number < found->waves.size(); ++number)
    if (std::ranges::find(found->waves[number], block, &OrderedTile::block) != found->waves[number].end())
      return Wave{*found, number};
  return Wave{*found, 0};
}

double share_of_l2(std::uint64_t asked, std::uint64_t missed) {
  return asked == 0 ? 0 : 1 - static_cast<double>(missed) / static_cast<double>(asked);
}
// How often memory gives a byte of A or B that is asked for at all.
double reads(const TileOrder& order) {
  const auto bytes = [](const report::Face& face) {
    return static_cast<double>(face.elements * face.element_bytes);
  };
  return 128 * static_cast<double>(order.missed_lines) / (bytes(order.a) + bytes(order.b));
}

// ---- the picture: A at the left, B above, C where they meet

struct Drawn {
  const Subject& subject;
  const Wave& wave;
  explain::Explanation said;
  std::vector<NumberCard> cards;
  Rect title, keys, numbers, strip;
  Rect a, b, c;

  Rect tile(std::size_t row, std::size_t column) const {
    const double high = c.height / static_cast<double>(wave.order.rows.size()),
                 wide = c.width / static_cast<double>(wave.order.columns.size());
    return {c.x + static_cast<double>(column) * wide, c.y + static_cast<double>(row) * high, wide, high};
  }
  Rect band_of_a(std::size_t row) const {
    const Rect at = tile(row, 0);
    return {a.x, at.y, a.width, at.height};
  }
  Rect band_of_b(std::size_t column) const {
    const Rect at = tile(0, column);
    return {at.x, b.y, at.width, b.height};
  }
};

std::vector<NumberCard> cards_of(const Wave& wave) {
  const TileOrder& order = wave.order;
  const study::Bands bands = study::bands_of(wave.tiles());
  std::uint64_t tiles = 0;
  for (const auto& each : order.waves) tiles += each.size();
  return {{"Under way", counted(wave.tiles().size(), "tile"),
           fmt::format("of {}, wave {} of {}", grouped(tiles), wave.number + 1, order.waves.size()),
           Token::first_warp},
          {fmt::format("Rows of {}", order.a.name), grouped(bands.rows),
           fmt::format("of {} rows of tiles", order.rows.size())},
          {fmt::format("Columns of {}", order.b.name), grouped(bands.columns),
           fmt::format("of {} columns of tiles", order.columns.size())},
          {"From L2", fmt::format("{:.0f} %", 100 * share_of_l2(order.asked_lines, order.missed_lines)),
           fmt::format("of {} MB that all tiles ask for", grouped(order.asked_lines * 128 / 1'000'000))}};
}

std::vector<Key> keys_of(const Drawn& drawn);

Drawn drawn_in(const Subject& subject, const Wave& wave, scene::Size size,
               const scene::TextMeasure& measure) {
  const bool brief = is_brief(subject.look);
  Drawn drawn{subject, wave, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  Rect area = brief ? Rect{12, 8, size.width - 24, size.height - 16} : inner_area(size);
  if (has_words(subject.look)) drawn.said = explain::without_praise(tile_order_words(subject), *subject.run);
  const double strip = explanation_height(drawn.said, {}, area.width, measure);
  drawn.strip = {area.x, area.bottom() - strip, area.width, strip};
  if (strip > 0) area.height -= strip + 10;
  if (!brief) {
    drawn.title = {area.x, area.y, area.width, 44};
    area.y += 48, area.height -= 48;
    drawn.cards = cards_of(wave);
    const double height = number_cards_height(drawn.cards, area.width, measure);
    drawn.numbers = {area.x, area.y, area.width, height};
    area.y += height + 10, area.height -= height + 10;
  }
  Group nothing;  // in a narrow picture they take several lines
  const double keys = add_key_row(nothing, {}, keys_of(drawn), area.width, measure);
  drawn.keys = {area.x, area.y, area.width, keys + 4};
  area.y += keys + 8, area.height -= keys + 8;
  // As wide to its height as C is, but no narrower or flatter than its tiles can be told apart.
  const report::Face& c = wave.order.c;
  const double shape = std::clamp(
      static_cast<double>(c.columns) / static_cast<double>(std::max<std::int64_t>(c.rows, 1)), 0.5, 3.0);
  const double beside = kStrip * std::min(area.width, area.height);
  const double room_wide = area.width - beside - kGap, room_high = area.height - beside - kGap - kLabel;
  const double high = std::max(std::min(room_high, room_wide / shape), 1.0), wide = high * shape;
  const double x = area.x + std::max((area.width - wide - beside - kGap) / 2, 0.0), y = area.y + kLabel;
  drawn.a = {x, y + beside + kGap, beside, high};
  drawn.b = {x + beside + kGap, y, wide, beside};
  drawn.c = {drawn.b.x, drawn.a.y, wide, high};
  return drawn;
}

enum Mark : std::uint8_t { kLater, kDone };

// The tiles that are not under way.
void add_others(Group& group, const Drawn& drawn) {
  const TileOrder& order = drawn.wave.order;
  const auto count = [](std::size_t bands) { return Span{0, static_cast<std::int64_t>(bands)}; };
  CellGrid grid(count(order.rows.size()), count(order.columns.size()), {});
  for (std::size_t wave = 0; wave < drawn.wave.number; ++wave)
    for (const OrderedTile& one : order.waves[wave])
      grid.mark({static_cast<std::int64_t>(one.row), static_cast<std::int64_t>(one.column)}, kDone);
  group.image(drawn.c, grid.pixels({Color{Token::raised}, Color{Token::dim, 0.45}}));
  group.rect(drawn.c, {.stroke = scene::Stroke{edge()}});
}

std::string stretch_text(const run::Stretch& s) { return fmt::format("{} to {}", s.first, s.end - 1); }

std::string words_of_tile(const TileOrder& order, const OrderedTile& one) {
  return fmt::format("Block {}: rows {}, columns {} of {}. L2 has {:.0f} % of what it asks for", one.block,
                     stretch_text(one.tile.rows), stretch_text(one.tile.columns), order.c.name,
                     100 * share_of_l2(one.asked_lines, one.missed_lines));
}

// Those under way, with the share of what each asks for that comes from memory.
void add_tiles(Group& group, const Drawn& drawn, std::uint64_t block) {
  for (const OrderedTile& one : drawn.wave.tiles()) {
    const Rect whole = drawn.tile(one.row, one.column);
    const double inset = std::min(1.0, 0.08 * std::min(whole.width, whole.height));
    const Rect box = whole.inset(inset);
    Group tile;
    tile.rect(box, {.fill = one.block == block ? Token::first_thread : Token::first_warp}, 1);
    const double missed = 1 - share_of_l2(one.asked_lines, one.missed_lines), part = box.width * missed;
    if (part >= 0.5)
      tile.rect({box.x, box.y + 0.6 * box.height, part, 0.4 * box.height}, {.fill = Token::costly});
    group.group(std::move(tile))
        .named(fmt::format("block:{}", one.block), words_of_tile(drawn.wave.order, one));
  }
}

void add_band(Group& group, const Drawn& drawn, const Rect& whole, bool is_needed, double from_memory,
              const std::string& name, const scene::TextMeasure& measure) {
  const Rect box = whole.inset(std::min(1.0, 0.08 * std::min(whole.width, whole.height)));
  group
      .rect(box,
            {.fill = is_needed ? Color{Token::first_block, 0.75} : Color{Token::raised},
             .stroke = scene::Stroke{edge(), 0.5}},
            1)
      .named("", fmt::format("{}: comes from memory {:.2g} times{}", name, from_memory,
                             is_needed ? "; tiles under way need it" : ""));
  if (is_brief(drawn.subject.look)) return;
  const std::string text = fmt::format("{:.2g}×", from_memory);
  const double type = std::min(12.0, box.height * 0.9);
  const TextStyle style = centred_code(type, is_needed ? Token::background : Token::dim);
  if (type >= 8 && measure.width(text, style) < box.width - 2)
    group.text({box.x + box.width / 2, box.y + box.height / 2}, text, style);
}

void add_bands(Group& group, const Drawn& drawn, const scene::TextMeasure& measure) {
  const TileOrder& order = drawn.wave.order;
  std::set<std::size_t> rows, columns;
  for (const OrderedTile& one : drawn.wave.tiles()) rows.insert(one.row), columns.insert(one.column);
  for (std::size_t row = 0; row < order.rows.size(); ++row)
    add_band(group, drawn, drawn.band_of_a(row), rows.contains(row), order.reads_of_a[row],
             fmt::format("Rows {} of {}", stretch_text(order.rows[row]), order.a.name), measure);
  for (std::size_t column = 0; column < order.columns.size(); ++column)
    add_band(group, drawn, drawn.band_of_b(column), columns.contains(column), order.reads_of_b[column],
             fmt::format("Columns {} of {}", stretch_text(order.columns[column]), order.b.name), measure);
  const TextStyle name = heading();
  group.text({drawn.a.x, drawn.a.y - 8}, order.a.name, within(name, drawn.a.width));
  group.text({drawn.b.x, drawn.b.y - 8}, order.b.name, within(name, drawn.b.width));
}

std::vector<Key> keys_of(const Drawn& drawn) {
  const bool brief = is_brief(drawn.subject.look);
  std::vector<Key> keys{{Token::first_warp, "under way"}};
  if (drawn.wave.number > 0) keys.push_back({Color{Token::dim, 0.45}, "done"});
  keys.push_back({Token::raised, brief ? "later" : "to come", Key::Pattern::framed});
  keys.push_back({Color{Token::first_block, 0.75}, brief ? "needed" : "needed by those under way"});
  keys.push_back({Token::costly, brief ? "from memory" : "share that comes from memory, not from L2"});
  return keys;
}

}  // namespace

Result<scene::Scene> draw_tile_order(const Subject& subject, scene::Size size,
                                     const scene::TextMeasure& measure) {
  const auto wave = wave_of(subject);
  if (!wave) return wave.error();
  const Drawn drawn = drawn_in(subject, *wave, size, measure);
  scene::Scene scene{size};
  if (drawn.title.height > 0) {
    scene.root.text(
        {drawn.title.x, drawn.title.y + 12},
        fmt::format("The order of the tiles of {}: {} blocks at a time, at one pace", wave->order.c.name,
                    grouped(std::min<std::uint64_t>(wave->order.at_a_time,
                                                    catalog::blocks_in_grid(subject.run->plan().launch)))),
        within(heading(), drawn.title.width));
    scene.root.text(
        {drawn.title.x, drawn.title.y + 34},
        fmt::format("L2 as one cache of {} MB that gives up what nobody has asked for for longest. "
                    "N×: so often it comes from memory.",
                    grouped(wave->order.l2_bytes / 1'000'000)),
        within(caption(), drawn.title.width));
    add_number_cards(scene.root, drawn.numbers, drawn.cards, measure);
  }
  add_key_row(scene.root, {drawn.keys.x, drawn.keys.y + 4}, keys_of(drawn), drawn.keys.width, measure);
  add_others(scene.root, drawn);
  add_tiles(scene.root, drawn, block_of(subject));
  add_bands(scene.root, drawn, measure);
  if (drawn.strip.height > 0) add_explanation(scene.root, drawn.strip, drawn.said, {}, {}, measure, kOfPlot);
  return scene;
}

Result<std::string> tile_order_table(const Subject& subject) {
  const auto wave = wave_of(subject);
  if (!wave) return wave.error();
  std::string csv = "wave,block,first_row,rows,first_column,columns,bytes_asked,bytes_from_memory\n";
  for (std::size_t number = 0; number < wave->order.waves.size(); ++number)
    for (const OrderedTile& one : wave->order.waves[number])
      csv += fmt::format("{},{},{},{},{},{},{},{}\n", number + 1, one.block, one.tile.rows.first,
                         one.tile.rows.count(), one.tile.columns.first, one.tile.columns.count(),
                         one.asked_lines * 128, one.missed_lines * 128);
  return csv;
}

explain::Explanation tile_order_words(const Subject& subject) {
  explain::Explanation said;
  const auto wave = wave_of(subject);
  if (!wave) return said;
  namespace claim = explain::claim;
  const TileOrder& order = wave->order;
  const study::Bands bands = study::bands_of(wave->tiles());
  explain::Said what = explain::say(
      "{} at a time need {} of {} and {} of {}",
      {claim::words(counted(wave->tiles().size(), "tile"), Quantity::tiles_at_a_time,
                    static_cast<double>(wave->tiles().size()), Scope::kernel),
       claim::of(claim::words(counted(bands.rows, "row of tiles", "rows of tiles"), Quantity::bands_needed,
                              static_cast<double>(bands.rows), Scope::kernel),
                 order.a.name),
       claim::name(order.a.name),
       claim::of(claim::words(counted(bands.columns, "column"), Quantity::bands_needed,
                              static_cast<double>(bands.columns), Scope::kernel),
                 order.b.name),
       claim::name(order.b.name)});
  const double share = share_of_l2(order.asked_lines, order.missed_lines), times = reads(order);
  explain::Claim of_memory = times < 1.05
                                 ? claim::words("once", Quantity::reads_from_memory, times, Scope::kernel)
                                 : claim::words(fmt::format("{:.2g} times", times),
                                                Quantity::reads_from_memory, times, Scope::kernel);
  of_memory.kind = explain::ClaimKind::average;
  explain::Said why = explain::say(
      "L2 has {} of it; memory gives a byte {} on average",
      {claim::words(fmt::format("{:.0f} %", 100 * share), Quantity::share_of_l2, share, Scope::kernel),
       std::move(of_memory)});
  said.rule = explain::RuleId::of_figure;
  said.verdict = explain::Verdict::neutral;
  said.what = std::move(what.text), said.why = std::move(why.text);
  said.claims = std::move(what.claims);
  explain::add(said.claims, std::move(why.claims));
  return said;
}

}  // namespace warplens::figures
