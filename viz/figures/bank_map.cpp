#include "viz/figures/bank_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/report/pieces.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

void add_access(const RunView& run, const trace::Access& access, BankMap::Line& line) {
  const auto pieces = report::access_pieces(access, run.kernel->function().code[access.pc], *run.device);
  std::uint64_t asked = 0;  // banks
  for (const auto& wavefront : pieces.shared.wavefronts)
    for (const auto& word : wavefront.words) {
      line.words[static_cast<std::size_t>(word.bank)] += 1;
      asked |= std::uint64_t{1} << word.bank;
    }
  for (std::size_t bank = 0; bank < line.ideal_words.size(); ++bank)
    if (asked >> bank & 1) line.ideal_words[bank] += pieces.ideal;
  ++line.requests;
  line.wavefronts += static_cast<std::uint64_t>(pieces.cost);
  line.ideal += static_cast<std::uint64_t>(pieces.ideal);
}

}  // namespace

double conflict_of(const BankMap::Line& line, std::size_t bank) {
  return line.ideal_words[bank] == 0 ? std::nan("") : line.words[bank] / line.ideal_words[bank];
}

BankMap bank_map_of(const RunView& run, const BlockAccesses& accesses) {
  BankMap map;
  map.banks = run.device->shared_banks;
  map.arrays = shared_arrays(run, accesses);
  std::map<int, BankMap::Line> lines;
  const SourcePlaces places(run);
  const trace::PcIndex index(accesses.trace(), accesses.block());
  for (const std::uint32_t pc : index.pcs()) {
    const auto events = index.events(pc);
    if (accesses.trace().access(accesses.block(), events.front()).space != ptx::Space::shared) continue;
    const int number = places.kernel_line(pc);
    BankMap::Line& line = lines[number];
    line.line = number;
    line.words.resize(static_cast<std::size_t>(map.banks));
    line.ideal_words.resize(static_cast<std::size_t>(map.banks));
    map.cut |= events.size() > most_accesses_mapped;
    for (std::size_t e = 0; e < std::min(events.size(), most_accesses_mapped); ++e)
      add_access(run, accesses.trace().access(accesses.block(), events[e]), line);
  }
  for (auto& [number, line] : lines) map.lines.push_back(std::move(line));
  return map;
}

