#include "app/window/figure/file_dialog.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/kit/widgets.hpp"
#include "engine/base/process.hpp"
#include "engine/base/whole_file.hpp"
#include "viz/paint/files/animation.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPopup = "Choose a file";
constexpr double kWidth = 620, kHeight = 520, kRow = 30;
constexpr std::array<std::string_view, 3> kEndings = {".toml", ".md", ".cu"};

// Waits until its window is closed. Cancelled: ends it.
Result<std::string> ask_desktop(const std::vector<std::string>& words, const std::atomic<bool>& cancel) {
  const Descriptor said = memory_file();
  auto dialog = Process::start({.words = words, .descriptors = {{1, said.number()}, {2, Process::kNull}}});
  if (!dialog) return dialog.error();
  while (!dialog->wait(0.05))
    if (cancel) dialog->send_signal(SIGTERM);
  std::string path = said.text();
  path.erase(std::min(path.find('\n'), path.size()));
  return dialog->exit_code() == 0 ? path : std::string();
}

}  // namespace

// ---- recent files

void RecentFiles::keep_in(fs::path file) {
  file_ = std::move(file);
  const auto text = read_whole_file(file_);
  if (!text) return;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line) && all_.size() < kMost;)
    if (can_be_opened(line)) all_.emplace_back(line);
}

void RecentFiles::add(const fs::path& opened) {
  std::error_code failed;
  const fs::path whole = fs::absolute(opened, failed);
  std::erase(all_, whole);
  all_.insert(all_.begin(), whole);
  if (all_.size() > kMost) all_.resize(kMost);
  if (file_.empty()) return;
  std::string text;
  for (const fs::path& file : all_) text += file.string() + "\n";
  fs::create_directories(file_.parent_path(), failed);
  static_cast<void>(write_whole_file(file_, text));  // only a convenience is lost
}

bool can_be_opened(const fs::path& file) {
  return std::ranges::find(kEndings, file.extension().string()) != kEndings.end();
}

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::error_code unknown;
    const std::string name = entry->path().filename().string();
    if (!name.starts_with('.') && entry->is_directory(unknown)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

// ---- the dialog

void FileDialog::set_search_path(const std::string& path) { zenity_ = paint::find_program("zenity", path); }

void FileDialog::ask(PathWish wish) {
  purpose_ = wish.is_folder ? Purpose::choose_folder : Purpose::choose_file;
  wish_ = std::move(wish);
  begin("");
}

void FileDialog::ask(Purpose purpose, const std::string& name) {
  const fs::path whole(name);
  if (whole.is_absolute()) folder_ = whole.parent_path();
  if (!name.empty())
    name_ = whole.filename().string();
  else if (purpose == Purpose::save_state && purpose_ == Purpose::save_kernel)
    name_ = "warplens-state.toml";
  purpose_ = purpose;
  begin(name);
}

// name: as of ask().
void FileDialog::begin(const std::string& name) {
  const fs::path whole(name);
  problem_.clear();
  if (zenity_.empty()) {
    std::error_code failed;
    // People look for what they had last.
    const fs::path last =
        recent_.all().empty() ? fs::current_path(failed) : recent_.all().front().parent_path();
    enter(folder_.empty() ? last : folder_);
    if (!problem_.empty()) enter(fs::current_path(failed));
    wanted_ = true;
    return;
  }
  if (!asking_)
    asking_ = std::make_unique<LatestWins<std::vector<std::string>, Result<std::string>>>(
        [](const auto& words, const std::atomic<bool>& cancel, const auto&) {
          return ask_desktop(words, cancel);
        },
        wake_);
  std::vector<std::string> words = {zenity_, "--file-selection", "--title=Warplens"};
  if (saves()) {
    words.insert(words.end(),
                 {"--save", "--confirm-overwrite", "--filename=" + (whole.is_absolute() ? name : name_)});
  } else {
    if (purpose_ == Purpose::open)
      words.emplace_back("--file-filter=States, lessons, kernels | *.toml *.md *.cu");
    if (purpose_ == Purpose::choose_folder) words.emplace_back("--directory");
    if (!recent_.all().empty())
      words.push_back("--filename=" + recent_.all().front().parent_path().string() + "/");
  }
  asking_->submit(std::move(words));
}

void FileDialog::take_answer(const Ui& ui) {
  const auto chosen = asking_ ? asking_->poll() : std::nullopt;
  if (!chosen) return;
  if (!*chosen) return void(ui.wishes.say = "The file dialog does not start: " + chosen->error().message);
  if (!(*chosen)->empty()) finish(ui, **chosen);
}

void FileDialog::finish(const Ui& ui, const fs::path& file) {
  if (purpose_ == Purpose::choose_file || purpose_ == Purpose::choose_folder)
    return wish_.take(file.string());
  (purpose_ == Purpose::open         ? ui.wishes.open_file
   : purpose_ == Purpose::save_state ? ui.wishes.save_state
                                     : ui.wishes.save_kernel) = file.string();
}

bool FileDialog::lists(const fs::path& file) const {
  return purpose_ == Purpose::choose_file || (purpose_ != Purpose::choose_folder && can_be_opened(file));
}

// Folders first, then the files that can be opened, by their names.
Result<std::vector<FileDialog::Entry>> FileDialog::entries_of(const fs::path& folder) const {
  std::vector<Entry> entries;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::error_code unknown;
    const bool is_folder = entry->is_directory(unknown);
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') || (!is_folder && !lists(entry->path()))) continue;
    entries.push_back({name, is_folder});
  }
  if (failed) return Error{folder.string() + " cannot be read: " + failed.message(), "choose another folder"};
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
  });
  return entries;
}

