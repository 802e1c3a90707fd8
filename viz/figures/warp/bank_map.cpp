#include "viz/figures/warp/bank_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "engine/report/pieces.hpp"
#include "viz/figures/warp/warp_access_view.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

constexpr double kHead = 30, kLeastRow = 15, kStripGap = 24, kLabelHeight = 40, kMostWord = 18;

// The top of the scale of colours, at least 2: if nothing conflicts all cells have its lowest colour.
double highest(const BankMap& map) {
  double most = 2;
  for (const auto& line : map.lines)
    for (std::size_t bank = 0; bank < line.words.size(); ++bank)
      if (const double conflict = conflict_of(line, bank); conflict > most) most = conflict;
  return most;
}

// The numbers of a word are dark on bright ground and bright on dark ground, with a contrast of 4.5: no
// colour lies between the two.
constexpr double kStrongConflict = 0.4;  // share of the scale from which on the ground is bright

// Colours of conflicts: 0 for a bank that is not asked, 1 for none, then from little to the worst. Not those
// of the banks below, which are in no order of good and bad.
constexpr int kConflictSteps = 32;
std::vector<Color> conflict_colors() {
  std::vector<Color> palette{Color::transparent(), Color{Token::good, 0.8}};
  for (int step = 1; step <= kConflictSteps; ++step) {
    const double share = static_cast<double>(step) / kConflictSteps;
    palette.push_back(Color{Token::costly, share < kStrongConflict ? 0.62 : 0.7 + 0.3 * share});
  }
  return palette;
}
std::uint8_t color_of_conflict(double conflict, double worst) {
  if (std::isnan(conflict)) return 0;
  if (conflict < 1.005) return 1;
  const double share = std::clamp((conflict - 1) / (worst - 1), 0.0, 1.0);
  return static_cast<std::uint8_t>(1 + std::max(1.0, std::round(share * kConflictSteps)));
}

// The statement, or from "…" on where its access to shared memory would be cut off; `room` characters.
std::string statement_at_access(std::string text, const BankMap& map, std::size_t room) {
  constexpr std::size_t after = 10;  // characters of the index that should be seen
  std::size_t end = 0;               // of what should be seen; the first array counts
  for (const SharedArray& array : map.arrays)
    if (const std::size_t at = text.find(array.name + "["); at != std::string::npos)
      end = std::min(end == 0 ? text.size() : end, at + array.name.size() + after);
  if (text.size() <= room || end <= room || room < 2 * after) return text;
  std::size_t start = end - room + 1;
  while (start < text.size() && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) ++start;
  return "…" + text.substr(start);
}

// How many times each bank gives a word too many, where cells have room for it.
void draw_ways(Group& group, const Rect& cells, const BankMap::Line& line, double worst,
               const scene::TextMeasure& measure) {
  const double cell = cells.width / static_cast<double>(line.words.size());
  for (std::size_t bank = 0; bank < line.words.size(); ++bank) {
    const double conflict = conflict_of(line, bank);
    if (std::isnan(conflict) || conflict < 1.005) continue;
    const bool strong = (conflict - 1) / (worst - 1) >= kStrongConflict;
    const TextStyle style =
        centred_code(std::min(11.0, cells.height - 3), strong ? Token::background : Token::text);
    const std::string text = plot::plain(conflict, 2);
    if (measure.width(text, style) + 2 > cell) continue;
    group.text({cells.x + (static_cast<double>(bank) + 0.5) * cell, cells.center().y}, text, style);
  }
}

// Too narrow for numbers of banks, and for the ideal, which the colours say.
bool is_narrow(double width) { return width < 420; }
const char* numbers_title(double width) { return is_narrow(width) ? "wavefronts" : "wavefronts, ideal"; }

// What the chosen access asks, which is outlined wherever it is shown.
struct Asked {
  int line = 0;                          // of the kernel; 0 for no access
  std::set<std::uint64_t> words, first;  // of shared memory: all, and those of the first lane
};

