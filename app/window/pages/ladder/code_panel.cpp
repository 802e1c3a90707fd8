// The kernel's source and its PTX, with counters in the gutter; a click on a line goes to its next access.

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/window/kit/widgets.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/catalog/front_matter.hpp"
#include "viz/figures/parts/places.hpp"

namespace warplens::app {
namespace {

struct Row {
  int number = 0;  // from 1
  std::string_view text;
  double count = 0, share = 0;
  bool current = false;
  bool wrong = false;   // the compiler, or the run, stopped there
  bool linked = false;  // the line of a device function, called by the current one
  double called = 0;    // counts of device functions that this line calls, which stand there already
};

bool has_count(const Row& row) { return row.count > 0 || row.called > 0; }

constexpr double kRowHeight = 21, kNumberWidth = 44, kGutterWidth = 84;

double count_of(Counter counter, const report::LineRow& row) {
  switch (counter) {
    case Counter::sectors:
      return static_cast<double>(row.traffic.global.sectors);
    case Counter::wavefronts:
      return static_cast<double>(row.traffic.shared.wavefronts);
    case Counter::executed:
      return static_cast<double>(row.executed);
  }
  return 0;
}
double count_of(Counter counter, const report::InstructionRow& row) {
  const auto& c = row.counters;
  switch (counter) {
    case Counter::sectors:
      return c.space == ptx::Space::global ? static_cast<double>(c.sectors) : 0;
    case Counter::wavefronts:
      return c.space == ptx::Space::shared ? static_cast<double>(c.wavefronts) : 0;
    case Counter::executed:
      return static_cast<double>(c.executed);
  }
  return 0;
}

// What the lines of the kernel cost through the device functions that they call.
void add_called(std::vector<Row>& rows, const run::Run& run, Counter counter) {
  for (const report::InstructionRow& instruction : run.instructions) {
    const int caller = run.kernel_lines[instruction.pc], at = caller - rows.front().number;
    if (caller == instruction.line || at < 0 || at >= std::ssize(rows)) continue;
    rows[static_cast<std::size_t>(at)].called += count_of(counter, instruction);
  }
}

// current: the kernel's line; linked: that of the device function that it calls, or the same.
std::vector<Row> source_rows(const Ui& ui, const run::Lines& lines, int current, int linked) {
  std::vector<Row> rows;
  const auto& error = ui.model.error();
  const int wrong = error && error->place.file == ui.model.spec().path ? error->place.line : 0;
  for (std::size_t i = catalog::first_code_line(lines); i < lines.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    rows.push_back({.number = number,
                    .text = lines[i],
                    .current = number == current,
                    .wrong = number == wrong,
                    .linked = number == linked && linked != current});
  }
  const run::Run* run = ui.model.run();
  if (run == nullptr || rows.empty() || run->plan().spec.code != ui.model.spec().code) return rows;
  const Counter counter = ui.state().view.counter;
  const double total = count_of(counter, run->lines.total);
  for (const auto& line : run->lines.rows) {
    const int at = line.line - rows.front().number;
    if (at < 0 || at >= static_cast<int>(rows.size())) continue;
    Row& row = rows[static_cast<std::size_t>(at)];
    row.count = count_of(counter, line);
    row.share = total > 0 ? row.count / total : 0;
  }
  add_called(rows, *run, counter);
  return rows;
}

std::vector<Row> ptx_rows(const Ui& ui, const run::Run& run, std::uint32_t current_pc, bool any) {
  std::vector<Row> rows;
  const Counter counter = ui.state().view.counter;
  const double total = count_of(counter, run.lines.total);
  rows.reserve(run.ptx_lines.size());
  for (std::size_t i = 0; i < run.ptx_lines.size(); ++i) {
    Row row{static_cast<int>(i) + 1, run.ptx_lines[i]};
    if (const std::int32_t pc = run.row_of_ptx_line[i]; pc >= 0) {
      row.count = count_of(counter, run.instructions[static_cast<std::size_t>(pc)]);
      row.share = total > 0 ? row.count / total : 0;
      row.current = any && static_cast<std::uint32_t>(pc) == current_pc;
    }
    rows.push_back(row);
  }
  return rows;
}

// Tabs as two spaces: PTX is indented by them.
std::string untabbed(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\t' ? std::string("  ") : std::string(1, c);
  return result;
}

// Comments recede; everything else is code.
void draw_code_text(const Ui& ui, ImVec2 at, std::string_view line) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = ui.font(Type::code);
  const std::string text = untabbed(line);
  const std::size_t comment = std::min(text.find("//"), text.size());
  list.AddText(font, font->FontSize, at, ui.color(Token::text), text.data(), text.data() + comment);
  if (comment == text.size()) return;
  const float before = text_width(ui, std::string_view(text).substr(0, comment), Type::code);
  list.AddText(font, font->FontSize, {at.x + before, at.y}, ui.color(Token::dim), text.data() + comment,
               text.data() + text.size());
}

struct Columns {
  Rect area;
  double code_x, gutter_x;  // of the screen
};

void draw_gutter(const Ui& ui, const Columns& columns, double y, const Row& row) {
  const double height = ui.px(kRowHeight);
  draw_text(ui, {columns.area.x, y, ui.px(kNumberWidth - 12), height}, std::to_string(row.number),
            {Type::small_code, row.current ? Token::text : Token::dim, row.current ? 1.0 : 0.8},
            Align::right);
  const double width = ui.px(kGutterWidth - 10);
  // In parentheses: it is in the sum of the other lines.
  if (row.count <= 0 && row.called > 0)
    draw_text(ui, {columns.gutter_x, y, width, height}, "(" + short_count(row.called) + ")",
              {Type::small_code, Token::dim}, Align::right);
  if (row.count <= 0) return;
  // The share stands below the number, so that neither hides the other.
  const double bar = std::max(1.0, width * row.share), below = y + height - ui.px(4);
  fill(ui, {columns.gutter_x, below, width, ui.px(3)}, Token::line, 0.7, 1);
  fill(ui, {columns.gutter_x + width - bar, below, bar, ui.px(3)}, Token::costly, 1, 1);
  draw_text(ui, {columns.gutter_x, y, width, height - ui.px(3)}, short_count(row.count), {Type::small_code},
            Align::right);
}

void scroll_to(const Ui& ui, const std::vector<Row>& rows, double height) {
  auto current = std::find_if(rows.begin(), rows.end(), [](const Row& r) { return r.wrong; });
  if (current == rows.end())
    current = std::find_if(rows.begin(), rows.end(), [](const Row& r) { return r.current; });
  int* seen = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("seen"), -1);
  const int now = current == rows.end() ? 0 : current->number;
  if (now == *seen || now == 0) return;
  const double top = static_cast<double>(current - rows.begin()) * ui.px(kRowHeight);
  if (top < ImGui::GetScrollY() || top + 2 * ui.px(kRowHeight) > ImGui::GetScrollY() + height)
    ImGui::SetScrollY(scroll_above(top, height, ui.px(kRowHeight)));
  *seen = now;
}

