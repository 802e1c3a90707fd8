// What the monkey plays with: the whole window off screen, as window_command() puts it together, and files of
// its own that it may spoil. Whatever must not happen is thrown.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/window/testing/driven_stage.hpp"
#include "app/window/window_frame.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app::monkey {

class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  DrivenStage& stage() { return *stage_; }
  Model& model() { return stage_->model(); }
  State& state() { return model().state; }
  LessonPlayer& lessons() { return stage_->interface().lessons(); }
  WindowFrame& frame() { return *frame_; }

  // What the action came to, for people.
  void say(std::string_view words);
  // Of all that is named on screen the one that this number chooses; the same as long as it is there,
  // whatever comes and goes beside it. Empty: nothing is named.
  std::string mark(std::uint32_t number, std::string_view beginning = "") const;
  // Where in the window, and how far across.
  scene::Point point(std::uint32_t number) const;

  // Throws what failed.
  void must(const Status& done);
  // What the window does between two frames, and what must hold then.
  void after_action();
  // Frames until nothing is at work, or for so many seconds.
  void rest(double seconds);

  // The files of the window's home, by what is to become of one of them.
  std::filesystem::path kernel_file(std::uint32_t number) const;
  std::filesystem::path lesson_file(std::uint32_t number) const;
  void change(const std::filesystem::path& file, std::uint32_t how);
  void restore_files();
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void check_state();
  void check_notice() const;

  TestFolder folder_;
  std::unique_ptr<DrivenStage> stage_;
  std::optional<WindowFrame> frame_;
};

}  // namespace warplens::app::monkey
