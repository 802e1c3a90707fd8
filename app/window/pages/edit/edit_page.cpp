#include "app/window/pages/edit/edit_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/model/words.hpp"
#include "app/window/pages/edit/edit_panels.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/catalog/front_matter.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/run/run.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/parts/places.hpp"

namespace warplens::app {
namespace {

constexpr double kTabsHeight = 42, kCardsHeight = 92, kTransportHeight = 82, kSliderHeight = 62;
// Of the width; where there is little of it the picture needs more.
constexpr double kTextShare = 0.5, kNarrowTextShare = 0.46, kNarrow = 1440, kLeastText = 460;
constexpr double kMostSliderRows = 2, kLeastSlider = 168;
// Design pixels of the page: lower than this the accesses are gone through by keys alone.
constexpr double kTransportFrom = 600;

// The line of the access that the picture shows; 0: it is of another text.
int access_line(const Model& model) {
  const run::Run* run = model.run();
  const auto access = model.access();
  if (run == nullptr || !access || run->plan().spec.code != model.spec().code) return 0;
  if (const int line = model.state.selection.line; line > 0) return line;
  return figures::kernel_line_of(*run, access->pc);
}

}  // namespace

EditPage::EditPage(Model& model, ScenePainter& painter, std::function<void()> wake)
    : KernelPage(Page::edit, model, painter), session_(model, std::move(wake)) {}

void EditPage::toggle(const Ui& ui) {
  WindowPage::toggle(ui);
  if (is_open(ui.state().view)) view_.focus();
}

void EditPage::update() {
  was_open_ = is_shown();
  session_.update(was_open_);
}

bool EditPage::is_typing() const { return is_shown() && !model_.state.view.presenter && view_.has_focus(); }

bool EditPage::save(const Ui& ui) {
  if (const Status saved = session_.save(); !saved) ui.wishes.say = sentence(to_line(saved.error()));
  return true;
}

std::optional<std::string> EditPage::text() const {
  return session_.is_open() ? std::optional(session_.editor().text()) : std::nullopt;
}

void EditPage::put_text(std::string_view text) { session_.editor().replace(std::string(text)); }

std::string EditPage::unsaved() const {
  const bool is_own = session_.is_open() && session_.is_modified() && !session_.is_exercise();
  const std::size_t count = session_.drafts().size() + (is_own ? 1 : 0);
  if (count == 0) return "";
  if (count > 1) return fmt::format("Unsaved changes in {} files", count);
  const std::filesystem::path file =
      is_own ? session_.file() : std::filesystem::path(session_.drafts().front().file);
  return "Unsaved changes in " + file.filename().string();
}

void EditPage::draw(const Ui& ui, const Rect& rect) {
  marks_.update(ui.performance);
  if (auto message = session_.take_message()) ui.wishes.say = sentence(*std::move(message));
  ui.wishes.recent_file = session_.take_saved();
  const double wide =
      std::max<double>(std::floor(rect.width * (rect.width < ui.px(kNarrow) ? kNarrowTextShare : kTextShare)),
                       std::min<double>(ui.px(kLeastText), rect.width));
  draw_text_side(ui, {rect.x, rect.y, wide, rect.height});
  rule(ui, rect.x + wide, rect.y, rect.x + wide, rect.bottom());
  draw_picture_side(ui, {rect.x + wide + 1, rect.y, rect.width - wide - 1, rect.height});
}

// Nobody types in front of a class: it sees the picture, and of a lesson's exercise what is written.
void EditPage::draw_for_a_class(const Ui& ui, const Rect& rect) {
  marks_.update(ui.performance);
  if (ui.lessons.is_open() && ui.lessons.writing().assignment != nullptr && session_.is_exercise())
    return draw_text_for_a_class(ui, rect);
  draw_figure_canvas(ui, canvas_, rect);
}

// From the kernel on, with the place to write in marked.
void EditPage::draw_text_for_a_class(const Ui& ui, const Rect& rect) {
  canvas_.clear();
  const std::string text = session_.editor().text();
  const auto place = exercise::written_lines(*ui.lessons.writing().assignment, text);
  const run::Lines lines = run::lines_of(text);
  const auto is_here = [&](int number) {
    return place && number >= place->first && number < place->first + place->count;
  };
  std::vector<figures::ListedLine> listed;
  const std::size_t code = catalog::first_code_line(lines),
                    first = place ? std::min<std::size_t>(code, place->first - 1) : code;
  for (std::size_t l = first; l < lines.size(); ++l) {
    const int number = static_cast<int>(l) + 1;
    if (place && place->count == 0 && number == place->first)
      listed.push_back({.label = " ", .text = "  // here", .marked = true});
    listed.push_back({.number = number, .text = std::string(lines[l]), .marked = is_here(number)});
  }
  const double scale = stage_scale(ui);
  const scene::Scene scene =
      figures::text_for_a_class(listed, {rect.width / scale, rect.height / scale}, ui.painter.fonts());
  ui.painter.paint(scene, ui.theme, *ImGui::GetWindowDrawList(), {rect.x, rect.y}, scale);
  ui.mark("stage/text", {rect.x, rect.y, rect.width, scale * scene.size.height});
}

void EditPage::draw_text_side(const Ui& ui, const Rect& rect) {
  const double head = draw_edit_head(ui, rect, session_, view_, doomed_);
  const double strip = problem_strip_height(ui, session_, rect.width);
  const Rect text{rect.x, rect.y + head, rect.width, rect.height - head - strip};
  fill(ui, text, Token::panel);
  const Pointed& pointed = ui.model.pointing.now();
  const bool is_same = session_.has_picture() && !session_.is_waiting();
  const BesideText beside{.marks = session_.marks(),
                          .changes = session_.changes(),
                          .access_line = is_same ? access_line(model_) : 0,
                          .is_lit = [&](int line) { return is_same && pointed.has_line(line); }};
  const auto done = view_.draw(ui, text, session_.editor(), beside);
  if (is_same && done.pointed_line > 0) ui.model.pointing.at("line:" + std::to_string(done.pointed_line));
  if (is_same && done.clicked_line > 0) ui.model.choose_line(done.clicked_line);
  session_.push();
  if (session_.is_open() && session_.editor().buffer().line_count() == 1 &&
      session_.editor().buffer().line(0).empty())
    draw_text(ui, {text.x, text.y + ui.px(110), text.width, ui.px(30)},
              "Paste a kernel here (Ctrl+V), or begin with one of New", {Type::body, Token::dim},
              Align::center);
  draw_problem_strip(ui, {rect.x, rect.bottom() - strip, rect.width, strip}, session_, view_);
}

// The parameters of the front matter, in rows. measure: only says how high they are.
double EditPage::draw_sliders_row(const Ui& ui, const Rect& rect, bool measure) {
  const std::vector<Slider> sliders = ui.model.sliders();  // a copy: one that is moved makes them again
  if (sliders.empty()) return 0;
  const double gap = ui.px(24), least = ui.px(kLeastSlider);
  const double columns =
      std::clamp(std::floor((rect.width + gap) / (least + gap)), 1.0, static_cast<double>(sliders.size()));
  const double rows = std::ceil(static_cast<double>(sliders.size()) / columns);
  const double height = ui.px(kSliderHeight) * std::min(rows, kMostSliderRows);
  if (measure) return height;
  const double bar = rows > kMostSliderRows ? ImGui::GetStyle().ScrollbarSize + ui.px(8) : ui.px(4);
  const double width = std::min<double>((rect.width - bar - gap * (columns - 1)) / columns, ui.px(300));
  begin_panel("edit sliders", {rect.x, rect.y, rect.width, height});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (std::size_t i = 0; i < sliders.size(); ++i) {
    const double column = std::fmod(static_cast<double>(i), columns),
                 row = std::floor(static_cast<double>(i) / columns);
    const std::string& name = sliders[i].parameter.name;
    draw_slider(ui, "param/" + name, sliders[i], at.x + column * (width + gap),
                at.y + row * ui.px(kSliderHeight), width,
                [&](std::int64_t value) { ui.model.set_parameter(name, value); });
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, ui.px(kSliderHeight) * static_cast<float>(rows) - 1});
  end_fading_panel(ui, {rect.x, rect.y, rect.width, height}, Token::background);
  return height;
}

