#include <algorithm>
#include <cmath>

#include "viz/figures/access/extents.hpp"
#include "viz/figures/access/ribbon.hpp"
#include "viz/figures/access/tree.hpp"

namespace warplens::figures {

namespace {

// Whether arrows say where lanes go that are strewn over the rows of an array. What lies in one row, or in
// many, is seen in the array as it is.
bool is_strewn(const AccessView& view) {
  for (std::size_t f = 0; f < view.marks.size(); ++f)
    if (view.marks[f].now) {
      const std::size_t rows = ribbon_lines(view, f, RibbonPart::access).size();
      return rows > 1 && rows <= kMostArrowRows;
    }
  return false;
}

}  // namespace

bool stages(const AccessView& view) {
  return !view.options.all_arrays && (is_sparse(view.options.look) || is_strewn(view)) &&
         tree_of(view) == nullptr && view.access && view.access->space == ptx::Space::shared;
}

std::vector<std::size_t> ribbon_faces(const AccessView& view) {
  const std::vector<Face>& faces = view.story.faces();
  // In shared memory that of the access, between what is read and what is written.
  const auto is_shown = [&](std::size_t f) {
    if (faces[f].is_unused) return false;
    if (stages(view)) return !faces[f].is_shared || view.marks[f].now;
    return !faces[f].is_shared && (!is_sparse(view.options.look) ||
                                   (is_for_class(view, f) &&
                                    (view.marks[f].now || view.options.all_arrays || faces[f].elements > 1)));
  };
  std::vector<std::size_t> all;
  for (const int rank : {0, 1, 2})
    for (std::size_t f = 0; f < faces.size(); ++f)
      if (is_shown(f) && rank == (faces[f].is_shared ? 1 : faces[f].is_output ? 2 : 0)) all.push_back(f);
  return all;
}

namespace {

class RibbonLayout {
 public:
  RibbonLayout(const AccessView& view, AccessLayout& layout) : view_(view), layout_(layout) {}

  void place(const Rect& area) {
    std::vector<std::size_t> shown = ribbon_faces(view_);
    const auto whole = std::ranges::find_if(shown, [&](std::size_t f) { return is_whole_grid(view_, f); });
    if (whole != shown.end()) shown = {*whole};
    if (shown.empty()) return;
    const Ribbons ribbons = is_whole_grid(view_, shown.front())
                                ? ribbons_of(shown, RibbonPart::grid, "the grid", false, true)
                            : stages(view_) ? staged_ribbons(shown, area)
                                            : fitting_ribbons(shown, area);
    double row = kMostRow;
    while (row > kSmallestRow && ribbons.height(row) > area.height) row -= 0.5;
    const double width = ribbons.beside ? area.width / static_cast<double>(shown.size()) : area.width;
    Rect room{area.x, area.y, width, area.height};
    for (std::size_t i = 0; i < shown.size(); ++i) {
      layout_.panels.push_back(ribbon_panel(shown[i], ribbons, i, row, room));
      const Rect& placed = layout_.panels.back().rect;
      if (ribbons.below[i] > 0)
        layout_.banks = Rect{placed.x, placed.bottom() + kTileGap, placed.width, kBanksHeight};
      if (ribbons.beside)
        room.x += width;
      else
        room.y = placed.bottom() + ribbons.below[i] + kTileGap;
    }
  }

 private:
  const std::vector<Face>& faces() const { return view_.story.faces(); }

  static constexpr double kMostWord = 40, kMostRow = 24, kLeastRow = 10, kSmallestRow = 3;

  // The lines of each array, and how they stand: one below the other, or each in a column of its own.
  struct Ribbons {
    std::vector<std::vector<std::int64_t>> lines;
    std::vector<std::size_t> counts = {};  // how many each array has, also those without room
    // Of each array: above its rows, between two of them, and below.
    std::vector<double> above = {}, between = {}, below = {};
    std::string_view part = {};
    bool beside = false;
    double labels = kRibbonLabels;  // at the left of all rows
    double height(double row) const {
      double all = 0;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const double one = above[i] + ribbon_height(lines[i], row, between[i]) + below[i] + kTileGap;
        all = beside ? std::max(all, one) : all + one;
      }
      return all;
    }
  };
  static constexpr double kRibbonLabel = 26, kLeastRibbon = 300, kRoomForLanes = 400;
  static constexpr double kHeadRoom = 11;  // between rows, for the heads of arrows

