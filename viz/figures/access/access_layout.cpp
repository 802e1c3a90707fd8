#include "viz/figures/access/access_layout.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "engine/explain/reuse.hpp"
#include "viz/figures/access/extents.hpp"
#include "viz/figures/access/flights.hpp"
#include "viz/figures/access/lane_card.hpp"
#include "viz/figures/access/operand.hpp"
#include "viz/figures/access/ribbon.hpp"
#include "viz/figures/access/tiled_product.hpp"
#include "viz/figures/access/tree.hpp"

namespace warplens::figures {
namespace {

// Between panels; their labels, of two lines, stand in it.
constexpr double kGap = 56, kLabelHeight = 42, kSideWidth = 216, kMostTileCell = 12;
constexpr double kMostSide = 336;   // of the lanes, where the height leaves width over
constexpr double kLeastSide = 132;  // and on a page, where matrices come first
constexpr double kPageGap = 36, kPageMargin = 12;
// Matrices stand without lanes only where they become so many times larger.
constexpr double kPageLanesWorth = 1.1;
constexpr double kKeyMark = 20;    // before the words of a key
constexpr double kLeastTile = 96;  // of a tile in its column, though its cells become flat
// From this width on the lanes stand beside the matrices; below it only where matrices without them would not
// be so many times larger.
constexpr double kRoomy = 1000, kLanesWorth = 1.25;
// So many cells of a large matrix are shown: fewer where they would be smaller than can be told apart from
// the last row of a hall.
constexpr std::int64_t kPages[] = {64, 48, 32};
constexpr double kLegibleCell = 6;
constexpr double kLargeCell = 10;    // on a page, which shows fewer rather than small ones
constexpr std::int64_t kDepth = 16;  // columns of A, at least

Rect take_right(Rect& area, double width) {
  const Rect taken{area.right() - width, area.y, width, area.height};
  area.width -= width + kMargin;
  return taken;
}

constexpr double kWorth = 1.15;       // how much larger cells have to become for what is less simple
constexpr double kWorthBeside = 1.4;  // and for narrow words

class Layouting {
 public:
  Layouting(const AccessView& view, scene::Size size) : view_(view), is_roomy_(size.width >= kRoomy) {
    for (std::size_t f = 0; f < faces().size(); ++f)
      if (faces()[f].is_shared) tiles_.push_back(f);
    if (puts_matrices_first() && !is_tiled(view_) && !is_linear())
      lay_out_on_page(size);
    else
      lay_out_beside(size);
  }
  AccessLayout result() && { return std::move(layout_); }

