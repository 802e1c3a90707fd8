// The kernel's source, its PTX and its machine code, with counters in the gutter; a click on a line goes to
// its next access.
#include "app/window/pages/ladder/code_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "app/base/text_table.hpp"
#include "app/window/kit/focus.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/pages/ladder/code_times.hpp"
#include "engine/catalog/front_matter.hpp"
#include "engine/explain/facts.hpp"
#include "engine/run/quantities/quantities.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/code/machine_lines.hpp"
#include "viz/figures/parts/places.hpp"
#include "viz/figures/time/time_words.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

using figures::ListedLine;

constexpr double kType = 13, kSmallType = 12;

// The row of the table that the gutter shows; empty: of the time, or none.
std::string_view quantity_of(Counter counter) {
  constexpr std::string_view ids[] = {
      "all.sectors", "all.wavefronts", "instructions", "lane_efficiency", "", ""};
  return ids[static_cast<std::size_t>(counter)];
}
double count_of(Counter counter, const run::Sums& sums) {
  const std::string_view id = quantity_of(counter);
  return id.empty() ? 0 : run::number(id, sums);
}
double count_of(Counter counter, const report::InstructionRow& row) {
  return count_of(counter, run::sums_of(row.counters));
}
// Of machine code, for which only means over the blocks are known.
double count_of(Counter counter, const sass::Row& row) {
  const std::string_view id = quantity_of(counter);
  return id == "all.sectors"      ? row.sectors
         : id == "all.wavefronts" ? row.wavefronts
         : id.empty()             ? 0
                                  : row.executed;
}

// wastes: more of it was paid than was needed.
void set_count(ListedLine& line, double count, double total, bool wastes) {
  if (count <= 0) return;
  line.has_columns = true;
  line.cells = {short_count(count)};
  line.shares = {total > 0 ? count / total : 0};
  line.wastes = {wastes};
}

bool wastes(Counter counter, const emulator::AccessCounts& counts) {
  return counter == Counter::sectors      ? counts.sectors > counts.ideal_sectors
         : counter == Counter::wavefronts ? counts.wavefronts > counts.ideal_wavefronts
                                          : false;
}
bool wastes(Counter counter, const report::Traffic& traffic) {
  return wastes(counter, counter == Counter::wavefronts ? traffic.shared : traffic.global);
}

// The share of the lanes that work; the bar is of those that wait.
void set_lanes(ListedLine& line, std::uint64_t executed, double efficiency) {
  if (executed == 0) return;
  line.has_columns = true;
  line.cells = {plot::percent(efficiency)};
  line.shares = {1 - efficiency};
}

// The share of the warps' time.
void set_time(ListedLine& line, double share) {
  constexpr double kLeast = 0.0005;
  if (share < kLeast) return;
  line.has_columns = true;
  line.cells = {figures::share_text(share)};
  line.shares = {share};
}

// What the lines of the kernel cost through the device functions that they call: in parentheses, for it is in
// the sum of the other lines.
void add_called(std::vector<ListedLine>& listed, const run::Run& run, Counter counter) {
  if (counter == Counter::lanes) return;  // no sum
  std::map<int, double> called;
  for (const report::InstructionRow& instruction : run.instructions)
    if (const int caller = run.kernel_lines[instruction.pc]; caller != instruction.line)
      called[caller] += count_of(counter, instruction);
  for (ListedLine& line : listed) {
    const auto found = called.find(line.number);
    if (found == called.end() || found->second <= 0 || !line.cells.empty()) continue;
    line.has_columns = true;
    line.cells = {"(" + short_count(found->second) + ")"};
  }
}

// The array that the access names, with its index: "As[ty][k]" of "sum += As[ty][k] * Bs[k][tx];". Nothing
// where the line names the array more than once: which of them it is would be a guess.
std::string operand_of(std::string_view text, const std::string& array) {
  if (array.empty()) return {};
  std::string operand;
  for (std::size_t at = text.find(array + "["); at != std::string_view::npos;
       at = text.find(array + "[", at + 1)) {
    if (at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_')) continue;
    std::size_t end = at + array.size();
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] == '['); ++end)
      depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
    const std::string found(text.substr(at, end - at));
    if (!operand.empty() && operand != found) return {};
    operand = found;
  }
  return operand;
}

