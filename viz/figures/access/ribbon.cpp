#include "viz/figures/access/ribbon.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "viz/figures/access/lane_card.hpp"
#include "viz/figures/parts/hatching.hpp"

namespace warplens::figures {
namespace {

constexpr double kBreak = 18;              // where addresses are left out
constexpr std::size_t kMostLooked = 2048;  // accesses, for one picture

// visit(element) for what the access touches of a face.
template <class Visit>
void for_each_element(const Face& face, const trace::Access& access, Visit visit) {
  if (access.space == ptx::Space::local || face.is_shared != (access.space == ptx::Space::shared)) return;
  for (std::uint32_t left = access.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const auto first = element_of(face, access.address[lane]);
    if (!first) continue;
    const std::uint64_t last =
        (place_in(face, access.address[lane]) + std::max<std::uint64_t>(access.width, 1) - 1 - face.address) /
        face.element_bytes;
    for (std::uint64_t e = *first; e <= last && e < face.elements; ++e)
      visit(static_cast<int>(lane), static_cast<std::int64_t>(e));
  }
}

// What the chosen warp touches at any time, or for a class later than now: what it touched before has marks.
std::set<std::int64_t> touched_by_warp(const AccessView& view, const Face& face) {
  std::set<std::int64_t> touched;
  const auto& accesses = view.story.accesses();
  const std::uint32_t first = is_sparse(view.options.look) ? view.place.access : 0;
  const auto end = std::min<std::size_t>(accesses.of_warp(view.place.warp).size(), first + kMostLooked);
  for (std::uint32_t a = first; a < end; ++a)
    for_each_element(face, *accesses.at(view.place.warp, a), [&](int, std::int64_t e) { touched.insert(e); });
  return touched;
}

std::set<std::int64_t> lines_of_warp(const AccessView& view, const Face& face, std::uint32_t warp) {
  std::set<std::int64_t> lines;
  const auto& accesses = view.story.accesses();
  for (std::uint32_t a = 0; a < accesses.of_warp(warp).size(); ++a)
    for_each_element(face, *accesses.at(warp, a), [&](int, std::int64_t e) { lines.insert(e / face.fold); });
  return lines;
}

// Of the newest access of the warp that came here, or the first that will.
std::set<std::int64_t> lines_of_access(const AccessView& view, const Face& face) {
  std::set<std::int64_t> lines;
  const auto& accesses = view.story.accesses();
  const auto count = static_cast<std::uint32_t>(accesses.of_warp(view.place.warp).size());
  const auto look = [&](std::uint32_t a) {
    for_each_element(face, *accesses.at(view.place.warp, a),
                     [&](int, std::int64_t e) { lines.insert(e / face.fold); });
    return !lines.empty();
  };
  const std::uint32_t now = std::min(view.place.access, count);
  for (std::uint32_t back = 0; back <= now && back < kMostLooked; ++back)
    if (now - back < count && look(now - back)) return lines;
  for (std::uint32_t a = now; a < count && a < now + kMostLooked; ++a)
    if (look(a)) return lines;
  return lines;
}

// What a recorded block touches at any time.
std::set<std::int64_t> touched_by_block(const AccessView& view, const Face& face, std::size_t block) {
  std::set<std::int64_t> touched;
  const trace::Trace& trace = *view.run.trace;
  const auto count = std::min<std::size_t>(trace.blocks()[block].events, kMostLooked);
  for (std::uint32_t event = 0; event < count; ++event)
    for_each_element(face, trace.access(block, event), [&](int, std::int64_t e) { touched.insert(e); });
  return touched;
}

// Neighbouring rows, drawn as one image.
struct Stretch {
  std::size_t first = 0, count = 0;  // of the panel's ribbon
};
std::vector<Stretch> stretches(const AccessPanel& panel) {
  std::vector<Stretch> found;
  for (std::size_t i = 0; i < panel.ribbon.size(); ++i) {
    const bool goes_on = i > 0 && panel.ribbon[i].line == panel.ribbon[i - 1].line + 1 &&
                         panel.ribbon[i].top < panel.ribbon[i - 1].top + panel.cell.height + 1;
    if (!goes_on) found.push_back({i, 0});
    ++found.back().count;
  }
  return found;
}

class Ribbon {
 public:
  Ribbon(const AccessView& view, const AccessPanel& panel, const std::vector<Color>& palette)
      : view_(view), panel_(panel), face_(view.story.faces()[panel.face]), palette_(palette) {}

