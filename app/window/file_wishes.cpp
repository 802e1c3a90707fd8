#include "app/window/file_wishes.hpp"

#include "app/window/actions/pages.hpp"
#include "app/window/figure/file_dialog.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/model/words.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/program/program_page.hpp"
#include "app/window/platform/picture_file.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/front_matter.hpp"

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

Status edit_file(const std::filesystem::path& file, Model& model, Interface& interface) {
  const Status opened = interface.pages().get<EditPage>().session().open(file.string());
  if (opened) model.state.view.page = Page::edit;
  return opened;
}

// What is no kernel yet can be made one in the editor.
Status open_kernel(const std::filesystem::path& file, Model& model, Interface& interface) {
  State next = model.state;
  next.kernel = file.string();
  next.params.clear(), next.size.clear();
  next.selection = {};
  next.edit = {};
  next.view.page = Page::ladder;
  if (const Status adopted = model.adopt(std::move(next))) return adopted;
  return edit_file(file, model, interface);
}

// Kernels with a front matter say themselves what they are given.
bool is_whole_program(const std::filesystem::path& file) {
  const auto text = read_whole_file(file);
  return text && !catalog::has_front_matter(*text) && is_program(*text);
}

// A state, a lesson, a program or a kernel.
Status open_file(const std::filesystem::path& file, Model& model, Interface& interface) {
  if (file.extension() == ".md") return interface.lessons().open(file.string());
  if (file.extension() != ".cu") return open_state(file, model);
  if (!is_whole_program(file))
    return model.state.view.page == Page::edit
               ? interface.pages().get<EditPage>().session().open(file.string())
               : open_kernel(file, model, interface);
  interface.pages().get<ProgramPage>().session().open(file);
  return Done{};
}

}  // namespace

void grant_files(const Wishes& wishes, Model& model, Interface& interface,
                 const std::function<scene::Raster()>& window) {
  const auto say = [&](const Status& done, const std::string& what) {
    interface.tell(done ? what : to_line(done.error()));
  };
  if (const auto& file = wishes.save_picture) say(write_png(window(), *file), "Saved " + full_name(*file));
  if (const auto& file = wishes.save_state)
    say(write_state(*file, model.state_to_keep()), "Saved " + full_name(*file));
  if (const auto& file = wishes.open_file) {
    const Status opened = open_file(*file, model, interface);
    if (opened && file->ends_with(".cu")) interface.lessons().close();
    if (opened) interface.recent_files().add(*file);
    say(opened, "Opened " + full_name(*file));
  }
  const auto complain = [&](const Status& done) {
    if (!done) interface.tell(to_line(done.error()));
  };
  if (const auto& file = wishes.open_kernel) complain(open_kernel(*file, model, interface));
  if (const auto& file = wishes.edit_file) complain(edit_file(*file, model, interface));
  if (const auto& file = wishes.save_kernel)
    if (const Status saved = interface.pages().get<EditPage>().session().save_as(*file); !saved)
      interface.tell(to_line(saved.error()));
  if (const auto& file = wishes.open_state) say(open_state(*file, model), "Opened " + full_name(*file));
}

}  // namespace warplens::app