Asked asked_by(const run::Run& run, const std::optional<trace::Access>& now) {
  Asked asked;
  if (!now || now->space != ptx::Space::shared) return asked;
  asked.line = kernel_line_of(run, now->pc);
  for (std::uint32_t left = now->active & ~report::lanes_elsewhere(*now); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const std::uint64_t from = now->address[lane] / 4, to = (now->address[lane] + now->width - 1) / 4;
    for (std::uint64_t word = from; word <= to; ++word) {
      asked.words.insert(word);
      if (lane == 0) asked.first.insert(word);
    }
  }
  return asked;
}

// Seen on every ground, however small: a bright line in a dark one, or the other way round.
void outline(Group& group, const Rect& rect, Token token = Token::text) {
  group.rect(rect.inset(-1), {.stroke = scene::Stroke{Token::background, 3}}, 1);
  group.rect(rect.inset(-1), {.stroke = scene::Stroke{token, 1.5}}, 1);
}

// visit(first, count) for each run of neighbours among ascending numbers.
template <class Visit>
void for_each_run(const std::set<std::uint64_t>& numbers, Visit visit) {
  for (auto at = numbers.begin(); at != numbers.end();) {
    const std::uint64_t first = *at;
    std::uint64_t count = 0;
    while (at != numbers.end() && *at == first + count) ++at, ++count;
    visit(first, count);
  }
}

void outline_banks(Group& group, const Rect& cells, const BankMap& map, const Asked& asked) {
  std::set<std::uint64_t> banks;
  for (const std::uint64_t word : asked.words) banks.insert(word % static_cast<std::uint64_t>(map.banks));
  const double cell = cells.width / map.banks;
  for_each_run(banks, [&](std::uint64_t first, std::uint64_t count) {
    outline(group, Rect{cells.x + static_cast<double>(first) * cell, cells.y,
                        static_cast<double>(count) * cell, cells.height}
                       .inset(1.5));
  });
}

// Its text; where that would be cut to nothing, what it does: "load B_tile".
std::string words_of_line(const run::Run& run, const BankMap& map, const BankMap::Line& line,
                          std::size_t room) {
  constexpr std::size_t short_of_text = 16;
  if (room < short_of_text && !line.array.empty())
    return fmt::format("{} {}", line.stores ? "store" : "load", line.array);
  return statement_at_access(source_statement(run.plan().spec, line.line), map, room);
}

bool is_all_elsewhere(const BankMap::Line& line) { return line.wavefronts == 0 && line.elsewhere != 0; }
// What its accesses cost: "64, 32", or whose memory it is where they have no wavefronts.
std::string cost_of_line(const BankMap::Line& line, bool narrow) {
  if (is_all_elsewhere(line)) return narrow ? "elsewhere" : "in other blocks";
  return grouped(line.wavefronts) + (narrow ? "" : ", " + grouped(line.ideal));
}
std::string tip_of_line(const BankMap::Line& line) {
  return fmt::format("Line {}: {}, {}, ideal {}{}", line.line, counted(line.requests, "request"),
                     counted(line.wavefronts, "wavefront"), grouped(line.ideal),
                     line.elsewhere == 0
                         ? ""
                         : fmt::format("; {} with lanes in the shared memory of other blocks, which have no "
                                       "bank of this one",
                                       grouped(line.elsewhere)));
}