  void draw(Group& group) {
    const bool now = view_.marks[panel_.face].now && view_.access.has_value();
    if (now && panel_.shows_lanes) draw_lanes(group);  // below the rows, which some arrows pass
    Group rows;
    for (const Stretch& stretch : stretches(panel_)) draw_stretch(rows, stretch);
    group.group(std::move(rows)).named("grid:" + face_.name, face_.name);
    draw_gaps(group);
    draw_starts(group);
    if (!now) return;
    draw_sectors(group);
    draw_lane_numbers(group);
  }

 private:
  double left(std::int64_t column) const {
    return panel_.rect.x + static_cast<double>(column) * panel_.cell.width;
  }
  // The row of a line; empty if it is not shown.
  std::optional<double> top_of(std::int64_t line) const {
    for (const RibbonLine& row : panel_.ribbon)
      if (row.line == line) return panel_.rect.y + row.top;
    return std::nullopt;
  }

  void draw_stretch(Group& group, const Stretch& stretch) {
    const Span rows{panel_.ribbon[stretch.first].line, static_cast<std::int64_t>(stretch.count)};
    const Rect box{panel_.rect.x, panel_.rect.y + panel_.ribbon[stretch.first].top, panel_.rect.width,
                   static_cast<double>(stretch.count) * panel_.cell.height};
    group.rect(box, {.fill = Token::raised});
    draw_empty_sectors(group, rows, box);
    if (is_whole_grid(view_, panel_.face)) draw_blocks(group, rows);
    draw_touched(group, rows);
    CellGrid grid(rows, panel_.columns, {});
    view_.marks[panel_.face].for_each([&](const Mark& mark) {
      if (mark.value != mark::kBeyond) grid.mark(mark.cell, mark.value);
    });
    group.image(box, grid.pixels(palette_));
    if (view_.options.colors == AccessOptions::Colors::colour_blind) draw_patterns(group, rows, grid);
    draw_separators(group, rows, box);
    group.rect(box, {.stroke = scene::Stroke{edge()}});
  }

  void draw_patterns(Group& group, Span rows, const CellGrid& grid) {
    if (std::min(panel_.cell.width, panel_.cell.height) < 4) return;
    for (int row = 0; row < grid.height(); ++row)
      for (int column = 0; column < grid.width(); ++column) {
        const std::uint8_t value = grid.at(row, column);
        if (pattern_of(value) == Key::Pattern::plain) continue;
        const Rect box = panel_.rect_of({rows.first + row, panel_.columns.first + column});
        add_patterned(group, box.inset(0.5), palette_[value], pattern_of(value));
      }
  }

  // Faintly what the warp touches at other times, so that the whole way of a loop is in view.
  void draw_touched(Group& group, Span rows) {
    if (touched_.empty()) touched_ = touched_by_warp(view_, face_);
    for (auto e = touched_.lower_bound(rows.first * face_.fold); e != touched_.end();) {
      const std::int64_t first = *e, line = first / face_.fold;
      if (!rows.contains(line)) return;
      std::int64_t end = first;
      while (e != touched_.end() && *e == end && *e / face_.fold == line) ++e, ++end;
      group.rect({left(first % face_.fold), *top_of(line),
                  static_cast<double>(end - first) * panel_.cell.width, panel_.cell.height},
                 {.fill = later_color(view_)});
    }
  }

