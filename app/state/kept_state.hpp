// The state of an open window, kept on disk while it is open, so that no end of the program takes it away:
// what a window that died has left, the next start finds. A clean end leaves nothing.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/state/state.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/base/process.hpp"

namespace warplens::app {

class KeptState {
 public:
  static constexpr std::chrono::seconds kPause{2};  // between two writes, at least

  // folder: made where it is missing; empty, or one that cannot be written: nothing is kept.
  explicit KeptState(const std::filesystem::path& folder);
  KeptState(const KeptState&) = delete;
  KeptState& operator=(const KeptState&) = delete;
  // Leaves the file, for the next start.
  ~KeptState() = default;

  // On a worker, whole or not at all, where it changed and the last one was long enough ago.
  void keep(const State& state);
  void forget();                                               // the window ends as its user wants it
  const std::filesystem::path& file() const { return file_; }  // empty: nothing is kept

 private:
  std::filesystem::path file_;
  Descriptor lock_;  // of the file beside it, as long as this process lives
  std::optional<State> kept_;
  std::chrono::steady_clock::time_point written_{};
  std::unique_ptr<LatestWins<State, Status>> writer_;
};

// The newest state that a window left which is gone; empty if each has ended cleanly or is still open,
// and where it cannot be read any more. Each is given once: its files are removed.
std::optional<State> take_left_state(const std::filesystem::path& folder);

}  // namespace warplens::app
