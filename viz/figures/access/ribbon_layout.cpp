#include <algorithm>
#include <cmath>

#include "viz/figures/access/extents.hpp"
#include "viz/figures/access/ribbon.hpp"

namespace warplens::figures {

std::vector<std::size_t> ribbon_faces(const AccessView& view) {
  const std::vector<Face>& faces = view.story.faces();
  std::vector<std::size_t> all;
  for (const bool is_output : {false, true})
    for (std::size_t f = 0; f < faces.size(); ++f)
      if (!faces[f].is_shared && !faces[f].is_unused && faces[f].is_output == is_output &&
          (!view.options.for_class ||
           (is_for_class(view, f) && (view.marks[f].now || view.options.all_arrays || faces[f].elements > 1))))
        all.push_back(f);
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
                                : fitting_ribbons(shown, area);
    double row = kMostRow;
    while (row > kSmallestRow && ribbons.height(row) > area.height) row -= 0.5;
    const double width = ribbons.beside ? area.width / static_cast<double>(shown.size()) : area.width;
    Rect room{area.x, area.y, width, area.height};
    for (std::size_t i = 0; i < shown.size(); ++i) {
      layout_.panels.push_back(ribbon_panel(shown[i], ribbons, i, row, room));
      if (ribbons.beside)
        room.x += width;
      else
        room.y = layout_.panels.back().rect.bottom() + kTileGap;
    }
  }

 private:
  const std::vector<Face>& faces() const { return view_.story.faces(); }

  static constexpr double kMostWord = 40, kMostRow = 24, kLeastRow = 10, kSmallestRow = 3;

  // The lines of each array, and how they stand: one below the other, or each in a column of its own.
  struct Ribbons {
    std::vector<std::vector<std::int64_t>> lines;
    std::vector<std::size_t> counts = {};  // how many each array has, also those without room
    std::string_view part = {};
    bool beside = false, lanes = true;
    double above() const { return kRibbonLabel + (lanes ? kLaneRow : 0); }
    double height(double row) const {
      double all = 0;
      for (const auto& each : lines) {
        const double one = above() + ribbon_height(each, row) + kTileGap;
        all = beside ? std::max(all, one) : all + one;
      }
      return all;
    }
  };
  static constexpr double kRibbonLabel = 26, kLeastRibbon = 300, kRoomForLanes = 400;

  Ribbons ribbons_of(const std::vector<std::size_t>& shown, RibbonPart of, std::string_view part, bool beside,
                     bool lanes) const {
    Ribbons ribbons{.lines = {}, .part = part, .beside = beside, .lanes = lanes};
    for (const std::size_t f : shown) {
      ribbons.lines.push_back(ribbon_lines(view_, f, of));
      ribbons.counts.push_back(ribbons.lines.back().size());
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

  AccessPanel ribbon_panel(std::size_t f, const Ribbons& ribbons, std::size_t i, double row,
                           const Rect& room) const {
    const Face& face = faces()[f];
    const auto& lines = ribbons.lines[i];
    AccessPanel panel{f, {0, std::ssize(lines)}, {0, face.columns}, {}, {0, row}};
    const double names = ribbons.part == "the grid" ? kBlockNames : 0;
    const double most = std::min(room.width - kRibbonLabels - names - 8, kMostWord * 32);
    panel.cell.width = most * static_cast<double>(face.element_bytes) / 128;  // a row has so many bytes
    panel.ribbon = stacked(lines, row);
    panel.ribbon_part = ribbons.part;
    panel.ribbon_all = ribbons.counts[i];
    panel.shows_lanes = ribbons.lanes && face.columns >= 16;
    panel.rect = {room.x + kRibbonLabels, room.y + ribbons.above(), pixels(face.columns, panel.cell.width),
                  ribbon_height(lines, row)};
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