void EditPage::draw_picture_side(const Ui& ui, const Rect& rect) {
  const double gap = ui.px(12), tabs = ui.px(kTabsHeight);
  const Rect row{rect.x, rect.y, rect.width, tabs};
  fill(ui, row, Token::panel);
  rule(ui, row.x, row.bottom() - 1, row.right(), row.bottom() - 1);
  draw_figure_tabs(ui, row, false);
  const double x = rect.x + gap, width = rect.width - 2 * gap;
  if (!session_.has_picture()) {
    canvas_.clear();
    const Rect middle{x, rect.y + std::floor(rect.height / 3), width, ui.px(30)};
    ui.mark("edit/no picture", middle);
    const bool waits = !session_.text_error() && !model_.error();
    draw_text(ui, middle,
              waits ? "Compiling the kernel and running its first blocks"
                    : "The picture comes with the first text that compiles",
              {Type::body, Token::dim}, Align::center);
    return;
  }
  double bottom = rect.bottom() - gap - ui.px(kCardsHeight);
  draw_number_cards(ui, {x, bottom, width, ui.px(kCardsHeight)}, marks_, last_cards_);
  if (has_transport(ui) && rect.height >= ui.px(kTransportFrom)) {
    bottom -= ui.px(kTransportHeight + 8);
    draw_ladder_transport(ui, {x, bottom, width, ui.px(kTransportHeight)});
  }
  if (const double sliders = draw_sliders_row(ui, {x, 0, width, 0}, true); sliders > 0) {
    bottom -= sliders + ui.px(8);
    draw_sliders_row(ui, {x + ui.px(8), bottom, width - ui.px(16), sliders}, false);
  }
  double top = rect.y + tabs + ui.px(8);
  if (session_.text_error() || (model_.error() && !(model_.run() != nullptr && model_.run()->fault))) {
    const Rect line{x, top, width, ui.px(24)};
    ui.mark("edit/last good picture", line);
    draw_text(ui, line, "The last text that compiled", {Type::caption, Token::dim});
    top = line.bottom();
  }
  const Rect picture{x, top, width, bottom - top - ui.px(8)};
  if (picture.height > ui.px(24)) draw_picture(ui, picture);
}