namespace {

constexpr double head = 30, least_row = 15, strip_gap = 24, label_height = 40, most_word = 18;

// Of the scale: where nothing conflicts all cells have its lowest colour.
double highest(const BankMap& map) {
  double most = 2;
  for (const auto& line : map.lines)
    for (std::size_t bank = 0; bank < line.words.size(); ++bank)
      if (const double conflict = conflict_of(line, bank); conflict > most) most = conflict;
  return most;
}

// Colours of conflicts: 0 for a bank that is not asked, 1 for none, then from little to the worst. Not those
// of the banks below, which are in no order of good and bad.
constexpr int conflict_steps = 32;
std::vector<Color> conflict_colors() {
  std::vector<Color> palette{Color::transparent(), Color{Token::good, 0.55}};
  for (int step = 1; step <= conflict_steps; ++step)
    palette.push_back(Color{Token::costly, 0.35 + 0.65 * step / conflict_steps});
  return palette;
}
std::uint8_t color_of_conflict(double conflict, double worst) {
  if (std::isnan(conflict)) return 0;
  if (conflict < 1.005) return 1;
  const double share = std::clamp((conflict - 1) / (worst - 1), 0.0, 1.0);
  return static_cast<std::uint8_t>(1 + std::max(1.0, std::round(share * conflict_steps)));
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
void draw_ways(Group& group, const Rect& cells, const BankMap::Line& line,
               const scene::TextMeasure& measure) {
  const double cell = cells.width / static_cast<double>(line.words.size());
  for (std::size_t bank = 0; bank < line.words.size(); ++bank) {
    const double conflict = conflict_of(line, bank);
    if (std::isnan(conflict) || conflict < 1.005) continue;
    const TextStyle style{.size = std::min(11.0, cells.height - 3),
                          .color = Token::text,
                          .family = scene::Family::code,
                          .anchor = scene::Anchor::middle,
                          .baseline = scene::Baseline::middle};
    const std::string text = plot::plain(conflict, 2);
    if (measure.width(text, style) + 2 > cell) continue;
    group.text({cells.x + (static_cast<double>(bank) + 0.5) * cell, cells.center().y}, text, style);
  }
}

// One source line: its text, how much each bank is in conflict, and what that costs.
void draw_line(Group& group, const Rect& row, const Rect& cells, const RunView& run, const BankMap& map,
               const BankMap::Line& line, const scene::TextMeasure& measure) {
  std::vector<std::uint8_t> values;
  for (std::size_t bank = 0; bank < line.words.size(); ++bank)
    values.push_back(color_of_conflict(conflict_of(line, bank), highest(map)));
  Group named;
  TextStyle style = sized(code(), std::min(12.0, row.height - 2));
  style.baseline = scene::Baseline::middle;
  const double middle = row.center().y;
  const double width = cells.x - row.x - 12;
  const auto room = static_cast<std::size_t>(std::max(width / measure.width("0", style) - 5, 0.0));
  named.text({row.x, middle},
             fmt::format("{:>3}  {}", line.line,
                         statement_at_access(source_statement(*run.spec, line.line), map, room)),
             within(style, width));
  named.image(cells, scene::make_indexed_image(map.banks, 1, values, conflict_colors()));
  draw_ways(named, cells, line, measure);
  style.color = cost_color(static_cast<double>(line.wavefronts), static_cast<double>(line.ideal));
  named.text({row.right(), middle}, fmt::format("{}, {}", grouped(line.wavefronts), grouped(line.ideal)),
             within(at_end(style), row.right() - cells.right() - 8));
  group.group(std::move(named))
      .named(fmt::format("line:{}", line.line),
             fmt::format("Line {}: {}, {}, ideal {}", line.line, counted(line.requests, "request"),
                         counted(line.wavefronts, "wavefront"), grouped(line.ideal)));
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
  const bool any = std::any_of(map.lines.begin(), map.lines.end(),
                               [](const BankMap::Line& line) { return line.wavefronts > line.ideal; });
  label(any ? "no conflict" : "no conflict in any bank");
  if (!any) return;
  std::vector<std::uint8_t> steps(conflict_steps);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = static_cast<std::uint8_t>(i + 2);
  const std::string last = fmt::format("{}-way conflict", plot::plain(worst, 3));
  const double wide = std::min(80.0, area.right() - x - measure.width(last, caption()) - 8);
  if (wide < 12) return;
  group.image({x, area.y + 1, wide, 12},
              scene::make_indexed_image(conflict_steps, 1, std::move(steps), palette));
  x += wide + 8;
  label(last);
}

double row_height(const BankMap& map, double room) {
  return std::clamp((room - head) / static_cast<double>(map.lines.size()), least_row, 34.0);
}

void draw_lines(Group& group, const Rect& area, const RunView& run, const BankMap& map,
                const scene::TextMeasure& measure) {
  const double text_width = std::min(area.width * 0.36, 460.0), numbers = 146;
  const double row = row_height(map, area.height);
  const std::size_t shown = std::min(map.lines.size(), static_cast<std::size_t>((area.height - head) / row));
  const Rect table{area.x + text_width, area.y + head - 8, area.width - text_width - numbers,
                   row * static_cast<double>(shown)};
  const double cell = table.width / map.banks;
  const TextStyle bank_style{
      .size = 10, .color = Token::dim, .family = scene::Family::code, .anchor = scene::Anchor::middle};
  const int every = measure.width("00", bank_style) + 3 <= cell ? 1 : 4;
  for (int bank = 0; bank < map.banks; bank += every)
    group.text({table.x + (bank + 0.5) * cell, area.y + 12}, fmt::format("{}", bank), bank_style)
        .named(fmt::format("bank:{}", bank));
  draw_scale(group, {area.x, area.y, text_width - 16, head}, map, measure);
  group.text({area.right(), area.y + 12}, "wavefronts, ideal", at_end(caption()));
  group.rect(table, {.fill = Token::raised});
  for (std::size_t l = 0; l < shown; ++l) {
    const double y = table.y + static_cast<double>(l) * row;
    draw_line(group, {area.x, y, area.width, row}, {table.x, y, table.width, row - 1}, run, map, map.lines[l],
              measure);
  }
  if (shown < map.lines.size())
    group.text({area.x, table.bottom() + 16}, fmt::format("and {} more lines", map.lines.size() - shown),
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

// What an array takes beside the others: its words, and room for its name.
double width_of(const SharedArray& array, double word) {
  return std::max(word * static_cast<double>(array.row_words), 120.0);
}

// The same width for all arrays, so that they stand side by side.
double word_width(const BankMap& map, const Rect& area) {
  const auto needed = [&](double word) {
    double width = -strip_gap;
    for (const SharedArray& array : map.arrays) width += width_of(array, word) + strip_gap;
    return width;
  };
  double word = most_word;
  while (word > 0.25 && needed(word) > area.width) word *= 0.97;
  return word;
}

Word word_of(const SharedArray& array, double width, double height) {
  const double most = std::min(most_word, 4 * width);
  return {width, std::min((height - label_height) / static_cast<double>(rows_of(array)), most)};
}

// In words that are large enough, and not too many: the bank that each lies in.
void draw_bank_numbers(Group& group, const Rect& rect, Word word, const SharedArray& array, int banks) {
  constexpr std::uint64_t most_numbers = 1100;
  const std::uint64_t words = array.bytes / 4;
  if (word.width < 16 || word.height < 11 || words > most_numbers) return;
  const auto ramp = theme::ramp(theme::Colormap::viridis, banks);
  for (std::uint64_t w = 0; w < words; ++w) {
    const std::uint64_t bank = (array.offset / 4 + w) % static_cast<std::uint64_t>(banks);
    const theme::Rgba ground = ramp[bank], white = theme::rgb(0xffffff), black = theme::rgb(0x000000);
    const auto row = static_cast<double>(w / static_cast<std::uint64_t>(array.row_words)),
               column = static_cast<double>(w % static_cast<std::uint64_t>(array.row_words));
    group.text({rect.x + (column + 0.5) * word.width, rect.y + (row + 0.5) * word.height},
               fmt::format("{}", bank),
               {.size = std::min(10.0, word.height - 3),
                .color = theme::contrast(ground, white) > theme::contrast(ground, black) ? white : black,
                .family = scene::Family::code,
                .anchor = scene::Anchor::middle,
                .baseline = scene::Baseline::middle});
  }
}

void draw_array(Group& group, Point at, double room, const SharedArray& array, Word word, int banks,
                const scene::TextMeasure& measure) {
  const auto wide = static_cast<int>(array.row_words), high = static_cast<int>(rows_of(array));
  std::vector<std::uint8_t> indices(static_cast<std::size_t>(wide) * static_cast<std::size_t>(high), 255);
  for (std::uint64_t w = 0; w < array.bytes / 4; ++w)
    indices[w] = static_cast<std::uint8_t>((array.offset / 4 + w) % static_cast<std::uint64_t>(banks));
  group.text({at.x, at.y + 12}, array.name, within(heading(), room));
  const double used = measure.width(array.name, heading()) + 10;
  const std::string size = fmt::format("{} × {} words", high, wide);
  if (measure.width(size, caption()) <= room - used) group.text({at.x + used, at.y + 12}, size, caption());
  const std::string rows(words_of(array.rows));
  if (measure.width(rows, caption()) <= room) group.text({at.x, at.y + 30}, rows, caption());
  const auto colors = bank_colors(banks);
  const Rect rect{at.x, at.y + label_height, word.width * wide, word.height * high};
  group.image(rect, scene::make_indexed_image(wide, high, indices, colors))
      .named("grid:" + array.name, array.name);
  draw_bank_numbers(group, rect, word, array, banks);
}

// The shared arrays, each word in its bank's colour: where rows are padded the colours slant.
void draw_arrays(Group& group, const Rect& area, const BankMap& map, const scene::TextMeasure& measure) {
  const std::string what = "each word in its bank's colour";
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
  const Rect room{area.x, area.y + 28, area.width, area.height - 28};
  const double word = word_width(map, room);
  double x = area.x;
  for (const SharedArray& array : map.arrays) {
    const double wide = width_of(array, word);
    const bool last = &array == &map.arrays.back();
    draw_array(group, {x, room.y}, last ? area.right() - x : wide + strip_gap - 10, array,
               word_of(array, word, room.height), map.banks, measure);
    x += wide + strip_gap;
  }
}

}  // namespace

scene::Scene bank_map_scene(const RunView& run, const BankMap& map, scene::Size size,
                            const scene::TextMeasure& measure) {
  if (map.lines.empty())
    return message_scene(size, "This kernel uses no shared memory", "Choose a step with a shared tile");
  scene::Scene scene{size};
  const Rect area{margin, margin, size.width - 2 * margin, size.height - 2 * margin};
  scene.root.text({area.x, area.y + 18}, run.spec->title, within(sized(heading(), 17), area.width));
  scene.root.text({area.x, area.y + 42},
                  fmt::format("One block: {}{}",
                              map.cut ? fmt::format("the first {} accesses of each instruction",
                                                    grouped(most_accesses_mapped))
                                      : "all accesses to shared memory",
                              recorded_words(run)),
                  within(caption(), area.width));
  const double wanted = head + 34.0 * static_cast<double>(map.lines.size()),
               upper = std::clamp(wanted, 80.0, (area.height - 60) * 0.5);
  draw_lines(scene.root, {area.x, area.y + 60, area.width, upper}, run, map, measure);
  const double below = area.y + 60 + upper + 28;
  if (!map.arrays.empty())
    draw_arrays(scene.root, {area.x, below, area.width, area.bottom() - below}, map, measure);
  return scene;
}

std::string bank_map_csv(const BankMap& map) {
  std::string text = "line,bank,words,conflict\n";
  for (const auto& line : map.lines)
    for (std::size_t bank = 0; bank < line.words.size(); ++bank)
      text += fmt::format("{},{},{},{:.4g}\n", line.line, bank, line.words[bank],
                          line.ideal_words[bank] == 0 ? 0 : conflict_of(line, bank));
  return text;
}

}  // namespace warplens::figures