 private:
  // The lanes at a side, where matrices do not become much larger without them.
  void lay_out_beside(scene::Size size) {
    const double with_lanes = lay_out(size, !view_.is_about_tile);
    if (!layout_.lane_card) return;
    // Other figures show the lanes too: where there is little width they give way.
    const AccessLayout kept = layout_;
    const double left_over = std::max(area_.width - used_width(), 0.0);
    if (lay_out(size, false) >= with_lanes * kLanesWorth) return;
    layout_ = kept;
    if (!is_roomy_ || is_tiled(view_)) return;
    side_ = std::min(kSideWidth + left_over / 2, kMostSide);
    lay_out(size, true);
  }
  // Matrices as large as the height allows; the lanes have what these leave of the width. Those of no product may stand below each
  // other for them.
  void lay_out_on_page(scene::Size size) {
    const double without = lay_out(size, false), left_over = width_left_over();
    if (left_over < kLeastSide && is_product()) return;
    if (!is_product()) layout_.lane_card = room_for_lanes(layout_, area_, gap());
    if (layout_.lane_card) return;
    const AccessLayout kept = layout_;
    side_ = left_over < kLeastSide ? kSideWidth : std::min(left_over, kMostSide);
    const double with_lanes = lay_out(size, true);
    if (with_lanes * kPageLanesWorth < without) return void(layout_ = kept);
    if (left_over >= kLeastSide) return;
    side_ = std::min(kSideWidth + std::max(width_left_over(), 0.0), kMostSide);
    lay_out(size, true);
  }
  double width_left_over() const {
    constexpr double slack = 12;  // of rounded places, and of what stands at the right of a matrix
    return area_.width - used_width() - kMargin - slack;
  }
  // Of what is not at a side.
  double used_width() const {
    double left = layout_.words.x, right = layout_.words.right();
    for (const AccessPanel& panel : layout_.panels)
      if (panel.rect.x < area_.right())
        left = std::min(left, panel.rect.x), right = std::max(right, panel.rect.right());
    return right - left;
  }
  bool has_words() const { return figures::has_words(view_.options.look); }
  bool is_on_page() const { return view_.options.look == Look::page; }
  // Nobody reads a second line there.
  double label_height() const { return has_words() ? kLabelHeight : 22; }
  // Between the matrices of a product.
  double gap() const { return puts_matrices_first() ? kPageGap : kGap; }
  // Else the lanes beside them.
  bool puts_matrices_first() const {
    return is_on_page() || (!has_words() && !view_.options.with_number && is_product());
  }
  // Of the words beside what is drawn: of their keys, where there is nothing else.
  double words_width(double wanted) const {
    if (!puts_matrices_first()) return wanted;
    double widest = 0;
    for (const Key& key : keys_of(view_))
      widest = std::max(widest, kKeyMark + view_.measure.width(key.text, caption()));
    return std::min(wanted, widest + 8);
  }
  // Returns how many pixels the part of a matrix that is shown is across.
  double lay_out(scene::Size size, bool with_lanes) {
    layout_ = {}, area_ = Rect{0, 0, size.width, size.height}.inset(is_on_page() ? kPageMargin : kMargin);
    if (is_tiled(view_)) return lay_out_tiled(size, with_lanes);
    if (is_linear()) return place_linear();  // lanes stand above its ribbons
    take_sides(with_lanes);
    const AccessLayout sides = layout_;
    double cell = 0;
    for (const std::int64_t page : kPages) {
      page_ = page;
      layout_ = sides;
      cell = is_product() ? place_product() : place_row();
      if (cell >= (is_on_page() ? kLargeCell : kLegibleCell)) break;
    }
    double across = 0;
    for (const AccessPanel& panel : layout_.panels)
      if (!faces()[panel.face].is_shared) across = std::max(across, panel.rect.width);
    return across;
  }

  const std::vector<Face>& faces() const { return view_.story.faces(); }
  // A class sees the array of the access beside what the threads make; of a product also the other factor, where no tile of
  // it is in shared memory and no second picture takes the room.
  bool is_product() const {
    const bool has_room = tiles_.empty() && !view_.options.with_number;
    return view_.story.product().has_value() &&
           (!is_sparse(view_.options.look) || view_.options.all_arrays || has_room);
  }
  // Whether all arrays in global memory have one dimension.
  bool is_linear() const {
    return std::all_of(faces().begin(), faces().end(),
                       [](const Face& face) { return face.is_shared || face.is_unused || face.fold != 0; });
  }

  // The arrays in shared memory of a product are always there; the lanes, which other figures show too, where
  // there is room beside them.
  void take_sides(bool with_lanes) {
    const bool own_tiles = is_product() && !tiles_.empty();
    if (with_lanes && (is_on_page() || is_roomy_ || !own_tiles)) layout_.lane_card = take_right(area_, side_);
    if (own_tiles) place_tiles(take_right(area_, is_roomy_ ? tiles_width() : kSideWidth));
  }

  // As wide as its room where its cells stay legible: those of flat or steep arrays need not be square.
  AccessPanel tile_panel(std::size_t f, Point at, double room, double limit) const {
    const Face& face = faces()[f];
    const scene::Size most = most_tile(face, room, limit);
    // A class sees square cells, as long as the tile does not become a stroke.
    const bool square = is_large(view_.options.look);
    const double least =
        std::min(square ? kLeastTile / 2 : kLeastTile, room) / static_cast<double>(face.columns);
    const double wide = (square ? 1 : 4) * most.height;
    const scene::Size cell{std::min(most.width, std::max(wide, least)), most.height};
    AccessPanel panel{
        f, {0, face.rows}, {0, face.columns}, {bin_for(cell.height), bin_for(cell.width)}, cell};
    panel.rect = {at.x, at.y + label_height(), pixels(face.columns, cell.width),
                  pixels(face.rows, cell.height)};
    panel.label_room = room;
    return panel;
  }
  // The largest cell of a tile in this width, no higher than the limit allows.
  // Few rows of many columns would be a stroke: the window's are stretched.
  scene::Size most_tile(const Face& face, double room, double limit) const {
    const double width = std::min(room / static_cast<double>(face.columns), kMostTileCell);
    const double stretch = is_large(view_.options.look) ? 4 : 8;
    const double high = std::min(
        {std::max(width, 8.0), stretch * width, std::max(room, kLeastTile) / static_cast<double>(face.rows)});
    return {width, std::min({high, kMostTileCell, limit / static_cast<double>(face.rows)})};
  }

