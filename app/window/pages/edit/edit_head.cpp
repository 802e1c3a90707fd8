// The head of the editor: the file, its buttons and menus, and the bars that say what must be decided.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/problem_words.hpp"
#include "app/window/kit/from_right.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/pages/edit/edit_panels.hpp"
#include "app/window/pages/edit/edit_session.hpp"
#include "app/window/pages/edit/editor_view.hpp"
#include "engine/catalog/problem_text.hpp"
#include "engine/problem/kind_texts.hpp"

namespace warplens::app {
namespace {

constexpr double kHeadHeight = 46, kBarHeight = 40, kButton = 30;

void say(const Ui& ui, const Status& done) {
  if (!done) ui.wishes.say = sentence(to_line(done.error()));
}

// What menus have: clicked, and marked.
bool item(const Ui& ui, const std::string& name, std::string_view text, const char* keys = nullptr,
          bool enabled = true) {
  return menu_item(ui, std::string(text), {.keys = keys, .enabled = enabled, .mark = "edit/" + name});
}

void draw_new_menu(const Ui& ui, const Rect& rect, EditSession& session, EditorView& view) {
  if (button(ui, "edit/new", rect, "New", {.tip = "An empty page, or a kernel to begin with", .menu = true}))
    ImGui::OpenPopup("new kernel");
  if (!begin_menu("new kernel", rect)) return;
  const auto create = [&](std::string_view kind) {
    session.create(kind);
    view.focus();
  };
  if (item(ui, "new/empty", "Empty page")) create("");
  ImGui::Separator();
  for (const problem::KindText& kind : problem::kind_texts()) {
    if (item(ui, "new/" + std::string(kind.name), kind.title)) create(kind.name);
    tooltip(ui, kind.what);
  }
  ImGui::EndPopup();
}

void draw_file_menu(const Ui& ui, const Rect& rect, EditSession& session) {
  if (button(ui, "edit/file", rect, "File", {.menu = true})) ImGui::OpenPopup("edited file");
  if (!begin_menu("edited file", rect)) return;
  const bool is_open = session.is_open();
  if (item(ui, "open", "Open…", "Ctrl+O")) ui.wishes.choose_file = true;
  if (item(ui, "save as", "Save as…", nullptr, is_open)) ui.wishes.choose_kernel_name = session.save_name();
  if (item(ui, "revert", "Revert to what was opened or saved", nullptr, is_open && session.is_modified()))
    session.revert();
  ImGui::Separator();
  if (item(ui, "outside", "Open in my editor", nullptr, is_open)) say(ui, session.open_outside());
  ImGui::EndPopup();
}

// The buttons from the right; returns where they begin.
double draw_buttons(const Ui& ui, const Rect& rect, EditSession& session, EditorView& view) {
  FromRight row(ui, rect, kButton, 6);
  const bool can_compare = session.can_be_compared();
  if (button(ui, "edit/compare", row.take(84), "Compare",
             {.enabled = can_compare,
              .tip = can_compare ? "With the original, side by side"
                                 : "Nothing was changed, or the original has another problem"}))
    session.compare();
  if (button(ui, "edit/save", row.take(60), "Save",
             {.look = session.is_modified() && !session.is_exercise() ? Look::primary : Look::plain,
              .enabled = session.is_open(),
              .tip = "Ctrl+S"}))
    ui.page().save(ui);
  draw_file_menu(ui, row.take(64), session);
  draw_new_menu(ui, row.take(64), session, view);
  return row.right();
}

void draw_name(const Ui& ui, const Rect& rect, const EditSession& session) {
  if (!session.is_open()) return void(draw_text(ui, rect, "No kernel is open", {Type::strong, Token::dim}));
  const std::string name =
      session.is_programs_own() ? session.original() : session.file().filename().string();
  const double width = std::min<double>(text_width(ui, name, Type::strong) + 2, rect.width);
  draw_text(ui, {rect.x, rect.y, width, rect.height}, name, {Type::strong});
  ui.mark("edit/name", rect);
  const bool is_unsaved = session.is_modified() && !session.is_exercise();
  const std::string state = session.is_programs_own() ? "original"
                            : is_unsaved              ? "not saved"
                            : session.is_modified()   ? "kept"
                            : session.has_file()      ? "saved"
                                                      : "new";
  const std::string from =
      session.original().empty() || session.is_programs_own() ? "" : ", from " + session.original();
  draw_text(ui, {rect.x + width + ui.px(10), rect.y, rect.width - width - ui.px(10), rect.height},
            state + from, {Type::caption, is_unsaved ? Token::series_2 : Token::dim});
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  tooltip(ui, session.is_programs_own()
                  ? "A kernel of the program; what you change is a copy in " + session.file().string()
                  : session.file().string());
}

// A line that asks: text, and one or two buttons, whose number is returned; 0: none was pressed.
int draw_bar(const Ui& ui, const Rect& rect, const char* name, std::string_view text, std::string_view first,
             std::string_view second, Token color) {
  fill(ui, rect, Token::background);
  rule(ui, rect.x, rect.bottom() - 1, rect.right(), rect.bottom() - 1);
  fill(ui, {rect.x, rect.y, ui.px(3), rect.height}, color);
  ui.mark(std::string("edit/bar/") + name, rect);
  double right = rect.right() - ui.px(12);
  int pressed = 0, number = 2;
  for (const std::string_view label : {second, first}) {
    if (!label.empty()) {
      const double width = text_width(ui, label, Type::strong) + ui.px(24);
      const Rect place{right - width, rect.y + ui.px(6), width, rect.height - ui.px(12)};
      if (button(ui, fmt::format("edit/{}/{}", name, number), place, label)) pressed = number;
      right = place.x - ui.px(6);
    }
    --number;
  }
  draw_text(ui, {rect.x + ui.px(14), rect.y, right - rect.x - ui.px(20), rect.height}, text, {Type::caption});
  return pressed;
}

void draw_question(const Ui& ui, const Rect& rect, EditSession& session, EditorView& view) {
  const bool is_there = session.question() == EditSession::Question::file_is_there;
  const std::string file = session.file().filename().string();
  const int answer = is_there ? draw_bar(ui, rect, "question", "There is a file " + file + " already",
                                         "Overwrite it", "Choose another name", Token::costly)
                              : draw_bar(ui, rect, "question", file + " changed on disk, and here too",
                                         "Keep mine", "Take the file’s", Token::costly);
  if (answer == 0) return;
  session.answer(answer == 1);
  if (is_there && answer == 2) ui.wishes.choose_kernel_name = session.save_name();
  view.focus();
}

std::string name_of(const Draft& draft) { return std::filesystem::path(draft.file).filename().string(); }

// Asks before the draft is gone, since nothing brings it back. Returns whether it stays in question.
bool draw_doomed(const Ui& ui, const Rect& rect, EditSession& session, const std::string& doomed) {
  const auto& drafts = session.drafts();
  const auto draft = std::ranges::find(drafts, doomed, &Draft::file);
  if (draft == drafts.end()) return false;
  const int answer = draw_bar(
      ui, rect, "doomed", fmt::format("Discard the changes in {}? This cannot be undone", name_of(*draft)),
      "Discard", "Keep them", Token::costly);
  if (answer == 1) session.throw_away(*draft);
  return answer == 0;
}

void draw_draft_list(const Ui& ui, const Rect& rect, EditSession& session, std::string& doomed) {
  if (!begin_menu("drafts", rect)) return;
  const std::vector<Draft> drafts = session.drafts();
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const std::string from = drafts[i].original.empty() ? "" : ", from " + drafts[i].original;
    if (item(ui, fmt::format("drafts/{}", i), fmt::format("Open {}{}##{}", name_of(drafts[i]), from, i)))
      session.open_draft(drafts[i]);
  }
  ImGui::Separator();
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (item(ui, fmt::format("drafts/throw {}", i), fmt::format("Discard {}…##{}", name_of(drafts[i]), i)))
      doomed = drafts[i].file;
  ImGui::EndPopup();
}

void draw_drafts(const Ui& ui, const Rect& rect, EditSession& session, std::string& doomed) {
  if (!doomed.empty()) {
    if (!draw_doomed(ui, rect, session, doomed)) doomed.clear();
    return;
  }
  const auto& drafts = session.drafts();
  const Draft newest = drafts.front();
  if (drafts.size() == 1) {
    const int answer = draw_bar(ui, rect, "draft", "Unsaved changes in " + name_of(newest),
                                "Continue editing", "Discard…", Token::series_2);
    if (answer == 1) session.open_draft(newest);
    if (answer == 2) doomed = newest.file;
    return;
  }
  const int answer = draw_bar(ui, rect, "draft", fmt::format("Unsaved changes in {} files", drafts.size()),
                              "Continue " + name_of(newest), "All of them…", Token::series_2);
  if (answer == 1) session.open_draft(newest);
  if (answer == 2) ImGui::OpenPopup("drafts");
  draw_draft_list(ui, rect, session, doomed);
}

constexpr std::string_view kWhatAGuessIs =
    "The file does not say at what size the kernel runs, on which data, and what is right. This is "
    "Warplens’ guess, read from the code. Such a head is called a front matter: [problem] has sizes and "
    "data, "
    "check says what is right, [launch] has blocks and threads, and require what sizes must hold. Written "
    "into "
    "the file, it is yours to correct.";

// What a text without a front matter is taken for, to be read and to be put into the text.
void draw_guess(const Ui& ui, const Rect& rect, EditSession& session, const std::string& guessed) {
  if (session.text_error()) {  // what was guessed is of the last text that compiled
    draw_bar(ui, rect, "guess", "Sizes and data are guessed once this compiles", "", "", Token::series_1);
    return;
  }
  const int answer = draw_bar(ui, rect, "guess", guess_words(ui.model.edited()->spec), "Show the guess",
                              "Write it into the file", Token::series_1);
  if (answer == 2) session.put_guess_in();
  if (answer == 1) ImGui::OpenPopup("guessed front matter");
  if (!begin_menu("guessed front matter", rect)) return;
  const std::string all = "/*---\n" + guessed + "---*/";
  double y = ImGui::GetCursorScreenPos().y, width = ui.px(440);
  const double x = ImGui::GetCursorScreenPos().x, line = ui.px(20), top = y;
  y += draw_paragraph(ui, ImGui::GetCursorScreenPos(), static_cast<float>(width), std::string(kWhatAGuessIs),
                      {Type::caption, Token::dim}) +
       ui.px(10);
  for (std::size_t at = 0; at <= all.size(); y += line) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string text = all.substr(at, end - at);
    const double wide = text_width(ui, text, Type::small_code) + 2;
    width = std::max(width, wide);
    draw_text(ui, {x, y, wide, line}, text, {Type::small_code});
    at = end + 1;
  }
  ImGui::Dummy({static_cast<float>(width), static_cast<float>(y - top)});
  ui.mark("edit/guessed", {x, top, width, y - top});
  ImGui::EndPopup();
}

}  // namespace

