#include "app/window/pages/program/program_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/text_table.hpp"
#include "app/program/record_words.hpp"
#include "app/window/figure/figure_snapshot.hpp"
#include "app/window/kit/focus.hpp"
#include "app/window/kit/from_right.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/words.hpp"
#include "app/window/pages/program/program_settings.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

using program::KernelRecord, program::ProgramRecord;
using Phase = ProgramRun::Stage;

// Design pixels.
constexpr double kSide = 20, kHead = 62, kLine = 24, kRow = 28, kStrip = 64, kGap = 10, kButton = 34;
constexpr double kLeastOutput = 150;

// A column of the list: where it begins, as a share of the width, and what it says.
struct Column {
  double from = 0;
  const char* title = "";
  std::string (*words)(const KernelRecord& kernel, const program::HostLines& lines);
};
constexpr std::array kColumns = {
    Column{0, "Kernel", [](const KernelRecord& k, const program::HostLines&) { return printable(k.title); }},
    Column{0.21, "Launched at",
           [](const KernelRecord& k, const program::HostLines& lines) {
             return printable(place_words(lines.place_of_call(k.caller)));
           }},
    Column{0.34, "Blocks x threads",
           [](const KernelRecord& k, const program::HostLines&) { return shape_words(k.shape); }},
    Column{0.45, "Launches",
           [](const KernelRecord& k, const program::HostLines&) { return launches_words(k); }},
    Column{0.53, "Sectors (of ideal)",
           [](const KernelRecord& k, const program::HostLines&) {
             return over_ideal(sectors(k.counts), ideal_sectors(k.counts));
           }},
    Column{0.665, "Occupancy",
           [](const KernelRecord& k, const program::HostLines&) {
             return fmt::format("{:.0f} %", k.occupancy * 100);
           }},
    Column{
        0.735, "Predicted",
        [](const KernelRecord& k, const program::HostLines&) { return seconds_words(k.predicted_seconds); }},
    Column{0.81, "Limited by",
           [](const KernelRecord& k, const program::HostLines&) {
             return k.limiter.empty() ? std::string("-") : k.limiter;
           }},
    Column{0.89, "Found", [](const KernelRecord& k, const program::HostLines&) { return finding_words(k); }}};

Rect cell_of(const Rect& row, std::size_t column, double inset) {
  const double from = row.x + inset + (row.width - inset) * kColumns[column].from;
  const double to = column + 1 < kColumns.size()
                        ? row.x + inset + (row.width - inset) * kColumns[column + 1].from
                        : row.right();
  return {from, row.y, to - from - 8, row.height};
}

std::optional<std::size_t> first_launch(const ProgramRecord& record, std::size_t kernel) {
  for (std::size_t l = 0; l < record.launches.size(); ++l)
    if (record.launches[l].kernel == kernel) return l;
  return std::nullopt;
}

std::string found_words(const FoundIn& one, const ProgramRecord& record) {
  return fmt::format("{}: {}, in {}: {}", place_words({one.finding->file, one.finding->line, 0}),
                     check::name(one.finding->kind), printable(record.kernels[one.kernel].title),
                     printable(one.finding->message));
}

// Enter, where the keyboard is on nothing else.
bool is_entered(const Ui& ui) {
  const bool in_popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  return ui.focus.name().empty() && !in_popup && !ImGui::GetIO().WantTextInput &&
         compat::pressed(compat::Key::enter);
}

void edit(const Ui& ui) { ui.wishes.edit_file = ui.state().program.file; }

constexpr const char* kOffer =
    "This file is a whole program. Here it runs without a GPU: its host code natively on this computer, its "
    "kernels on "
    "the emulator. Each launch is then shown with the sizes and the data that the program itself gave it.";
constexpr const char* kConfined =
    "The host code is confined: it reads its own folder and the system’s libraries, writes into a scratch "
    "folder alone, "
    "reaches no network and starts no other program. What more it may, how long it may run and what it reads "
    "stand under “Input "
    "and limits”. Nothing runs until you ask for it.";