  // The blocks of the grid by turns in two shades, and the number of each at the right of its rows. Where the
  // block touches one element a thread, side by side, the others do the same further on.
  void draw_blocks(Group& group, Span rows) {
    const auto elements = touched_by_block(view_, face_, view_.place.block);
    const auto& launch = view_.run.plan().launch;
    const auto threads = static_cast<std::int64_t>(launch.block[0]) * launch.block[1] * launch.block[2];
    const auto own = static_cast<std::int64_t>(view_.run.trace->blocks()[view_.place.block].block);
    if (std::ssize(elements) != threads || *elements.begin() != own * threads ||
        *elements.rbegin() != (own + 1) * threads - 1)
      return;
    const auto all = static_cast<std::int64_t>(face_.elements);
    double last = -1e9;
    for (std::int64_t first = 0; first < all; first += threads) {
      const std::int64_t end = std::min(first + threads, all), block = first / threads;
      for (std::int64_t e = first; e < end; ++e)
        if (const auto top = rows.contains(e / face_.fold) ? top_of(e / face_.fold) : std::nullopt)
          group.rect({left(e % face_.fold), *top, panel_.cell.width, panel_.cell.height},
                     {.fill = Color{Token::dim, block % 2 == 0 ? 0.55 : 0.25}});
      const auto top = top_of(first / face_.fold), bottom = top_of((end - 1) / face_.fold);
      if (!top || !bottom) continue;
      const double middle = (*top + *bottom + panel_.cell.height) / 2;
      if (middle - last < 16) continue;
      last = middle;
      group.text({panel_.rect.right() + 8, middle + 4}, fmt::format("block {}", block), caption());
    }
  }

  // Under the marks: what separates empty sectors on a projector.
  void draw_empty_sectors(Group& group, Span rows, const Rect& box) const {
    if (panel_.cell.height < 8) return;
    const std::int64_t sector =
        std::max<std::int64_t>(32 / static_cast<std::int64_t>(face_.element_bytes), 1);
    for (std::int64_t c = sector; c < panel_.columns.count; c += sector)
      group.line({left(c) - 1.5, box.y}, {left(c) - 1.5, box.bottom()}, {edge(), 1});
    for (std::int64_t r = 1; r < rows.count; ++r) {
      const double y = box.y + static_cast<double>(r) * panel_.cell.height - 1.5;
      group.line({box.x, y}, {box.right(), y}, {edge(), 1});
    }
  }

  // Words, and stronger ones between sectors.
  void draw_separators(Group& group, Span rows, const Rect& box) {
    const std::int64_t sector =
        std::max<std::int64_t>(32 / static_cast<std::int64_t>(face_.element_bytes), 1);
    for (std::int64_t c = 1; c < panel_.columns.count; ++c) {
      const bool strong = c % sector == 0;
      if (!strong && panel_.cell.width < 5) continue;
      group.line({left(c), box.y}, {left(c), box.bottom()},
                 {Color{strong ? Token::background : Token::panel, strong ? 1 : 0.8}, strong ? 2.0 : 1.0});
    }
    for (std::int64_t r = 1; r < rows.count && panel_.cell.height >= 4; ++r) {
      const double y = box.y + static_cast<double>(r) * panel_.cell.height;
      group.line({box.x, y}, {box.right(), y}, {Token::background, panel_.cell.height >= 8 ? 2.0 : 1.0});
    }
  }