  Ribbons ribbons_of(const std::vector<std::size_t>& shown, RibbonPart of, std::string_view part, bool beside,
                     bool lanes) const {
    Ribbons ribbons{.lines = {}, .part = part, .beside = beside, .labels = labels_of(shown)};
    for (const std::size_t f : shown) {
      // In the window nothing moves where the access goes to another array.
      const bool has_lanes = lanes && (!is_sparse(view_.options.look) || shows_lanes(view_, f));
      const std::size_t rows = ribbon_lines(view_, f, RibbonPart::access).size();
      const bool has_arrows = has_lanes && rows > 1 && rows <= kMostArrowRows;
      ribbons.lines.push_back(ribbon_lines(view_, f, of));
      ribbons.counts.push_back(ribbons.lines.back().size());
      ribbons.above.push_back(kRibbonLabel + (has_lanes || (lanes && beside) ? kLaneRow : 0));
      ribbons.between.push_back(has_arrows && of != RibbonPart::grid ? kHeadRoom : 0);
      ribbons.below.push_back(faces()[f].is_shared ? kTileGap + kBanksHeight : 0);
    }
    return ribbons;
  }

  // The access to shared memory, and of the other arrays as much as has room: the way of the warp there, what
  // it touched last, or nothing of those that are written, then of any.
  Ribbons staged_ribbons(std::vector<std::size_t>& shown, const Rect& area) const {
    const bool lanes = area.width >= kRoomForLanes;
    Ribbons ribbons = ribbons_of(shown, RibbonPart::access, "the access", false, lanes);
    const auto fits = [&] { return ribbons.height(kLeastRow) <= area.height; };
    const Ribbons way = ribbons_of(shown, RibbonPart::warp, "the warp", false, lanes), last = ribbons;
    for (std::size_t i = 0; i < shown.size(); ++i)
      if (!faces()[shown[i]].is_shared) ribbons.lines[i] = way.lines[i], ribbons.counts[i] = way.counts[i];
    if (fits()) return ribbons;
    ribbons = last;
    // Beside the window's picture stands what the banks say.
    const auto without_banks = [&] {
      if (!is_sparse(view_.options.look)) std::ranges::fill(ribbons.below, 0);
    };
    if (!fits()) without_banks();
    for (const bool output : {true, false}) {
      if (fits()) break;
      std::erase_if(shown,
                    [&](std::size_t f) { return !faces()[f].is_shared && faces()[f].is_output == output; });
      ribbons = ribbons_of(shown, RibbonPart::access, "the access", false, lanes);
      without_banks();
    }
    return ribbons;
  }