constexpr const char* kUnconfined =
    "This system cannot keep the host code from your files (it has no Landlock, Linux 5.13 on): it may do "
    "all that you "
    "may do. Run it only if you trust it.";

}  // namespace

void ProgramPage::toggle(const Ui& ui) {
  if (model_.state.program.file.empty()) {
    ui.wishes.say = "Open a .cu file with main() first: File, Open";
    return;
  }
  WindowPage::toggle(ui);
}

void ProgramPage::update() {
  if (!is_open(model_.state.view)) from_ = model_.state.view.page;
  session_.update();
  if (!ImGui::IsMouseDown(0)) session_.let_values_run();
  if (session_.record() != nullptr) strip_.update(*session_.record(), session_.version());
}

FigureSnapshot ProgramPage::snapshot() const { return still_figure("program", std::nullopt); }

StageWords ProgramPage::stage_words(const Ui&) const {
  return {.place = session_.file_name(), .headline = headline(), .sentence = state_words()};
}

std::string ProgramPage::words(const Ui& ui) const {
  std::string text = WindowPage::words(ui);
  if (session_.record() == nullptr) return text;
  for (const FoundIn& found : findings_of(*session_.record())) text += found.line + "\n";
  for (const std::string& note : notes_of(*session_.record())) text += note + "\n";
  return text;
}

std::optional<std::string> ProgramPage::numbers() const {
  if (session_.record() == nullptr) return std::nullopt;
  std::string text;
  for (const Column& column : kColumns) text += (text.empty() ? "" : "\t") + std::string(column.title);
  text += "\n";
  for (const KernelRecord& kernel : session_.record()->kernels) {
    std::vector<std::string> cells;
    for (const Column& column : kColumns) cells.push_back(column.words(kernel, session_.now().lines));
    text += fmt::format("{}\n", fmt::join(cells, "\t"));
  }
  return text;
}

void ProgramPage::run_again() {
  if (!model_.state.program.file.empty()) session_.run();
}

bool ProgramPage::cancel() {
  if (!session_.is_busy()) return false;
  session_.cancel();
  return true;
}

void ProgramPage::choose(std::ptrdiff_t launch) {
  const ProgramRecord* record = session_.record();
  if (record == nullptr || record->launches.empty()) return;
  const auto last = std::ssize(record->launches) - 1;
  model_.state.program.launch = std::clamp<std::ptrdiff_t>(launch, 0, last) + 1;
}

// The first launch of the next kernel and shape, or the one before.
void ProgramPage::choose_kernel(std::ptrdiff_t away) {
  const ProgramRecord* record = session_.record();
  if (record == nullptr || record->launches.empty()) return;
  if (chosen() < 0) return choose(0);
  const std::size_t at = std::min(static_cast<std::size_t>(chosen()), record->launches.size() - 1);
  const std::ptrdiff_t kernel = std::clamp<std::ptrdiff_t>(
      static_cast<std::ptrdiff_t>(record->launches[at].kernel) + away, 0, std::ssize(record->kernels) - 1);
  if (const auto launch = first_launch(*record, static_cast<std::size_t>(kernel)))
    choose(static_cast<std::ptrdiff_t>(*launch));
}

void ProgramPage::open(const Ui& ui, std::size_t launch) {
  choose(static_cast<std::ptrdiff_t>(launch));
  if (session_.may_be_kept(launch) && !session_.is_busy()) return session_.run(launch);
  if (const Status shown = session_.show(launch); !shown)
    ui.wishes.say = fmt::format("Launch {} cannot be opened: {}", launch + 1, to_line(shown.error()));
}

// What was clicked, once all is drawn: a run begins with a record of its own.
void ProgramPage::act(const Ui& ui) {
  if (const auto launch = std::exchange(to_open_, {})) return open(ui, *launch);
  if (std::exchange(runs_, false)) session_.run();
}