// One source line: its text, how much each bank is in conflict, and what that costs.
void draw_line(Group& group, const Rect& row, const Rect& cells, const run::Run& run, const BankMap& map,
               const BankMap::Line& line, const scene::TextMeasure& measure) {
  std::vector<std::uint8_t> values;
  for (std::size_t bank = 0; bank < line.words.size(); ++bank)
    values.push_back(color_of_conflict(conflict_of(line, bank), highest(map)));
  Group named;
  TextStyle style = sized(code(), std::min(13.0, row.height - 2));  // a class reads no smaller
  style.baseline = scene::Baseline::middle;
  const double middle = row.center().y;
  const double width = cells.x - row.x - 12;
  const auto room = static_cast<std::size_t>(std::max(width / measure.width("0", style) - 5, 0.0));
  const std::string number =
      is_narrow(row.width) ? fmt::format("{} ", line.line) : fmt::format("{:>3}  ", line.line);
  named.text({row.x, middle}, number + words_of_line(run, map, line, room), within(style, width));
  named.image(cells, scene::make_indexed_image(map.banks, 1, values, conflict_colors()));
  draw_ways(named, cells, line, highest(map), measure);
  style.color = is_all_elsewhere(line)
                    ? Color{Token::text}
                    : cost_color(static_cast<double>(line.wavefronts), static_cast<double>(line.ideal));
  named.text({row.right(), middle}, cost_of_line(line, is_narrow(row.width)),
             within(at_end(style), row.right() - cells.right() - 8));
  group.group(std::move(named)).named(fmt::format("line:{}", line.line), tip_of_line(line));
}

// The colours from no conflict to the worst.
void draw_scale(Group& group, const Rect& area, const BankMap& map, const scene::TextMeasure& measure) {
  double x = area.x;
  const auto label = [&](const std::string& text) {
    group.text({x, area.y + 12}, text, caption());
    x += measure.width(text, caption()) + 16;
  };
  const auto palette = conflict_colors();
  group.rect({x, area.y + 1, 12, 12}, {.fill = palette[1]}, 2);
  x += 20;
  const double worst = highest(map);
  const bool any = std::any_of(map.lines.begin(), map.lines.end(), [](const BankMap::Line& line) {
    return line.wavefronts > line.ideal + line.without_words;
  });
  label(any ? "no conflict" : "no conflict in any bank");
  if (!any) return;
  std::vector<std::uint8_t> steps(kConflictSteps);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = static_cast<std::uint8_t>(i + 2);
  std::string last = fmt::format("{}-way conflict", plot::plain(worst, 3));
  const double wide = std::min(80.0, area.right() - x - measure.width(last, caption()) - 8);
  if (wide < 12) {  // its strongest colour alone, in few words
    last = fmt::format("{}-way", plot::plain(worst, 3));
    if (x + 20 + measure.width(last, caption()) > area.right()) return;
    group.rect({x, area.y + 1, 12, 12}, {.fill = palette.back()}, 2);
    x += 20;
    return label(last);
  }
  group.image({x, area.y + 1, wide, 12},
              scene::make_indexed_image(kConflictSteps, 1, std::move(steps), palette));
  x += wide + 8;
  label(last);
}

double row_height(const BankMap& map, double room) {
  return std::clamp((room - kHead) / static_cast<double>(map.lines.size()), kLeastRow, 34.0);
}

// The line of the chosen access lies on a band, with an edge at its left, as in a list.
void draw_chosen_band(Group& group, const Rect& row) {
  group.rect({row.x - 8, row.y, row.width + 16, row.height - 1}, {.fill = Token::raised}, 4);
  group.rect({row.x - 8, row.y, 3, row.height - 1}, {.fill = Token::accent}, 1);
}

