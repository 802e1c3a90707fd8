#include "viz/figures/access/lane_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "engine/explain/facts.hpp"
#include "viz/figures/access/access_layout.hpp"
#include "viz/figures/access/access_marks.hpp"

namespace warplens::figures {
namespace {

report::AccessPieces pieces_of(const run::Run& run, const trace::Access& access) {
  return report::access_pieces(access, run.kernel->function().code[access.pc], run.device());
}

// Of each AccessKind.
constexpr std::array kVerbs = {"read", "write", "update", "copy"};

// "reads", "copies": the verb where there is one lane.
std::string of_one(const std::string& verb) {
  return verb.ends_with('y') ? verb.substr(0, verb.size() - 1) + "ies" : verb + "s";
}

// The array in shared memory that the first lane touches.
const Face* shared_face(const std::vector<Face>& faces, const trace::Access& access) {
  if (access.active == 0) return nullptr;
  const std::uint64_t address = access.address[static_cast<std::size_t>(std::countr_zero(access.active))];
  for (const Face& face : faces)
    if (face.is_shared && element_of(face, address)) return &face;
  return nullptr;
}

// visit(lane, byte) for every fourth byte that the lanes touch: no element is smaller.
template <class Visit>
void for_each_word(const trace::Access& access, Visit visit) {
  for (std::uint32_t left = access.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    for (std::uint64_t b = 0; b < std::max<std::uint64_t>(access.width, 1); b += 4)
      visit(lane, access.address[lane] + b);
  }
}

// The rows and columns of one matrix or array that lanes touch.
struct Touched {
  std::string name;
  bool is_vector = false;
  std::set<std::int64_t> rows, columns;
  std::array<std::set<std::pair<std::int64_t, std::int64_t>>, 32> lanes;
  void add(std::size_t lane, std::int64_t row, std::int64_t column) {
    rows.insert(row), columns.insert(column);
    lanes[lane].emplace(row, column);
  }
  // All active lanes go to the same elements.
  bool is_broadcast(std::uint32_t active) const {
    const auto& first = lanes[static_cast<std::size_t>(std::countr_zero(active))];
    for (std::uint32_t left = active; left != 0; left &= left - 1)
      if (lanes[static_cast<std::size_t>(std::countr_zero(left))] != first) return false;
    return std::popcount(active) > 1;
  }
};

Touched touched_by(const run::Run& run, const trace::Access& access, const std::vector<Face>* faces) {
  Touched touched;
  if (access.space == ptx::Space::global)
    for_each_word(access, [&](std::size_t lane, std::uint64_t byte) {
      const auto element = report::element_at(run.buffers, byte);
      if (!element) return;
      touched.add(lane, element->row, element->column);
      touched.name = run.buffers[element->buffer].buffer.name;
      touched.is_vector = run.buffers[element->buffer].buffer.shape.rows == 1;
    });
  if (access.space == ptx::Space::shared && faces != nullptr)
    if (const Face* face = shared_face(*faces, access)) {
      touched.name = face->name;
      touched.is_vector = face->rows == 1;
      for_each_word(access, [&](std::size_t lane, std::uint64_t byte) {
        if (const auto e = element_of(*face, byte))
          touched.add(lane, cell_of(*face, *e).row, cell_of(*face, *e).column);
      });
    }
  return touched;
}

// "32 rows of A, 1 column": what the lanes touch.
std::string pattern_of(const run::Run& run, const trace::Access& access, const std::vector<Face>* faces) {
  const int lanes = std::popcount(access.active);
  const char* verb = kVerbs[static_cast<std::size_t>(access.kind)];
  const std::string who = lanes == 1 ? "1 lane " + of_one(verb) : fmt::format("{} lanes {}", lanes, verb);
  Touched touched = touched_by(run, access, faces);
  if (!touched.name.empty() && report::lanes_elsewhere(access) == access.active)
    touched.name += " in other blocks";
  const auto& [name, is_vector, rows, columns, by_lane] = touched;
  if (name.empty())
    return fmt::format("{} {} memory, {} each", who,
                       access.space == ptx::Space::shared     ? "shared"
                       : access.space == ptx::Space::global   ? "global"
                       : access.space == ptx::Space::constant ? "constant"
                                                              : "local",
                       counted(access.width, "byte"));
  if (touched.is_broadcast(access.active)) {
    const std::size_t same = rows.size() * columns.size();
    return same == 1 ? fmt::format("{} the same element of {}", who, name)
                     : fmt::format("{} the same {} elements of {}", who, same, name);
  }
  const auto& per_lane =
      access.width == 4 ? std::string() : fmt::format(", {} each", counted(access.width, "byte"));
  if (is_vector) return fmt::format("{} {} of {}{}", who, counted(columns.size(), "element"), name, per_lane);
  return fmt::format("{} {} of {}, {}{}", who, counted(rows.size(), "row"), name,
                     counted(columns.size(), "column"), per_lane);
}

// What the units of an access are.
std::string_view unit_of(const report::AccessPieces& pieces) {
  return pieces.is_shared ? "wavefront" : pieces.turns.empty() ? "sector" : "turn";
}

// For each lane the ordinals of the pieces that serve it, and how many pieces there are.
struct Served {
  std::vector<std::uint32_t> pieces;  // lanes of each
  std::string one;
  bool is_of_store =
      false;  // what a store of the lanes would take: the arrival of a copy has none of its own
};
Served served_by(const report::AccessPieces& pieces, const std::optional<trace::Access>& access) {
  Served served{pieces.turns, std::string(unit_of(pieces)), access && is_arrival(*access)};
  if (!pieces.turns.empty()) return served;
  if (pieces.is_shared)
    for (const auto& wavefront : pieces.shared.wavefronts) served.pieces.push_back(wavefront.lanes);
  else
    for (const auto& sector : pieces.global.sectors) served.pieces.push_back(sector.lanes);
  return served;
}

// The lanes whose numbers a class reads: all have no room in its type.
bool is_on_axis(int lane) { return lane % 8 == 0 || lane == 31; }

constexpr double kMostLaneStep = 22;  // from one lane to the next
constexpr double kLeastNumbered = 9;  // of it, where each lane has its number

// How much higher a card with a title is than what is free inside.
double card_frame() {
  Group nothing;
  const Rect card{0, 0, 100, 100};
  return card.height - add_card(nothing, card, "title").height;
}

constexpr double kPageHead = 30, kPageFoot = 34;  // above and below the lanes on a page

// At the right of the title, where there is room: the colour of what is moved and not needed.
constexpr double kWasteKey = 72;
void add_waste_key(Group& group, double right, double baseline) {
  add_key_at(group, {right - kWasteKey, baseline - 11}, {Token::costly, "wasted"}, kWasteKey);
}

// A card, or on a page, where nothing else stands at that side, its title alone; answers what is free inside.
// wastes: whether a part of what is moved is not needed.
Rect add_frame(Group& group, const Rect& rect, const Served& served, bool is_shared, bool wastes,
               const Place& place, Look look) {
  const bool of_store = served.is_of_store;
  if (has_words(look))
    return add_card(group, rect,
                    of_store ? fmt::format("Warp {}: a store's {}s", place.warp, served.one)
                             : fmt::format("Warp {}: {}s by lane", place.warp, served.one));
  if (is_on_stage(look)) {
    // Beside the colour of the waste, if the card has room for that, both sides of the arrow.
    constexpr double kBeside = kWasteKey + 12, kOneSide = 158, kOneSideShared = 234;
    const bool has_key = wastes && !of_store && rect.width >= (is_shared ? kOneSideShared : kOneSide);
    const double room = rect.width - (has_key ? kBeside : 0);
    constexpr double kArrow = 124, kBoth = 210;
    const std::string what = fmt::format("{}{}", served.one, is_shared ? " (pass)" : "");
    const std::string_view from = room < (is_shared ? kBoth : kArrow) ? "" : "lane → ";
    const Rect inside =
        add_card(group, rect, of_store ? "lane → pass of a store" : fmt::format("{}{}", from, what));
    if (has_key) add_waste_key(group, inside.right(), rect.y + 26);
    return inside;
  }
  constexpr double kWide = 300;
  const std::string title = rect.width < kWide     ? of_store ? fmt::format("A store's {}s", served.one)
                                                              : fmt::format("{}s by lane", sentence(served.one))
                                : of_store ? "In which wavefront a store would serve lanes"
                            : is_shared            ? "In which wavefront lanes are served"
                            : served.one == "turn" ? "In which turn lanes are served"
                                                   : "What memory brings, in sectors";
  group.text({rect.x, rect.y + 14}, title, within(heading(), rect.width));
  const double kTitled = is_shared ? 340 : 300;  // wide enough for both
  if (wastes && !of_store && rect.width >= kTitled) add_waste_key(group, rect.right(), rect.y + 14);
  return {rect.x, rect.y + kPageHead, rect.width, rect.height - kPageHead};
}

// How much of a sector is used: what is moved in vain is drawn as such, and so are wavefronts that need not be.
double used_share(const report::AccessPieces& pieces, std::size_t piece) {
  if (pieces.units <= pieces.ideal) return 1;
  if (pieces.is_shared || !pieces.turns.empty()) return static_cast<int>(piece) < pieces.ideal ? 1 : 0;
  return std::popcount(pieces.global.sectors[piece].used) / 32.0;
}

// One of what serves a lane.
void add_piece(Group& row, const Rect& box, const LaneLook& own, double used) {
  constexpr double kLeastUsed = 1.5;
  if (used < 1) row.rect(box, {.fill = Token::costly}, 2);
  if (used <= 0) return;
  const double wide = used < 1 ? std::min(box.width, std::max(box.width * used, kLeastUsed)) : box.width;
  add_patterned(row, {box.x, box.y, wide, box.height}, own.color, own.pattern, used < 1 ? 0 : 2);
}

// Below the lanes of a page: as many as would do, in the same size.
void add_enough(Group& group, Point at, double cell, const report::AccessPieces& pieces) {
  if (pieces.units <= pieces.ideal || pieces.elsewhere != 0) return;
  group.text({at.x, at.y + 12}, "enough:", caption());
  constexpr double kBehind = 56, kHigh = 13;
  for (int i = 0; i < pieces.ideal; ++i)
    group.rect({at.x + kBehind + i * cell, at.y + 1, std::max(cell - 1, 1.0), kHigh}, {.fill = Token::good},
               2);
}

// "Lane 7: A[3][5], sector 2 of 4".
std::string lane_title(const run::Run& run, const trace::Access& access, const Served& served, int lane) {
  if ((access.active >> lane & 1) == 0) return fmt::format("Lane {} is inactive", lane);
  std::string pieces;
  for (std::size_t p = 0; p < served.pieces.size(); ++p)
    if (served.pieces[p] >> lane & 1) pieces += fmt::format("{}{}", pieces.empty() ? "" : ", ", p + 1);
  std::string what = fmt::format("byte {}", access.address[static_cast<std::size_t>(lane)]);
  if (report::lanes_elsewhere(access) >> lane & 1) {
    trace::Access own = access;
    own.active = 1u << lane;
    what =
        fmt::format("byte {} of {}", report::offset_in_block(access.address[static_cast<std::size_t>(lane)]),
                    explain::elsewhere_words(run, own));
  }
  if (access.space == ptx::Space::global)
    if (const auto e = report::element_at(run.buffers, access.address[static_cast<std::size_t>(lane)]))
      what = fmt::format("{}[{}][{}]", run.buffers[e->buffer].buffer.name, e->row, e->column);
  if (pieces.empty()) return fmt::format("Lane {}: {}", lane, what);
  return fmt::format("Lane {}: {}, {} {} of {}{}", lane, what, served.one, pieces, served.pieces.size(),
                     served.is_of_store ? " of a store" : "");
}

}  // namespace

bool is_arrival(const trace::Access& access) {
  return access.kind == emulator::AccessKind::async_copy && access.space == ptx::Space::shared;
}

std::string cost_words(const report::AccessPieces& pieces) {
  if (pieces.elsewhere != 0 && pieces.units == 0) return "no wavefronts";
  return fmt::format("{}, ideal {}{}", counted(static_cast<std::uint64_t>(pieces.units), unit_of(pieces)),
                     pieces.ideal, pieces.exact ? "" : " (approximate)");
}

AccessSummary summarize(const run::Run& run, const trace::Access& access, const std::vector<Face>* faces) {
  const report::AccessPieces pieces = pieces_of(run, access);
  AccessSummary summary{pattern_of(run, access, faces), "", "", cost_color(pieces.units, pieces.ideal)};
  if (is_arrival(access)) {
    const auto stored = analysis::counts_of(pieces.shared);
    summary.cost = "no wavefronts of its own";
    summary.detail = fmt::format("a store of the lanes would take {}, ideal {}", stored.wavefronts,
                                 stored.ideal_wavefronts);
    summary.color = Token::text;
    return summary;
  }
  summary.cost = cost_words(pieces);
  if (pieces.elsewhere != 0) {
    const auto lanes = static_cast<std::uint64_t>(std::popcount(pieces.elsewhere));
    summary.detail = fmt::format("{}shared memory of {}",
                                 pieces.elsewhere == access.active ? "" : counted(lanes, "lane") + " in ",
                                 explain::elsewhere_words(run, access));
    if (pieces.units == 0) summary.color = Token::text;
    return summary;
  }
  if (!pieces.turns.empty()) {
    summary.detail = pieces.turns.size() == 1
                         ? "one word of the constant cache for all lanes"
                         : "the constant cache gives one word a turn, to the lanes that ask for it";
  } else if (!pieces.is_shared) {
    const analysis::GlobalCounts cost = analysis::counts_of(pieces.global);
    summary.detail =
        fmt::format("{} of {} bytes moved are used", grouped(static_cast<std::uint64_t>(cost.bytes_used)),
                    grouped(static_cast<std::uint64_t>(cost.bytes_moved)));
  } else {
    const int wide = analysis::wavefronts_without_words(pieces.shared),
              lost = pieces.units - pieces.ideal - wide;
    summary.detail = lost > 0 ? fmt::format("{} lost to bank conflicts",
                                            counted(static_cast<std::uint64_t>(lost), "wavefront"))
                              : "free of bank conflicts";
    if (wide > 0) summary.detail += fmt::format(", {} more for 16 bytes a lane", wide);
  }
  return summary;
}

std::optional<Rect> room_for_lanes(const AccessLayout& layout, const Rect& area, double gap) {
  constexpr double kBelow = 22;
  constexpr scene::Size kLeast{132, 200};
  std::optional<Rect> largest;
  for (const AccessPanel& panel : layout.panels) {
    double right = area.right();
    for (const AccessPanel& other : layout.panels)
      if (other.rect.x >= panel.rect.right()) right = std::min(right, other.rect.x - gap);
    const double top = panel.rect.bottom() + kBelow;
    const Rect room{panel.rect.x, top, right - panel.rect.x, area.bottom() - top};
    const auto is_in_it = [&](const Rect& rect) {
      return rect.x < room.right() && rect.right() > room.x && rect.bottom() > room.y &&
             rect.y < room.bottom();
    };
    const bool is_free = !is_in_it(layout.words) && !(layout.banks && is_in_it(*layout.banks)) &&
                         std::ranges::none_of(layout.panels, is_in_it, &AccessPanel::rect);
    if (!is_free || room.width < kLeast.width || room.height < kLeast.height) continue;
    if (!largest || room.width * room.height > largest->width * largest->height) largest = room;
  }
  return largest;
}

void draw_lane_card(Group& group, const Rect& room, const run::Run& run, const Place& place,
                    const std::optional<trace::Access>& access, const AccessOptions& options) {
  const bool is_on_page = options.look == Look::page;
  const double below = is_brief(options.look) ? 0 : is_on_page ? kPageFoot : 28;
  const Rect rect{
      room.x, room.y, room.width,
      std::min(room.height, 32 * kMostLaneStep + below + (is_on_page ? kPageHead : card_frame()))};
  const report::AccessPieces pieces = access ? pieces_of(run, *access) : report::AccessPieces{};
  const Served served = served_by(pieces, access);
  const Rect inside =
      add_frame(group, rect, served, pieces.is_shared, pieces.units > pieces.ideal, place, options.look);
  if (!access) return;
  const double step = std::min((inside.height - below) / 32, kMostLaneStep), left = inside.x + 28,
               width = inside.width - 28;
  const double count = static_cast<double>(std::max<std::size_t>(served.pieces.size(), 1));
  const double cell = std::min(width / count, 20.0);
  const bool all_numbers = !is_large(options.look) && step >= kLeastNumbered;
  for (int lane = 0; lane < 32; ++lane) {
    const Rect bar{left, inside.y + lane * step + 1, width, step - 2};
    Group row;
    if (all_numbers || is_on_axis(lane))
      row.text({inside.x + 20, bar.center().y}, fmt::format("{}", lane),
               {.size = all_numbers ? std::min(11.0, step) : theme::metric::kCaption,
                .color = !is_large(options.look) && lane == place.lane ? Token::text : Token::dim,
                .weight = !is_large(options.look) && lane == place.lane ? scene::Weight::bold
                                                                        : scene::Weight::regular,
                .family = scene::Family::code,
                .anchor = scene::Anchor::end,
                .baseline = scene::Baseline::middle});
    row.rect(bar, {.fill = Token::raised}, 2);
    const LaneLook own = lane_look(options.colors, lane);
    for (std::size_t p = 0; p < served.pieces.size(); ++p)
      if (served.pieces[p] >> lane & 1)
        add_piece(row, {left + static_cast<double>(p) * cell, bar.y, std::max(cell - 1, 1.0), bar.height},
                  own, is_on_page || is_on_stage(options.look) ? used_share(pieces, p) : 1);
    group.group(std::move(row)).named(fmt::format("lane:{}", lane), lane_title(run, *access, served, lane));
  }
  if (is_on_page) add_enough(group, {inside.x, inside.y + 32 * step + 14}, cell, pieces);
  if (!has_words(options.look)) return;  // a headline says it
  const bool is_plain = is_arrival(*access) || (pieces.elsewhere != 0 && pieces.units == 0);
  TextStyle style =
      within(caption(is_plain ? Token::text : cost_color(pieces.units, pieces.ideal)), inside.width);
  style.weight = scene::Weight::semibold;
  const std::string cost =
      pieces.elsewhere != 0
          ? cost_words(pieces)
          : fmt::format("{}, ideal {}", counted(static_cast<std::uint64_t>(pieces.units), served.one),
                        pieces.ideal);
  group.text({inside.x, inside.y + 32 * step + 22}, is_arrival(*access) ? "none of its own" : cost, style);
}

}  // namespace warplens::figures