// The whole of the line under the pointer, where the gutter or the panel's edge hides its end.
void tell_cut_line(const Ui& ui, const Columns& columns, ImVec2 origin, const std::vector<Row>& rows) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered() || mouse.x >= columns.gutter_x) return;
  const double at = std::floor((mouse.y - origin.y) / ui.px(kRowHeight));
  if (at < 0 || at >= static_cast<double>(rows.size())) return;
  const Row& row = rows[static_cast<std::size_t>(at)];
  const std::string text = untabbed(row.text);
  const double right = has_count(row) ? columns.gutter_x : columns.area.right();
  if (origin.x + ui.px(kNumberWidth) + text_width(ui, text, Type::code) <= right) return;
  ImGui::BeginTooltip();
  ImGui::PushFont(ui.font(Type::code));
  ImGui::PushTextWrapPos(ui.px(640));
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  ImGui::TextUnformatted(text.data() + first, text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ImGui::EndTooltip();
}

void draw_rows(const Ui& ui, const char* name, const Rect& rect, const std::vector<Row>& rows) {
  begin_panel(name, rect, ImGuiWindowFlags_HorizontalScrollbar);
  scroll_to(ui, rows, rect.height);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const double step = ui.px(kRowHeight), scrolled = rect.y - origin.y;
  const bool scrolls = step * static_cast<double>(rows.size()) > rect.height;
  const double bar = scrolls ? ImGui::GetStyle().ScrollbarSize : 0;
  const Columns columns{rect, rect.x + ui.px(kNumberWidth), rect.right() - bar - ui.px(kGutterWidth)};
  const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(scrolled / step)));
  const auto last = std::min(rows.size(), static_cast<std::size_t>((scrolled + rect.height) / step) + 1);
  std::size_t longest = 0;
  for (const Row& row : rows) longest = std::max(longest, row.text.size());

  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = first; i < last; ++i) {
    const double y = origin.y + step * static_cast<double>(i);
    const Rect line{rect.x, y, rect.width, step};
    if (rows[i].current) {
      fill(ui, line, Token::raised);
      fill(ui, {rect.x, y, ui.px(3), step}, Token::accent);
    }
    if (rows[i].wrong) {
      fill(ui, line, Token::costly, 0.2);
      fill(ui, {rect.x, y, ui.px(3), step}, Token::costly);
    }
    if (rows[i].linked) {
      fill(ui, line, Token::raised, 0.6);
      frame(ui, {rect.x, y, ui.px(3), step}, Token::accent);
    }
    list.PushClipRect({static_cast<float>(columns.code_x), static_cast<float>(rect.y)},
                      {static_cast<float>(has_count(rows[i]) ? columns.gutter_x : rect.right() - ui.px(4)),
                       static_cast<float>(rect.bottom())},
                      true);
    draw_code_text(
        ui,
        {origin.x + ui.px(kNumberWidth), static_cast<float>(y + (step - ui.font(Type::code)->FontSize) / 2)},
        rows[i].text);
    list.PopClipRect();
    draw_gutter(ui, columns, y, rows[i]);
  }
  const float width =
      ui.px(kNumberWidth + kGutterWidth) + static_cast<float>(longest) * text_width(ui, "0", Type::code);
  ImGui::Dummy({width, static_cast<float>(step * static_cast<double>(rows.size()))});
  tell_cut_line(ui, columns, origin, rows);
  if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0)) {
    const double at = std::floor((ImGui::GetIO().MousePos.y - origin.y) / step);
    if (at >= 0 && at < static_cast<double>(rows.size())) {
      const Row& row = rows[static_cast<std::size_t>(at)];
      const run::Run* run = ui.model.run();
      const bool is_ptx = run != nullptr && rows.size() == run->ptx_lines.size() &&
                          rows.front().text.data() == run->ptx_lines.front().data();
      if (!is_ptx)
        ui.model.choose_line(row.number);
      else if (const auto pc = run->row_of_ptx_line[static_cast<std::size_t>(at)]; pc >= 0)
        ui.model.choose_line(run->instructions[static_cast<std::size_t>(pc)].line);
    }
  }
  ImGui::EndChild();
}