  // Where addresses are left out: the edges are torn, and how far the next row is.
  void draw_gaps(Group& group) {
    const auto all = stretches(panel_);
    std::string last;  // a class reads what is the same once
    for (std::size_t s = 1; s < all.size(); ++s) {
      const RibbonLine& above = panel_.ribbon[all[s].first - 1];
      if (panel_.ribbon[all[s].first].line == above.line + 1) continue;  // room for arrows alone
      const double y = panel_.rect.y + above.top + panel_.cell.height + kBreak / 2;
      for (const double x : {panel_.rect.x, panel_.rect.right()})
        group.polyline({{x, y - 8}, {x - 3, y - 3}, {x + 3, y + 3}, {x, y + 8}}, {Token::dim, 1.2});
      const auto texts = gap_texts(panel_.ribbon[all[s - 1].first].line, panel_.ribbon[all[s].first].line);
      for (const std::string& text : texts) {
        const double wide = view_.measure.width(text, caption());
        if (wide > panel_.rect.width - 20) continue;
        if (is_brief(view_.options.look) && std::exchange(last, text) == text) break;
        group.rect({panel_.rect.x + 6, y - kBreak / 2 + 1, wide + 8, kBreak - 2},
                   {.fill = Token::background});  // arrows of lanes pass below
        group.text({panel_.rect.x + 10, y + 4}, text, caption());
        break;
      }
    }
  }
  // "one grid further on: 135,168 elements", where a loop steps over all threads; the longest form first.
  std::vector<std::string> gap_texts(std::int64_t from, std::int64_t to) const {
    const auto elements = static_cast<std::uint64_t>((to - from) * face_.fold);
    const auto& launch = view_.run.plan().launch;
    const std::uint64_t threads =
        catalog::blocks_in_grid(launch) * launch.block[0] * launch.block[1] * launch.block[2];
    if (is_brief(view_.options.look)) return {"+" + grouped(elements)};
    const std::string away = counted(elements, "element"), plain = fmt::format("{} further on", away);
    const std::uint64_t grids = threads > 1024 && elements % threads == 0 ? elements / threads : 0;
    if (grids == 0 || grids > 16) return {plain, away};
    const std::string all = grids == 1 ? "one grid further on" : fmt::format("{} grids further on", grids);
    return {fmt::format("{}: {}", all, away), all, away};
  }

  // The first element of each row, as far as there is room.
  void draw_starts(Group& group) {
    double last = -1e9;
    const TextStyle style = at_end({.size = kRibbonType, .color = Token::dim, .family = scene::Family::code});
    for (const RibbonLine& row : panel_.ribbon) {
      const double y = panel_.rect.y + row.top + panel_.cell.height / 2 + 4;
      if (y - last < 13) continue;
      last = y;
      group.text({panel_.rect.x - 8, y}, grouped(static_cast<std::uint64_t>(row.line * face_.fold)), style);
    }
  }

  // The sectors that move, and hatched what they move in vain.
  void draw_sectors(Group& group) {
    const auto pieces = report::access_pieces(
        *view_.access, view_.run.kernel->function().code[view_.access->pc], view_.run.device());
    if (pieces.is_shared) return;
    std::map<std::uint64_t, std::uint32_t> used;
    for (const std::uint64_t id : analysis::moved_sectors(pieces.global)) used[id] = 0;
    for (const analysis::Sector& sector : pieces.global.sectors) used[sector.id] = sector.used;
    const bool wasteful = pieces.units > pieces.ideal;
    for (const auto& [id, bytes] : used) {
      if (id * 32 < face_.address) continue;
      const std::uint64_t away = id * 32 - face_.address;
      const auto bytes_per_line = static_cast<std::uint64_t>(face_.fold) * face_.element_bytes;
      const auto top = top_of(static_cast<std::int64_t>(away / bytes_per_line));
      if (!top) continue;
      const double scale = panel_.rect.width / static_cast<double>(bytes_per_line);
      const Rect box{panel_.rect.x + static_cast<double>(away % bytes_per_line) * scale, *top, 32 * scale,
                     panel_.cell.height};
      Group one;
      if (wasteful) add_waste(one, box, bytes);
      one.rect(box.inset(0.5), {.stroke = scene::Stroke{cost_color(pieces.units, pieces.ideal), 1.5}}, 1);
      group.group(std::move(one))
          .named(fmt::format("sector:{}", id), fmt::format("Sector at byte {}: {} of 32 bytes are used",
                                                           grouped(away), std::popcount(bytes)));
    }
  }
  // Runs of words of a sector that no lane asks for.
  static void add_waste(Group& group, const Rect& box, std::uint32_t used) {
    for (int word = 0; word < 8;) {
      const auto asked = [&](int w) { return (used >> (4 * w) & 0xf) != 0; };
      int end = word;
      while (end < 8 && !asked(end)) ++end;
      if (end > word)
        add_hatched(group, {box.x + word * box.width / 8, box.y, (end - word) * box.width / 8, box.height},
                    Token::costly, std::clamp(box.height / 2.5, 4.0, 8.0));
      word = std::max(end, word) + 1;
    }
  }