  // One under another in a column. Flat arrays grow with what the others leave of the height.
  void place_tiles(const Rect& column) {
    const double labels = (label_height() + kTileGap) * static_cast<double>(tiles_.size());
    const double room = std::max(column.height - labels - kBanksHeight, 20.0);
    // The height that no tile may exceed: one that needs less leaves the rest to the others.
    double limit = room;
    const auto total = [&] {
      double high = 0;
      for (const std::size_t f : tiles_)
        high += pixels(faces()[f].rows, most_tile(faces()[f], column.width, limit).height);
      return high;
    };
    while (total() > room && limit > 1) limit *= 0.97;
    double y = column.y;
    for (const std::size_t f : tiles_) {
      layout_.panels.push_back(tile_panel(f, {column.x, y}, column.width, limit));
      y = layout_.panels.back().rect.bottom() + kTileGap;
    }
    layout_.banks = Rect{column.x, y, column.width, kBanksHeight};
  }

  // Wide enough that the words of a row can be told apart.
  double tiles_width() const {
    std::int64_t columns = 0;
    for (const std::size_t f : tiles_) columns = std::max(columns, faces()[f].columns);
    return std::clamp(std::max(area_.width * 0.22, pixels(columns, 2)), 150.0,
                      std::min(area_.width * 0.28, 340.0));
  }

  // A at the left, B above, C at the corner between them; the words stand in the free corner, or where these
  // leave the matrices too little height, in a column of their own. Answers the size of a cell.
  double place_product() {
    const AccessLayout sides = layout_;
    const double width = words_width(std::min(area_.width > 860 ? 360.0 : 300.0, area_.width * 0.5));
    const double cell =
        place_product(area_, {area_.x, area_.y, width, words_of(view_, width).height - label_height()});
    if (cell >= kLegibleCell && (!is_roomy_ || puts_matrices_first())) return cell;
    const AccessLayout kept = std::exchange(layout_, sides);
    const double narrow = words_width(std::clamp(area_.width * 0.36, 180.0, 300.0)), left = narrow + kMargin;
    const double larger =
        place_product({area_.x + left, area_.y, area_.width - left, area_.height}, {area_.x, area_.y, 0, 0});
    layout_.words = {area_.x, area_.y, narrow, area_.height};
    if (larger > cell * kWorth || (is_roomy_ && larger >= cell)) return larger;
    layout_ = kept;
    return cell;
  }