// array: that the access is of.
std::vector<ListedLine> source_of(const CodePanel::Marks& marks, const std::string& array) {
  const run::Lines lines = run::lines_of(marks.code);
  std::vector<ListedLine> listed;
  const bool is_linked = marks.called_line != marks.line;
  for (std::size_t i = catalog::first_code_line(lines); i < lines.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    ListedLine line{.number = number, .text = std::string(lines[i]), .has_columns = false};
    line.linked = is_linked && number == marks.called_line;
    line.marked = number == marks.line;
    line.wrong = number == marks.wrong_line;
    if (number == (is_linked ? marks.called_line : marks.line)) line.operand = operand_of(lines[i], array);
    listed.push_back(std::move(line));
  }
  if (!marks.run || listed.empty() || marks.run->plan().spec.code != marks.code) return listed;
  if (marks.counter == Counter::time) {
    const CodeTimes times(marks.run, marks.predicted);
    for (ListedLine& line : listed) set_time(line, times.of_line(line.number));
    return listed;
  }
  const double total = count_of(marks.counter, run::sums_of(marks.run->lines.total));
  for (const report::LineRow& row : marks.run->lines.rows)
    if (const int at = row.line - listed.front().number; at >= 0 && at < std::ssize(listed)) {
      ListedLine& line = listed[static_cast<std::size_t>(at)];
      if (marks.counter == Counter::lanes)
        set_lanes(line, row.executed, row.lane_efficiency());
      else
        set_count(line, count_of(marks.counter, run::sums_of(row)), total,
                  wastes(marks.counter, row.traffic));
    }
  add_called(listed, *marks.run, marks.counter);
  return listed;
}

// Tabs as two spaces: PTX is indented by them.
std::string untabbed(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\t' ? std::string("  ") : std::string(1, c);
  return result;
}

bool is_of_line(const run::Run& run, std::size_t pc, int line) {
  return line > 0 && (run.instructions[pc].line == line || run.kernel_lines[pc] == line);
}

std::vector<ListedLine> ptx_of(const CodePanel::Marks& marks) {
  const run::Run& run = *marks.run;
  std::vector<ListedLine> listed;
  const double total = count_of(marks.counter, run::sums_of(run.lines.total));
  const CodeTimes times(marks.counter == Counter::time ? marks.run : nullptr, marks.predicted);
  for (std::size_t i = 0; i < run.ptx_lines.size(); ++i) {
    ListedLine line{
        .number = static_cast<int>(i) + 1, .text = untabbed(run.ptx_lines[i]), .has_columns = false};
    if (const std::int32_t pc = run.row_of_ptx_line[i]; pc >= 0) {
      line.marked = marks.pc == static_cast<std::uint32_t>(pc);
      line.linked = is_of_line(run, static_cast<std::size_t>(pc), marks.chosen_line);
      const report::InstructionRow& row = run.instructions[static_cast<std::size_t>(pc)];
      if (marks.counter == Counter::lanes)
        set_lanes(line, row.counters.executed, count_of(marks.counter, row));
      else if (marks.counter == Counter::time)
        set_time(line, times.of_ptx_line(line.number));
      else
        set_count(line, count_of(marks.counter, row), total, wastes(marks.counter, row.counters));
    }
    listed.push_back(std::move(line));
  }
  return listed;
}

// The last cell is the counter's: of an instruction's own count, or of the lanes of the PTX that it is from.
void add_counter(ListedLine& line, const sass::Row& row, const CodePanel::Marks& marks,
                 const CodeTimes& times, double total) {
  const run::Run& run = *marks.run;
  ListedLine counted{};
  if (marks.counter == Counter::time) {
    set_time(counted, times.of_address(row.address));
  } else if (marks.counter == Counter::lanes && row.pc >= 0) {
    const auto& counters = run.instructions[static_cast<std::size_t>(row.pc)].counters;
    set_lanes(counted, counters.executed, report::lane_efficiency(counters.lanes, counters.executed));
  } else if (marks.counter != Counter::lanes) {
    const bool is_known = row.pc >= 0;
    set_count(counted, count_of(marks.counter, row), total,
              is_known && wastes(marks.counter, run.instructions[static_cast<std::size_t>(row.pc)].counters));
  }
  line.wastes = std::vector<bool>(line.cells.size(), true);
  line.wastes.push_back(counted.wastes.empty() || counted.wastes.front());
  line.cells.push_back(counted.cells.empty() ? "" : counted.cells.front());
  line.shares.push_back(counted.shares.empty() ? 0 : counted.shares.front());
}