std::string ProgramPage::headline() const {
  const ProgramRun& now = session_.now();
  switch (now.stage) {
    case Phase::none:
      return "A whole program, not run yet";
    case Phase::compiling:
      return "Compiling with nvcc";
    case Phase::running:
      return "Running";
    case Phase::ended:
      break;
  }
  if (now.error) return sentence(to_line(*now.error));
  const std::string ended = end_words(now.end), stopped = stop_words(now.end, now.limits);
  if (now.end.limit)
    return capitalized(fmt::format("{}; raise “{}” under Input and limits and run it again", stopped,
                                   limit_of(*now.end.limit).title));
  if (!stopped.empty()) return capitalized(stopped);
  const bool has_fault = session_.record() != nullptr && !session_.record()->host_access.empty();
  return capitalized(ended) + (has_fault ? ": the host's own code used a device pointer" : "");
}

std::string ProgramPage::state_words() const {
  const ProgramRun& now = session_.now();
  const ProgramRunner::Elapsed since = session_.elapsed();
  if (now.stage == Phase::compiling) return fmt::format("for {:.0f} s", since.run);
  if (now.stage == Phase::running)
    return now.kernel.empty()
               ? fmt::format("for {:.0f} s; {} launches, no kernel runs", since.run, grouped(now.launches))
               : fmt::format("for {:.0f} s; launch {}, of {}, for {:.0f} s", since.run, grouped(now.launches),
                             printable(now.kernel), since.kernel);
  if (now.stage == Phase::none || now.record == nullptr) return "";
  const ProgramRecord& record = *now.record;
  return fmt::format(
      "{} launches of {} kernels and shapes, predicted {} on {}; {} here, {} of it in kernels{}",
      grouped(record.launch_count), record.kernels.size(), seconds_words(record.predicted_seconds),
      short_name(model_.device()), seconds_words(now.seconds), seconds_words(record.emulated_seconds),
      session_.has_changed() ? "; the file has changed since" : "");
}

// Name, arguments, buttons. Returns where it ends.
double ProgramPage::draw_head(const Ui& ui, const Rect& rect) {
  const Rect row{rect.x, rect.y, rect.width, ui.px(kHead)};
  FromRight right(ui, row, kButton, 8);
  right.take(0);
  if (app::button(ui, "program/edit", right.take(60), "Edit",
                  {.tip = "Edit the file; save it and run it again"}))
    edit(ui);
  if (session_.is_busy()) {
    const Rect place = right.take(118);
    if (app::button(ui, "program/run", place, "Cancel", {.tip = "Stop the program (Esc)"})) session_.cancel();
    spinner(ui, {static_cast<float>(place.right() - ui.px(14)), static_cast<float>(place.center().y)},
            ui.px(8));
  } else if (app::button(ui, "program/run", right.take(session_.now().stage == Phase::none ? 158 : 118),
                         session_.now().stage == Phase::none ? "Run the program" : "Run again",
                         {.look = Look::primary, .icon = Icon::run, .tip = "Run the program (F5)"})) {
    runs_ = true;
  }
  ProgramState& program = model_.state.program;
  if (app::button(
          ui, "program/settings", right.take(136), "Input and limits",
          {.chosen = program.settings, .tip = "What it reads on stdin, and what it may use, read and write"}))
    program.settings = !program.settings;
  input_line(ui, "program/arguments", right.take(240), "its arguments", program.arguments);
  const double width = right.right() - row.x - ui.px(kSide) - ui.px(8);
  draw_text(ui, {row.x + ui.px(kSide), row.y + ui.px(4), width, ui.px(34)}, session_.file_name(),
            {Type::number});
  draw_text(ui, {row.x + ui.px(kSide), row.y + ui.px(36), width, ui.px(20)}, model_.state.program.file,
            {Type::caption, Token::dim});
  Rect below{rect.x + ui.px(kSide), row.bottom(), rect.width - 2 * ui.px(kSide), rect.height - row.height};
  if (program.settings) below.y = draw_program_settings(ui, below, session_.is_confined()) + ui.px(kGap);
  return draw_values_set(ui, below);
}