  // words: what of the free corner they need.
  double place_product(const Rect& room, const Rect& words) {
    const bool whole = view_.options.whole;
    const auto [a, b, c] = view_.story.product().value();
    const auto& marks = view_.marks;
    const Extent m = first_of(owned_extent(view_.story, c, true), rows_of(marks[a]));
    const Extent n = first_of(owned_extent(view_.story, c, false), columns_of(marks[b]));
    const Extent k = marks[b].now ? rows_of(marks[b]) : first_of(columns_of(marks[a]), rows_of(marks[b]));
    const Span rows = span_of(faces()[c].covered_rows, m, page_for(m, page_), whole);
    const Span columns = span_of(faces()[c].covered_columns, n, page_for(n, page_), whole);
    const Span inner =
        span_of(faces()[a].columns, k, std::max(page_for(k, page_), std::min(page_, kDepth)), whole);
    const auto left_of = [&](double size) { return std::max(pixels(inner.count, size), words.width); };
    const auto top_of = [&](double size) { return std::max(pixels(inner.count, size), words.height); };
    const double gap = this->gap();
    const auto wide = [&](double size) { return left_of(size) + gap + pixels(columns.count, size) + 8; };
    const auto high = [&](double size) {
      return label_height() + top_of(size) + gap + pixels(rows.count, size) + 8;
    };
    const double cell =
        largest_cell([&](double size) { return wide(size) <= room.width && high(size) <= room.height; });
    const double inner_size = pixels(inner.count, cell), top = label_height() + top_of(cell);
    // Words that also have room in the width of A stand flush with it.
    const double flush = inner_size + gap - 28;
    const bool is_flush = words.width > 0 && inner_size >= 200 && stands_narrow(flush, words.width, top);
    const double left = is_flush ? inner_size : left_of(cell),
                 all = left + gap + pixels(columns.count, cell) + 8;
    const Point start{std::round(room.x + std::max((room.width - all) / 2, 0.0)),
                      std::round(room.y + std::max((room.height - high(cell)) / 2, 0.0))};
    const Point corner{start.x + left + gap, start.y + top + gap};
    const double right = room.right() - corner.x;
    const Bin bin{bin_for(cell), bin_for(cell)};
    add({b, inner, columns, bin, {cell, cell}}, {corner.x, corner.y - gap - inner_size}, right);
    add({a, rows, inner, bin, {cell, cell}}, {corner.x - gap - inner_size, corner.y}, inner_size + gap - 14);
    add({c, rows, columns, bin, {cell, cell}}, corner, right);
    layout_.words = {start.x, start.y, is_flush ? flush : left, top};
    return cell;
  }

  // The words need at most one line more in the narrow width, and have the height for it.
  bool stands_narrow(double narrow, double wide, double height) const {
    const AccessWords words = words_of(view_, narrow);
    return words.height <= height && words.lines.size() <= words_of(view_, wide).lines.size() + 1;
  }

  void add(AccessPanel panel, Point at, double label_room) {
    panel.rect = {at.x, at.y, pixels(panel.columns.count, panel.cell.width),
                  pixels(panel.rows.count, panel.cell.height)};
    panel.label_room = label_room;
    layout_.panels.push_back(panel);
  }

  // Inputs, arrays in shared memory, outputs: as data moves.
  std::vector<AccessPanel> row_panels() const {
    std::vector<AccessPanel> panels;
    for (const int rank : {0, 1, 2})
      for (std::size_t f = 0; f < faces().size(); ++f) {
        const Face& face = faces()[f];
        if (is_sparse(view_.options.look) && !is_for_class(view_, f)) continue;
        if (face.is_unused || rank != (face.is_shared ? 1 : face.is_output ? 2 : 0)) continue;
        const bool whole = view_.options.whole && face.fold == 0;
        const auto& marks = view_.marks[f];
        Extent rows = first_of(rows_of(marks), owned_extent(view_.story, f, true)),
               columns = first_of(columns_of(marks), owned_extent(view_.story, f, false));
        std::int64_t high = page_, wide = page_;
        if (const auto& area = view_.story.touched_area(f)) {
          high = page_for_all(std::pair{area->first.row, area->second.row}, page_, rows);
          wide = page_for_all(std::pair{area->first.column, area->second.column}, page_, columns);
        }
        panels.push_back({f, span_of(face.covered_rows, rows, high, whole),
                          span_of(face.covered_columns, columns, wide, whole || face.is_shared)});
      }
    return panels;
  }

  using Lines = std::vector<std::vector<AccessPanel>>;
  static constexpr double kLeastPanel = 64;  // so that a narrow panel has room for its name
  static constexpr double kBetweenLines = 14, kLeastBanks = 128;