// With its words; where they would be too small in it, below a headline that says them.
void EditPage::draw_picture(const Ui& ui, const Rect& rect) {
  const figures::Figure* figure = figures::find_figure(ui.state().view.figure);
  const scene::Size room{rect.width / ui.scale, rect.height / ui.scale};
  const bool has_words =
      figure == nullptr || figures::readable_look(*figure, figures::Look::file, room) == figures::Look::file;
  if (has_words) return draw_figure_canvas(ui, canvas_, rect, false);
  const double high = page_head_height(ui, {});
  draw_figure_canvas(ui, canvas_, {rect.x, rect.y + high, rect.width, rect.height - high}, false,
                     figures::Look::page);
  PageHead head = page_head(ui);
  head.next.reset();  // another kernel than that of the text
  draw_page_head(ui, {rect.x, rect.y, rect.width, high}, head, {});
}

std::string EditPage::file_name(const Model& model) const {
  return file_part(model.state.kernel) + "-" + model.state.view.figure;
}

bool EditPage::is_moving() const { return KernelPage::is_moving() || (was_open_ && session_.is_busy()); }

bool EditPage::cancel() { return is_shown() && KernelPage::cancel(); }

void EditPage::add_commands(const Ui& ui, std::vector<Command>& list) {
  const auto set = [](const Ui& then, const std::string& name, std::int64_t value) {
    then.model.set_parameter(name, value);
  };
  add_parameters(ui.model.sliders(), "", "Parameter", set, list);
  const auto add = [&](const char* title, const char* keys, auto act) {
    list.push_back({title, "Editor", keys, act});
  };
  add("Save the kernel", "Ctrl+S", [this](const Ui& then) { save(then); });
  add("Save the kernel as…", "",
      [this](const Ui& then) { then.wishes.choose_kernel_name = session_.save_name(); });
  add("Revert the kernel to what was opened or saved", "", [this](const Ui&) { session_.revert(); });
  add("Open the kernel in my editor", "", [this](const Ui& then) {
    if (const Status done = session_.open_outside(); !done) then.wishes.say = sentence(to_line(done.error()));
  });
  add("Compare the edited kernel with the original", "", [this](const Ui&) { session_.compare(); });
  add("Find in the kernel’s text", "Ctrl+F", [this](const Ui&) { view_.open_find(session_.editor()); });
}

void EditPage::add_lasting_commands(std::vector<Command>& list) const {
  const auto add = [&](const std::string& title, std::string_view kind) {
    list.push_back({title, "Editor", "", [kind](const Ui& then) {
                      for (const auto& page : then.pages)
                        if (auto* const edit = dynamic_cast<EditPage*>(page.get())) {
                          then.state().view.page = Page::edit;
                          edit->session().create(kind);
                          edit->view().focus();
                        }
                    }});
  };
  add("New kernel: empty page", "");
  for (const problem::KindText& kind : problem::kind_texts())
    add("New kernel: " + std::string(kind.title), kind.name);
}

}  // namespace warplens::app