// What a slider of a launch made other than the file has it. Returns where it ends.
double ProgramPage::draw_values_set(const Ui& ui, const Rect& rect) {
  const std::string set = session_.values_set();
  if (set.empty()) return rect.y;
  const Rect row{rect.x, rect.y, rect.width, ui.px(kLine)};
  const double wide = ui.px(96);
  if (app::button(ui, "program/as written", {row.x, row.y, wide, row.height}, "As written",
                  {.tip = "Back to the file’s own values"}))
    session_.set_values_back();
  draw_text(ui, {row.x + wide + ui.px(12), row.y, row.width - wide - ui.px(12), row.height},
            fmt::format("{} in place of the file’s own", set), {Type::body});
  return row.bottom() + ui.px(kGap);
}

// Sliders of the numbers that the kernel of the shown launch has from the file.
double ProgramPage::draw_values(const Ui& ui, const Rect& rect) {
  double y = rect.y;
  const auto values = session_.values();
  const auto paragraph = [&](const std::string& text, Token color) {
    y += draw_paragraph(ui, {static_cast<float>(rect.x), static_cast<float>(y)},
                        static_cast<float>(rect.width), text, {Type::caption, color}) +
         ui.px(10);
  };
  draw_text(ui, {rect.x, y, rect.width, ui.px(24)}, "Program’s values", {Type::strong, Token::dim});
  y += ui.px(32);
  for (const ProgramSession::Value& value : values)
    y = draw_slider(
        ui, "value/" + value.key, value.slider, rect.x, y, rect.width,
        [&](std::int64_t wanted) { session_.set_value(value.key, wanted); },
        value.slider.parameter.default_value);
  if (values.empty()) ui.mark("values/none", {rect.x, y, rect.width, ui.px(20)});
  if (values.empty())
    paragraph(
        "Its kernel uses no macro, constant or template argument that stands in the file as a number, so "
        "there is nothing to vary here",
        Token::dim);
  const auto words = session_.value_words();
  if (words.text.empty()) return y;
  ui.mark("values/" + words.text, {rect.x, y, rect.width, ui.px(20)});
  paragraph(words.text, words.is_bad ? Token::costly : Token::dim);
  if (app::button(ui, "values/as written", {rect.x, y, ui.px(96), ui.px(kLine)}, "As written",
                  {.tip = "Back to the file’s own values"}))
    session_.set_values_back();
  return y + ui.px(kLine + kGap);
}

// What would happen, before it does.
void ProgramPage::draw_offer(const Ui& ui, const Rect& rect) {
  const double width = std::min<double>(ui.px(760), rect.width - 2 * ui.px(kSide));
  const double x = std::floor(rect.center().x - width / 2);
  double y = rect.y + std::floor(rect.height * 0.16);
  ui.mark("program/offer", {x, y, width, 0});
  draw_text(ui, {x, y, width, ui.px(36)}, "Run this program?", {Type::number});
  y += ui.px(48);
  const auto paragraph = [&](const char* text, Token color) {
    y += draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(y)}, static_cast<float>(width), text,
                        {Type::body, color}) +
         ui.px(12);
  };
  paragraph(kOffer, Token::text);
  paragraph(session_.is_confined() ? kConfined : kUnconfined,
            session_.is_confined() ? Token::dim : Token::costly);
  y += ui.px(10);
  if (app::button(ui, "program/offer run", {x, y, ui.px(190), ui.px(42)}, "Run the program",
                  {.look = Look::primary, .icon = Icon::run, .tip = "F5"}))
    runs_ = true;
  if (app::button(
          ui, "program/guess", {x + ui.px(202), y, ui.px(240), ui.px(42)}, "One kernel alone, guessed",
          {.tip = "Nothing of the host code runs: sizes, data and what is right are guessed from the text"}))
    ui.wishes.open_kernel = model_.state.program.file;
}

