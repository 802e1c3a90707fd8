#include "app/window/file_wishes.hpp"

#include "app/window/model/words.hpp"
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

}  // namespace

void grant_files(const Wishes& wishes, Model& model, Interface& interface,
                 const std::function<scene::Raster()>& window) {
  const auto say = [&](const Status& done, const std::string& what) {
    interface.tell(done ? what : to_line(done.error()));
  };
  if (const auto& file = wishes.save_picture) say(write_png(window(), *file), "Saved " + full_name(*file));
  if (const auto& file = wishes.save_state) say(write_state(*file, model.state), "Saved " + full_name(*file));
  if (const auto& file = wishes.save_figure) say(interface.save_figure(*file), "Saved " + full_name(*file));
  if (const auto& file = wishes.open_state) say(open_state(*file, model), "Opened " + full_name(*file));
}

}  // namespace warplens::app
