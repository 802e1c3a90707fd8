// Choosing a file to open, or a name to save the state under: in the desktop's own dialog where zenity is
// installed, else in a list of files in the window.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/kit/ui.hpp"
#include "engine/base/latest_wins.hpp"

namespace warplens::app {

// Files that were opened, the newest first, kept between starts of the program, one path a line.
class RecentFiles {
 public:
  static constexpr std::size_t kMost = 8;
  // A file that is not there or cannot be read is an empty list.
  void keep_in(std::filesystem::path file);
  void add(const std::filesystem::path& opened);
  const std::vector<std::filesystem::path>& all() const { return all_; }

 private:
  std::filesystem::path file_;
  std::vector<std::filesystem::path> all_;
};

// What can be opened: states, lessons, kernels.
bool can_be_opened(const std::filesystem::path& file);

// The names of the folders in this one, but for hidden ones; none where it cannot be read.
std::vector<std::string> folders_in(const std::filesystem::path& folder);

class FileDialog {
 public:
  enum class Purpose { open, save_state, save_kernel, choose_file, choose_folder };

  // wake: called from another thread when the desktop's dialog has been closed.
  FileDialog(const RecentFiles& recent, std::function<void()> wake)
      : recent_(recent), wake_(std::move(wake)) {}

  // Where programs stand, as PATH lists it.
  void set_search_path(const std::string& path);
  // name: to begin with, where something is saved, with its folder or without; empty: the one of before.
  void ask(Purpose purpose, const std::string& name = "");
  void ask(PathWish wish);
  // Once a frame. What was chosen becomes ui.wishes.open_file, save_state or save_kernel, or is taken by who wished for it.
  void draw(const Ui& ui);
  bool is_busy() const { return asking_ && asking_->busy_seconds().has_value(); }

 private:
  struct Entry {
    std::string name;
    bool is_folder = false;
  };
  void take_answer(const Ui& ui);
  Result<std::vector<Entry>> entries_of(const std::filesystem::path& folder) const;
  void enter(std::filesystem::path folder);
  void draw_list(const Ui& ui, const Rect& rect);
  void draw_recent(const Ui& ui);
  void draw_wanted(const Ui& ui, const Rect& rect);
  void open_wanted(const Ui& ui);
  // What is typed: the folder that it leads to from the one on screen, and how a name there begins.
  struct Typed {
    std::filesystem::path folder;
    std::string begin;
  };
  Typed typed() const;
  void follow_typed();  // once a frame, behind what was typed
  // Those of that folder whose names begin so.
  std::vector<Entry> listed() const;
  // A folder is entered, a file chosen, which closes the dialog.
  void take(const Ui& ui, const std::filesystem::path& file);
  void finish(const Ui& ui, const std::filesystem::path& file);

  const RecentFiles& recent_;
  std::function<void()> wake_;
  std::string zenity_;  // its path; empty where it is not installed
  Purpose purpose_ = Purpose::open;
  bool wanted_ = false;  // the list opens with the next frame
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::filesystem::path typed_folder_;  // the one that what is typed leads to, where that is another one
  std::vector<Entry> typed_entries_;
  bool wants_keys_ = false;  // the field is to have the keyboard in the next frame
  std::string typed_;        // to find a file: a path, or how a name begins
  std::size_t at_ = 0;       // the one of listed() that Enter takes
  bool is_at_shown_ = true;  // else the list scrolls there
  bool saves() const { return purpose_ == Purpose::save_state || purpose_ == Purpose::save_kernel; }
  bool lists(const std::filesystem::path& file) const;
  void begin(const std::string& name);
  PathWish wish_;
  std::string name_ = "warplens-state.toml", problem_;
  // The desktop's dialog, as the words of its command line; the path that was chosen, empty for none.
  std::unique_ptr<LatestWins<std::vector<std::string>, Result<std::string>>> asking_;
};

}  // namespace warplens::app