void draw_lines(Group& group, const Rect& area, const run::Run& run, const BankMap& map, const Asked& asked,
                const scene::TextMeasure& measure) {
  const bool narrow = is_narrow(area.width);
  const double text_width = std::min(area.width * (narrow ? 0.5 : 0.36), 460.0), numbers = narrow ? 84 : 146;
  const double row = row_height(map, area.height);
  const std::size_t shown = std::min(map.lines.size(), static_cast<std::size_t>((area.height - kHead) / row));
  const Rect table{area.x + text_width, area.y + kHead - 8, area.width - text_width - numbers,
                   row * static_cast<double>(shown)};
  const double cell = table.width / map.banks;
  const TextStyle bank_style{
      .size = 10, .color = Token::dim, .family = scene::Family::code, .anchor = scene::Anchor::middle};
  const int every = measure.width("00", bank_style) + 3 <= cell ? 1 : 4;
  for (int bank = 0; bank < map.banks && !is_narrow(area.width); bank += every)
    group.text({table.x + (bank + 0.5) * cell, area.y + 12}, fmt::format("{}", bank), bank_style)
        .named(fmt::format("bank:{}", bank));
  // Where the cells are too narrow for numbers the scale has their room.
  const bool has_numbers = measure.width("00", bank_style) + 3 <= every * cell && !is_narrow(area.width);
  const double beside = measure.width(numbers_title(area.width), caption()) + 16;
  draw_scale(group, {area.x, area.y, has_numbers ? text_width - 16 : area.width - beside, kHead}, map,
             measure);
  group.text({area.right(), area.y + 12}, numbers_title(area.width), at_end(caption()));
  group.rect(table, {.fill = Token::background, .stroke = scene::Stroke{edge()}});
  for (std::size_t l = 0; l < shown; ++l) {
    const double y = table.y + static_cast<double>(l) * row;
    const Rect whole{area.x, y, area.width, row}, cells{table.x, y, table.width, row - 1};
    const bool chosen = map.lines[l].line == asked.line;
    if (chosen) draw_chosen_band(group, whole);
    draw_line(group, whole, cells, run, map, map.lines[l], measure);
    if (chosen) outline_banks(group, cells, map, asked);
  }
  if (shown < map.lines.size())
    group.text({area.x, table.bottom() + 16}, "and " + counted(map.lines.size() - shown, "more line"),
               caption());
}

std::vector<Color> bank_colors(int banks) {
  std::vector<Color> palette;
  for (const theme::Rgba color : theme::ramp(theme::Colormap::viridis, banks)) palette.push_back(color);
  return palette;
}

std::int64_t rows_of(const SharedArray& array) {
  const auto words = static_cast<std::int64_t>(array.bytes / 4);
  return (words + array.row_words - 1) / array.row_words;
}

// The size of a word; words need not be square, so that flat and steep arrays fill their room too.
struct Word {
  double width = 0, height = 0;
};

constexpr double kLeastArray = 120;  // room for a name

// What an array takes beside the others: its words, and room for its name.
double width_of(const SharedArray& array, double word) {
  return std::max(word * static_cast<double>(array.row_words), kLeastArray);
}

// The same width for all arrays, so that they stand side by side; words of narrow arrays fill the room that
// their names need.
double word_width(const BankMap& map, const Rect& area) {
  const auto needed = [&](double word) {
    double width = -kStripGap;
    for (const SharedArray& array : map.arrays) width += width_of(array, word) + kStripGap;
    return width;
  };
  double word = kMostWord;
  while (word > 0.25 && needed(word) > area.width) word *= 0.97;
  return word;
}

Word word_of(const SharedArray& array, double common, double height) {
  const double width =
      std::max(common, std::min(kMostWord, kLeastArray / static_cast<double>(array.row_words)));
  const double most = std::min(kMostWord, 4 * width);
  return {width, std::min((height - kLabelHeight) / static_cast<double>(rows_of(array)), most)};
}

// In words that are large enough, and not too many: the bank that each lies in.
void draw_bank_numbers(Group& group, const Rect& rect, Word word, const SharedArray& array, int banks) {
  constexpr std::uint64_t most_numbers = 1100;
  const std::uint64_t words = array.bytes / 4;
  if (word.width < 16 || word.height < 11 || words > most_numbers) return;
  const auto ramp = theme::ramp(theme::Colormap::viridis, banks);
  for (std::uint64_t w = 0; w < words; ++w) {
    const std::uint64_t bank = (array.offset / 4 + w) % static_cast<std::uint64_t>(banks);
    const theme::Rgba ground = ramp[static_cast<std::size_t>(bank)], white = theme::rgb(0xffffff),
                      black = theme::rgb(0x000000);
    const auto row = static_cast<double>(w / static_cast<std::uint64_t>(array.row_words)),
               column = static_cast<double>(w % static_cast<std::uint64_t>(array.row_words));
    group.text({rect.x + (column + 0.5) * word.width, rect.y + (row + 0.5) * word.height},
               fmt::format("{}", bank),
               centred_code(std::min(10.0, word.height - 3),
                            theme::contrast(ground, white) > theme::contrast(ground, black) ? white : black));
  }
}