void draw_head(const Ui& ui, const Rect& rect) {
  View& view = ui.state().view;
  rule(ui, rect.x, rect.bottom() - 1, rect.right(), rect.bottom() - 1);
  double x = rect.x + ui.px(16);
  const auto tab = [&](const char* name, CodeView which) {
    const Rect r{x, rect.y, text_width(ui, name, Type::strong) + ui.px(2), rect.height};
    if (button(ui, std::string("code/") + name, r, name, {.look = Look::tab, .chosen = view.code == which}))
      view.code = which;
    x += r.width + ui.px(20);
  };
  tab("Source", CodeView::source);
  tab("PTX", CodeView::ptx);
  tab("Both", CodeView::both);
  constexpr const char* names[] = {"sectors", "wavefronts", "instructions"};
  const auto now = static_cast<std::size_t>(view.counter);
  const Rect counter{rect.right() - ui.px(132), rect.y + ui.px(6), ui.px(120), rect.height - ui.px(12)};
  if (counter.x < x) return;
  if (button(ui, "counter", counter, names[now], {.tip = "What the gutter counts", .menu = true}))
    ImGui::OpenPopup("counters");
  if (!begin_menu("counters", counter)) return;
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (ImGui::MenuItem(names[i], nullptr, i == now)) view.counter = static_cast<Counter>(i);
  }
  ImGui::EndPopup();
}

}  // namespace

void draw_code(const Ui& ui, const Rect& rect) {
  const double head = ui.px(42);
  fill(ui, rect, Token::panel);
  draw_head(ui, {rect.x, rect.y, rect.width, head});
  Rect body{rect.x, rect.y + head + ui.px(4), rect.width, rect.height - head - ui.px(4)};
  const run::Run* run = ui.model.run();
  const auto access = ui.model.access();
  const bool own = run != nullptr && run->plan().spec.code == ui.model.spec().code;
  const CodeView view = ui.state().view.code;
  Rect lower = body;
  if (view == CodeView::both) {
    body.height = std::floor(body.height / 2);
    lower = {body.x, body.bottom() + ui.px(4), body.width, rect.bottom() - body.bottom() - ui.px(4)};
    rule(ui, lower.x, lower.y - ui.px(2), lower.right(), lower.y - ui.px(2));
  }
  if (view != CodeView::ptx) {
    const run::Lines lines = own ? run->source_lines : run::lines_of(ui.model.spec().code);
    const bool known = own && access.has_value();
    draw_rows(ui, "source", body,
              source_rows(ui, lines, known ? figures::kernel_line_of(*run, access->pc) : 0,
                          known ? figures::line_of(*run, access->pc) : 0));
  }
  if (view != CodeView::source && run != nullptr)
    draw_rows(ui, "ptx", lower, ptx_rows(ui, *run, access ? access->pc : 0, access.has_value()));
}

}  // namespace warplens::app