// How it went, in a line. Returns where it ends.
double ProgramPage::draw_verdict(const Ui& ui, const Rect& rect) {
  const ProgramRun& now = session_.now();
  const bool is_bad = now.stage == Phase::ended && (now.error || now.end.signal || now.end.exit_code != 0);
  const std::string said = headline();
  const Label label{Type::strong, is_bad ? Token::costly : Token::text};
  const float wide = static_cast<float>(rect.width);
  ui.mark("program/says", {rect.x, rect.y, rect.width, ui.px(kLine)});
  ui.mark("says/" + said, {rect.x, rect.y, rect.width, ui.px(kLine)});
  if (now.error) return rect.y + draw_paragraph(ui, corner(rect), wide, said, label, true, 6) + ui.px(kGap);
  const double beside = std::min<double>(text_width(ui, said, Type::strong) + ui.px(12), rect.width);
  draw_text(ui, {rect.x, rect.y, beside, ui.px(kLine)}, said, label);
  draw_text(ui, {rect.x + beside, rect.y, rect.width - beside, ui.px(kLine)}, state_words(),
            {Type::body, session_.has_changed() ? Token::costly : Token::dim});
  return rect.y + ui.px(kLine) + ui.px(kGap);
}

double ProgramPage::draw_strip(const Ui& ui, const Rect& rect) {
  const ProgramRecord& record = *session_.record();
  const std::string copies = copies_words(record);
  draw_text(ui, {rect.x, rect.y, rect.width * 0.6, ui.px(20)},
            fmt::format("All launches, and copies (low, grey), in their order: {} on the device, predicted",
                        seconds_words(known_seconds(record))),
            {Type::caption, Token::dim});
  draw_text(ui, {rect.x + rect.width * 0.6, rect.y, rect.width * 0.4, ui.px(20)}, copies,
            {Type::caption, Token::dim}, Align::right);
  const double y = rect.y + ui.px(24);
  const auto chosen_one = chosen() < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(chosen()));
  if (const auto clicked = strip_.draw(ui, {rect.x, y, rect.width, ui.px(kStrip)}, record, chosen_one)) {
    if (clicked == chosen_one) to_open_ = clicked;
    choose(static_cast<std::ptrdiff_t>(*clicked));
  }
  return y + ui.px(kStrip + kGap);
}

// The launch that arrows and clicks choose, and how it is opened.
double ProgramPage::draw_chosen(const Ui& ui, const Rect& rect) {
  const ProgramRecord& record = *session_.record();
  if (chosen() < 0 || chosen() >= std::ssize(record.launches)) choose(chosen() < 0 ? 0 : chosen());
  if (record.launches.empty()) return rect.y;
  const auto launch = static_cast<std::size_t>(chosen());
  const program::LaunchRecord& one = record.launches[launch];
  const std::string why = session_.why_not(launch);
  const bool may_be_kept = session_.may_be_kept(launch);
  const std::string words = may_be_kept ? fmt::format("Run again, and open launch {}", grouped(launch + 1))
                                        : fmt::format("Open launch {}", grouped(launch + 1));
  const double width = text_width(ui, words, Type::strong) + ui.px(36);
  const bool can = why.empty() || (may_be_kept && !session_.is_busy());
  const Rect place{rect.right() - width, rect.y, width, ui.px(kButton)};
  const bool by_enter = is_entered(ui);
  if (app::button(
          ui, "program/open", place, words,
          {.look = Look::primary, .enabled = can, .tip = "In all the pictures of a kernel (Enter)"}) ||
      (by_enter && can))
    to_open_ = launch;
  const std::string said =
      fmt::format("Launch {} of {}: {}, {}, at {}; {}", grouped(launch + 1), grouped(record.launch_count),
                  printable(record.kernels[one.kernel].title), shape_words(record.kernels[one.kernel].shape),
                  place_words(session_.now().lines.place_of_call(one.caller)),
                  one.predicted_seconds > 0 ? "predicted " + seconds_words(one.predicted_seconds)
                                            : std::string("not predicted"));
  const Rect line{rect.x, rect.y, rect.width - width - ui.px(12), ui.px(kButton)};
  ui.mark("program/launch", line);
  const bool cut = draw_text(ui, line, why.empty() ? said : said + ". " + capitalized(why), {Type::body});
  if (cut && ImGui::IsMouseHoveringRect(corner(line), far_corner(line))) show_tip(ui, said + "\n" + why);
  return place.bottom() + ui.px(kGap);
}