std::vector<ListedLine> machine_of(const CodePanel::Marks& marks, figures::MachineColumns form) {
  const sass::Listing& listing = **marks.machine;
  double total = count_of(marks.counter, run::sums_of(marks.run->lines.total));
  if (marks.counter == Counter::executed) {
    total = 0;
    for (const sass::Row& row : listing.rows) total += row.executed;
  }
  const CodeTimes times(marks.run, marks.predicted);
  const int marked = marks.pc ? sass::leader_of(*marks.run, static_cast<int>(*marks.pc)) : -1;
  std::vector<ListedLine> listed;
  for (std::size_t i = 0; i < listing.rows.size(); ++i) {
    const sass::Row& row = listing.rows[i];
    ListedLine line = figures::machine_line(listing, i, form);
    line.marked = row.is_access && row.pc == marked;
    line.linked = figures::is_of_line(row, marks.chosen_line);
    add_counter(line, row, marks, times, total);
    listed.push_back(std::move(line));
  }
  if (std::ranges::none_of(listed, &ListedLine::marked))
    if (const auto longest = figures::longest_row(listing, marks.chosen_line)) listed[*longest].marked = true;
  return listed;
}

// The marked line comes into sight when another one is marked.
void scroll_to(const figures::Listing& listing, double height, double step) {
  const std::size_t row = listing.marked_row();
  int* seen = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("seen"), -1);
  if (row == listing.size() || std::exchange(*seen, static_cast<int>(row)) == static_cast<int>(row)) return;
  const double top = static_cast<double>(row) * step;
  if (top < ImGui::GetScrollY() || top + 2 * step > ImGui::GetScrollY() + height)
    ImGui::SetScrollY(scroll_above(top, height, step));
}

// How a row of a listing goes with what is pointed at: what its lines are called there, and which are meant.
struct LitLines {
  std::string_view kind;  // "line", "ptx", "sass"
  std::function<bool(int number)> is_lit;
  std::function<std::string(int number)> id = {};  // of what a line stands for; empty: its kind and number
};
struct PointedLine {
  int hovered = 0, clicked = 0;  // numbers; 0: none
};

// All rows of a line that goes on in further ones have one frame. rows: those in sight; top: of the first of
// them.
void light_rows(const Ui& ui, const Rect& rect, const figures::Listing& listing, const LitLines& lit,
                std::pair<std::size_t, std::size_t> rows, double top, double step) {
  for (std::size_t row = rows.first; row < rows.second;) {
    const int number = listing.line_at(row).number;
    std::size_t end = row + 1;
    while (end < rows.second && listing.line_at(end).number == number) ++end;
    if (number > 0 && lit.is_lit(number)) {
      const Rect box{rect.x, std::floor(top + step * static_cast<double>(row - rows.first)), rect.width,
                     std::floor(step * static_cast<double>(end - row))};
      ui.mark(fmt::format("lit/{}:{}", lit.kind, number), box);
      fill(ui, box, Token::accent, 0.18);
      frame(ui, box, Token::accent, 1, 2);
    }
    row = end;
  }
}

// The row of the line above or below this one; size() where there is none.
std::size_t row_beside(const figures::Listing& listing, std::size_t row, bool below) {
  const int here = row < listing.size() ? listing.line_at(row).number : 0;
  while (row < listing.size()) {
    row = below ? row + 1 : row - 1;  // above the first one it is out of range, too
    if (row < listing.size() && listing.line_at(row).number > 0 && listing.line_at(row).number != here)
      return row;
  }
  return listing.size();
}