// Words of an array that touch each other, as a rectangle.
struct Patch {
  std::uint64_t row = 0, column = 0, rows = 1, columns = 1;
};

std::vector<Patch> patches_of(const SharedArray& array, const std::set<std::uint64_t>& asked) {
  const std::uint64_t from = array.offset / 4, to = (array.offset + array.bytes) / 4;
  const auto wide = static_cast<std::uint64_t>(array.row_words);
  std::map<std::uint64_t, std::set<std::uint64_t>> rows;
  for (auto at = asked.lower_bound(from); at != asked.end() && *at < to; ++at)
    rows[(*at - from) / wide].insert((*at - from) % wide);
  std::vector<Patch> patches;
  for (const auto& [row, columns] : rows)
    for_each_run(columns, [&, row = row](std::uint64_t first, std::uint64_t count) {
      // The same columns of the row above: one patch goes on.
      for (Patch& above : patches)
        if (above.column == first && above.columns == count && above.row + above.rows == row)
          return void(++above.rows);
      patches.push_back({row, first, 1, count});
    });
  return patches;
}

void outline_words(Group& group, const Rect& rect, Word word, const SharedArray& array,
                   const std::set<std::uint64_t>& asked, Token token) {
  for (const Patch& patch : patches_of(array, asked))
    outline(group,
            {rect.x + static_cast<double>(patch.column) * word.width,
             rect.y + static_cast<double>(patch.row) * word.height,
             static_cast<double>(patch.columns) * word.width, static_cast<double>(patch.rows) * word.height},
            token);
}

// Its name, its size, and how its rows were found, as far as there is room.
void draw_array_head(Group& group, Point at, double room, const SharedArray& array,
                     const scene::TextMeasure& measure) {
  group.text({at.x, at.y + 12}, array.name, within(heading(), room));
  const double used = measure.width(array.name, heading()) + 10;
  const std::string size = rows_by_columns(rows_of(array), array.row_words) + " words";
  const bool beside = measure.width(size, caption()) <= room - used;
  if (beside) group.text({at.x + used, at.y + 12}, size, caption());
  const std::string rows(words_of(array.rows));
  for (const std::string& second : {beside ? rows : size + ", " + rows, beside ? std::string() : size})
    if (measure.width(second, caption()) <= room)
      return void(group.text({at.x, at.y + 30}, second, caption()));
}

void draw_array(Group& group, Point at, double room, const SharedArray& array, Word word, int banks,
                const Asked& asked, const scene::TextMeasure& measure) {
  const auto wide = static_cast<int>(array.row_words), high = static_cast<int>(rows_of(array));
  std::vector<std::uint8_t> indices(static_cast<std::size_t>(wide) * static_cast<std::size_t>(high), 255);
  for (std::uint64_t w = 0; w < array.bytes / 4; ++w)
    indices[static_cast<std::size_t>(w)] =
        static_cast<std::uint8_t>((array.offset / 4 + w) % static_cast<std::uint64_t>(banks));
  draw_array_head(group, at, room, array, measure);
  const auto colors = bank_colors(banks);
  const Rect rect{at.x, at.y + kLabelHeight, word.width * wide, word.height * high};
  group.image(rect, scene::make_indexed_image(wide, high, indices, colors))
      .named("grid:" + array.name, array.name);
  draw_bank_numbers(group, rect, word, array, banks);
  outline_words(group, rect, word, array, asked.words, Token::text);
  outline_words(group, rect, word, array, asked.first, Token::first_thread);
}

