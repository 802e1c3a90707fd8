#include "viz/figures/access/flights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/explain/reuse.hpp"

namespace warplens::figures {
namespace {

using report::TileFlight;

constexpr std::size_t kMostTiles = 4;
constexpr double kLabels = 46, kTextLine = 17, kKeys = 24, kMostRow = 18, kLeastRow = 10;
constexpr double kMostRowForClass = 60;

class Flights {
 public:
  Flights(const AccessView& view, std::vector<TileFlight> flights, const Rect& area)
      : view_(view), flights_(std::move(flights)), area_(area) {
    const std::size_t ahead = report::under_way(flights_, 0);
    const Look look = view.options.look;
    title_ = scene::wrapped(is_brief(look) ? "tiles"
                            : ahead == 1   ? "1 tile travels while 1 is multiplied"
                                           : fmt::format("{} tiles travel while 1 is multiplied", ahead),
                            area.width, caption(Token::text), view.measure);
    tiles_ = std::min({flights_.size() - 1, kMostTiles, ahead + 2});
    end_ = flights_[tiles_ - 1].after;
    const double room = area.height - kTextLine * static_cast<double>(title_.size()) - 6;
    const auto rows = static_cast<double>(tiles_);
    has_keys_ = (room - kKeys) / rows >= kLeastRow;
    row_ = std::min(is_large(look) ? kMostRowForClass : kMostRow, (room - (has_keys_ ? kKeys : 0)) / rows);
  }

  void draw(Group& group) {
    double y = area_.y - 3;
    for (const std::string& line : title_) group.text({area_.x, y += kTextLine}, line, caption(Token::text));
    y += 6;
    for (std::size_t tile = 0; tile < tiles_; ++tile, y += row_) draw_tile(group, tile, y);
    draw_now(group, y);
    if (has_keys_) draw_keys(group, y + 5);
  }

 private:
  double x(std::uint32_t access) const {
    return area_.x + kLabels + (area_.width - kLabels) * std::min(access, end_) / end_;
  }
  static scene::Style way() {
    return {.fill = Color{Token::accent, 0.22}, .stroke = scene::Stroke{Token::accent, 1}};
  }
  Color multiplied() const { return lane_look(view_.options.colors, 1).color; }

  void draw_tile(Group& group, std::size_t tile, double y) {
    const TileFlight& flight = flights_[tile];
    Group one;
    if (row_ >= 12)
      one.text({area_.x, y + row_ / 2 + 4},
               fmt::format("{}{}", is_brief(view_.options.look) ? "" : "tile ", tile), caption());
    const double high = row_ - (row_ > kMostRow ? 12 : 3);
    one.rect({x(flight.asked), y + 1, std::max(x(flight.read) - x(flight.asked), 2.0), high}, way(), 2);
    one.rect({x(flight.read), y + 1, x(flight.after) - x(flight.read), high}, {.fill = multiplied()}, 2);
    group.group(std::move(one))
        .named(fmt::format("flight:{}", tile),
               fmt::format("Tile {}: on its way from access {} of warp {} on, read in accesses {} to {}",
                           tile, flight.asked + 1, view_.place.warp, flight.read + 1, flight.after));
  }

  // The access that is looked at.
  void draw_now(Group& group, double bottom) {
    if (view_.place.access >= end_) return;
    const double at = x(view_.place.access), top = bottom - row_ * static_cast<double>(tiles_);
    group.line({at, top - 2}, {at, bottom}, {Token::text, 1});
  }

  void draw_keys(Group& group, double y) {
    double at = area_.x + kLabels;
    const auto add = [&](const char* text, const scene::Style& style) {
      group.rect({at, y + 2, 12, 10}, style, 2);
      group.text({at + 17, y + 12}, text, caption());
      at += 17 + view_.measure.width(text, caption()) + 14;
    };
    add(is_brief(view_.options.look) ? "travel" : "on its way", way());
    if (at + 17 + view_.measure.width("multiplied", caption()) <= area_.right())
      add("multiplied", {.fill = multiplied()});
  }

  const AccessView& view_;
  std::vector<TileFlight> flights_;
  Rect area_;
  std::vector<std::string> title_;
  std::size_t tiles_ = 0;
  std::uint32_t end_ = 1;
  bool has_keys_ = false;
  double row_ = 0;
};

std::vector<TileFlight> overlapping_flights(const AccessView& view) {
  return explain::overlapping_flights(view.run, view.story, view.place.warp);
}

}  // namespace

Rect place_flights(const AccessView& view, const Rect& column, AccessLayout& layout) {
  constexpr double least = 54, below = 12, others = 130;
  const double most = is_large(view.options.look) ? 320 : 124;
  if (column.height < least || overlapping_flights(view).empty()) return column;
  const double high = column.height >= least + below + others
                          ? std::clamp(column.height - below - others, least, most)
                          : std::min(column.height, most);
  layout.flights = Rect{column.x, column.y, column.width, high};
  return {column.x, column.y + high + below, column.width, column.height - high - below};
}

void draw_flights(Group& group, const AccessView& view, const Rect& area) {
  auto flights = overlapping_flights(view);
  if (!flights.empty()) Flights(view, std::move(flights), area).draw(group);
}

}  // namespace warplens::figures