  // As much of the arrays as has room: what the block touches, else the warp, else the access.
  Ribbons fitting_ribbons(const std::vector<std::size_t>& shown, const Rect& area) const {
    struct Way {
      RibbonPart part;
      std::string_view name;
      bool beside;
    };
    constexpr Way ways[] = {{RibbonPart::block, "the block", false},
                            {RibbonPart::warp, "the warp", false},
                            {RibbonPart::block, "the block", true},
                            {RibbonPart::warp, "the warp", true}};
    constexpr Way last[] = {{RibbonPart::access, "the access", false},
                            {RibbonPart::access, "the access", true}};
    Ribbons ribbons;
    const auto fits = [&](const Way& way) {
      const double column = area.width / static_cast<double>(shown.size());
      if (way.beside && (shown.size() < 2 || column < kLeastRibbon)) return false;
      ribbons = ribbons_of(shown, way.part, way.name, way.beside,
                           (way.beside ? column : area.width) >= kRoomForLanes);
      const bool known = std::none_of(ribbons.lines.begin(), ribbons.lines.end(),
                                      [](const auto& lines) { return lines.empty(); });
      return known && ribbons.height(kLeastRow) <= area.height;
    };
    if (std::any_of(std::begin(ways), std::end(ways), fits)) return ribbons;
    // A stretch of the way of the warp, with the access in it.
    ribbons = ribbons_of(shown, RibbonPart::warp, "the warp", false, false);
    if (shortened(ribbons, shown, kLeastRow, area.height)) return ribbons;
    if (std::any_of(std::begin(last), std::end(last), fits)) return ribbons;
    ribbons = ribbons_of(shown, RibbonPart::access, "the access", false, false);
    while (ribbons.height(kLeastRow) > area.height) {  // the first ones show what the others are like
      auto most = std::max_element(ribbons.lines.begin(), ribbons.lines.end(),
                                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
      if (most->size() <= 1) break;
      most->resize(std::max<std::size_t>(most->size() * 7 / 8, 1));
    }
    return ribbons;
  }

  // Leaves lines out at the ends until they fit; those of the access stay. Returns whether they do.
  bool shortened(Ribbons& ribbons, const std::vector<std::size_t>& shown, double row, double height) const {
    while (ribbons.height(row) > height) {
      const auto most = static_cast<std::size_t>(
          std::max_element(ribbons.lines.begin(), ribbons.lines.end(),
                           [](const auto& a, const auto& b) { return a.size() < b.size(); }) -
          ribbons.lines.begin());
      auto& lines = ribbons.lines[most];
      const auto kept = ribbon_lines(view_, shown[most], RibbonPart::access);
      if (lines.size() <= std::max<std::size_t>(kept.size(), 2)) return false;  // also of what is not known
      if (lines.back() > kept.back())
        lines.pop_back();
      else if (lines.front() < kept.front())
        lines.erase(lines.begin());
      else
        return false;
    }
    return true;
  }

  // Room for the last element of each of the arrays, so that rows stand where they did whatever is accessed.
  double labels_of(const std::vector<std::size_t>& shown) const {
    constexpr double kAdvance = 0.6;  // of each character of the code font, of its size
    double most = kRibbonLabels;
    for (const std::size_t f : shown) {
      const std::string last = grouped(static_cast<std::uint64_t>(faces()[f].elements));
      most = std::max(most, std::ceil(static_cast<double>(last.size()) * kAdvance * kRibbonType) + 8);
    }
    return most;
  }

  AccessPanel ribbon_panel(std::size_t f, const Ribbons& ribbons, std::size_t i, double row,
                           const Rect& room) const {
    const Face& face = faces()[f];
    const auto& lines = ribbons.lines[i];
    AccessPanel panel{f, {0, std::ssize(lines)}, {0, face.columns}, {}, {0, row}};
    const double names = is_whole_grid(view_, f) ? kBlockNames : 0;
    const double most = std::min(room.width - ribbons.labels - names - 8, kMostWord * 32);
    // A row has 128 bytes, but for arrays in shared memory whose rows are padded.
    panel.cell.width = most * static_cast<double>(face.element_bytes) /
                       static_cast<double>(std::max<std::int64_t>(
                           128, face.columns * static_cast<std::int64_t>(face.element_bytes)));
    panel.ribbon = stacked(lines, row, ribbons.between[i]);
    panel.ribbon_part = ribbons.part;
    panel.ribbon_all = ribbons.counts[i];
    panel.shows_lanes = ribbons.above[i] > kRibbonLabel && shows_lanes(view_, f);
    panel.rect = {room.x + ribbons.labels, room.y + ribbons.above[i], pixels(face.columns, panel.cell.width),
                  ribbon_height(lines, row, ribbons.between[i])};
    panel.label_room = room.right() - panel.rect.x;
    return panel;
  }

  const AccessView& view_;
  AccessLayout& layout_;
};

}  // namespace

void place_ribbons(const AccessView& view, const Rect& area, AccessLayout& layout) {
  RibbonLayout(view, layout).place(area);
}

}  // namespace warplens::figures