// The shared arrays, each word in its bank's colour: where rows are padded the colours slant.
void draw_arrays(Group& group, const Rect& area, const BankMap& map, const Asked& asked,
                 const scene::TextMeasure& measure) {
  const std::string what = "each word in its bank’s colour";
  group.text({area.x, area.y + 12}, what, caption());
  const double key = std::min(200.0, area.width - measure.width(what, caption()) - 90);
  const double left = area.x + measure.width(what, caption()) + 36;
  std::vector<std::uint8_t> ramp(static_cast<std::size_t>(map.banks));
  for (std::size_t bank = 0; bank < ramp.size(); ++bank) ramp[bank] = static_cast<std::uint8_t>(bank);
  if (key > 60) {
    group.text({left - 8, area.y + 12}, "0", at_end(caption()));
    group.image({left, area.y + 2, key, 12},
                scene::make_indexed_image(map.banks, 1, std::move(ramp), bank_colors(map.banks)));
    group.text({left + key + 8, area.y + 12}, fmt::format("{}", map.banks - 1), caption());
  }
  const Rect after{left + std::max(key, 0.0) + 48, area.y, 12, 12};
  const std::string outlined = fmt::format("outlined: line {} asks for them now", asked.line);
  if (!asked.words.empty() && after.x + 20 + measure.width(outlined, caption()) <= area.right()) {
    outline(group, Rect{after.x, after.y + 2, 12, 12}.inset(1));
    group.text({after.x + 20, area.y + 12}, outlined, caption());
  }
  const Rect room{area.x, area.y + 28, area.width, area.height - 28};
  const double word = word_width(map, room);
  double x = area.x;
  for (const SharedArray& array : map.arrays) {
    const double wide = width_of(array, word);
    const bool last = &array == &map.arrays.back();
    draw_array(group, {x, room.y}, last ? area.right() - x : wide + kStripGap - 10, array,
               word_of(array, word, room.height), map.banks, asked, measure);
    x += wide + kStripGap;
  }
}

// Why lines cost more than the ideal where no bank has a conflict.
std::string note_on_wide(const BankMap& map) {
  std::uint64_t count = 0;
  for (const auto& line : map.lines) count += line.without_words;
  return count == 0 ? ""
                    : fmt::format(
                          "{} beyond the ideal are no conflicts: on compute capability 2.x an access of "
                          "16 bytes a lane takes one more for every eight lanes, whatever the banks",
                          counted(count, "wavefront"));
}

// Why there is nothing to draw; empty if there are numbers.
std::optional<Error> why_no_map(const BankMap* banks) {
  if (banks == nullptr) return Error{"the banks of this block are being counted", "try again in a moment"};
  if (banks->lines.empty())
    return Error{"this block makes no access to shared memory", "choose another kernel or block"};
  return std::nullopt;
}

}  // namespace

double conflict_of(const BankMap::Line& line, std::size_t bank) {
  return line.ideal_words[bank] == 0 ? std::nan("") : line.words[bank] / line.ideal_words[bank];
}

scene::Scene bank_map_scene(const run::Run& run, const BankMap& map, scene::Size size,
                            const scene::TextMeasure& measure, const std::optional<trace::Access>& now,
                            Look look) {
  if (map.lines.empty())
    return message_scene(size, "This kernel uses no shared memory", "Choose a step with a shared tile",
                         measure);
  scene::Scene scene{size};
  const Rect area = inner_area(size);
  // On stage the step's name stands above the picture.
  const double title = is_brief(look) ? 0 : 24;
  if (!is_brief(look))
    scene.root.text({area.x, area.y + 18}, run.plan().spec.title, within(sized(heading(), 17), area.width));
  scene.root.text({area.x, area.y + 18 + title},
                  fmt::format("One block: {}{}",
                              map.cut ? fmt::format("the first {} accesses of each instruction",
                                                    grouped(kMostAccessesMapped))
                                      : "all accesses to shared memory",
                              recorded_words(run)),
                  within(caption(), area.width));
  double top = area.y + 36 + title;
  if (const std::string note = note_on_wide(map); !note.empty())
    top += scene::add_paragraph(scene.root, {area.x, top - 10}, note, area.width, caption(), measure);
  const Asked asked = asked_by(run, now);
  const double wanted = kHead + (is_narrow(area.width) ? 22.0 : 34.0) * static_cast<double>(map.lines.size()),
               upper = std::clamp(wanted, 80.0, (area.bottom() - top) * (is_narrow(area.width) ? 0.6 : 0.5));
  draw_lines(scene.root, {area.x, top, area.width, upper}, run, map, asked, measure);
  const double below = top + upper + 28;
  if (!map.arrays.empty())
    draw_arrays(scene.root, {area.x, below, area.width, area.bottom() - below}, map, asked, measure);
  return scene;
}

