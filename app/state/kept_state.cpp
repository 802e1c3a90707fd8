#include "app/state/kept_state.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>

#include <algorithm>
#include <string>
#include <vector>

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

// "window-a1b2c3.lock" is locked as long as its process lives, whatever ends it; the state is beside it.
constexpr std::string_view kBeginning = "window-";
constexpr const char *kLock = ".lock", *kState = ".toml";

fs::path beside(fs::path lock) { return lock.replace_extension(kState); }

bool has_lock(const Descriptor& file) { return file && flock(file.number(), LOCK_EX | LOCK_NB) == 0; }

struct Left {
  fs::path lock;
  fs::file_time_type written;
};

// Those of processes that are gone, the newest first.
std::vector<Left> left_in(const fs::path& folder) {
  std::vector<Left> found;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const fs::path& lock = entry->path();
    if (lock.extension() != kLock || !lock.filename().string().starts_with(kBeginning)) continue;
    const Descriptor file(open(lock.c_str(), O_RDWR | O_CLOEXEC));
    if (!has_lock(file)) continue;
    std::error_code none;
    const auto written = fs::last_write_time(beside(lock), none);
    found.push_back({lock, none ? fs::file_time_type::min() : written});
  }
  std::ranges::sort(found, std::greater<>(), &Left::written);
  return found;
}

}  // namespace

KeptState::KeptState(const fs::path& folder) {
  if (folder.empty()) return;
  std::error_code failed;
  fs::create_directories(folder, failed);
  std::string lock = (folder / (std::string(kBeginning) + "XXXXXX" + kLock)).string();
  lock_ = Descriptor(mkostemps(lock.data(), static_cast<int>(std::string_view(kLock).size()), O_CLOEXEC));
  if (!has_lock(lock_)) return;
  file_ = beside(lock);
  writer_ = std::make_unique<LatestWins<State, Status>>(
      [file = file_](const State& state, const std::atomic<bool>&, const auto&) {
        return write_state(file, state);
      },
      nullptr);
}

void KeptState::keep(const State& state) {
  const auto now = std::chrono::steady_clock::now();
  if (!writer_ || kept_ == state || now < written_ + kPause) return;
  kept_ = state;
  written_ = now;
  writer_->submit(state);
}

void KeptState::forget() {
  writer_.reset();  // behind what it writes
  std::error_code ignored;
  if (file_.empty()) return;
  fs::remove(file_, ignored);
  fs::remove(fs::path(file_).replace_extension(kLock), ignored);
}

std::optional<State> take_left_state(const fs::path& folder) {
  std::optional<State> newest;
  std::error_code ignored;
  if (folder.empty()) return newest;
  for (const Left& left : left_in(folder)) {
    if (!newest)
      if (auto read = read_state(beside(left.lock))) newest = *std::move(read);
    fs::remove(beside(left.lock), ignored);
    fs::remove(left.lock, ignored);
  }
  return newest;
}

}  // namespace warplens::app