// Where the keyboard is on the listing, arrows go from line to line: each is pointed at and clicked.
PointedLine pointed_by_keys(const Ui& ui, const std::string& mark, const figures::Listing& listing,
                            double height, double step) {
  int* row = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("row of keys"), -1);
  if (!ui.focus.is_on(mark)) return *row = -1, PointedLine{};
  const bool below = compat::pressed(compat::Key::down), above = compat::pressed(compat::Key::up);
  const std::size_t here = *row < 0 ? std::min(listing.marked_row(), listing.size() - 1)
                                    : std::min(static_cast<std::size_t>(*row), listing.size() - 1);
  if (listing.size() == 0) return {};
  if (below == above) return {*row < 0 ? 0 : listing.line_at(here).number, 0};
  const std::size_t next = row_beside(listing, here, below);
  if (next == listing.size()) return {listing.line_at(here).number, 0};
  *row = static_cast<int>(next);
  const double top = static_cast<double>(next) * step;
  if (top < ImGui::GetScrollY() || top + 2 * step > ImGui::GetScrollY() + height)
    ImGui::SetScrollY(scroll_above(top, height, step));
  return {listing.line_at(next).number, listing.line_at(next).number};
}

PointedLine draw_listing(const Ui& ui, const char* name, Rect rect, const figures::Listing& listing,
                         const LitLines& lit) {
  const double step = listing.step() * ui.scale;
  if (ui.on_stage) rect.height = std::floor(rect.height / step) * step;  // whole rows
  const std::string mark = std::string("listing/") + name;
  ui.mark(mark, rect);
  begin_panel(name, rect, 0);
  scroll_to(listing, rect.height, step);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const auto row_at = [&](double y) {
    return std::min(static_cast<std::size_t>(std::max(0.0, std::floor((y - origin.y) / step))),
                    listing.size());
  };
  const std::size_t first = row_at(rect.y), end = std::min(row_at(rect.bottom()) + 1, listing.size());
  scene::Scene seen({rect.width / ui.scale, rect.height / ui.scale}, Token::panel);
  listing.draw(seen.root, {0, 0}, first, end, ui.painter.fonts());
  ui.painter.paint(seen, ui.theme, *ImGui::GetWindowDrawList(),
                   {rect.x, std::floor(origin.y + step * static_cast<double>(first))}, ui.scale);
  light_rows(ui, rect, listing, lit, {first, end}, origin.y + step * static_cast<double>(first), step);
  ImGui::Dummy({1, static_cast<float>(step * static_cast<double>(listing.size()))});
  const std::size_t row = row_at(ImGui::GetIO().MousePos.y);
  const bool hovered = ImGui::IsWindowHovered() && row < listing.size();
  const int number = hovered ? listing.line_at(row).number : 0;
  if (hovered) ui.model.pointing.at(lit.id ? lit.id(number) : fmt::format("{}:{}", lit.kind, number));
  const bool clicked = hovered && ImGui::IsMouseClicked(0);
  const PointedLine by_key = pointed_by_keys(ui, mark, listing, rect.height, step);
  if (by_key.hovered > 0 && !hovered)
    ui.model.pointing.at(lit.id ? lit.id(by_key.hovered) : fmt::format("{}:{}", lit.kind, by_key.hovered));
  ImGui::EndChild();
  clicked_by_key(ui, mark, rect);
  return {hovered ? number : by_key.hovered, clicked ? number : by_key.clicked};
}

// The instruction that is meant, or else all of the line.
bool is_ptx_lit(const run::Run& run, const Pointed& pointed, int number) {
  const std::int32_t pc = run.row_of_ptx_line[static_cast<std::size_t>(number - 1)];
  if (pc < 0) return false;
  const auto at = static_cast<std::uint32_t>(pc);
  if (pointed.pc) return *pointed.pc == at;
  return pointed.has_line(run.instructions[at].line) || pointed.has_line(run.kernel_lines[at]);
}

// The same of machine code. ptxas makes one instruction of several and several of one.
bool is_machine_lit(const run::Run& run, const Pointed& pointed, const sass::Row& row) {
  if (!pointed.pc) return pointed.has_line(row.line) || pointed.has_line(row.kernel_line);
  const int pc = static_cast<int>(*pointed.pc);
  return row.pc >= 0 && (row.pc == pc || (row.is_access && row.pc == sass::leader_of(run, pc)));
}

// What a row of machine code stands for: the line of the PTX that it is from, else that of the source.
std::string machine_id(const run::Run& run, const sass::Row& row) {
  const auto ptx = std::ranges::find(run.row_of_ptx_line, row.pc);
  if (row.pc < 0 || ptx == run.row_of_ptx_line.end()) return fmt::format("line:{}", row.line);
  return fmt::format("ptx:{}", ptx - run.row_of_ptx_line.begin() + 1);
}