double draw_edit_head(const Ui& ui, const Rect& rect, EditSession& session, EditorView& view,
                      std::string& doomed) {
  const double head = ui.px(kHeadHeight), bar = ui.px(kBarHeight);
  const Rect line{rect.x, rect.y, rect.width, head};
  fill(ui, line, Token::panel);
  rule(ui, line.x, line.bottom() - 1, line.right(), line.bottom() - 1);
  const double right = draw_buttons(ui, line, session, view);
  draw_name(ui, {line.x + ui.px(16), line.y, right - line.x - ui.px(20), line.height}, session);
  double y = line.bottom();
  if (session.question() != EditSession::Question::none) {
    draw_question(ui, {rect.x, y, rect.width, bar}, session, view);
    y += bar;
  } else if (session.is_restored()) {
    if (const int answer =
            draw_bar(ui, {rect.x, y, rect.width, bar}, "restored", "Unsaved changes were restored",
                     "Keep them", "Back to before", Token::good);
        answer > 0)
      session.settle_restored(answer == 1);
    y += bar;
  }
  if (!session.drafts().empty()) {
    draw_drafts(ui, {rect.x, y, rect.width, bar}, session, doomed);
    y += bar;
  }
  if (const std::string guessed = session.guessed(); !guessed.empty()) {
    draw_guess(ui, {rect.x, y, rect.width, bar}, session, guessed);
    y += bar;
  }
  return y - rect.y;
}

}  // namespace warplens::app
