#include "viz/figures/code/machine_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/sass/address.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

// Barriers that the instruction holds until it is done: "w0 r1".
std::string sets_text(const sass::Row& row) {
  std::string text;
  if (row.write_barrier >= 0) text += fmt::format("w{}", row.write_barrier);
  if (row.read_barrier >= 0) text += fmt::format("{}r{}", text.empty() ? "" : " ", row.read_barrier);
  return text;
}

std::string barriers_of(const sass::Row& row) {
  const std::string sets = sets_text(row), waits = sass::barriers_text(row.waits);
  if (waits.empty()) return sets;
  return sets + (sets.empty() ? "?" : " ?") + waits;
}

// "FFMA" of "@P0 FFMA.SAT R1, R2, R3, R4".
std::string_view name_of(const sass::Row& row) {
  std::string_view text = row.text;
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.substr(0, text.find_first_of(" .;"));
}

std::string cycles(int count) { return fmt::format("{} {}", count, count == 1 ? "cycle" : "cycles"); }

}  // namespace

std::vector<ListedColumn> machine_columns(MachineColumns form) {
  if (!form.wide) return {{"stall", 34, Token::dim}, {"barriers", 58, Token::dim}};
  return {{"stall", 42, Token::dim},
          {"sets", 50, Token::dim},
          {"waits for", 62, Token::dim},
          {"registers", 62, Token::first_warp}};
}

ListedLine machine_line(const sass::Listing& listing, std::size_t index, MachineColumns form) {
  const sass::Row& row = listing.rows[index];
  const int number = static_cast<int>(index) + 1;
  ListedLine line{.number = number,
                  .label = sass::address_text(row.address),
                  .id = fmt::format("sass:{}", number),
                  .text = row.text};
  const std::string stall = fmt::format("{}{}", row.yields ? "y " : "", row.stall);
  if (!form.wide) {
    line.cells = {stall, barriers_of(row)};
    line.shares = {0, 0};
    return line;
  }
  const bool is_known = row.live_registers > 0;
  line.cells = {stall, sets_text(row), sass::barriers_text(row.waits),
                is_known ? std::to_string(row.live_registers) : ""};
  line.shares = {0, 0, 0,
                 listing.registers > 0 ? static_cast<double>(row.live_registers) / listing.registers : 0};
  return line;
}

bool is_of_line(const sass::Row& row, int line) {
  return line > 0 && (row.line == line || row.kernel_line == line);
}

std::optional<std::size_t> longest_row(const sass::Listing& listing, int line) {
  const auto held = [](const sass::Row& row) { return row.executed * row.stall; };
  std::map<std::string_view, double> of_kind;
  for (const sass::Row& row : listing.rows)
    if (is_of_line(row, line)) of_kind[name_of(row)] += held(row);
  if (of_kind.empty()) return std::nullopt;
  const auto kind = std::ranges::max_element(of_kind, {}, &std::pair<const std::string_view, double>::second);
  std::optional<std::size_t> longest;
  for (std::size_t i = 0; i < listing.rows.size(); ++i) {
    const sass::Row& row = listing.rows[i];
    if (!is_of_line(row, line) || name_of(row) != kind->first) continue;
    if (!longest || held(row) > held(listing.rows[*longest])) longest = i;
  }
  return longest;
}

std::string machine_caption(const sass::Listing& listing) {
  return fmt::format("{}, {} registers a thread, {} instructions", listing.architecture, listing.registers,
                     grouped(listing.rows.size()));
}

std::string machine_words(const sass::Row& row) {
  std::string text = fmt::format("Its warp’s next instruction comes {} later", cycles(row.stall));
  if (row.yields) text += ", other warps first";
  if (row.waits != 0) text += fmt::format(". Waits for barriers {}", sass::barriers_text(row.waits));
  if (row.write_barrier >= 0)
    text += fmt::format(". Holds barrier {} until its result is there", row.write_barrier);
  if (row.read_barrier >= 0)
    text += fmt::format(". Holds barrier {} until it has read its registers", row.read_barrier);
  if (row.live_registers > 0) text += fmt::format(". {} registers are in use", row.live_registers);
  return text;
}

std::string machine_note(const sass::Listing& listing) {
  return listing.without_text ? to_line(*listing.without_text) : std::string();
}

}  // namespace warplens::figures
