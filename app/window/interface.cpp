#include "app/window/interface.hpp"

#include <glad/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/base/paths.hpp"
#include "app/window/actions/help_sheet.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/actions/palette.hpp"
#include "app/window/actions/shortcuts.hpp"
#include "app/window/figure/export_dialog.hpp"
#include "app/window/figure/file_dialog.hpp"
#include "app/window/kit/imgui_recovery.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/lesson/class_stage.hpp"
#include "app/window/lesson/lesson_panel.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/platform/clipboard.hpp"
#include "app/window/top_bar.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

constexpr double kTopHeight = 36;
// Type is as designed up to this size of the window, and grows with larger ones.
constexpr scene::Size kDesigned{1600, 900};
// What the window is made for, design pixels; with larger type, parts of it give way. Where there is less,
// all of it is drawn smaller.
constexpr scene::Size kLeast{1280, 720}, kLeastWithLargerType{1120, 630};
constexpr double kLeastScale = 0.25;

constexpr ImGuiPopupFlags kAnyPopup = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;

const theme::Theme& theme_of(const View& view) { return view.dark ? theme::dark() : theme::light(); }

// Renderers do this far quicker than they draw a fill.
void clear(theme::Rgba c) {
  const auto part = [](std::uint8_t channel) { return static_cast<float>(channel) / 255; };
  glClearColor(part(c.r), part(c.g), part(c.b), 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

class Hash {
 public:
  template <class T>
  void add(const T& value) {
    add(&value, sizeof value);
  }
  // Eight bytes at a step: a frame has some hundred kilobytes.
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; i += 8) {
      std::uint64_t part = 0;
      std::memcpy(&part, bytes + i, size - i < 8 ? size - i : 8);
      value_ = (value_ ^ part) * 0x9e3779b97f4a7c15ull;
      value_ ^= value_ >> 32;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

// Whether two frames are the same picture, of all that is drawn; textures: a number that changes with the
// pixels of any texture. Nothing for a frame with callbacks, which may draw anything.
std::optional<std::uint64_t> draw_hash(const ImDrawData& frame, std::uint64_t textures) {
  Hash hash;
  hash.add(textures), hash.add(frame.DisplaySize), hash.add(frame.FramebufferScale);
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    const ImDrawList& list = *frame.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr) return std::nullopt;
      hash.add(command.ClipRect), hash.add(command.GetTexID());
      hash.add(command.VtxOffset), hash.add(command.IdxOffset), hash.add(command.ElemCount);
    }
    hash.add(list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
    hash.add(list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
  }
  return hash.value();
}

}  // namespace

Interface::Interface(Model& model)
    : model_(model),
      context_(ImGui::CreateContext()),
      performance_(std::make_unique<PerformanceData>(model)),
      lessons_(std::make_unique<LessonPlayer>(model, model.wake())),
      lesson_panel_(std::make_unique<LessonPanel>()),
      export_dialog_(std::make_unique<ExportDialog>(model.wake())),
      recent_(std::make_unique<RecentFiles>()),
      file_dialog_(std::make_unique<FileDialog>(*recent_, model.wake())),
      palette_(std::make_unique<Palette>()) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // what is remembered is in the state
  io.LogFilename = nullptr;
  // Arrows and space belong to the transport, so ImGui's own keyboard navigation stays off.
  io.ConfigWindowsMoveFromTitleBarOnly = true;
}

Interface::~Interface() {
  ImGui::SetCurrentContext(context_);
  pages_.reset();
  if (has_renderer_) ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context_);
}

Result<std::unique_ptr<Interface>> Interface::create(Model& model, std::shared_ptr<LiveEngine> live) {
  std::unique_ptr<Interface> made(new Interface(model));
  auto fonts = paint::Fonts::open(font_folders(model.home()));
  if (!fonts) return fonts.error();
  made->painter_ = std::make_unique<ScenePainter>(*std::move(fonts));
  made->copier_ = std::make_unique<Copier>(made->painter_->shared_fonts(), model.wake());
  if (!ImGui_ImplOpenGL3_Init("#version 330"))
    return Error{"this OpenGL cannot draw the window", "install a driver with OpenGL 3.3"};
  made->has_renderer_ = true;
  made->pages_ = std::make_unique<Pages>(
      PageParts{model, *made->performance_, *made->painter_, std::move(live), model.wake()});
  return made;
}