// A row a kernel and shape. Returns where they end.
double ProgramPage::draw_kernels(const Ui& ui, const Rect& rect) {
  const ProgramRecord& record = *session_.record();
  const double dot = ui.px(22);
  Rect row{rect.x, rect.y, rect.width, ui.px(kLine)};
  for (std::size_t c = 0; c < kColumns.size(); ++c)
    draw_text(ui, cell_of(row, c, dot), kColumns[c].title, {Type::caption, Token::dim});
  const double wanted = ui.px(kRow) * static_cast<double>(record.kernels.size());
  const Rect list{rect.x, row.bottom(), rect.width, std::min(wanted, rect.bottom() - row.bottom())};
  begin_panel("kernels", list);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (std::size_t k = 0; k < record.kernels.size(); ++k) {
    const KernelRecord& kernel = record.kernels[k];
    row = {at.x, at.y + ui.px(kRow) * static_cast<double>(k), list.width, ui.px(kRow)};
    const std::string name = fmt::format("program/kernel {}", k + 1);
    ui.mark(name, row);
    ImGui::SetCursorScreenPos(corner(row));
    ImGui::PushID(static_cast<int>(k));
    const bool by_mouse = ImGui::InvisibleButton("row", extent(row)),
               clicked = clicked_by_key(ui, name, row) || by_mouse;
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    const bool is_chosen = chosen() >= 0 && chosen() < std::ssize(record.launches) &&
                           record.launches[static_cast<std::size_t>(chosen())].kernel == k;
    if (is_chosen || hovered) fill(ui, row, Token::raised, 1, theme::metric::kCorner);
    fill(ui, {row.x + ui.px(4), row.center().y - ui.px(5), ui.px(10), ui.px(10)}, color_of_kernel(k), 1, 2);
    const bool is_wrong = check::has_error(kernel.findings);
    for (std::size_t c = 0; c < kColumns.size(); ++c)
      draw_text(ui, cell_of(row, c, dot), kColumns[c].words(kernel, session_.now().lines),
                {Type::body, is_wrong && c + 1 == kColumns.size() ? Token::costly : Token::text});
    if (clicked)
      if (const auto launch = first_launch(record, k)) to_open_ = launch;
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, static_cast<float>(wanted)});
  end_fading_panel(ui, list, Token::background);
  return list.bottom() + ui.px(kGap);
}

void ProgramPage::draw_output(const Ui& ui, const Rect& rect) {
  const ProgramRun& now = session_.now();
  draw_text(ui, {rect.x, rect.y, rect.width, ui.px(kLine)},
            now.output_lost > 0
                ? fmt::format("What it printed (without the first {} bytes)", grouped(now.output_lost))
                : std::string("What it printed"),
            {Type::caption, Token::dim});
  const Rect box{rect.x, rect.y + ui.px(kLine), rect.width, rect.height - ui.px(kLine)};
  ui.mark("program/output", box);
  fill(ui, box, Token::panel, 1, theme::metric::kCorner);
  frame(ui, box, Token::line, 1, theme::metric::kCorner);
  begin_panel("output", {box.x + ui.px(10), box.y + ui.px(6), box.width - ui.px(14), box.height - ui.px(12)});
  ImGui::PushFont(ui.font(Type::code));
  ImGui::PushStyleColor(ImGuiCol_Text, ui.color(now.output.empty() ? Token::dim : Token::text));
  const std::string_view shown =
      now.output.empty() ? std::string_view(now.is_busy() ? "" : "nothing") : now.output;
  ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (session_.is_busy()) ImGui::SetScrollHereY(1);
  end_fading_panel(ui, box);
}