std::optional<Pick> pick_word(const BankMap& map, const scene::Hit& hit) {
  constexpr std::string_view prefix = "grid:";
  if (!hit.cell || !hit.id.starts_with(prefix)) return std::nullopt;
  const std::string name = hit.id.substr(prefix.size());
  const auto array = std::find_if(map.arrays.begin(), map.arrays.end(),
                                  [&](const SharedArray& a) { return a.name == name; });
  if (array == map.arrays.end()) return std::nullopt;
  const std::int64_t word = hit.cell->row * array->row_words + hit.cell->column;
  if (word >= static_cast<std::int64_t>(array->bytes / 4)) return std::nullopt;
  const std::uint64_t bank =
      (array->offset / 4 + static_cast<std::uint64_t>(word)) % static_cast<std::uint64_t>(map.banks);
  return Pick{cell_id({name, hit.cell->row, hit.cell->column}),
              fmt::format("{}[{}][{}], bank {}", name, hit.cell->row, hit.cell->column, bank), hit.bounds};
}

std::string bank_map_csv(const BankMap& map) {
  std::string text = "line,bank,words,conflict\n";
  for (const auto& line : map.lines)
    for (std::size_t bank = 0; bank < line.words.size(); ++bank)
      text += fmt::format("{},{},{},{:.4g}\n", line.line, bank, line.words[bank],
                          line.ideal_words[bank] == 0 ? 0 : conflict_of(line, bank));
  return text;
}

Result<scene::Scene> draw_bank_map(const Subject& subject, scene::Size size,
                                   const scene::TextMeasure& measure) {
  if (const auto why = why_no_map(subject.known.banks.get())) return *why;
  const BlockAccesses& accesses = story_at(*subject.run, subject.place).accesses();
  const auto now = nearest_access(accesses, subject.place.warp, subject.place.access, ptx::Space::shared);
  return bank_map_scene(*subject.run, *subject.known.banks, size, measure,
                        now ? accesses.at(subject.place.warp, *now) : std::nullopt, subject.look);
}

Result<std::string> bank_map_table(const Subject& subject) {
  if (const auto why = why_no_map(subject.known.banks.get())) return *why;
  return bank_map_csv(*subject.known.banks);
}

std::vector<Rect> places_in_bank_map(const Subject& subject, const scene::Scene& shown, scene::Size,
                                     const scene::TextMeasure& measure, std::span<const CellId> cells) {
  std::vector<Rect> found;
  for (const CellId& cell : cells) {
    const auto tile = scene::find_bounds(shown, "grid:" + cell.name, measure);
    const auto array = std::ranges::find(subject.known.banks->arrays, cell.name, &SharedArray::name);
    if (!tile || array == subject.known.banks->arrays.end() || array->row_words == 0) continue;
    const double words = static_cast<double>(array->bytes) / 4;
    const double wide = tile->width / static_cast<double>(array->row_words);
    const double high = tile->height / std::ceil(words / static_cast<double>(array->row_words));
    const Rect place{tile->x + static_cast<double>(cell.column) * wide,
                     tile->y + static_cast<double>(cell.row) * high, wide, high};
    if (tile->contains(place.center())) found.push_back(place);
  }
  return found;
}

std::optional<Pick> pick_in_bank_map(const Subject& subject, const scene::Scene& shown, scene::Size,
                                     const scene::TextMeasure& measure, Point point) {
  const auto hit = scene::hit_test(shown, point, measure);
  return hit && subject.known.banks != nullptr ? pick_word(*subject.known.banks, *hit) : std::nullopt;
}

}  // namespace warplens::figures
