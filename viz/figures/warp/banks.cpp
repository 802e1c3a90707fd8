#include "viz/figures/warp/banks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace warplens::figures {
namespace {

// The height of lanes and their lines to banks at least.
constexpr double kLeastWays = 84, kLeastRow = 5;  // of a wavefront, where the numbers give way
constexpr double kFramedRow = 8;                  // lower ones would be all frame
// Of what stands left of the banks; each has so much at least for a number that is written whole.
constexpr double kLabelWidth = 124;

// "0-31", "3", "0 4 8", "8×": from the longest to the shortest.
std::vector<std::string> lanes_texts(std::uint32_t lanes) {
  const int count = std::popcount(lanes), first = std::countr_zero(lanes),
            last = 31 - std::countl_zero(lanes);
  std::vector<std::string> forms;
  if (count == 1) {
    forms.push_back(fmt::format("{}", first));
  } else if (last - first + 1 == count) {
    forms.push_back(fmt::format("{}-{}", first, last));
  } else {
    std::string all;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
      all += fmt::format("{}{}", all.empty() ? "" : " ", std::countr_zero(left));
    forms.push_back(all);
  }
  if (count > 1) forms.push_back(fmt::format("{}×", count));
  return forms;
}

// How the lanes of words are written in cells of this width: the form that fits all of them, so that one
// table says it in one way.
std::size_t form_for(const analysis::SharedPieces& pieces, double width, const TextStyle& style,
                     const scene::TextMeasure& measure) {
  for (const auto& wavefront : pieces.wavefronts)
    for (const auto& word : wavefront.words)
      if (measure.width(lanes_texts(word.lanes).front(), style) > width - 2) return 1;
  return 0;
}

// In this form where the lanes have it and it fits.
std::string written(std::uint32_t lanes, std::size_t form, double width, const TextStyle& style,
                    const scene::TextMeasure& measure) {
  const auto texts = lanes_texts(lanes);
  const std::string& text = texts[std::min(form, texts.size() - 1)];
  return measure.width(text, style) <= width - 2 ? text : "";
}

double cell_width(const analysis::SharedPieces& pieces, double width) {
  return (width - kLabelWidth) / pieces.banks;
}
// Numbers of lanes or banks over cells of this width: so large, and so many are left out between them.
struct CellNumbers {
  double size = 12;
  int every = 1;
};
// For a class in a size that it reads.
CellNumbers cell_numbers(double cell, Look look) {
  constexpr double least = 10, read = theme::metric::kCaption;
  if (is_large(look)) return {read, cell >= 1.5 * read ? 1 : cell >= 0.5 * read ? 4 : 8};
  const double size = (cell - 5) / 1.2;
  return size >= least - 1 ? CellNumbers{std::clamp(size, least, 12.0), 1} : CellNumbers{12, 4};
}

Color cell_color(const analysis::BankWord& word, bool extra) {
  if (word.is_broadcast()) return Token::good;
  if (extra) return Token::costly;
  return word.lanes == 1 ? Token::first_thread : Token::first_warp;
}

// "13 · lanes 16-31", "2 · lane 7".
std::string phase_text(const WarpAccessView& view, std::size_t w) {
  const analysis::SharedPieces& pieces = view.pieces.shared;
  const Look look = view.look;
  if (is_brief(look) && w > 0) return fmt::format("{}", w + 1);
  const analysis::Wavefront& wavefront = pieces.wavefronts[w];
  std::uint32_t lanes = 0;
  for (const auto& other : pieces.wavefronts)
    if (other.phase == wavefront.phase) lanes |= other.lanes;
  if (pieces.phases < 2 || lanes == 0 || is_brief(look))
    return fmt::format("{} {}", view.arrives ? "as a store" : "wavefront", w + 1);
  const int first = std::countr_zero(lanes), last = 31 - std::countl_zero(lanes);
  if (first == last) return fmt::format("{} · lane {}", w + 1, first);
  return fmt::format("{} · lanes {}-{}", w + 1, first, last);
}

// At the left of a row of this height.
TextStyle caption_of_row(double row, Look look) {
  return {.size = is_large(look) ? theme::metric::kCaption : std::min(12.0, row * 0.8),
          .color = Token::dim,
          .baseline = scene::Baseline::middle};
}

// How many rows of this height share a caption, and its style: low rows have one where there is room.
std::pair<std::size_t, TextStyle> captions_of_rows(double row, Look look) {
  constexpr double low_size = 11;
  const double readable = is_large(look) ? 15 : 10, step = is_large(look) ? 17 : 14;
  std::size_t every = 1;
  TextStyle style = caption_of_row(row, look);
  if (row >= readable) return {every, style};
  while (static_cast<double>(every) * row < step) every *= 2;
  if (!is_large(look)) style.size = low_size;
  return {every, style};
}

// Which of the words of its bank a word is, and how many the bank gives in this wavefront.
std::pair<int, int> place_among(const analysis::Wavefront& wavefront, std::size_t i) {
  int place = 0, places = 0;
  for (std::size_t k = 0; k < wavefront.words.size(); ++k)
    if (wavefront.words[k].bank == wavefront.words[i].bank) place += k < i ? 1 : 0, ++places;
  return {place, places};
}

// Why a wavefront serves no bank (CUDA C Programming Guide 4.2, F.4.3.2.2).
void draw_no_words(Group& group, const Rect& row) {
  if (row.height < 8) return;
  TextStyle style = within(centred(sized(caption(), std::min(13.0, row.height * 0.85))), row.width - 8);
  style.baseline = scene::Baseline::middle;
  group.text(row.center(), "one more for 16 bytes a lane, whatever the banks", style);
}

void draw_wavefronts(Group& group, const WarpAccessView& view, const Rect& area,
                     const scene::TextMeasure& measure) {
  const analysis::SharedPieces& pieces = view.pieces.shared;
  const double cell = cell_width(pieces, area.width), left = area.x + kLabelWidth;
  const double count = static_cast<double>(std::max<std::size_t>(pieces.wavefronts.size(), 1));
  const double row = std::clamp((area.height - 24) / count, 2.0, 40.0);
  const double gap = std::min(2.0, row * 0.25), corner = std::min(2.0, row / 4);  // of thin rows, too
  const CellNumbers numbers = cell_numbers(cell, view.look);
  for (int bank = 0; bank < pieces.banks; bank += numbers.every)
    group
        .text({left + (bank + 0.5) * cell, area.y + 12}, fmt::format("{}", bank),
              {.size = numbers.size,
               .color = Token::dim,
               .family = scene::Family::code,
               .anchor = scene::Anchor::middle})
        .named(fmt::format("bank:{}", bank));
  group.text({area.x, area.y + 12}, "bank", caption());
  const auto [every, caption_style] = captions_of_rows(row, view.look);
  const TextStyle label = within(caption_style, kLabelWidth - 8);
  int phase = -1;
  for (std::size_t w = 0; w < pieces.wavefronts.size(); ++w) {
    const auto& wavefront = pieces.wavefronts[w];
    const double y = area.y + 22 + static_cast<double>(w) * row;
    const bool extra = wavefront.phase == phase;
    phase = wavefront.phase;
    if (w % every == 0) {
      TextStyle style = label;
      style.color = extra ? Token::costly : Token::dim;
      group.text({area.x, y + row / 2}, phase_text(view, w), style);
    }
    const Rect turn{left, y + gap / 2, cell * pieces.banks, row - gap};
    group.rect(turn, {.fill = Token::raised}, corner);
    if (row >= kFramedRow) group.rect(turn.inset(0.5), {.stroke = scene::Stroke{edge()}}, corner);
    TextStyle style = centred_code(std::clamp((row - 2) * 0.85, 6.0, 13.0), Token::background);
    // Two digits with some air beside them.
    style.size = std::min(style.size, style.size * (cell - 7) / measure.width("00", style));
    const double two_digits = measure.width("00", style);
    const std::size_t form = form_for(pieces, cell - 2, style, measure);
    if (wavefront.words.empty() && !is_brief(view.look))
      draw_no_words(group, {left, y + 1, cell * pieces.banks, row - 2});
    for (std::size_t i = 0; i < wavefront.words.size(); ++i) {
      const auto& word = wavefront.words[i];
      const auto [place, places] = place_among(wavefront, i);
      const double wide = (cell - 1) / places;
      const Rect box{left + word.bank * cell + 1 + wide * place, y + gap / 2, wide - 1, row - gap};
      group.rect(box, {.fill = cell_color(word, extra)}, corner)
          .named(fmt::format("bank:{}", word.bank),
                 fmt::format("Wavefront {}, bank {}: word {} for {}", w + 1, word.bank, word.word,
                             counted(static_cast<std::uint64_t>(std::popcount(word.lanes)), "lane")));
      const TextStyle fitted =
          places == 1 ? style : sized(style, std::min(style.size, style.size * (wide - 4) / two_digits));
      if (row >= 10 && fitted.size >= 7)
        group.text(box.center(), written(word.lanes, form, box.width, fitted, measure), fitted);
    }
  }
}

// Whose words come in a later turn than the first of their phase.
std::uint32_t waiting_lanes(const analysis::SharedPieces& pieces) {
  std::uint32_t waiting = 0;
  int phase = -1;
  for (const auto& wavefront : pieces.wavefronts) {
    if (wavefront.phase == phase)
      for (const auto& word : wavefront.words) waiting |= word.lanes;
    phase = wavefront.phase;
  }
  return waiting;
}

// Banks that give no word to any lane.
int idle_banks(const analysis::SharedPieces& pieces) {
  std::set<int> busy;
  for (const auto& wavefront : pieces.wavefronts)
    for (const auto& word : wavefront.words) busy.insert(word.bank);
  return pieces.banks - static_cast<int>(busy.size());
}

// Instead of wavefronts, where all lanes go to the shared memory of other blocks.
void draw_elsewhere(Group& group, const WarpAccessView& view, const Rect& area,
                    const scene::TextMeasure& measure) {
  const std::string text = fmt::format(
      "The lanes use the shared memory of {}: no wavefront, and no bank of this block", view.elsewhere);
  double y = area.y;
  for (const std::string& line : scene::wrapped(text, area.width, body(), measure))
    group.text({area.x, y}, line, body()), y += 20;
}

// Above the table: each lane's way to the middle of the banks that hold its words. Those that wait for others
// look like their words in the table.
void draw_ways(Group& group, const WarpAccessView& view, const Rect& area) {
  const analysis::SharedPieces& pieces = view.pieces.shared;
  const double cell = cell_width(pieces, area.width), left = area.x + kLabelWidth;
  const double lane_wide = cell * pieces.banks / 32;
  const std::uint32_t waiting = waiting_lanes(pieces);
  for (int lane = 0; lane < 32; ++lane) {
    if ((view.access.active >> lane & 1) == 0) continue;
    const Color color = (waiting >> lane & 1) != 0 ? Token::costly
                        : lane == 0                ? Token::first_thread
                                                   : Token::first_warp;
    const CellNumbers numbers = cell_numbers(lane_wide, view.look);
    // Numbers that are larger than a box has room for stand above it.
    const bool stands_above = is_large(view.look) || numbers.every > 1;
    const double above = stands_above ? 18 : 0;
    const Rect box{left + lane * lane_wide + 1, area.y + above, lane_wide - 2, 24 - above / 3};
    Group way;
    way.rect(box, {.fill = color}, 3);
    if (lane % numbers.every == 0)
      way.text(stands_above ? Point{box.center().x, area.y + 8} : box.center(), fmt::format("{}", lane),
               centred_code(numbers.size, stands_above ? Token::dim : Token::background));
    const std::uint64_t word = view.access.address[static_cast<std::size_t>(lane)] / 4;
    const auto bank = static_cast<double>(word % static_cast<std::uint64_t>(pieces.banks));
    const double words = std::clamp(view.access.width / 4.0, 1.0, pieces.banks - bank);
    way.arrow({box.center().x, box.bottom() + 2}, {left + (bank + words / 2) * cell, area.bottom() - 2},
              {lane == 0 ? color : Color{color.token, 0.75}, lane == 0 ? 1.6 : 1.1}, 6);
    group.group(std::move(way))
        .named(fmt::format("lane:{}", lane), fmt::format("Lane {}: word {} in bank {}", lane, word, bank));
  }
  const bool is_narrow = cell_numbers(lane_wide, view.look).every > 1;
  group.text({area.x, area.y + (is_large(view.look) || is_narrow ? 12 : 17)}, "lane", caption());
}

// What the colours mean, of those that this access or the one beside it has.
std::vector<Key> keys_of(const WarpAccessView& view, const WarpAccessView* beside) {
  bool shared_word = false, waits = false;
  for (const WarpAccessView* one : {&view, beside}) {
    if (one == nullptr) continue;
    shared_word |= analysis::broadcast_words(one->pieces.shared) > 0;
    waits |= waiting_lanes(one->pieces.shared) != 0;
  }
  const bool brief = is_brief(view.look);
  std::vector<Key> keys = {{Token::first_thread, "lane 0"},
                           {Token::first_warp, brief ? "word" : "a lane’s word"},
                           {Token::good, brief ? "broadcast" : "broadcast to several lanes"},
                           {Token::costly, brief ? "waits" : "waits for a bank"}};
  std::erase_if(keys, [&](const Key& key) {
    return (key.color == Color{Token::good} && !shared_word) || (key.color == Color{Token::costly} && !waits);
  });
  return keys;
}

// The wavefronts that one bank works in, of a phase: the ways of the conflict. A bank of 3.x gives two words
// in one wavefront, where they lie 128 bytes apart.
int ways_of(const analysis::SharedPieces& pieces) {
  std::map<std::pair<int, int>, int> turns;  // of each phase and bank
  int most = 0;
  for (const auto& wavefront : pieces.wavefronts) {
    std::set<int> banks;
    for (const auto& word : wavefront.words) banks.insert(word.bank);
    for (const int bank : banks) most = std::max(most, ++turns[{wavefront.phase, bank}]);
  }
  return most;
}

std::vector<NumberCard> numbers_of(const WarpAccessView& view) {
  const auto& pieces = view.pieces;
  const int ways = ways_of(pieces.shared), idle = idle_banks(pieces.shared);
  const auto stored = analysis::counts_of(pieces.shared);
  const Color color = cost_color(pieces.units, pieces.ideal);
  const NumberCard arrival{"Wavefronts", "none",
                           fmt::format("of its own; a store takes {}", stored.wavefronts), Token::text};
  const NumberCard request{"Wavefronts", grouped(static_cast<std::uint64_t>(pieces.units)),
                           fmt::format("ideal {}{}", pieces.ideal, pieces.exact ? "" : ", approximate"),
                           color};
  const bool wide = analysis::wavefronts_without_words(pieces.shared) > 0;
  return {view.arrives ? arrival : request,
          {"Conflict", ways > 1 ? fmt::format("{}-way", ways) : "none",
           ways <= 1      ? "no two words in one bank at once"
           : view.arrives ? "a store's words of one bank, in turn"
           : idle > 0 ? fmt::format("in turn, and {} idle", counted(static_cast<std::uint64_t>(idle), "bank"))
                      : "words of one bank wait in turn",
           view.arrives        ? Color{Token::text}
           : ways > 1 || !wide ? color
                               : Color{Token::good}},
          {"Broadcasts", grouped(analysis::broadcast_words(pieces.shared)), "words for several lanes at once",
           Token::text},
          {"Banks", fmt::format("{}", pieces.shared.banks), fmt::format("of 4 bytes, {}", view.device.name),
           Token::text}};
}

}  // namespace

