#include "app/window/file_wishes.hpp"

#include "app/window/figure/file_dialog.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/model/words.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/pages.hpp"
#include "app/window/platform/picture_file.hpp"

namespace warplens::app {
namespace {

Status open_state(const std::filesystem::path& file, Model& model) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    return Error{"no state is saved as " + full_name(file), "save one first"};
  const KnownNames known{model.catalog(), model.device_table()};
  auto state = read_state(file, &known);
  return state ? model.adopt(*std::move(state)) : Status(state.error());
}

// A state, a lesson or a kernel.
Status open_file(const std::filesystem::path& file, Model& model, Interface& interface) {
  if (file.extension() == ".md") return interface.lessons().open(file.string());
  if (file.extension() != ".cu") return open_state(file, model);
  EditPage& editor = interface.pages().get<EditPage>();
  if (model.state.view.page == Page::edit) return editor.session().open(file.string());
  State next = model.state;
  next.kernel = file.string();
  next.params.clear(), next.size.clear();
  next.selection = {};
  next.edit = {};
  next.view.page = Page::ladder;
  if (const Status adopted = model.adopt(std::move(next))) return adopted;
  // What is no kernel yet can be made one.
  const Status opened = editor.session().open(file.string());
  if (opened) model.state.view.page = Page::edit;
  return opened;
}

}  // namespace

void grant_files(const Wishes& wishes, Model& model, Interface& interface,
                 const std::function<scene::Raster()>& window) {
  const auto say = [&](const Status& done, const std::string& what) {
    interface.tell(done ? what : to_line(done.error()));
  };
  if (const auto& file = wishes.save_picture) say(write_png(window(), *file), "Saved " + full_name(*file));
  if (const auto& file = wishes.save_state) say(write_state(*file, model.state), "Saved " + full_name(*file));
  if (const auto& file = wishes.save_figure) say(interface.save_figure(*file), "Saved " + full_name(*file));
  if (const auto& file = wishes.open_file) {
    const Status opened = open_file(*file, model, interface);
    if (opened) interface.recent_files().add(*file);
    say(opened, "Opened " + full_name(*file));
  }
  if (const auto& file = wishes.save_kernel)
    if (const Status saved = interface.pages().get<EditPage>().session().save_as(*file); !saved)
      interface.tell(to_line(saved.error()));
  if (const auto& file = wishes.open_state) say(open_state(*file, model), "Opened " + full_name(*file));
}

}  // namespace warplens::app
