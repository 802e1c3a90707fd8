// What fits the problem: grids of matrices (here), ribbons of addresses (ribbon.hpp), the tree of a reduction
// (tree.hpp), the tile of a block (tiled_product.hpp), the lanes of a line (line_lanes.hpp).
#include "viz/figures/access/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "engine/base/text.hpp"
#include "viz/figures/access/access_layout.hpp"
#include "viz/figures/access/bank_words.hpp"
#include "viz/figures/access/block_order.hpp"
#include "viz/figures/access/flights.hpp"
#include "viz/figures/access/lane_card.hpp"
#include "viz/figures/access/line_lanes.hpp"
#include "viz/figures/access/operand.hpp"
#include "viz/figures/access/ribbon.hpp"
#include "viz/figures/access/tiled_product.hpp"
#include "viz/figures/access/tree.hpp"

namespace warplens::figures {
namespace {

// More cells than this are not hatched one by one.
constexpr std::size_t kMostHatched = 256;

std::string range_text(Span span) {
  const auto last = span.first + span.count - 1;
  return grouped(static_cast<std::uint64_t>(span.first)) + "-" + grouped(static_cast<std::uint64_t>(last));
}

bool is_all(const Face& face, const AccessPanel& panel) {
  return panel.rows.count >= face.covered_rows && panel.columns.count >= face.covered_columns;
}

std::string size_text(const AccessView& view, const Face& face) {
  if (face.fold != 0 && !face.is_shared)
    return is_brief(view.options.look) ? grouped(face.elements) : counted(face.elements, "element");
  const bool turned = !face.is_shared && !face.row_major && face.rows > 1 && face.columns > 1;
  return rows_by_columns(face.rows, face.columns) + (turned ? ", column-major" : "");
}

// What part is shown, or where shared rows come from; the longest form first.
std::vector<std::string> part_texts(const AccessView& view, const AccessPanel& panel) {
  const Face& face = view.story.faces()[panel.face];
  if (!has_words(view.options.look)) return {};  // its size and its bars say as much
  if (is_all(face, panel)) {
    if (!face.is_shared) return {};
    return {fmt::format("shared memory, {}", words_of(face.shared_rows)), "shared memory"};
  }
  if (panel.rows.count < 1 || panel.columns.count < 1) return {};  // no room for any of it
  return {fmt::format("rows {}, columns {}", range_text(panel.rows), range_text(panel.columns)),
          fmt::format("[{}][{}]", range_text(panel.rows), range_text(panel.columns))};
}

// Whether a matrix has no room for the long form: then all have the short one, so that a picture says the
// same thing in one way.
bool are_brief(const AccessView& view, const std::vector<AccessPanel>& panels) {
  return std::any_of(panels.begin(), panels.end(), [&](const AccessPanel& panel) {
    const Face& face = view.story.faces()[panel.face];
    const auto texts = part_texts(view, panel);
    return !face.is_shared && !texts.empty() &&
           view.measure.width(texts.front(), caption()) > panel.label_room;
  });
}

// All in one line.
void draw_ribbon_label(Group& group, const AccessView& view, const AccessPanel& panel) {
  const Face& face = view.story.faces()[panel.face];
  const double y = panel.rect.y - 9 - (panel.shows_lanes ? kLaneRow : 0);
  const TextStyle name = heading(view.marks[panel.face].now ? Token::accent : Token::text);
  group.text({panel.rect.x, y}, face.name, within(name, panel.label_room));
  const double used = view.measure.width(face.name, name) + 10;
  std::vector<std::string> texts;
  for (const std::string& text : ribbon_texts(panel))
    if (!is_brief(view.options.look)) texts.push_back(fmt::format("{}, {}", size_text(view, face), text));
  texts.push_back(size_text(view, face));
  for (const std::string& text : texts) {
    if (used + view.measure.width(text, caption()) > panel.label_room) continue;
    group.text({panel.rect.x + used, y}, text, caption());
    return;
  }
}

// The name, its size beside it, and the part shown on a line below; what has no room is left out.
void draw_label(Group& group, const AccessView& view, const AccessPanel& panel, bool brief) {
  if (!panel.ribbon.empty()) return draw_ribbon_label(group, view, panel);
  const Face& face = view.story.faces()[panel.face];
  const auto fits = [&](const std::string& text, double room) {
    return view.measure.width(text, caption()) <= room;
  };
  auto parts = part_texts(view, panel);
  if (is_tiled(view) && panel.face == (*view.story.product())[2])
    for (std::string& text : parts)
      text = fmt::format("block {} in {}", view.run.trace->blocks()[view.place.block].block, text);
  if (brief && !face.is_shared && parts.size() > 1) parts.erase(parts.begin());
  const auto part = std::find_if(parts.begin(), parts.end(),
                                 [&](const std::string& text) { return fits(text, panel.label_room); });
  const double below = panel.rect.y - 9, above = part == parts.end() ? below : below - 18;
  const TextStyle name = heading(view.marks[panel.face].now ? Token::accent : Token::text);
  const double x = panel.rect.x + panel.label_shift;
  group.text({x, above}, face.name, within(name, panel.label_room));
  const double used = view.measure.width(face.name, name) + 10;
  if (fits(size_text(view, face), panel.label_room - used - panel.label_shift))
    group.text({x + used, above}, size_text(view, face), caption());
  if (part != parts.end()) group.text({x, below}, *part, caption());
}

// On top of the image: the thread's cells crossed, the warp's hatched.
void draw_patterns(Group& group, const AccessView& view, const AccessPanel& panel, const CellGrid& grid,
                   const std::vector<Color>& palette) {
  const double wide = panel.cell.width * static_cast<double>(panel.bin.columns),
               high = panel.cell.height * static_cast<double>(panel.bin.rows);
  if (std::min(wide, high) < 3) return;
  std::set<std::pair<std::int64_t, std::int64_t>> done;
  for (const bool thread : {true, false}) {
    view.marks[panel.face].for_each([&](const Mark& mark) {
      const Key::Pattern pattern = pattern_of(mark.value);
      if (pattern != (thread ? Key::Pattern::crossed : Key::Pattern::hatched)) return;
      if (!panel.rows.contains(mark.cell.row) || !panel.columns.contains(mark.cell.column)) return;
      const std::int64_t row = (mark.cell.row - panel.rows.first) / panel.bin.rows,
                         column = (mark.cell.column - panel.columns.first) / panel.bin.columns;
      if (grid.at(static_cast<int>(row), static_cast<int>(column)) != mark.value) return;
      if (done.size() >= kMostHatched || !done.emplace(row, column).second) return;
      const Rect box{panel.rect.x + static_cast<double>(column) * wide,
                     panel.rect.y + static_cast<double>(row) * high, wide, high};
      add_patterned(group, box.inset(std::min(wide, high) > 4 ? 0.5 : 0), palette[mark.value], pattern);
    });
  }
}

// Where marks would be lost among the cells of a large matrix: a ring around them.
void draw_ring(Group& group, const AccessView& view, const AccessPanel& panel) {
  const auto& extent = view.marks[panel.face].extent;
  if (!view.options.whole || panel.bin.rows == 1 || view.story.faces()[panel.face].is_shared || !extent)
    return;
  const auto& [low, high] = *extent;
  Rect box{panel.rect.x + static_cast<double>(low.column - panel.columns.first) * panel.cell.width,
           panel.rect.y + static_cast<double>(low.row - panel.rows.first) * panel.cell.height,
           static_cast<double>(high.column - low.column + 1) * panel.cell.width,
           static_cast<double>(high.row - low.row + 1) * panel.cell.height};
  if (std::min(box.width, box.height) > 24) return;
  const double more = std::max(3.0, (11 - std::min(box.width, box.height)) / 2);
  const bool by_lane = view.options.colors == AccessOptions::Colors::lanes;
  const Color color = by_lane ? Color{Token::accent} : lane_look(view.options.colors, 0).color;
  group.rect(box.inset(-more), {.stroke = scene::Stroke{color, 2}}, 3);
}

void draw_panel(Group& group, const AccessView& view, const AccessPanel& panel,
                const std::vector<Color>& palette, bool brief) {
  const Face& face = view.story.faces()[panel.face];
  draw_label(group, view, panel, brief);
  if (!panel.ribbon.empty()) return draw_ribbon(group, view, panel, palette);
  CellGrid grid(panel.rows, panel.columns, panel.bin);
  view.marks[panel.face].for_each([&](const Mark& mark) { grid.mark(mark.cell, mark.value); });
  // In large cells of a page strong lines would be all that one sees.
  const Color empty = view.options.look == Look::page ? Color{Token::dim, 0.25} : edge();
  draw_grid(group, panel.rect, face, panel.rows, panel.columns, grid.pixels(palette), panel.cell, panel.bin,
            empty);
  if (view.options.colors == AccessOptions::Colors::colour_blind)
    draw_patterns(group, view, panel, grid, palette);
  draw_ring(group, view, panel);
  const bool is_ringed = view.operand && !view.operand->served.empty();  // its word
  if (view.marks[panel.face].now && !is_ringed)
    group.rect(panel.rect.inset(-1.5), {.stroke = scene::Stroke{Token::accent, 1.5}});
}

void draw_words(Group& group, const AccessView& view, const AccessLayout& layout) {
  const Rect& area = layout.words;
  const AccessWords words = words_of(view, area.width);
  for (const WordLine& line : words.lines)
    group.text({area.x, area.y + line.baseline}, line.text, within(line.style, area.width));
  const Point keys{area.x, area.y + words.keys_top};
  if (words.keys_in_row)
    add_key_row(group, keys, keys_of(view, &layout), area.width, view.measure);
  else
    add_keys(group, keys, keys_of(view, &layout), area.width);
}

// For a class, which reads no numbers as small as the boxes are: whether banks are why lanes wait, as far as
// there is room.
std::string banks_title(const AccessView& view, const BankWords& asked, double room) {
  if (asked.elsewhere) {
    const std::string text = "no bank of this block";
    return view.measure.width(text, caption()) <= room ? text : "no bank";
  }
  const std::string_view what = asked.by_halves ? "turns" : "words";
  if (!is_brief(view.options.look)) {
    const std::string of = asked.by_halves ? fmt::format("turns of {} banks, a half-warp", asked.words.size())
                                           : std::string("words of each bank");
    const std::string most =
        fmt::format("{}, {} at most", of, asked.most());  // a box is small for its number
    return asked.has_conflict() && view.measure.width(most, caption()) <= room ? most : of;
  }
  const std::string text = !asked.has_conflict() ? "conflict-free"
                           : asked.by_halves
                               ? fmt::format("busiest bank: {} turns a half-warp", asked.most())
                               : fmt::format("fullest bank: {} words, not {}", asked.most(), asked.even);
  return view.measure.width(text, caption()) <= room ? text : fmt::format("{} a bank", what);
}

void draw_bank_rows(Group& group, const AccessView& view, const Rect& area) {
  const auto none = std::vector<int>(static_cast<std::size_t>(view.run.device().shared_banks), 0);
  const BankWords asked = view.access ? words_by_bank(view.run, *view.access) : BankWords{none};
  const std::vector<int>& words = asked.words;
  group.text({area.x, area.y + 12}, banks_title(view, asked, area.width), within(caption(), area.width));
  const double wide = area.width / static_cast<double>(words.size());
  const bool by_lane = view.options.colors == AccessOptions::Colors::lanes;
  const Token served = by_lane ? Token::good : Token::first_warp;  // no lane's colour
  for (std::size_t bank = 0; bank < words.size(); ++bank) {
    const Rect box{area.x + static_cast<double>(bank) * wide, area.y + 20, std::max(wide - 1, 1.0), 22};
    const Color color = words[bank] == 0 ? Token::raised : words[bank] <= asked.even ? served : Token::costly;
    Group named;
    named.rect(box, {.fill = color}, 2);
    if (words[bank] == 0) named.rect(box.inset(0.5), {.stroke = scene::Stroke{Color{Token::dim, 0.75}}}, 2);
    const TextStyle style = centred_code(10, Token::background);
    const std::string count = fmt::format("{}", words[bank]);
    if (words[bank] > 0 && view.measure.width(count, style) <= box.width)
      named.text(box.center(), count, style);
    group.group(std::move(named))
        .named(fmt::format("bank:{}", bank), fmt::format("Bank {}: {}", bank,
                                                         counted(static_cast<std::uint64_t>(words[bank]),
                                                                 asked.by_halves ? "turn" : "word")));
  }
}

}  // namespace

scene::Scene access_scene(const run::Run& run, const Place& place, const AccessOptions& options,
                          scene::Size size, const scene::TextMeasure& measure) {
  if (story_at(run, place).accesses().warps() == 0)
    return place.block < run.trace->blocks().size()
               ? message_scene(size, "This block reads and writes no memory",
                               "It ran, and no thread came to an access", measure)
               : message_scene(size, "This block was not recorded",
                               "Choose another block, or run the kernel again", measure);
  scene::Scene scene{size};
  const AccessView view = view_of(run, place, options, measure);
  const AccessLayout layout = layout_of(view, size);
  draw_words(scene.root, view, layout);
  const bool brief = are_brief(view, layout.panels);
  for (const AccessPanel& panel : layout.panels)
    draw_panel(scene.root, view, panel, panel_palette(view, panel.face), brief);
  if (layout.banks) draw_bank_rows(scene.root, view, *layout.banks);
  if (layout.is_tiled) draw_tiled(scene.root, view, layout);
  draw_served(scene.root, view, layout);
  if (layout.flights) draw_flights(scene.root, view, *layout.flights);
  if (layout.tree) draw_tree(scene.root, view, *layout.tree);
  if (layout.lane_card) draw_lane_card(scene.root, *layout.lane_card, run, place, view.access, options);
  return scene;
}

std::string access_csv(const run::Run& run, const Place& place) {
  std::string text = "step,pc,line,space,kind,width,lane,buffer,row,column,address\n";
  const BlockAccesses& accesses = story_at(run, place).accesses();
  const auto events = accesses.of_warp(place.warp);
  constexpr std::array<std::string_view, 4> kinds = {"load", "store", "atomic", "async_copy"};
  for (std::uint32_t step = 0; step < events.size(); ++step) {
    const auto access = accesses.at(place.warp, step);
    const auto elements = report::elements_of(run.buffers, *access);
    const bool global = access->space == ptx::Space::global;
    for (std::uint32_t left = access->active; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      text += fmt::format("{},{},{},{},{},{},{},", step, access->pc, line_of(run, access->pc),
                          global                                ? "global"
                          : access->space == ptx::Space::shared ? "shared"
                                                                : "local",
                          kinds[static_cast<std::size_t>(access->kind)], access->width, lane);
      if (const auto& e = elements[lane])
        text += fmt::format("{},{},{},", csv_cell(run.buffers[e->buffer].buffer.name), e->row, e->column);
      else
        text += ",,,";
      text += fmt::format("{}\n", access->address[lane]);
    }
  }
  return text;
}

Result<scene::Scene> draw_access(const Subject& subject, scene::Size size,
                                 const scene::TextMeasure& measure) {
  AccessOptions options = subject.access;
  options.look = subject.look;
  options.with_number = subject.with_number;
  if (shows_order(subject)) return order_scene(*subject.run, *subject.known.order, size, measure);
  if (subject.place.line > 0) return line_scene(*subject.run, subject.place, options, size, measure);
  return access_scene(*subject.run, subject.place, options, size, measure);
}

Result<std::string> access_table(const Subject& subject) { return access_csv(*subject.run, subject.place); }

}  // namespace warplens::figures