// What warps do there, beside the pointer.
void tell_time(const Ui& ui, const std::string& words) {
  if (!words.empty()) show_tip(ui, words);
}

// Text lines below each other, from the top; returns where they end.
double draw_notes(const Ui& ui, const Rect& rect, const std::vector<std::pair<std::string, Token>>& notes) {
  const double margin = ui.px(16), width = rect.width - 2 * margin;
  double y = rect.y + ui.px(4);
  for (const auto& [text, color] : notes)
    if (!text.empty())
      y += draw_paragraph(ui, {static_cast<float>(rect.x + margin), static_cast<float>(y)},
                          static_cast<float>(width), text, {.type = Type::caption, .color = color});
  return y + ui.px(4);
}

void draw_titles(const Ui& ui, const Rect& rect, const figures::Listing& listing) {
  scene::Scene titles({rect.width / ui.scale, rect.height / ui.scale}, Token::panel);
  listing.draw_titles(titles.root, {0, titles.size.height - 4});
  ui.painter.paint(titles, ui.theme, *ImGui::GetWindowDrawList(), {rect.x, rect.y}, ui.scale);
}

bool shows_ptx(CodeView view) { return view == CodeView::ptx || view == CodeView::both; }
bool shows_machine(CodeView view) { return view == CodeView::sass || view == CodeView::source_sass; }
bool is_split(CodeView view) { return view == CodeView::both || view == CodeView::source_sass; }

constexpr double kNarrow = 340;  // design pixels

void draw_head(const Ui& ui, const Rect& rect) {
  View& view = ui.state().view;
  rule(ui, rect.x, rect.bottom() - 1, rect.right(), rect.bottom() - 1);
  const bool is_narrow = rect.width < ui.px(kNarrow);
  double x = rect.x + ui.px(is_narrow ? 12 : 16);
  const auto tab = [&](const char* name, CodeView which) {
    const Rect r{x, rect.y, text_width(ui, name, Type::strong) + ui.px(2), rect.height};
    if (button(ui, std::string("code/") + name, r, name, {.look = Look::tab, .chosen = view.code == which}))
      view.code = which;
    x += r.width + ui.px(is_narrow ? 10 : 14);
  };
  tab("Source", CodeView::source);
  tab("PTX", CodeView::ptx);
  tab("SASS", CodeView::sass);
  tab("Both", shows_machine(view.code) ? CodeView::source_sass : CodeView::both);
  constexpr const char* names[] = {"sectors", "wavefronts",  "instructions",
                                   "lanes",   "warps' time", "no counts"};
  const auto now = static_cast<std::size_t>(view.counter);
  // Its arrow alone where the name has no room.
  const double whole = ui.px(120), left = rect.right() - ui.px(12) - x;
  const double wide = left >= whole ? whole : ui.px(kMenuArrowWidth);
  const Rect counter{rect.right() - ui.px(12) - wide, rect.y + ui.px(6), wide, rect.height - ui.px(12)};
  if (counter.x < x) return;
  if (button(ui, "counter", counter, wide < whole ? "" : names[now],
             {.tip = now == static_cast<std::size_t>(Counter::time)
                         ? "The share of the warps' time that goes by at each line, by the model of time"
                         : "What the gutter counts",
              .menu = true}))
    ImGui::OpenPopup("counters");
  if (!begin_menu("counters", counter)) return;
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (menu_item(ui, names[i], {.chosen = i == now})) view.counter = static_cast<Counter>(i);
  }
  ImGui::EndPopup();
}

std::string array_of(const Model& model) {
  if (model.run() == nullptr || !model.access()) return {};
  const auto facts = explain::facts_at(
      *model.run(), {model.trace_block(), model.state.selection.warp, model.shown_access()});
  return facts && facts->face != nullptr ? facts->array : std::string{};
}

// Above the counts of machine code, beside columns that have titles.
std::string machine_title(Counter counter) {
  constexpr std::array kTitles = {"sectors", "wavefronts", "executed", "lanes", "time", ""};
  return kTitles[static_cast<std::size_t>(counter)];
}

