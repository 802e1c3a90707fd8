#include "app/window/window_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/window/actions/pages.hpp"
#include "app/window/file_wishes.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/edit/unsaved_text.hpp"
#include "app/window/pages/program/program_page.hpp"

namespace warplens::app {

bool WindowFrame::update() {
  bool changed = true;
  interface_.attempt([&] { changed = model_.update(); });
  return changed;
}

void WindowFrame::look_for_changes() {
  interface_.attempt([&] {
    model_.look_for_changes();
    interface_.lessons().look_for_changes();
    interface_.pages().get<EditPage>().session().look_for_changes();
    interface_.pages().get<ProgramPage>().session().look_for_changes();
    if (kept_ != nullptr) kept_->keep(state_to_keep());
  });
}

State WindowFrame::state_to_keep() const {
  if (left_) return *left_;
  State state = model_.state_to_keep();
  if (std::string file = interface_.pages().get<EditPage>().session().unsaved_file(); !file.empty())
    state.edit.file = std::move(file);
  return state;
}

namespace {

// Where a window was: "stop 4 of the lesson Matmul 1".
std::string place_of(const State& state, LessonPlayer& lessons) {
  if (state.lesson.file.empty()) return "the kernel " + state.kernel;
  const auto entry = std::ranges::find(lessons.all(), state.lesson.file, &LessonEntry::name);
  return fmt::format("stop {} of the lesson {}", state.lesson.stop + 1,
                     entry == lessons.all().end() ? state.lesson.file : entry->title);
}

}  // namespace

void WindowFrame::offer(State left) {
  using compat::Key;
  std::string sentence = "It was at " + place_of(left, interface_.lessons());
  if (const std::string& file = left.edit.file; !file.empty())
    sentence += ", and " + std::filesystem::path(file).filename().string() + " had unsaved changes";
  left_ = std::move(left);
  interface_.show(
      {.headline = "The window ended unexpectedly last time",
       .sentence = sentence + ". All of it is kept.",
       .choices = {
           {"notice/go on", "Go on there", {Key::enter, Key::space, Key::page_down}, [this] { go_on(); }},
           {"notice/afresh", "Not now", {Key::escape}, [this] { left_.reset(); }}}});
}

// A lesson shows what its stop shows; what the user had made of that comes behind it.
void WindowFrame::go_on() {
  State left = *std::exchange(left_, {});
  left.view.width = model_.state.view.width, left.view.height = model_.state.view.height;
  const EditSession& session = interface_.pages().get<EditPage>().session();
  if (const auto text = unsaved_text(session.drafts_on_disk(), left.kernel))
    static_cast<void>(model_.show_text(*text));  // where it is no kernel, the next line says so
  model_.state.lesson = left.lesson;
  interface_.lessons().update();
  if (const Status adopted = model_.adopt(std::move(left)); !adopted)
    interface_.tell(to_line(adopted.error()));
}

Status WindowFrame::draw(double display_scale) {
  interface_.set_display_scale(display_scale);
  return interface_.draw();
}

bool WindowFrame::grant(const std::function<scene::Raster()>& pixels) {
  Wishes wishes = interface_.take_wishes();
  if (dropped_) wishes.open_file = std::exchange(dropped_, {});
  interface_.attempt([&] { grant_files(wishes, model_, interface_, pixels); });
  return !wishes.close;
}

void WindowFrame::note_size(int width, int height) {
  View& view = model_.state.view;
  if (width >= 320 && height >= 240) view.width = width, view.height = height;
}

std::optional<double> WindowFrame::sign_due() const {
  const auto busy = model_.busy_seconds();
  return busy ? std::optional(kBusyAfter - *busy) : std::nullopt;
}

}  // namespace warplens::app
