#include "app/window/testing/monkey/world.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "app/base/compiler_options.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/figure/file_dialog.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app::monkey {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPause{2};  // for the workers, between two frames

State first_state() {
  State state;
  state.view.page = Page::start;
  state.size = {{"M", 128}, {"N", 128}, {"K", 128}};
  state.view.width = 1280, state.view.height = 720;
  return state;
}

// FNV-1a of both.
std::uint64_t hash_of(std::string_view text, std::uint32_t number) {
  std::uint64_t hash = 0xcbf29ce484222325ull ^ number;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash ^ hash >> 29;
}

std::string text_of(const fs::path& file) {
  const auto text = read_whole_file(file);
  return text ? *text : "";
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// Of the program's own, so that the number means the same file when it is gone.
fs::path one_of(const char* folder, const fs::path& home, std::uint32_t number) {
  const auto own = files_below(fs::path(source_path()) / folder);
  return home / fs::relative(own[number % own.size()], source_path());
}

}  // namespace

World::World() {
  fs::create_directories(folder_ / "home");
  restore_files();
  fs::copy(source_path("assets"), folder_ / "home/assets", fs::copy_options::recursive);
  fs::current_path(folder_.path());  // where figures and states are saved
  const CommonOptions common{.home = (folder_ / "home").string(), .cache = test_cache_path()};
  auto stage = Stage::open<DrivenStage>(common, first_state(), {.gives_way = true});
  if (!stage) throw std::runtime_error(to_line(stage.error()));
  stage_ = *std::move(stage);
  Interface& interface = stage_->interface();
  frame_.emplace(model(), interface);
  interface.allow_motion();
  interface.recent_files().keep_in(folder_ / "recent.txt");
  must(lessons().keep_progress(folder_ / "lessons.toml"));
  EditSession& session = interface.pages().get<EditPage>().session();
  session.keep_in(folder_ / "data");
  Environment environment;
  environment.executable = program_path("warplens");
  session.compile_with(compile_worker_words(environment, common));
  must(stage_->frame());
}

World::~World() { stage_.reset(); }

void World::say(std::string_view words) {
  std::printf("  %.*s", static_cast<int>(words.size()), words.data());
  std::fflush(stdout);
}

std::string World::mark(std::uint32_t number, std::string_view beginning) const {
  std::string chosen;
  std::uint64_t least = ~std::uint64_t{0};
  for (const auto& [name, rect] : stage_->interface().marks())
    if (const std::uint64_t hash = hash_of(name, number); name.starts_with(beginning) && hash < least)
      least = hash, chosen = name;
  return chosen;
}

scene::Point World::point(std::uint32_t number) const {
  constexpr std::uint32_t parts = 1000;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  return {size.x * (number % parts) / parts, size.y * (number / parts % parts) / parts};
}

void World::must(const Status& done) {
  if (!done) throw std::runtime_error(to_line(done.error()));
}

void World::after_action() {
  frame_->grant([this] { return stage_->picture(); });
  must(stage_->frame());
  check_notice();
  check_state();
}

// Nothing else shows one here: an exception was caught, and the window goes on.
void World::check_notice() const {
  if (const Notice* notice = stage_->interface().notice()) throw std::runtime_error(notice->sentence);
}

// A state that cannot be written and read again is lost with the window.
void World::check_state() {
  const auto read = parse_state(to_toml(state()), "the state");
  if (!read) throw std::runtime_error("the state cannot be read again: " + to_line(read.error()));
  if (!(*read == state())) throw std::runtime_error("the state is another one when it is read again");
}

void World::rest(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (int quiet = 0; quiet < 4 && std::chrono::steady_clock::now() < end;) {
    must(stage_->frame());
    const bool busy = model().busy_seconds() || stage_->interface().is_busy();
    quiet = busy ? 0 : quiet + 1;
    if (busy) std::this_thread::sleep_for(kPause);
  }
}

// Mostly the one on screen: another one's change is not seen.
fs::path World::kernel_file(std::uint32_t number) const {
  const fs::path shown = stage_->model().spec().path;
  return number % 4 != 0 && !shown.empty() ? shown : one_of("kernels", folder_ / "home", number / 4);
}

fs::path World::lesson_file(std::uint32_t number) const {
  const LessonPlayer& player = stage_->interface().lessons();
  return number % 4 != 0 && player.is_open() ? fs::path(player.lesson().file)
                                             : one_of("lessons", folder_ / "home", number / 4);
}

void World::change(const fs::path& file, std::uint32_t how) {
  const std::string text = text_of(file);
  const auto write = [&](std::string_view all) {
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    std::ofstream(file, std::ios::binary) << all;
  };
  const std::string ending = file.extension() == ".md" ? "\nAnother word.\n" : "\n// another word\n";
  const fs::path other = one_of(file.extension() == ".md" ? "lessons" : "kernels", source_path(), how / 8);
  std::error_code ignored;
  switch (how % 8) {
    case 0:
      return void(fs::remove(file, ignored));
    case 1:
      return write("");
    case 2:
      return write(text.substr(0, text.size() * (how / 8 % 100) / 100));
    case 3:
      return write(text_of(other));
    case 4:
      return write(std::string("\0\xff\xfe*/ ---*/ \n## \n```toml\n", 24) + text);
    case 5:
      return void(fs::rename(file, fs::path(file) += ".moved", ignored));
    case 6:
      return write(text + text);
    default:
      return write(text + ending);
  }
}

void World::restore_files() {
  constexpr auto options = fs::copy_options::recursive | fs::copy_options::overwrite_existing;
  for (const char* name : {"kernels", "lessons"})
    fs::copy(source_path(name), folder_ / "home" / name, options);
}

}  // namespace warplens::app::monkey
