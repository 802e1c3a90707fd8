#include "viz/figures/access/line_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/line_lanes.hpp"
#include "viz/figures/access/access_marks.hpp"
#include "viz/figures/access/line_instructions.hpp"
#include "viz/figures/parts/block_roles.hpp"

namespace warplens::figures {
namespace {

constexpr std::size_t kMostRows = 12;
constexpr double kFull = 0.995;  // of the lanes: all of them
constexpr double kRowHeight = 40, kLeft = 118, kRight = 190;
constexpr double kClassRow = 52, kClassLeft = 84, kClassRight = 56;  // a class reads numbers there

// Turns one after the other with the same lanes.
struct TurnRow {
  std::size_t first = 0, count = 0;  // turns, from 0
  std::uint32_t lanes = 0;
};
std::vector<TurnRow> rows_of(const std::vector<std::uint32_t>& turns) {
  std::vector<TurnRow> rows;
  for (std::size_t t = 0; t < turns.size(); ++t) {
    if (rows.empty() || rows.back().lanes != turns[t]) rows.push_back({t, 0, turns[t]});
    ++rows.back().count;
  }
  return rows;
}

std::string turns_text(const TurnRow& row, std::size_t all, Look look) {
  if (is_brief(look))
    return row.count == all ? fmt::format("× {}", grouped(all))
           : row.count == 1 ? grouped(row.first + 1)
                            : fmt::format("{}-{}", grouped(row.first + 1), grouped(row.first + row.count));
  if (all == 1) return "once";
  if (row.count == all) return fmt::format("all {} times", grouped(all));
  return row.count == 1 ? fmt::format("time {}", grouped(row.first + 1))
                        : fmt::format("times {}-{}", grouped(row.first + 1), grouped(row.first + row.count));
}

void draw_lanes(Group& group, const Rect& row, const AccessOptions& options, std::uint32_t lanes) {
  const double cell = row.width / 32, radius = std::min({cell * 0.42, row.height * 0.36, 13.0});
  for (int lane = 0; lane < 32; ++lane) {
    const Point at{row.x + (lane + 0.5) * cell, row.center().y};
    Group one;
    const bool works = (lanes >> lane & 1) != 0;
    if (works)
      one.circle(at, radius, {.fill = lane_look(options.colors, lane).color});
    else
      one.circle(at, radius, {.stroke = scene::Stroke{Color{Token::dim, 0.75}, 1}});
    if (radius >= 8)
      one.text(at, fmt::format("{}", lane), centred_code(10, works ? Token::background : Token::dim));
    group.group(std::move(one))
        .named(fmt::format("lane:{}", lane),
               fmt::format("Lane {} {}", lane, works ? "executes it" : "waits"));
  }
}

// What the line costs where it is instructions: nobody asks for its lanes then, as all of them work.
void add_instructions(Group& root, Rect area, double y, const explain::InstructionCost& cost,
                      const run::Run& run, const Place& place, const AccessOptions& options,
                      const scene::TextMeasure& measure) {
  if (is_brief(options.look) && !options.with_number) {  // its headline says how many there are
    const Rect below{area.x, area.y + 16, area.width, area.height - 16};
    return add_line_instructions(root, below, cost, run, place.line, options.look, measure);
  }
  const explain::Explanation said = explain::explain(cost, run);
  const bool is_costly = said.verdict == explain::Verdict::costly;
  root.text(
      {area.x, y},
      fmt::format("{} instructions a thread",
                  grouped(static_cast<std::uint64_t>(cost.a_thread(cost.total.all.instructions) + 0.5))),
      sized(number(is_costly ? Token::costly : Token::text), 20));
  y += 24;
  root.text({area.x, y}, "32 of 32 lanes execute them together", within(body(Token::dim), area.width));
  y += 14;
  add_line_instructions(root, {area.x, y, area.width, area.bottom() - y}, cost, run, place.line, options.look,
                        measure);
}

}  // namespace

scene::Scene line_scene(const run::Run& run, const Place& place, const AccessOptions& options,
                        scene::Size size, const scene::TextMeasure& measure) {
  if (const auto roles = explain::roles_of(run, place.block); roles && roles->line == place.line)
    return roles_scene(*roles, options.look, size, measure);
  scene::Scene scene{size};
  Group& root = scene.root;
  const Rect area = inner_area(size);
  const explain::LineLanes seen = explain::lanes_at_line(run, place.block, place.warp, place.line);
  double y = area.y + 16;
  if (!is_brief(options.look)) {
    root.text({area.x, y}, fmt::format("Line {}, warp {}", place.line, place.warp), caption());
    for (const std::string& line :
         scene::wrapped(source_statement(run.plan().spec, place.line), area.width, code(), measure))
      root.text({area.x, y += 24}, line, code());
    y += 34;
  }
  const bool full = seen.efficiency > kFull;
  if (const explain::InstructionCost cost = explain::instruction_cost(run);
      explain::counts_instructions(run, cost, place.line)) {
    add_instructions(root, area, y, cost, run, place, options, measure);
    return scene;
  }
  if (seen.turns.empty() || !is_brief(options.look) || options.with_number)
    root.text({area.x, y},
              seen.turns.empty() ? "This warp does not come here"
                                 : fmt::format("{:.3g} of 32 lanes at work", seen.mean_lanes()),
              sized(number(full ? Token::good : Token::costly), 20));
  if (!is_brief(options.look))
    root.text({area.x, y += 24},
              fmt::format("of all warps that come here, {:.0f} % of the lanes work", 100 * seen.efficiency),
              within(body(Token::dim), area.width));
  if (is_brief(options.look)) {
    y += options.with_number ? 24 : 0;
    root.text({area.x, y}, fmt::format("{}", place.line), code(Token::dim));
    root.text({area.x + 30, y}, source_statement(run.plan().spec, place.line),
              within(code(), area.width - 30));
  }
  y += 20;
  const auto rows = rows_of(seen.turns);
  const double left = is_large(options.look) ? kClassLeft : kLeft,
               right = is_large(options.look) ? kClassRight : kRight;
  const double room = area.bottom() - y - 10;
  const std::size_t most = std::clamp<std::size_t>(static_cast<std::size_t>(room / 26), 1, kMostRows);
  const std::size_t shown = rows.size() > most ? most - 1 : rows.size();
  const double high =
      std::min(is_large(options.look) ? kClassRow : kRowHeight,
               room / static_cast<double>(std::max<std::size_t>(rows.size() > most ? most : shown, 1)));
  if (is_large(options.look)) y += std::max(room - high * static_cast<double>(rows.size()), 0.0) / 3;
  for (std::size_t r = 0; r < shown; ++r, y += high) {
    const TurnRow& row = rows[r];
    root.text({area.x, y + high / 2 + 4}, turns_text(row, seen.turns.size(), options.look),
              within(caption(), left - 8));
    draw_lanes(root, {area.x + left, y, area.width - left - right, high}, options, row.lanes);
    root.text({area.right() - right + 14, y + high / 2 + 4},
              is_brief(options.look) ? fmt::format("{}", std::popcount(row.lanes))
                                     : fmt::format("{} of 32 lanes work", std::popcount(row.lanes)),
              within(caption(row.lanes == ~0u ? Token::text : Token::costly), right - 14));
  }
  if (shown < rows.size())
    root.text({area.x + left, y + high / 2 + 4},
              is_brief(options.look)
                  ? fmt::format("+ {}", grouped(seen.turns.size() - rows[shown].first))
                  : fmt::format("and {} more", counted(seen.turns.size() - rows[shown].first, "time")),
              caption());
  return scene;
}

bool shows_roles(const run::Run& run, const Place& place) {
  const auto roles = explain::roles_of(run, place.block);
  return roles && roles->line == place.line;
}

bool shows_instructions(const run::Run& run, const Place& place) {
  return explain::counts_instructions(run, explain::instruction_cost(run), place.line);
}

explain::Explanation line_words(const run::Run& run, const Place& place) {
  return explain::explain_line(run, explain::lanes_at_line(run, place.block, place.warp, place.line));
}

}  // namespace warplens::figures