// A narrow panel has more of a line in smaller type, and keeps its room for the text.
double code_type(const Ui& ui, const Rect& rect) {
  return !ui.on_stage && rect.width < ui.px(kNarrow) ? kSmallType : kType;
}
std::vector<figures::ListedColumn> one_column(const Ui& ui, const Rect& rect) {
  return {{"", rect.width < ui.px(kNarrow) ? 62.0 : 84.0, Token::costly}};
}

CodePanel::Marks marks_of(const Ui& ui) {
  const Model& model = ui.model;
  CodePanel::Marks marks{.code = listed_kernel(model).code, .counter = ui.state().view.counter};
  const auto& error = model.error();
  if (error && error->place.file == model.spec().path) marks.wrong_line = error->place.line;
  marks.run = model.shared_run();
  const auto access = model.access();
  if (marks.run && access) marks.pc = access->pc;
  if (!marks.run || !access || marks.run->plan().spec.code != marks.code) return marks;
  if (const int line = ui.state().selection.line; line > 0) {
    marks.line = marks.called_line = marks.chosen_line = line;
    marks.pc = figures::completed(*marks.run, {.line = line}).pc;
    return marks;
  }
  marks.line = figures::kernel_line_of(*marks.run, access->pc);
  marks.called_line = figures::line_of(*marks.run, access->pc);
  return marks;
}

}  // namespace

const catalog::KernelSpec& listed_kernel(const Model& model) {
  const auto busy = model.busy_seconds();
  const bool waits =
      model.run() != nullptr && !model.is_current() && !model.error() && busy && *busy < kBusyAfter;
  return waits && model.run()->plan().spec.id != model.spec().id ? model.run()->plan().spec : model.spec();
}

const figures::Listing& CodePanel::laid_out(Laid& laid, const Ui& ui, const Marks& marks, const Rect& rect,
                                            double type, auto&& lines) {
  const double width = (rect.width - ImGui::GetStyle().ScrollbarSize) / ui.scale;
  if (laid.listing && laid.marks == marks && laid.width == width) return *laid.listing;
  laid.marks = marks, laid.width = width;
  auto [listed, columns] = lines();
  const double least = ui.on_stage ? theme::metric::kCaption : 12;
  return laid.listing.emplace(std::move(listed), std::move(columns), width, type, ui.painter.fonts(), least);
}

void CodePanel::draw(const Ui& ui, const Rect& rect, const study::SharedPrediction& predicted) {
  // A class looks, and changes nothing.
  const double head = ui.on_stage ? ui.px(4) : ui.px(42);
  fill(ui, rect, Token::panel);
  if (!ui.on_stage) draw_head(ui, {rect.x, rect.y, rect.width, head});
  Rect body{rect.x, rect.y + head + ui.px(4), rect.width, rect.height - head - ui.px(4)};
  Marks marks = marks_of(ui);
  if (marks.counter == Counter::time) marks.predicted = predicted;
  const CodeView view = ui.state().view.code;
  Rect lower = body;
  if (is_split(view)) {
    body.height = std::floor(body.height / 2);
    lower = {body.x, body.bottom() + ui.px(4), body.width, rect.bottom() - body.bottom() - ui.px(4)};
    rule(ui, lower.x, lower.y - ui.px(2), lower.right(), lower.y - ui.px(2));
  }
  if (view == CodeView::source || is_split(view)) draw_source(ui, body, marks);
  if (shows_ptx(view) && marks.run) draw_ptx(ui, lower, marks);
  if (shows_machine(view) && marks.run) draw_machine_code(ui, lower, marks);
}

void CodePanel::draw_source(const Ui& ui, const Rect& rect, const Marks& marks) {
  const Pointed& pointed = ui.model.pointing.now();
  const auto lines = [&] { return std::pair(source_of(marks, array_of(ui.model)), one_column(ui, rect)); };
  const LitLines lit{"line", [&](int number) { return pointed.has_line(number); }};
  const auto& listing = laid_out(source_, ui, marks, rect, code_type(ui, rect), lines);
  const PointedLine at = draw_listing(ui, "source", rect, listing, lit);
  if (marks.counter == Counter::time && at.hovered > 0 && marks.run)
    tell_time(ui, CodeTimes(marks.run, marks.predicted).words_of_line(at.hovered));
  if (at.clicked != 0) ui.model.choose_line(at.clicked);
}

