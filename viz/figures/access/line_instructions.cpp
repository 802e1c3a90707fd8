#include "viz/figures/access/line_instructions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "viz/figures/access/access_marks.hpp"

namespace warplens::figures {
namespace {

using explain::LineInstructions, explain::UnitKind, explain::amount_of;

constexpr std::size_t kMostLines = 7;
constexpr double kRow = 56, kLeastRow = 34, kNumber = 64;
constexpr double kLeastShare = 0.004;  // of all instructions; less than that shows no bar
constexpr double kClassShare = 0.03;   // and for a class no colour of its own

// Units of one kind share a colour: by explain::kUnitKinds.
constexpr std::array kColors = {Token::series_1, Token::series_2, Token::series_3,
                                Token::series_4, Token::series_5, Token::dim};
static_assert(kColors.size() == explain::kUnitKinds.size());
Token color_of(const UnitKind& kind) {
  return kColors[static_cast<std::size_t>(&kind - explain::kUnitKinds.data())];
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

// The kinds that have a colour of their own; for a class what is little has that of all others.
struct ShownKinds {
  std::vector<const UnitKind*> apart, others;
  ShownKinds(const explain::InstructionCost& cost, Look look) {
    const double all = cost.total.all.instructions;
    for (const UnitKind& kind : explain::kUnitKinds) {
      const double amount = amount_of(cost.total, kind);
      const bool is_apart = !is_sparse(look) || (amount >= kClassShare * all && color_of(kind) != Token::dim);
      (is_apart ? apart : others).push_back(&kind);
    }
  }
};

void add_bar(Group& group, const Rect& room, const LineInstructions& line, const ShownKinds& kinds,
             double most) {
  double x = room.x;
  const auto add = [&](double amount, Token color) {
    const double wide = room.width * amount / most;
    if (wide < 0.25) return;
    group.rect({x, room.y, wide, room.height}, {.fill = color});
    x += wide;
  };
  for (const UnitKind* kind : kinds.apart) add(amount_of(line, *kind), color_of(*kind));
  double rest = 0;
  for (const UnitKind* kind : kinds.others) rest += amount_of(line, *kind);
  add(rest, Token::dim);
}

std::vector<Key> keys_of_units(const explain::InstructionCost& cost, const ShownKinds& kinds) {
  std::vector<Key> keys;
  const double least = kLeastShare * cost.total.all.instructions;
  for (const UnitKind* kind : kinds.apart)
    if (amount_of(cost.total, *kind) >= least) keys.push_back({color_of(*kind), std::string(kind->name)});
  double rest = 0;
  for (const UnitKind* kind : kinds.others) rest += amount_of(cost.total, *kind);
  if (rest >= least) keys.push_back({Token::dim, "other"});
  return keys;
}

// The title and what the colours mean; returns the height that they take.
double add_meaning(Group& group, const Rect& rect, const std::vector<Key>& keys, Look look,
                   const scene::TextMeasure& measure) {
  double y = rect.y;
  if (!is_brief(look)) {
    group.text({rect.x, y + 14}, "Instructions of a warp, by line and unit", heading());
    y += 34;
  }
  return y + add_key_row(group, {rect.x, y}, keys, rect.width, measure) + 8 - rect.y;
}

}  // namespace

void add_line_instructions(Group& group, const Rect& rect, const explain::InstructionCost& cost,
                           const run::Run& run, int line, Look look, const scene::TextMeasure& measure) {
  const ShownKinds kinds(cost, look);
  double y = rect.y + add_meaning(group, rect, keys_of_units(cost, kinds), look, measure);
  const double room = rect.bottom() - y;
  const auto fit = static_cast<std::size_t>(std::max(room / kLeastRow, 1.0));
  const auto lines = shown_lines(cost, std::min(fit, kMostLines));
  if (lines.empty()) return;
  // The longest bar is red where that is a reproach.
  const bool is_costly = explain::explain(cost, run).verdict == explain::Verdict::costly;
  double most = 1;
  for (const LineInstructions* one : lines) most = std::max(most, one->all.instructions);
  const double high = std::min(kRow, room / static_cast<double>(lines.size()));
  for (const LineInstructions* one : lines) {
    const bool chosen = one->line == line;
    // A class reads the line that it is about; of the others their numbers, in the middle of their rows.
    const bool has_code = chosen || !is_brief(look);
    const double bar = high - 26, top = has_code ? y + 19 : y + (high - bar) / 2, middle = top + bar / 2 + 5;
    group.text({rect.x, has_code ? y + 13 : middle}, fmt::format("{}", one->line),
               code(chosen ? Token::text : Token::dim));
    if (has_code)
      group.text({rect.x + 30, y + 13}, source_statement(run.plan().spec, one->line),
                 within(code(chosen ? Token::text : Token::dim), rect.width - 30));
    add_bar(group, {rect.x + 30, top, rect.width - 30 - kNumber, bar}, *one, kinds, most);
    const double end = rect.x + 30 + (rect.width - 30 - kNumber) * one->all.instructions / most;
    group.text({end + 8, middle},
               grouped(static_cast<std::uint64_t>(cost.a_thread(one->all.instructions) + 0.5)),
               chosen ? heading(is_costly ? Token::costly : Token::text) : caption(Token::text));
    y += high;
  }
}

}  // namespace warplens::figures