  // How far from simple: lines, and one more where tiles and buffers share one of several.
  std::size_t turns(const Lines& lines) const {
    const auto shared = [&](const AccessPanel& panel) { return faces()[panel.face].is_shared; };
    const bool mixed = std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
      return std::any_of(line.begin(), line.end(), shared) && !std::all_of(line.begin(), line.end(), shared);
    });
    return lines.size() + (mixed && lines.size() > 1 ? 1 : 0);
  }
  // In one line, or on up to three as they follow each other, or what stands in shared memory under the
  // buffers.
  std::vector<Lines> arrangements() const {
    const std::vector<AccessPanel> panels = row_panels();
    std::vector<Lines> all{{panels}};
    for (std::size_t first = 1; first < panels.size(); ++first) {
      const auto at = [&](std::size_t i) { return panels.begin() + static_cast<std::ptrdiff_t>(i); };
      all.push_back({{at(0), at(first)}, {at(first), panels.end()}});
      for (std::size_t second = first + 1; second < panels.size(); ++second)
        all.push_back({{at(0), at(first)}, {at(first), at(second)}, {at(second), panels.end()}});
    }
    Lines two(2);
    for (const AccessPanel& panel : panels) two[faces()[panel.face].is_shared ? 1 : 0].push_back(panel);
    if (!two[0].empty() && !two[1].empty()) all.push_back(std::move(two));
    // The simplest first: what is less simple has to be worth it.
    std::stable_sort(all.begin(), all.end(),
                     [&](const Lines& one, const Lines& other) { return turns(one) < turns(other); });
    return all;
  }
  double width_of(const std::vector<AccessPanel>& line, double cell) const {
    double width = kGap * static_cast<double>(line.size() - 1);
    for (const AccessPanel& panel : line) width += std::max(pixels(panel.columns.count, cell), kLeastPanel);
    return width;
  }
  // A narrow tile has no room for the words of its banks below it.
  double banks_height(const AccessPanel& panel, double cell) const {
    const bool has_banks = faces()[panel.face].is_shared && pixels(panel.columns.count, cell) >= kLeastBanks;
    return has_banks ? kBanksHeight + kBetweenLines : 0;
  }
  // Under the labels.
  double height_of(const std::vector<AccessPanel>& line, double cell) const {
    double height = 0;
    for (const AccessPanel& panel : line)
      height = std::max(height, pixels(panel.rows.count, cell) + banks_height(panel, cell));
    return height;
  }
  bool fits(const Lines& lines, double cell, const Rect& room) const {
    double needed = kBetweenLines * static_cast<double>(lines.size() - 1) + 8;
    for (const auto& line : lines) {
      if (width_of(line, cell) + 8 > room.width) return false;
      needed += label_height() + height_of(line, cell);
    }
    return needed <= room.height;
  }

  // ---- products with several elements a thread

  static constexpr double kTiledBeside = 620;  // less has no room for words beside the product

  // At the left the words and the elements of a thread, in the middle A, B and C, at the right what lies in
  // shared memory, and the lanes where there is room for them too.
  double lay_out_tiled(scene::Size size, bool with_lanes) {
    if (is_sparse(view_.options.look) && !view_.options.all_arrays && area_.width >= kTiledBeside)
      return lay_out_tiled_for_class(size);
    if (with_lanes && size.width >= kRoomy + kSideWidth) layout_.lane_card = take_right(area_, kSideWidth);
    const bool any_tile = std::any_of(tiles_.begin(), tiles_.end(), [&](std::size_t f) {
      return !is_sparse(view_.options.look) || view_.options.all_arrays || view_.marks[f].now;
    });
    const double all = area_.width;
    if (is_sparse(view_.options.look) && all < kTiledBeside) return lay_out_tiled_below(any_tile);
    if (any_tile) place_tiles(take_right(area_, std::clamp(all * 0.2, 140.0, 260.0)));
    const double left = std::clamp(all * 0.31, 190.0, 320.0);
    const double words = words_of(view_, left).height + 16;
    layout_.words = {area_.x, area_.y, left, words};
    const Rect column{area_.x, area_.y + words, left, area_.height - words};
    const Rect below = place_flights(view_, {column.x, column.y - 12, left, column.height + 12}, layout_);
    const Rect beside = layout_.flights ? below : column;
    const Rect picture{area_.x + left + kMargin, area_.y, area_.width - left - kMargin, area_.height};
    place_tiled(view_, picture, beside, layout_);
    return size.width;
  }

