#include "app/window/interface.hpp"

#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>

#include "app/paths.hpp"
#include "app/window/actions/help_sheet.hpp"
#include "app/window/actions/shortcuts.hpp"
#include "app/window/draw_hash.hpp"
#include "app/window/figure/export_dialog.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/pages/compare/compare_panels.hpp"
#include "app/window/pages/live/live_panel.hpp"
#include "app/window/pages/playground/playground_panel.hpp"
#include "app/window/panels.hpp"
#include "app/window/tools.hpp"
#include "engine/base/text.hpp"
#include "viz/paint/files/export.hpp"

namespace warplens::app {
namespace {

constexpr double top_height = 48, tabs_height = 42;
// Widths in design pixels below which a panel gives way: the code becomes a tab of the centre.
constexpr double three_columns = 1100;
// A class looks at the picture: it gives way later there.
constexpr double three_columns_presented = 1400;
constexpr double least_center = 620, least_center_alone = 420;  // beside the code, without it
// Heights of the centre below which the number cards are two lines only and the transport one row: a window
// of 900 pixels in presenter mode.
constexpr double tall = 660;

constexpr ImGuiPopupFlags any_popup = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;

const theme::Theme& theme_of(const View& view) { return view.dark ? theme::dark() : theme::light(); }

// Renderers do this far quicker than they draw a fill.
void clear(theme::Rgba c) {
  const auto part = [](std::uint8_t channel) { return static_cast<float>(channel) / 255; };
  glClearColor(part(c.r), part(c.g), part(c.b), 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

Interface::Interface(Model& model)
    : model_(model),
      context_(ImGui::CreateContext()),
      performance_(std::make_unique<PerformanceData>(model)),
      export_dialog_(std::make_unique<ExportDialog>()) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // what is remembered is in the state
  io.LogFilename = nullptr;
  // Arrows and space belong to the transport, so ImGui's own keyboard navigation stays off.
  io.ConfigWindowsMoveFromTitleBarOnly = true;
}

Interface::~Interface() {
  ImGui::SetCurrentContext(context_);
  live_.reset();
  live_panel_.reset();
  if (has_renderer_) ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context_);
}

Result<std::unique_ptr<Interface>> Interface::create(Model& model, std::shared_ptr<LiveEngine> live) {
  std::unique_ptr<Interface> made(new Interface(model));
  auto fonts = paint::Fonts::open(font_folders(model.home()));
  if (!fonts) return fonts.error();
  made->canvas_ = std::make_unique<FigureCanvas>(*std::move(fonts));
  made->tools_ = std::make_unique<Tools>(model, made->canvas_->shared_fonts());
  if (!ImGui_ImplOpenGL3_Init("#version 330"))
    return Error{"this OpenGL cannot draw the window", "install a driver with OpenGL 3.3"};
  made->has_renderer_ = true;
  made->live_panel_ = std::make_unique<LivePanel>();
  made->live_ = std::make_unique<LiveSession>(std::move(live));
  return made;
}

double Interface::scale() const {
  constexpr double presenter = 4.0 / 3;
  // Larger text than this would leave room for nothing else. In eighths: a window that is dragged does not
  // load fonts anew all the time.
  constexpr double least_width = 660, least_height = 368;
  const View& view = model_.state.view;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const double largest = std::floor(8 * std::min(size.x / least_width, size.y / least_height)) / 8;
  const double wanted = display_scale_ * view.text_scale * (view.presenter ? presenter : 1);
  return std::min(wanted, std::max(0.75, largest));
}

Status Interface::load_fonts_if_needed() {
  const View& view = model_.state.view;
  if (loaded_scale_ == scale() && loaded_dark_ == view.dark) return Done{};
  draw_all();  // new fonts may stand where others stood, in the same texture
  if (loaded_scale_ != scale()) {
    const auto fonts = load_fonts(canvas_->fonts(), scale());
    if (!fonts) return fonts.error();
    fonts_ = *fonts;
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
    sample_nearest();
#endif
    ImGui::GetIO().FontDefault = fonts_[static_cast<std::size_t>(Type::body)];
  }
  apply_style(theme_of(view), scale());
  loaded_scale_ = scale();
  loaded_dark_ = view.dark;
  return Done{};
}

void Interface::advance_playing() {
  if (model_.state.view.page == Page::playground) playing_since_ = -1;
  if (playing_since_ < 0) return;
  const double speed = model_.state.view.speed;
  const double steps = std::floor((ImGui::GetTime() - playing_since_) * speed);
  if (steps < 1) return;
  playing_since_ += steps / speed;
  if (model_.state.view.page == Page::compare) {
    Comparison& comparison = tools_->comparison;
    comparison.move_step(static_cast<std::ptrdiff_t>(steps));
    if (model_.state.compare.step + std::size_t{1} >= comparison.steps()) playing_since_ = -1;
    return;
  }
  model_.move_step(static_cast<std::ptrdiff_t>(steps));
  if (model_.events().empty() || model_.state.selection.step + 1 >= model_.events().size())
    playing_since_ = -1;
}

// The card and the plots show what this computer's GPU reached: the live run's, else that of the last run.
void Interface::note_measured_speed() {
  if (const auto rate = live_->checked_rate())
    return performance_->note_live(live_->run(), {*rate, "before it went live"}, live_->chip().name);
  const GpuAnswer* answer = model_.gpu_answer();
  if (answer == nullptr || !answer->report || !answer->report->verified || !answer->report->gpu) return;
  const run::GpuReport& gpu = *answer->report->gpu;
  const double seconds = gpu.timing.kernel.median;
  const double work = gpu.operations > 0 ? gpu.operations : gpu.least_bytes;
  if (seconds <= 0 || work <= 0) return;
  const std::string how = fmt::format("median of {} samples of {} launches", gpu.timing.kernel.samples,
                                      gpu.timing.kernel.launches_per_sample);
  performance_->note_live(answer->run, {1e-9 * work / seconds, how}, gpu.chip);
}

Status Interface::draw() {
  if (const Status composed = compose(); !composed) return composed;
  submit();
  return Done{};
}

void Interface::submit() {
  canvas_->end_frame();
  const auto frame = draw_hash(*ImGui::GetDrawData(), canvas_->textures_version());
  was_drawn_ = !frame || frame != shown_;
  if (was_drawn_) {
    clear(theme_of(model_.state.view)[Token::background]);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }
  shown_ = frame;
  model_.note_frame();
}

void Interface::draw_all() { shown_.reset(); }

Status Interface::compose() {
  ImGui::SetCurrentContext(context_);
  if (const Status loaded = load_fonts_if_needed(); !loaded) return loaded.error();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  advance_playing();
  marks_.clear();
  canvas_->begin_frame();
  live_->update(model_);
  if (const Status fresh = live_panel_->refresh(*live_); !fresh) live_->fail(fresh.error());
  note_measured_speed();
  performance_->update();
  const Ui ui{model_, *canvas_, *live_,  *live_panel_, *performance_,  theme_of(model_.state.view),
              fonts_, scale(),  wishes_, marks_,       playing_since_, *tools_};
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("warplens", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  handle_shortcuts(ui);
  lay_out(ui);
  tools_->palette.draw(ui);
  draw_help_sheet(ui, tools_->help_is_open);
  if (std::exchange(wishes_.export_figure, false)) export_dialog_->open(ui, snapshot());
  export_dialog_->draw(ui);
  if (auto note = model_.take_note()) tell(*std::move(note));
  if (wishes_.say) tell(*std::exchange(wishes_.say, {}));
  grant_copies();
  ImGui::End();
  ImGui::Render();
  return Done{};
}

double Interface::draw_splitter(const Ui& ui, const char* name, double x, double y, double height) {
  const double half = ui.px(4);
  const Rect rect{x - half, y, 2 * half, height};
  ui.mark(name, rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::InvisibleButton(name, extent(rect));
  const bool lit = ImGui::IsItemActive() || ImGui::IsItemHovered();
  if (lit) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (lit)
    fill(ui, {x - ui.px(1), y, ui.px(2), height}, Token::accent);
  else
    rule(ui, x, y, x, y + height);
  return ImGui::IsItemActive() ? ImGui::GetIO().MouseDelta.x / ui.scale : 0;
}

void Interface::lay_out(const Ui& ui) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const bool low = is_low(ui);
  const double top = low ? 0 : ui.px(top_height), height = size.y - top;
  const Rect page{0, top, size.x, height};
  switch (model_.state.view.page) {
    case Page::ladder:
      lay_out_ladder(ui, size, top, height);
      break;
    case Page::compare:
      draw_compare(ui, page);
      break;
    case Page::playground:
      draw_playground(ui, page);
      break;
  }
  draw_figure_menu(ui, page);
  if (!low) draw_top_bar(ui, {0, 0, size.x, top});
  draw_message(ui, page);
}

void Interface::lay_out_ladder(const Ui& ui, const ImVec2& size, double top, double height) {
  View& view = model_.state.view;
  const double room = size.x / ui.scale;
  const bool with_code = room < (view.presenter ? three_columns_presented : three_columns);
  const double left_wanted = std::clamp(view.left_width, 190.0, room * 0.36);
  const double right_design =
      with_code ? 0 : std::clamp(view.right_width, 240.0, std::max(240.0, room - left_wanted - least_center));
  const double left_design = std::min(left_wanted, std::max(190.0, room - right_design - least_center_alone));
  const double left = ui.px(left_design), right = ui.px(right_design);
  if (is_low(ui)) {
    lay_out_low_ladder(ui, {0, top, size.x, height}, left);
    const double moved = draw_splitter(ui, "left edge", left, top, height);
    view.left_width = std::clamp(view.left_width + moved, 190.0, 2000.0);
    return;
  }
  const Rect side{0, top, left, height};
  fill(ui, side, Token::panel);
  const double steps = steps_height(ui, std::floor(height * 0.56));
  draw_steps(ui, {side.x, side.y, side.width, steps});
  draw_parameters(ui, {side.x, side.y + steps, side.width, height - steps});
  draw_center(ui, {left, top, size.x - left - right, height}, with_code);
  if (!with_code) {
    const double table = access_table_height(ui, height);
    draw_code(ui, {size.x - right, top, right, height - table});
    draw_access_table(ui, {size.x - right, size.y - table, right, table});
    view.right_width = std::clamp(right_design - draw_splitter(ui, "right edge", size.x - right, top, height),
                                  240.0, 4000.0);
  }
  view.left_width = std::clamp(
      (with_code ? view.left_width : left_design) + draw_splitter(ui, "left edge", left, top, height), 190.0,
      2000.0);
}

void Interface::draw_center(const Ui& ui, const Rect& rect, bool with_code) {
  const double gap = ui.px(12), tabs = ui.px(tabs_height);
  const bool compact = rect.height < ui.px(tall);
  const double cards = ui.px(compact ? 46 : 92), transport = ui.px(compact ? 48 : 82);
  draw_figure_tabs(ui, {rect.x, rect.y, rect.width, tabs}, with_code);
  double bottom = rect.bottom() - gap;
  const double x = rect.x + gap, width = rect.width - 2 * gap;
  // Live plots have no steps to go through; where room is short they get that of the cards too.
  const bool live = ui.state().view.figure == "live";
  // Where nothing ran there are no numbers and no accesses: what is wrong has the room.
  const bool none = shows_only_error(ui);
  if (!none && (!live || !compact)) {
    bottom -= cards;
    draw_number_cards(ui, {x, bottom, width, cards}, compact);
    bottom -= ui.px(8);
  }
  if (has_transport(ui) && !none) {
    bottom -= transport;
    draw_transport(ui, {x, bottom, width, transport});
    bottom -= ui.px(8);
  }
  double top = rect.y + tabs + ui.px(8);
  if (const double strip = gpu_strip_height(ui); strip > 0) {
    draw_gpu_strip(ui, {x, top, width, strip});
    top += strip + ui.px(8);
  }
  const Rect middle{x, top, width, bottom - top};
  if (middle.height < ui.px(24)) return;
  if (with_code && ui.state().view.figure == "code")
    draw_code(ui, middle);
  else if (ui.state().view.figure == "live")
    draw_live(ui, middle);
  else
    draw_figure_canvas(ui, middle);
}

void Interface::tell(std::string message) {
  message_ = sentence(std::move(message));
  message_until_ = ImGui::GetTime() + 5;
}

void Interface::draw_message(const Ui& ui, const Rect& rect) {
  if (ImGui::GetTime() >= message_until_) return;
  // Over the figure where there is one: below it stand the controls that may be wanted next.
  Rect over = rect;
  for (const char* name : {"figure", "compare/pictures"})
    if (const auto found = marks_.find(name); found != marks_.end()) over = found->second;
  const float widest = std::min(ui.px(720), static_cast<float>(over.width) - ui.px(24)) - ui.px(32);
  const ImFont* font = ui.font(Type::body);
  const ImVec2 text = font->CalcTextSizeA(font->FontSize, FLT_MAX, widest, message_.c_str());
  const double width = text.x + ui.px(34), height = text.y + ui.px(20);
  const Rect box{over.center().x - width / 2, over.bottom() - ui.px(16) - height, width, height};
  ui.mark("message", box);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(corner(box), far_corner(box), ui.color(Token::text), ui.px(6));
  list.AddText(font, font->FontSize,
               {static_cast<float>(box.x) + ui.px(16), static_cast<float>(box.y) + ui.px(10)},
               ui.color(Token::background), message_.c_str(), nullptr, widest);
}

// A click with the other button: what can be done with what is shown.
void Interface::draw_figure_menu(const Ui& ui, const Rect& rect) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsMouseClicked(1) && rect.contains({mouse.x, mouse.y}) && !ImGui::IsPopupOpen("", any_popup))
    ImGui::OpenPopup("figure menu");
  if (!begin_popup("figure menu")) return;
  for (const char* id : {"copy figure", "copy numbers"}) action_item(ui, id);
  ImGui::Separator();
  for (const char* id : {"save figure", "save png"}) action_item(ui, id);
  ImGui::EndPopup();
}

std::optional<std::string> Interface::shown_numbers() const {
  const Comparison& comparison = tools_->comparison;
  const run::Run* run = model_.run();
  switch (model_.state.view.page) {
    case Page::ladder:
      break;
    case Page::compare:
      for (const Side side : both_sides)
        if (comparison.run(side) == nullptr || !comparison.run(side)->complete) return std::nullopt;
      return tsv_of(*comparison.run(Side::left), *comparison.run(Side::right), performance_->recorded());
    case Page::playground:
      if (tools_->playground.picture() == nullptr) return std::nullopt;
      return tsv_of(model_.state.playground, *tools_->playground.picture());
  }
  if (run == nullptr || !run->complete) return std::nullopt;
  return tsv_of(*run) + access_tsv(model_);
}

void Interface::grant_copies() {
  if (std::exchange(wishes_.copy_figure, false)) {
    if (auto shown = shown_figure())
      tools_->copier.copy(*std::move(shown), theme_of(model_.state.view));
    else
      tell("There is no figure to copy yet");
  }
  if (std::exchange(wishes_.copy_numbers, false)) {
    const auto numbers = shown_numbers();
    if (numbers) ImGui::SetClipboardText(numbers->c_str());
    tell(numbers ? "Copied the numbers as a table" : "There are no numbers to copy yet");
  }
  if (const auto copied = tools_->copier.poll()) {
    if (copied->text) ImGui::SetClipboardText(copied->text->c_str());
    tell(copied->message);
  }
}

std::optional<scene::Scene> Interface::shown_figure() const {
  const Page page = model_.state.view.page;
  if (page == Page::compare) return tools_->pictures.together();
  if (page == Page::playground) {
    const scene::Scene* shown = tools_->playground.shown();
    return shown == nullptr ? std::nullopt : std::optional(*shown);
  }
  if (model_.state.view.figure == "live") return live_figure(*live_, canvas_->fonts());
  if (canvas_->shown() == nullptr) return std::nullopt;
  return *canvas_->shown();
}

// Of what the open page shows: only the ladder's has a run behind it that films and tables are made of.
FigureSnapshot Interface::snapshot() const {
  const Page page = model_.state.view.page;
  if (page == Page::ladder) return canvas_->snapshot();
  FigureSnapshot figure;
  figure.name = page == Page::compare ? "compare" : "playground";
  figure.shown = shown_figure();
  return figure;
}

Status Interface::save_figure(const std::string& file) {
  const auto shown = shown_figure();
  if (!shown) return Error{"there is no figure to save", "open one, and run its kernel"};
  return paint::export_picture(file, *shown, theme_of(model_.state.view), canvas_->fonts(),
                               {.scale = 2, .ffmpeg = {}});
}

void Interface::set_search_path(const std::string& path) { export_dialog_->set_search_path(path); }

const scene::TextMeasure& Interface::fonts() const { return canvas_->fonts(); }

bool Interface::is_busy() const {
  return canvas_->is_busy() || performance_->is_busy() || export_dialog_->is_busy() || live_->is_busy() ||
         tools_->comparison.busy_seconds() || tools_->copier.is_busy();
}

bool Interface::is_moving() const {
  return is_busy() || live_->is_on() || live_->is_stopping() || playing_since_ >= 0 ||
         model_.busy_seconds().value_or(0) > patience || ImGui::GetTime() < message_until_;
}

}  // namespace warplens::app