void FileDialog::enter(fs::path folder) {
  wants_keys_ = true;
  auto entries = entries_of(folder);
  if (!entries) return void(problem_ = entries.error().message);
  folder_ = std::move(folder);
  entries_ = *std::move(entries);
  problem_.clear(), typed_.clear(), typed_folder_.clear();
  at_ = 0, is_at_shown_ = false;
}

namespace {

bool begins_with(std::string_view name, std::string_view typed) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return name.size() >= typed.size() &&
         std::ranges::equal(name.substr(0, typed.size()), typed, {}, lower, lower);
}

}  // namespace

FileDialog::Typed FileDialog::typed() const {
  const std::size_t slash = typed_.rfind('/');
  if (slash == std::string::npos) return {folder_, typed_};
  return {(folder_ / typed_.substr(0, slash + 1)).lexically_normal(), typed_.substr(slash + 1)};
}

void FileDialog::follow_typed() {
  fs::path folder = typed().folder;
  if (folder == folder_) return typed_folder_.clear();
  if (folder == typed_folder_) return;
  auto entries = entries_of(folder);
  typed_entries_ = entries ? *std::move(entries) : std::vector<Entry>();
  typed_folder_ = std::move(folder);
}

std::vector<FileDialog::Entry> FileDialog::listed() const {
  if (saves()) return entries_;
  std::vector<Entry> listed;
  std::ranges::copy_if(typed_folder_.empty() ? entries_ : typed_entries_, std::back_inserter(listed),
                       [&](const Entry& entry) { return begins_with(entry.name, typed().begin); });
  return listed;
}

void FileDialog::take(const Ui& ui, const fs::path& file) {
  std::error_code unknown;
  if (fs::is_directory(file, unknown)) return enter(file);
  finish(ui, file);
  ImGui::CloseCurrentPopup();
}

// What is typed where it is a file or a folder, seen from the folder on screen; else the row that arrows chose.
void FileDialog::open_wanted(const Ui& ui) {
  std::error_code unknown;
  const fs::path whole = (folder_ / typed_).lexically_normal();
  if (!typed_.empty() && fs::exists(whole, unknown)) return take(ui, whole);
  const auto all = listed();
  if (at_ < all.size()) return take(ui, typed().folder / all[at_].name);
  problem_ = "There is no " + typed_ + " here";
}

namespace {

struct Title {
  const char *title, *nothing;  // nothing: where the folder has nothing to choose
};
Title title_of(FileDialog::Purpose purpose) {
  constexpr const char* kKernels = "No folders, states (.toml), lessons (.md) or kernels (.cu) here";
  switch (purpose) {
    case FileDialog::Purpose::open:
      return {"Open a kernel, a program, a lesson or a state", kKernels};
    case FileDialog::Purpose::save_state:
      return {"Save what the window shows", kKernels};
    case FileDialog::Purpose::save_kernel:
      return {"Save the kernel as", kKernels};
    case FileDialog::Purpose::choose_file:
      return {"Choose a file", "No folders and no files here"};
    case FileDialog::Purpose::choose_folder:
      return {"Choose a folder", "No folders here"};
  }
  return {"", ""};
}

// A row, clicked by the mouse or the keyboard.
bool selectable(const Ui& ui, const std::string& words, bool chosen = false) {
  const bool by_mouse = ImGui::Selectable(words.c_str(), chosen);
  return clicked_by_key(ui, "file/" + words, rect_at(ImGui::GetItemRectMin(), ImGui::GetItemRectSize())) ||
         by_mouse;
}

}  // namespace

void FileDialog::draw_recent(const Ui& ui) {
  if (purpose_ != Purpose::open) return;
  bool any = false;
  for (const fs::path& file : recent_.all()) {
    if (file.parent_path() == folder_) continue;  // it stands in the list below
    if (!std::exchange(any, true)) ImGui::TextDisabled("Recent, in other folders");
    if (selectable(ui, file.filename().string() + "##recent " + file.string())) {
      finish(ui, file);
      ImGui::CloseCurrentPopup();
    }
    ui.mark("recent/" + file.string(), rect_at(ImGui::GetItemRectMin(), ImGui::GetItemRectSize()));
    tooltip(ui, file.string());
  }
  if (any) ImGui::Separator();
}