  // In front of a class: the factor that is read beside C, and at the right how lanes are served, where no
  // mark says what a word serves; or while tiles travel, when they do.
  double lay_out_tiled_for_class(scene::Size size) {
    const bool brings = view_.access && explain::brings_a_tile(*view_.access) &&
                        !explain::overlapping_flights(view_.run, view_.story, view_.place.warp).empty();
    const double all = area_.width;
    if (brings) {
      Rect side = take_right(area_, std::floor(all * 0.5));
      side.y += 28, side.height -= 28;
      place_flights(view_, side, layout_);
    } else if (!view_.operand || view_.operand->served.empty()) {
      Rect side = take_right(area_, std::clamp(all * 0.24, 150.0, kSideWidth));
      const bool is_shared = view_.access && view_.access->space == ptx::Space::shared;
      if (is_shared) {
        layout_.banks = Rect{side.x, side.bottom() - kBanksHeight, side.width, kBanksHeight};
        side.height -= kBanksHeight + kTileGap;
      }
      layout_.lane_card = side;
    }
    const double left = brings || owns_one() ? 0 : std::clamp(all * 0.28, 170.0, 260.0);
    const double words = words_of(view_, left > 0 ? left : area_.width).height + (left > 0 ? 16 : 4);
    layout_.words = {area_.x, area_.y, left > 0 ? left : area_.width, words};
    const Rect below{area_.x, area_.y + words, left, area_.height - words};
    Rect picture{area_.x + left + kMargin, area_.y, area_.width - left - kMargin, area_.height};
    if (left == 0) picture = {area_.x, area_.y + words, area_.width, area_.height - words};
    place_tiled(view_, picture, below, layout_);
    if (left == 0) layout_.fragment.reset();
    return size.width;
  }
  // Whether each thread makes one element of C.
  bool owns_one() const {
    return view_.story.owned((*view_.story.product())[2]).size() <=
           32 * std::size_t{view_.story.accesses().warps()};
  }

  // In front of a class, one of two that are compared: the words above, and of the pictures the tile of the
  // access beside the product.
  double lay_out_tiled_below(bool any_tile) {
    const double words = words_of(view_, area_.width).height + 8;
    layout_.words = {area_.x, area_.y, area_.width, words};
    area_.y += words, area_.height -= words;
    if (any_tile && !stands_in(view_)) place_tiles(take_right(area_, area_.width * 0.34));
    place_tiled(view_, area_, {}, layout_);
    layout_.is_tiled = false, layout_.fragment.reset();
    return area_.width;
  }

  // ---- arrays in one dimension

  // Ribbons of addresses under the words; beside them the tree of a reduction, or what lies in shared memory.
  // Returns as lay_out().
  double place_linear() {
    Rect column = area_;
    const bool tree = tree_of(view_) != nullptr;
    // The tile of an access stands among the ribbons.
    const bool any_tile =
        !tiles_.empty() && !stages(view_) && (!is_sparse(view_.options.look) || view_.options.all_arrays);
    // As of two that are compared, and where no array would stand beside it.
    if (tree && is_sparse(view_.options.look) &&
        (area_.width < kBesideATree || ribbon_faces(view_).empty())) {
      const double words = words_of(view_, area_.width).height + 10;
      layout_.words = {area_.x, area_.y, area_.width, words};
      layout_.tree = {area_.x, area_.y + words, area_.width, area_.height - words};
      return area_.width;
    }
    if (tree || any_tile) {
      const Rect beside =
          take_right(column, std::floor(column.width * (!tree                          ? 0.42
                                                        : is_large(view_.options.look) ? 0.7
                                                                                       : 0.6)));
      if (tree)
        layout_.tree = beside;
      else
        place_tiles(beside);
    }
    const double width = std::min(column.width, 720.0);
    const double words = words_of(view_, width).height + 10;
    layout_.words = {column.x, column.y, width, words};
    place_ribbons(view_, {column.x, column.y + words, column.width, column.height - words}, layout_);
    return column.width;
  }

  static constexpr double kBesideATree = 720;  // in front of a class: less leaves no room for its lanes

  // ---- anything else

  // The buffers of a problem in a room beside or below the words.
  struct Row {
    Rect words, room;
    Lines lines = {};
    double cell = 0;
    double width = 0;  // of the widest line
  };
  Row row_in(const Rect& words, const Rect& room) const {
    Row row{words, room};
    for (Lines& candidate : arrangements()) {
      const double cell = largest_cell([&](double size) { return fits(candidate, size, room); });
      if (cell > row.cell * (turns(candidate) == turns(row.lines) ? 1 : kWorth))
        row.lines = std::move(candidate), row.cell = cell;
    }
    for (const auto& line : row.lines) row.width = std::max(row.width, width_of(line, row.cell));
    return row;
  }
  Row row_below() const {
    const double width = std::min(area_.width, 720.0), high = words_of(view_, width).height + 16;
    return row_in({area_.x, area_.y, width, high},
                  {area_.x, area_.y + high, area_.width, area_.height - high});
  }
  // Nothing where the words would not have the height for it.
  std::optional<Row> row_beside() const {
    const double width = words_width(std::clamp(area_.width * 0.36, 200.0, 300.0)), left = width + kMargin;
    if (words_of(view_, width).height > area_.height) return std::nullopt;
    return row_in({area_.x, area_.y, width, area_.height},
                  {area_.x + left, area_.y, area_.width - left, area_.height});
  }