void CodePanel::draw_ptx(const Ui& ui, const Rect& rect, const Marks& marks) {
  const Pointed& pointed = ui.model.pointing.now();
  const run::Run& run = *marks.run;
  const auto lines = [&] { return std::pair(ptx_of(marks), one_column(ui, rect)); };
  const LitLines lit{"ptx", [&](int number) { return is_ptx_lit(run, pointed, number); }};
  const auto& listing = laid_out(ptx_, ui, marks, rect, code_type(ui, rect), lines);
  const PointedLine at = draw_listing(ui, "ptx", rect, listing, lit);
  if (marks.counter == Counter::time && at.hovered > 0)
    tell_time(ui, CodeTimes(marks.run, marks.predicted).words_of_ptx_line(at.hovered));
  const int line = at.clicked;
  if (line == 0) return;
  if (const auto pc = run.row_of_ptx_line[static_cast<std::size_t>(line - 1)]; pc >= 0)
    choose_instruction(ui.model, sass::leader_of(run, pc));
}

void CodePanel::draw_machine_code(const Ui& ui, const Rect& rect, Marks marks) {
  marks.machine = machine_code(marks.run);
  if (marks.machine == nullptr) {
    draw_notes(ui, rect, {{"Reading the machine code ...", Token::dim}});
    return;
  }
  if (!*marks.machine) {
    draw_notes(ui, rect, {{capitalized(to_line(marks.machine->error())), Token::dim}});
    return;
  }
  draw_machine_rows(ui, rect, marks);
}

void CodePanel::draw_machine_rows(const Ui& ui, const Rect& rect, const Marks& marks) {
  const run::Run& run = *marks.run;
  const sass::Listing& code = **marks.machine;
  const Pointed& pointed = ui.model.pointing.now();
  constexpr double kWide = 640;
  const figures::MachineColumns form{.wide = rect.width / ui.scale >= kWide};
  const auto lines = [&] {
    auto columns = figures::machine_columns(form);
    columns.push_back({machine_title(marks.counter), ui.on_stage ? 96.0 : 72.0, Token::costly});
    auto listed = machine_of(marks, form);
    if (!marks.machine->value().without_text) return std::pair(std::move(listed), std::move(columns));
    figures::leave_out_empty(listed, columns);  // what only a disassembler tells
    return std::pair(std::move(listed), std::move(columns));
  };
  const std::string note = figures::machine_note(code);
  const double top =
      ui.on_stage
          ? rect.y
          : draw_notes(ui, rect,
                       {{figures::machine_caption(code), Token::dim}, {capitalized(note), Token::costly}});
  const Rect titles{rect.x, top, rect.width, ui.px(16)};
  // Half of a small window has no room for words.
  const double room = rect.height < ui.px(260) || ui.on_stage ? 0 : ui.px(60);
  const Rect words{rect.x, rect.bottom() - room, rect.width, room};
  const Rect rows{rect.x, titles.bottom(), rect.width, words.y - titles.bottom()};
  const auto& listing = laid_out(machine_, ui, marks, rows, ui.on_stage ? kType : kSmallType, lines);
  draw_titles(ui, titles, listing);
  const auto row_of = [&](int number) -> const sass::Row& {
    return code.rows[static_cast<std::size_t>(number - 1)];
  };
  const LitLines lit{"sass", [&](int number) { return is_machine_lit(run, pointed, row_of(number)); },
                     [&](int number) { return machine_id(run, row_of(number)); }};
  const PointedLine at = draw_listing(ui, "sass", rows, listing, lit);
  if (marks.counter == Counter::time && at.hovered > 0)
    tell_time(ui, CodeTimes(marks.run, marks.predicted).words_of_address(row_of(at.hovered).address));
  const std::size_t marked = listing.marked_row();
  const int told = at.hovered > 0 ? at.hovered : marked < listing.size() ? listing.line_at(marked).number : 0;
  if (room > 0) rule(ui, words.x, words.y, words.right(), words.y);
  if (told > 0 && room > 0) draw_notes(ui, words, {{figures::machine_words(row_of(told)), Token::text}});
  if (at.clicked == 0) return;
  if (const sass::Row& row = row_of(at.clicked); row.pc >= 0)
    choose_instruction(ui.model, row.pc);
  else
    ui.model.choose_line(row.line);
}

}  // namespace warplens::app