void FileDialog::draw_list(const Ui& ui, const Rect& rect) {
  begin_panel("files", rect);
  draw_recent(ui);
  std::optional<fs::path> taken;
  const std::vector<Entry> all = listed();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Entry& entry = all[i];
    const bool is_chosen = !saves() && i == at_;
    if (selectable(ui, entry.is_folder ? entry.name + "/" : entry.name, is_chosen)) {
      if (saves() && !entry.is_folder)
        name_ = entry.name;
      else
        taken = (saves() ? folder_ : typed().folder) / entry.name;
    }
    if (is_chosen && !std::exchange(is_at_shown_, true)) ImGui::SetScrollHereY();
    ui.mark("file/" + entry.name, rect_at(ImGui::GetItemRectMin(), ImGui::GetItemRectSize()));
  }
  const bool is_empty = entries_.empty() && typed_.empty();
  if (is_empty) ImGui::TextDisabled("%s", title_of(purpose_).nothing);
  if (!is_empty && all.empty()) ImGui::TextDisabled("Nothing here begins with that");
  end_fading_panel(ui, rect);
  if (taken) take(ui, *taken);
}

// The field for a path or the first letters of a name, which has the keyboard; arrows go through the list.
void FileDialog::draw_wanted(const Ui& ui, const Rect& rect) {
  ui.mark("files/wanted", rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::SetNextItemWidth(static_cast<float>(rect.width));
  if (std::exchange(wants_keys_, false) || ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const std::string before = typed_;
  const bool entered = ImGui::InputTextWithHint("##wanted", "A path, or how the name begins", &typed_,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  const bool has_keys = ImGui::IsItemActive();
  if (typed_ != before) at_ = 0, is_at_shown_ = false, problem_.clear();
  follow_typed();
  const std::size_t count = listed().size();
  const std::ptrdiff_t by =
      (compat::pressed(compat::Key::down) ? 1 : 0) - (compat::pressed(compat::Key::up) ? 1 : 0);
  if (has_keys && by != 0 && move_within(at_, by, std::max<std::size_t>(count, 1))) is_at_shown_ = false;
  if (!entered) return;
  wants_keys_ = true;
  open_wanted(ui);
}

void FileDialog::draw(const Ui& ui) {
  take_answer(ui);
  if (std::exchange(wanted_, false)) ImGui::OpenPopup(kPopup);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowSize(
      {std::min(ui.px(kWidth), size.x - ui.px(32)), std::min(ui.px(kHeight), size.y - ui.px(32))});
  if (!begin_dialog(ui, kPopup)) return;
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const double row = ui.px(kRow), gap = ui.px(8), wide = ui.px(96), title = ui.px(28);
  draw_text(ui, {at.x, at.y, room.x, title}, title_of(purpose_).title, {Type::strong});
  const Rect all{at.x, at.y + title, room.x, room.y - title};
  if (button(ui, "files/up", {all.x, all.y, ui.px(60), row}, "Up", {.enabled = folder_.has_parent_path()}))
    enter(folder_.parent_path());
  draw_text(
      ui, {all.x + ui.px(60) + gap, all.y, all.width - ui.px(60) - gap, row},
      problem_.empty() ? folder_.string() : problem_,
      {problem_.empty() ? Type::small_code : Type::caption, problem_.empty() ? Token::dim : Token::costly});
  const double below = all.bottom() - row;
  draw_list(ui, {all.x, all.y + row + gap, all.width, below - all.y - row - 2 * gap});
  if (button(ui, "files/cancel", {all.right() - wide, below, wide, row}, "Cancel") ||
      compat::pressed(compat::Key::escape))
    ImGui::CloseCurrentPopup();
  if (!saves())
    draw_wanted(ui,
                {all.x, below, all.width - (purpose_ == Purpose::choose_folder ? 2 : 1) * (wide + gap), row});
  const Rect save{all.right() - 2 * wide - gap, below, wide, row};
  if (purpose_ == Purpose::choose_folder &&
      button(ui, "files/choose", save, "This folder", {.look = Look::primary})) {
    finish(ui, folder_);
    ImGui::CloseCurrentPopup();
  }
  if (saves()) {
    const Rect field{all.x, below, all.width - 2 * (wide + gap), row};
    ui.mark("files/name", field);
    ImGui::SetCursorScreenPos(corner(field));
    ImGui::SetNextItemWidth(static_cast<float>(field.width));
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    const bool entered = ImGui::InputText("##name", &name_, ImGuiInputTextFlags_EnterReturnsTrue);
    const bool is_named = !name_.empty();
    if ((button(ui, "files/save", save, "Save", {.look = Look::primary, .enabled = is_named}) || entered) &&
        is_named) {
      finish(ui, folder_ / name_);
      ImGui::CloseCurrentPopup();
    }
  }
  ImGui::EndPopup();
}

}  // namespace warplens::app