  // Any other problem: its buffers side by side under the words, or where there is little height for them
  // there, beside these. Returns the size of a cell.
  double place_row() {
    Row row = row_below();
    if (auto beside = row_beside(); beside && beside->cell > row.cell * (is_roomy_ ? kWorth : kWorthBeside))
      row = *std::move(beside);
    const double left = std::round(row.room.x + std::max((row.room.width - row.width) / 2, 8.0));
    layout_.words = row.words;
    if (row.words.y < row.room.y)
      layout_.words.x = std::max(area_.x, std::min(left, area_.right() - row.words.width));
    double y = row.room.y;
    for (auto& line : row.lines) {
      y += label_height();
      place_line(line, {left, y}, row.cell);
      y += height_of(line, row.cell) + kBetweenLines;
    }
    return row.cell;
  }

  void place_line(std::vector<AccessPanel>& line, Point at, double cell) {
    for (AccessPanel& panel : line) {
      const Face& face = faces()[panel.face];
      panel.cell = {cell, cell};
      if (face.fold == 0) panel.bin = {bin_for(cell), bin_for(cell)};
      const double width = std::max(pixels(panel.columns.count, cell), kLeastPanel);
      add(panel, at, std::min(width + kGap - 12, area_.right() - at.x));
      if (face.is_shared && pixels(panel.columns.count, cell) >= kLeastBanks)
        layout_.banks = Rect{at.x, layout_.panels.back().rect.bottom() + kBetweenLines, width, kBanksHeight};
      at.x += width + kGap;
    }
  }

  const AccessView& view_;
  const bool is_roomy_;
  double side_ = kSideWidth;  // of the lanes
  Rect area_;
  std::vector<std::size_t> tiles_;  // faces in shared memory
  std::int64_t page_ = kPages[0];
  AccessLayout layout_;
};

// How lanes are served has nothing to do with how many elements a thread makes of what it loads.
bool is_about_tile(const AccessView& view) {
  if (!is_sparse(view.options.look) || !view.access) return false;
  const auto facts = explain::facts_at(view.run, {view.place.block, view.place.warp, view.place.access});
  return facts && explain::explain_use(*facts).rule == explain::RuleId::tile_of_a_thread;
}

}  // namespace

AccessView view_of(const run::Run& run, const Place& place, const AccessOptions& options,
                   const scene::TextMeasure& measure) {
  const AccessStory& story = story_at(run, place);
  AccessView view{run,
                  story,
                  place,
                  options,
                  measure,
                  marks_at(story, place.warp, place.access, options),
                  story.accesses().at(place.warp, place.access)};
  view.operand = operand_of(view);
  view.is_about_tile = is_about_tile(view);
  return view;
}

namespace {

// Few matrices stand beside each other, and of two operands the other one may be the point.
constexpr std::ptrdiff_t kFewMatrices = 3;

bool has_few_matrices(const AccessView& view) {
  const auto& faces = view.story.faces();
  return !view.story.product() && std::ranges::count_if(faces, [](const Face& face) {
                                    return !face.is_shared && !face.is_unused && face.fold == 0;
                                  }) <= kFewMatrices;
}

}  // namespace

bool is_for_class(const AccessView& view, std::size_t f) {
  const Face& face = view.story.faces()[f];
  if (view.options.all_arrays) return !face.is_unused;
  const bool is_matrix = !face.is_shared && !face.is_unused && face.fold == 0;
  if (is_matrix && view.access && view.access->space == ptx::Space::global && has_few_matrices(view))
    return true;
  return view.marks[f].now || (face.is_output && !face.is_shared);
}

AccessLayout layout_of(const AccessView& view, scene::Size size) { return Layouting(view, size).result(); }

}  // namespace warplens::figures