// What was found, and what else is to be known.
void ProgramPage::draw_notes(const Ui& ui, const Rect& rect) {
  const ProgramRecord& record = *session_.record();
  const auto found = findings_of(record);
  auto notes = notes_of(record);
  const std::string fault = host_fault_words(record);
  std::vector<std::string> faults = not_executed_words(record);
  if (!fault.empty()) faults.insert(faults.begin(), fault);
  std::erase_if(notes,
                [&](const std::string& note) { return std::ranges::find(faults, note) != faults.end(); });
  const std::size_t count = found.size() + faults.size();
  draw_text(ui, {rect.x, rect.y, rect.width, ui.px(kLine)},
            count == 0 ? "Found: nothing wrong in what was checked" : fmt::format("Found: {}", count),
            {Type::caption, Token::dim});
  ui.mark(fmt::format("program/found {}", count), rect);
  const Rect box{rect.x, rect.y + ui.px(kLine), rect.width, rect.height - ui.px(kLine)};
  ui.mark("program/notes", box);
  begin_panel("notes", box);
  double y = ImGui::GetCursorScreenPos().y;
  const double x = ImGui::GetCursorScreenPos().x, begin = y;
  const auto paragraph = [&](const std::string& text, Token color) {
    y += draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(y)},
                        static_cast<float>(box.width - ui.px(12)), text, {Type::body, color}) +
         ui.px(6);
  };
  for (const std::string& one : faults) paragraph(capitalized(one), Token::costly);
  for (const FoundIn& one : found) {
    const bool is_error = one.finding->severity == check::Severity::error;
    paragraph(found_words(one, record), is_error ? Token::costly : Token::text);
    if (!one.finding->fix.empty()) paragraph(capitalized(one.finding->fix), Token::dim);
  }
  for (const std::string& note : notes) paragraph(capitalized(note), Token::dim);
  ImGui::SetCursorScreenPos({static_cast<float>(x), static_cast<float>(begin)});
  ImGui::Dummy({1, static_cast<float>(y - begin)});
  end_fading_panel(ui, box, Token::background);
}

void ProgramPage::draw(const Ui& ui, const Rect& rect) {
  draw_page(ui, rect);
  act(ui);
}

void ProgramPage::draw_page(const Ui& ui, const Rect& rect) {
  double y = draw_head(ui, rect);
  rule(ui, rect.x, y, rect.right(), y);
  const Rect body{rect.x + ui.px(kSide), y + ui.px(kGap), rect.width - 2 * ui.px(kSide),
                  rect.bottom() - y - ui.px(kGap)};
  if (session_.now().stage == Phase::none) return draw_offer(ui, {rect.x, y, rect.width, rect.bottom() - y});
  y = draw_verdict(ui, body);
  const auto rest = [&](double below) {
    return Rect{body.x, y, body.width, std::max(0.0, body.bottom() - y - below)};
  };
  const ProgramRecord* record = session_.record();
  if (record != nullptr && !record->launches.empty()) {
    y = draw_strip(ui, rest(0));
    y = draw_chosen(ui, rest(0));
    y = draw_kernels(ui, rest(ui.px(kLeastOutput)));
  } else if (record != nullptr && !session_.is_busy()) {
    draw_text(ui, {body.x, y, body.width, ui.px(kLine)}, "No kernel was launched", {Type::body, Token::dim});
    y += ui.px(kLine + kGap);
  }
  if (session_.now().error) return;
  const Rect below = rest(ui.px(kGap));
  const double half = record != nullptr ? std::floor(below.width * 0.5) - ui.px(8) : below.width;
  draw_output(ui, {below.x, below.y, half, below.height});
  if (record != nullptr) draw_notes(ui, {below.right() - half, below.y, half, below.height});
}

void ProgramPage::add_commands(const Ui&, std::vector<Command>& list) {
  list.push_back({"Run the program", "Program", "F5", [this](const Ui&) { run_again(); }});
  list.push_back({"Edit the program", "Program", "", [](const Ui& then) { edit(then); }});
}

}  // namespace warplens::app