  // In cells that are large enough: which lane it is, the lowest one of several. Numbers of two digits that
  // would be smaller than any other type stand nowhere.
  void draw_lane_numbers(Group& group) {
    constexpr double least = 10;
    if (panel_.cell.width * 0.58 < least || panel_.cell.height < 11) return;
    std::map<std::int64_t, int> lanes;
    for_each_element(face_, *view_.access, [&](int lane, std::int64_t e) { lanes.emplace(e, lane); });
    const double size = std::min(11.0, panel_.cell.width * 0.58);
    for (const auto& [element, lane] : lanes)
      if (const auto top = top_of(element / face_.fold))
        group.text({left(element % face_.fold) + panel_.cell.width / 2, *top + panel_.cell.height / 2},
                   fmt::format("{}", lane), centred_code(size, Token::background));
  }

  // The first and the last element of each lane; -1 where it has none.
  std::array<std::pair<std::int64_t, std::int64_t>, 32> elements_by_lane() const {
    std::array<std::pair<std::int64_t, std::int64_t>, 32> found{};
    found.fill({-1, -1});
    for_each_element(face_, *view_.access, [&](int lane, std::int64_t e) {
      auto& [first, last] = found[static_cast<std::size_t>(lane)];
      if (first < 0) first = e;
      last = e;
    });
    return found;
  }

  // The lanes above the ribbon, and an arrow from each to where it goes; to later rows it passes behind those
  // above them.
  void draw_lanes(Group& group) {
    const double y = panel_.rect.y - kLaneRow, high = 14;
    const bool arrows = shows_arrows(view_, panel_.face);
    const double wide = panel_.rect.width / 32;
    group.text({panel_.rect.x - 8, y + 11}, "lanes", at_end(sized(caption(), 11)));
    const auto elements = elements_by_lane();
    for (int lane = 0; lane < 32; ++lane) {
      const Rect box{panel_.rect.x + lane * wide + 1, y, wide - 2, high};
      const LaneLook look = lane_look(view_.options.colors, lane);
      Group one;
      const bool active = (view_.access->active >> lane & 1) != 0;
      if (active)
        add_patterned(one, box, look.color, look.pattern, 2);
      else
        one.rect(box.inset(0.5), {.stroke = scene::Stroke{Token::dim}}, 2);
      const auto& [first, last] = elements[static_cast<std::size_t>(lane)];
      const auto top = first < 0 ? std::nullopt : top_of(first / face_.fold);
      if (arrows && top) {
        const std::int64_t end = last / face_.fold == first / face_.fold ? last : first;
        one.arrow({box.center().x, y + high + 1},
                  {(left(first % face_.fold) + left(end % face_.fold + 1)) / 2, *top - 1},
                  {Color{look.color.token, lane == 0 ? 1 : 0.7}, lane == 0 ? 1.6 : 1}, 5);
      }
      group.group(std::move(one)).named(fmt::format("lane:{}", lane), fmt::format("Lane {}", lane));
    }
  }

