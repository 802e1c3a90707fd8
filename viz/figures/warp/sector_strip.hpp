// The sectors of an access to global memory in a row, each of one width whatever the access: 32 of them fill
// the room, and 4 an eighth of it. Marks show that memory between neighbours is left out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "viz/figures/warp/warp_access_view.hpp"

namespace warplens::figures {

struct SectorStrip {
  // address / 32, ascending: those moved, and others of their transactions
  std::vector<std::uint64_t> sectors;
  std::map<std::uint64_t, double> left;
  double unit = 0;   // from one to the next
  double width = 0;  // of one
  double top = 0, height = 0;
  double x(std::uint64_t address) const {
    return left.at(address / 32) + width * static_cast<double>(address % 32) / 32;
  }
  double word() const { return width / 8; }
  // How many bytes behind the start of the first line, as the labels below count: "+2,048".
  std::string place(std::uint64_t address) const;
  std::uint64_t away(std::uint64_t address) const { return address - sectors.front() / 4 * 128; }
};

// The width of one of 32 lanes or sectors, which share the same room.
double lane_unit(const Rect& area);
double first_left(const Rect& area);

SectorStrip sector_strip(const WarpAccessView& view, const Rect& area);
// Words moved in vain are hatched where a better access would have moved fewer sectors.
void draw_sectors(Group& group, const WarpAccessView& view, const SectorStrip& strip);
// Below: where memory is left out, and how many bytes a sector is away from the first line.
void draw_places(Group& group, const SectorStrip& strip, double right, Look look,
                 const scene::TextMeasure& measure);
// What would have been enough: paler than what is there, and still with a contrast of 3.
inline const Color kGhost{Token::good, 0.8};
// The sectors that would have been enough; nothing where these are they. Returns whether it drew.
bool draw_ideal(Group& group, const WarpAccessView& view, const SectorStrip& strip, double top, double right,
                const scene::TextMeasure& measure);

}  // namespace warplens::figures
