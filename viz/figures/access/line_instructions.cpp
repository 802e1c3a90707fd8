#include "viz/figures/access/line_instructions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "viz/figures/access/access_marks.hpp"

namespace warplens::figures {
namespace {

using explain::LineInstructions;
using time::Unit;

constexpr std::size_t kMostLines = 7;
constexpr double kRow = 56, kLeastRow = 34, kNumber = 64;
constexpr double kLeastShare = 0.004;  // of all instructions; less than that shows no bar

// Units of one kind share a colour.
struct UnitKind {
  std::string_view name;
  Token color;
  std::array<Unit, 3> units;
};
constexpr std::array kKinds = {
    UnitKind{"float", Token::series_1, {Unit::fma, Unit::fma, Unit::fma}},
    UnitKind{"integer", Token::series_2, {Unit::alu, Unit::fma_heavy, Unit::uniform}},
    UnitKind{"special", Token::series_3, {Unit::special, Unit::special, Unit::special}},
    UnitKind{"double", Token::series_4, {Unit::fp64, Unit::fp64, Unit::fp64}},
    UnitKind{"memory", Token::series_5, {Unit::memory, Unit::shuffle, Unit::tensor}},
    UnitKind{"jumps and moves", Token::dim, {Unit::none, Unit::none, Unit::none}}};

double amount_of(const LineInstructions& line, const UnitKind& kind) {
  double sum = 0;
  for (std::size_t u = 0; u < kind.units.size(); ++u)
    if (std::find(kind.units.begin(), kind.units.begin() + static_cast<std::ptrdiff_t>(u), kind.units[u]) ==
        kind.units.begin() + static_cast<std::ptrdiff_t>(u))
      sum += line.units[static_cast<std::size_t>(kind.units[u])];
  return sum;
}

// Those with most instructions, in the order of the source.
std::vector<const LineInstructions*> shown_lines(const explain::InstructionCost& cost, std::size_t most) {
  std::vector<const LineInstructions*> lines;
  for (const LineInstructions& line : cost.lines)
    if (line.line > 0 && lines.size() < most &&
        line.all.instructions >= kLeastShare * cost.total.all.instructions)
      lines.push_back(&line);
  std::ranges::sort(lines, {}, [](const LineInstructions* line) { return line->line; });
  return lines;
}

void add_bar(Group& group, const Rect& room, const LineInstructions& line, double most) {
  double x = room.x;
  for (const UnitKind& kind : kKinds) {
    const double wide = room.width * amount_of(line, kind) / most;
    if (wide < 0.25) continue;
    group.rect({x, room.y, wide, room.height}, {.fill = kind.color});
    x += wide;
  }
}

std::vector<Key> keys_of_units(const explain::InstructionCost& cost) {
  std::vector<Key> keys;
  for (const UnitKind& kind : kKinds)
    if (amount_of(cost.total, kind) >= kLeastShare * cost.total.all.instructions)
      keys.push_back({kind.color, std::string(kind.name)});
  return keys;
}

}  // namespace

void add_line_instructions(Group& group, const Rect& rect, const explain::InstructionCost& cost,
                           const run::Run& run, int line, const scene::TextMeasure& measure) {
  double y = rect.y + 14;
  group.text({rect.x, y}, "Instructions of a warp, by line and unit", heading());
  y += 20;
  y += add_key_row(group, {rect.x, y}, keys_of_units(cost), rect.width, measure) + 8;
  const double room = rect.bottom() - y;
  const auto fit = static_cast<std::size_t>(std::max(room / kLeastRow, 1.0));
  const auto lines = shown_lines(cost, std::min(fit, kMostLines));
  if (lines.empty()) return;
  double most = 1;
  for (const LineInstructions* one : lines) most = std::max(most, one->all.instructions);
  const double high = std::min(kRow, room / static_cast<double>(lines.size()));
  for (const LineInstructions* one : lines) {
    const bool chosen = one->line == line;
    group.text({rect.x, y + 13}, fmt::format("{}", one->line), code(chosen ? Token::text : Token::dim));
    group.text({rect.x + 30, y + 13}, source_statement(run.plan().spec, one->line),
               within(code(chosen ? Token::text : Token::dim), rect.width - 30));
    add_bar(group, {rect.x + 30, y + 19, rect.width - 30 - kNumber, high - 26}, *one, most);
    const double end = rect.x + 30 + (rect.width - 30 - kNumber) * one->all.instructions / most;
    group.text({end + 8, y + 19 + (high - 26) / 2 + 5},
               grouped(static_cast<std::uint64_t>(cost.a_thread(one->all.instructions) + 0.5)),
               chosen ? heading(Token::costly) : caption(Token::text));
    y += high;
  }
}

}  // namespace warplens::figures