  const AccessView& view_;
  const AccessPanel& panel_;
  const Face& face_;
  const std::vector<Color>& palette_;
  std::set<std::int64_t> touched_;
};

}  // namespace

std::vector<std::int64_t> ribbon_lines(const AccessView& view, std::size_t f, RibbonPart part) {
  const Face& face = view.story.faces()[f];
  const auto& accesses = view.story.accesses();
  std::set<std::int64_t> lines;
  if (part == RibbonPart::grid) {
    for (std::int64_t line = 0; line < face.rows; ++line) lines.insert(line);
  } else if (part == RibbonPart::access) {
    lines = lines_of_access(view, face);
  } else {
    const std::uint32_t first = part == RibbonPart::warp ? view.place.warp : 0,
                        end = part == RibbonPart::warp ? first + 1 : accesses.warps();
    std::size_t looked = 0;
    for (std::uint32_t warp = first; warp < end; ++warp)
      if ((looked += accesses.of_warp(warp).size()) > kMostLooked) return {};
    for (std::uint32_t warp = first; warp < end; ++warp) lines.merge(lines_of_warp(view, face, warp));
  }
  if (lines.empty()) lines.insert(0);
  return {lines.begin(), lines.end()};
}

std::set<std::int64_t> later_columns(const AccessView& view, std::size_t f, std::int64_t line) {
  const Face& face = view.story.faces()[f];
  std::set<std::int64_t> columns;
  for (const std::int64_t element : touched_by_warp(view, face))
    if (element / face.fold == line) columns.insert(element % face.fold);
  return columns;
}

Color later_color(const AccessView& view) {
  return {view.options.colors == AccessOptions::Colors::lanes ? Token::dim : Token::first_warp, 0.3};
}

bool shows_arrows(const AccessView& view, std::size_t f) {
  if (!view.marks[f].now || !view.access) return false;
  const Face& face = view.story.faces()[f];
  std::set<std::int64_t> rows;
  for_each_element(face, *view.access, [&](int, std::int64_t e) { rows.insert(e / face.fold); });
  return rows.size() <= kMostArrowRows;
}

// A class sees no lanes that point nowhere.
bool shows_lanes(const AccessView& view, std::size_t f) {
  const bool is_wide = view.marks[f].now && view.story.faces()[f].columns >= 16;
  return is_wide && (!is_sparse(view.options.look) || shows_arrows(view, f));
}

bool is_whole_grid(const AccessView& view, std::size_t f) {
  constexpr std::int64_t kMostRows = 48;
  return view.options.whole && view.marks[f].now && view.story.faces()[f].rows <= kMostRows;
}

double ribbon_height(const std::vector<std::int64_t>& lines, double height, double between) {
  return lines.empty() ? 0 : stacked(lines, height, between).back().top + height;
}

std::vector<RibbonLine> stacked(const std::vector<std::int64_t>& lines, double height, double between) {
  std::vector<RibbonLine> rows;
  double top = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) top += height + (lines[i] == lines[i - 1] + 1 ? between : kBreak);
    rows.push_back({lines[i], top});
  }
  return rows;
}

std::vector<std::string> ribbon_texts(const AccessPanel& panel) {
  const bool is_part = panel.ribbon_all > panel.ribbon.size();
  const std::string lines = is_part ? fmt::format("{} of {} lines", panel.ribbon.size(), panel.ribbon_all)
                                    : counted(panel.ribbon.size(), "line");
  return {fmt::format("{} of 128 bytes that {} touches", lines, panel.ribbon_part),
          fmt::format("{} of 128 bytes", lines), lines};
}

void draw_ribbon(Group& group, const AccessView& view, const AccessPanel& panel,
                 const std::vector<Color>& palette) {
  Ribbon(view, panel, palette).draw(group);
}

std::optional<Cell> AccessPanel::cell_at(Point point) const {
  if (!rect.contains(point)) return std::nullopt;
  const auto column = columns.first + static_cast<std::int64_t>((point.x - rect.x) / cell.width);
  if (ribbon.empty())
    return Cell{rows.first + static_cast<std::int64_t>((point.y - rect.y) / cell.height), column};
  for (const RibbonLine& row : ribbon)
    if (point.y >= rect.y + row.top && point.y < rect.y + row.top + cell.height)
      return Cell{row.line, column};
  return std::nullopt;
}

Rect AccessPanel::rect_of(Cell shown) const {
  double top = static_cast<double>(shown.row - rows.first) * cell.height;
  for (const RibbonLine& row : ribbon)
    if (row.line == shown.row) top = row.top;
  return {rect.x + static_cast<double>(shown.column - columns.first) * cell.width, rect.y + top, cell.width,
          cell.height};
}

}  // namespace warplens::figures