double Interface::scale() const {
  const View& view = model_.state.view;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  // Half as fast as the window, in sixteenths: 17 pixels instead of 13 at 2560 x 1440.
  const double more = std::min(size.x / kDesigned.width, size.y / kDesigned.height) / display_scale_ - 1;
  const double grown = 1 + std::round(16 * std::max(0.0, more) / 2) / 16;
  const double wanted = display_scale_ * view.text_scale * grown;
  const scene::Size least = view.text_scale > 1 ? kLeastWithLargerType : kLeast;
  // In eighths: a window that is dragged does not load fonts again all the time.
  const double largest = std::floor(8 * std::min(size.x / least.width, size.y / least.height)) / 8;
  return std::min(wanted, std::max(kLeastScale, largest));
}

WindowPage& Interface::page() const { return open_page(pages_->all(), model_.state.view); }

Status Interface::load_fonts_if_needed() {
  const View& view = model_.state.view;
  if (loaded_scale_ == scale() && loaded_dark_ == view.dark) return Done{};
  draw_all();  // new fonts may stand where others stood, in the same texture
  if (loaded_scale_ != scale()) {
    const auto fonts = load_fonts(painter_->fonts(), scale());
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
  if (!page().plays()) playing_since_ = -1;
  if (playing_since_ < 0) return;
  const double speed = model_.state.view.speed;
  const double steps = std::floor((ImGui::GetTime() - playing_since_) * speed);
  if (steps < 1) return;
  playing_since_ += steps / speed;
  page().play(static_cast<std::ptrdiff_t>(steps));
  if (page().is_at_end()) playing_since_ = -1;
}

bool Interface::follow_cover() {
  const bool moves = has_motion_ && model_.state.view.motion, covers = lessons_->is_covering();
  const std::size_t stop = lessons_->is_open() ? lessons_->stop() : 0;
  if (stop != std::exchange(stop_, stop)) playing_since_ = -1, was_covered_ = false;
  return std::exchange(was_covered_, covers) && !covers && moves;
}

bool Interface::mouse_rests() {
  if (!model_.state.view.presenter) {
    mouse_rest_.forget();
    return false;
  }
  const run::Run* run = model_.run();
  return mouse_rest_.rests({.state = model_.state,
                            .run = run == nullptr ? "" : run->plan().spec.id,
                            .is_hidden = stage_.hides_picture || lessons_->is_covering()});
}

Status Interface::draw() {
  if (const Status composed = compose(); !composed) return composed;
  submit();
  return Done{};
}

void Interface::submit() {
  if (end_frame()) render();
}

bool Interface::end_frame() {
  painter_->end_frame();
  const auto frame = draw_hash(*ImGui::GetDrawData(), painter_->textures_version());
  was_drawn_ = !frame || frame != shown_;
  shown_ = frame;
  model_.note_frame();
  return was_drawn_;
}

void Interface::render() {
  clear(theme_of(model_.state.view)[Token::background]);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Interface::draw_all() { shown_.reset(); }

Status Interface::compose() {
  ImGui::SetCurrentContext(context_);
  if (const Status loaded = load_fonts_if_needed(); !loaded) return loaded.error();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  marks_.clear();
  painter_->begin_frame();
  const bool is_whole = attempt([this] { notice_ ? compose_notice() : compose_page(); });
  if (!is_whole) compat::recover_frame();
  ImGui::Render();
  return Done{};
}

bool Interface::attempt(const std::function<void()>& act) {
  std::string what;
  try {
    act();
    return true;
  } catch (...) {
    what = words_of_exception();
  }
  using compat::Key;
  const auto leave = [this] {
    View& view = model_.state.view;
    view.page = Page::start, view.presenter = false;
    lessons_->close();
  };
  show({.headline = "Something went wrong here",
        .sentence = std::move(what) + ". What you typed and where you are is kept.",
        .choices = {{"notice/again", "Try again", {Key::enter, Key::space, Key::page_down}},
                    {"notice/start", "To the start page", {Key::escape}, leave}}});
  return false;
}

void Interface::show(Notice notice) {
  notice_ = std::move(notice);
  is_notice_new_ = true;
  playing_since_ = -1;
}

Ui Interface::plain_ui() {
  return {model_,         *painter_,     *performance_, theme_of(model_.state.view),
          fonts_,         scale(),       wishes_,       marks_,
          playing_since_, pages_->all(), *lessons_,     stage_,
          focus_};
}

Ui Interface::ui_of_frame() {
  Ui ui = plain_ui();
  ui.is_asked = lessons_->is_asking();
  ui.is_covered = lessons_->is_covering();
  ui.is_uncovered = follow_cover();
  ui.asked_later = lessons_->asked_later();
  ui.hides_speed = ui.asked_later.contains(model_.state.kernel);
  ui.has_motion = has_motion_;
  ui.on_stage = model_.state.view.presenter;
  ui.mouse_rests = mouse_rests();
  return ui;
}

namespace {

// All of the window, as one of ImGui's own.
void begin_window() {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("warplens", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
}

}  // namespace

// Nothing of the pages is asked: one of them may be what went wrong.
void Interface::compose_notice() {
  is_notice_new_ = false;
  begin_window();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (const Notice::Choice* chosen = draw_notice(plain_ui(), *notice_, {0, 0, size.x, size.y})) {
    const std::function<void()> act = chosen->act;
    notice_.reset();
    wishes_ = {};
    if (act) act();
  }
  ImGui::End();
}

void Interface::compose_page() {
  advance_playing();
  lessons_->update();
  for (const auto& page : pages_->all()) page->update();
  if (const Writing& writing = lessons_->writing(); writing.is_done()) page().keep_passed(writing.judged);
  lessons_->judge_again(page().text());
  performance_->update();
  lessons_->look_ahead(!is_busy());
  const Ui ui = ui_of_frame();
  begin_window();
  follow_focus();
  handle_shortcuts(ui);
  lay_out(ui);
  draw_dialogs(ui);
  if (auto note = model_.take_note()) tell(*std::move(note));
  if (wishes_.say) tell(*std::exchange(wishes_.say, {}));
  grant_copies(ui);
  if (ui.mouse_rests) model_.pointing.at("");
  points_elsewhere_ = model_.pointing.end_frame(model_);
  ImGui::End();
}

// Keys belong to whoever types.
void Interface::follow_focus() {
  using compat::Key;
  const ImGuiIO& io = ImGui::GetIO();
  const bool is_free = !io.WantTextInput && !page().is_typing() && !io.KeyCtrl;
  const bool in_popup = ImGui::IsPopupOpen("", kAnyPopup);
  if (ImGui::IsMouseClicked(0) || model_.state.view.presenter) focus_.clear();
  focus_.begin_frame(is_free && compat::pressed(Key::enter), in_popup);
  // Elsewhere they are two of the window's actions.
  if (!in_popup || !is_free) return;
  const bool back = compat::pressed(Key::up) || (compat::pressed(Key::tab) && io.KeyShift);
  if (back || compat::pressed(Key::tab) || compat::pressed(Key::down)) focus_.move(back ? -1 : 1);
}

void Interface::draw_dialogs(const Ui& ui) {
  if (std::exchange(wishes_.search, false)) palette_->open();
  palette_->draw(ui);
  if (std::exchange(wishes_.help, false)) help_sheet_.is_open = !help_sheet_.is_open;
  if (auto word = std::exchange(wishes_.help_words, {})) help_sheet_.show_words(*std::move(word));
  draw_help_sheet(ui, help_sheet_);
  if (std::exchange(wishes_.export_figure, false)) export_dialog_->open(ui, page().snapshot());
  if (const auto ending = std::exchange(wishes_.save_figure, {})) {
    const auto saved = export_dialog_->save(ui, page().snapshot(), *ending);
    tell(saved ? "Saved " + full_name(*saved) : to_line(saved.error()));
  }
  export_dialog_->draw(ui);
  if (std::exchange(wishes_.choose_file, false)) file_dialog_->ask(FileDialog::Purpose::open);
  if (std::exchange(wishes_.choose_state_name, false)) file_dialog_->ask(FileDialog::Purpose::save_state);
  if (const auto name = std::exchange(wishes_.choose_kernel_name, {}))
    file_dialog_->ask(FileDialog::Purpose::save_kernel, *name);
  if (auto wish = std::exchange(wishes_.choose_path, {})) file_dialog_->ask(*std::move(wish));
  if (const auto file = std::exchange(wishes_.recent_file, {})) recent_->add(*file);
  file_dialog_->draw(ui);
}

void Interface::lay_out(const Ui& ui) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const double top = ui.px(kTopHeight);
  Rect below{0, top, size.x, size.y - top};
  if (ui.on_stage) {
    draw_class_stage(ui, {0, 0, size.x, size.y});
    return draw_message(ui, below);
  }
  if (lessons_->is_open() && ui.state().view.page != Page::start) {
    const double beside = lesson_panel_width(ui, below.width);
    lesson_panel_->draw(ui, {0, top, beside, below.height});
    below = {beside, top, below.width - beside, below.height};
  }
  if (ui.is_covered && ui.state().view.page != Page::ladder && ui.state().view.page != Page::start)
    draw_cover(ui, below);
  else
    ui.page().draw(ui, below);
  draw_figure_menu(ui, below);
  draw_top_bar(ui, {0, 0, size.x, top});
  draw_message(ui, below);
}

void Interface::tell(std::string message) {
  message_ = sentence(std::move(message));
  message_until_ = ImGui::GetTime() + 5;
}

void Interface::draw_message(const Ui& ui, const Rect& rect) {
  if (ImGui::GetTime() >= message_until_) return;
  // Over the figure where there is one: below it stand the controls that may be wanted next.
  Rect over = rect;
  if (const auto picture = marks_.find("picture"); picture != marks_.end()) over = picture->second;
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
  if (ImGui::IsMouseClicked(1) && rect.contains({mouse.x, mouse.y}) && !ImGui::IsPopupOpen("", kAnyPopup))
    ImGui::OpenPopup("figure menu");
  if (!begin_popup("figure menu")) return;
  for (const char* id : {"copy figure", "copy numbers"}) action_item(ui, id);
  ImGui::Separator();
  for (const char* id : {"save svg", "save png", "save figure"}) action_item(ui, id);
  ImGui::EndPopup();
}

void Interface::grant_copies(const Ui& ui) {
  if (std::exchange(wishes_.copy_figure, false)) {
    if (auto shown = page().scene())
      copier_->copy(*std::move(shown), theme_of(model_.state.view));
    else
      tell("There is no figure to copy yet");
  }
  if (std::exchange(wishes_.copy_numbers, false)) {
    const auto numbers = page().numbers();
    if (numbers) ImGui::SetClipboardText(numbers->c_str());
    tell(numbers ? "Copied the numbers as a table" : "There are no numbers to copy yet");
  }
  if (std::exchange(wishes_.copy_words, false)) {
    const std::string words = page().words(ui);
    if (!words.empty()) ImGui::SetClipboardText(words.c_str());
    tell(words.empty() ? "This page says nothing yet" : "Copied what the page says");
  }
  if (const auto copied = copier_->poll()) {
    if (copied->text) ImGui::SetClipboardText(copied->text->c_str());
    tell(copied->message);
  }
}

void Interface::set_search_path(const std::string& path) {
  export_dialog_->set_search_path(path);
  file_dialog_->set_search_path(path);
}

const scene::TextMeasure& Interface::fonts() const { return painter_->fonts(); }

bool Interface::is_busy() const {
  return performance_->is_busy() || lessons_->is_busy() || file_dialog_->is_busy() ||
         export_dialog_->is_busy() || copier_->is_busy() ||
         std::ranges::any_of(pages_->all(), [](const auto& page) { return page->is_busy(); });
}

bool Interface::is_moving() const {
  return is_busy() || is_notice_new_ || points_elsewhere_ || playing_since_ >= 0 ||
         std::ranges::any_of(pages_->all(), [](const auto& page) { return page->is_moving(); }) ||
         model_.busy_seconds().value_or(0) > kBusyAfter || ImGui::GetTime() < message_until_;
}

}  // namespace warplens::app