scene::Scene banks_scene(const WarpAccessView& view, scene::Size size, const scene::TextMeasure& measure,
                         const WarpAccessView* beside) {
  scene::Scene scene{size};
  const Rect area = inner_area(size);
  const bool all_elsewhere = view.pieces.elsewhere != 0 && view.access.active == 0;
  const auto keys = all_elsewhere ? std::vector<Key>{} : keys_of(view, beside);
  const double top = 18 + add_head(scene.root, area, view, keys, measure, beside);
  if (all_elsewhere) {
    draw_elsewhere(scene.root, view, {area.x, top, area.width, area.bottom() - top}, measure);
    return scene;
  }
  const auto numbers = numbers_of(view);
  double cards = number_cards_height(numbers, area.width, measure) + 16;
  std::size_t rows = view.pieces.shared.wavefronts.size();
  if (beside != nullptr) rows = std::max(rows, beside->pieces.shared.wavefronts.size());
  // The turns come before the numbers, which the head and the rows say too.
  const double least = kLeastRow * static_cast<double>(rows) + 30 + kLeastWays;
  const bool has_cards = has_words(view.look) && area.bottom() - cards - top >= least;
  if (!has_cards) cards = 0;
  Rect table{area.x, top, area.width, area.bottom() - cards - top};
  // Many turns have thin rows: lanes and their ways are always there.
  const double wanted = 40 * static_cast<double>(rows) + 30;
  const double ways = std::max(table.height - wanted, std::min(kLeastWays, table.height * 0.45));
  draw_ways(scene.root, view, {table.x, table.y, table.width, ways - 8});
  table = {table.x, table.y + ways, table.width, table.height - ways};
  draw_wavefronts(scene.root, view, table, measure);
  if (has_cards)
    add_number_cards(scene.root, {area.x, area.bottom() - cards + 16, area.width, cards - 16}, numbers,
                     measure);
  return scene;
}

std::string banks_csv(const WarpAccessView& view) {
  std::string text = "wavefront,phase,bank,word,lanes\n";
  for (std::size_t w = 0; w < view.pieces.shared.wavefronts.size(); ++w)
    for (const auto& word : view.pieces.shared.wavefronts[w].words)
      text += fmt::format("{},{},{},{},0x{:08x}\n", w, view.pieces.shared.wavefronts[w].phase, word.bank,
                          word.word, word.lanes);
  return text;
}

Result<scene::Scene> draw_banks(const Subject& subject, scene::Size size, const scene::TextMeasure& measure) {
  return draw_view(subject, ptx::Space::shared, banks_scene, size, measure);
}

Result<std::string> banks_table(const Subject& subject) {
  return view_table(subject, ptx::Space::shared, banks_csv);
}

}  // namespace warplens::figures
