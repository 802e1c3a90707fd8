#include "app/window/platform/last_words.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace warplens::app {
namespace {

struct Fatal {
  int number;
  std::string_view name;
};
constexpr std::array kFatal = {
    Fatal{SIGSEGV, "SIGSEGV"}, Fatal{SIGABRT, "SIGABRT"}, Fatal{SIGBUS, "SIGBUS"}, Fatal{SIGFPE, "SIGFPE"},
    Fatal{SIGILL, "SIGILL"},   Fatal{SIGTRAP, "SIGTRAP"}, Fatal{SIGSYS, "SIGSYS"}};

// A handler is given a number alone, and may neither allocate nor lock: what it says stands ready at file
// level. Written before the handler is set, and never again.
constexpr std::size_t kMost = 1000;
struct Words {
  std::array<char, kMost> text{};
  std::size_t size = 0;
};
Words words_at_end;
volatile sig_atomic_t end_is_asked = 0;

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// signal-safety(7): write, signal and raise may be called. The signal is blocked until the handler returns.
void say_and_end(int number) {
  write_all("warplens: ended by ");
  for (const Fatal& fatal : kFatal)
    if (fatal.number == number) write_all(fatal.name);
  write_all("; ");
  write_all({words_at_end.text.data(), words_at_end.size});
  write_all("\n");
  signal(number, SIG_DFL);
  raise(number);
}

void ask_for_end(int) { end_is_asked = 1; }

void handle(int number, void (*handler)(int), int flags) {
  struct sigaction before {};
  if (sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}

// A stack that ran over has no room for a handler.
void give_own_stack() {
  static std::array<char, 65536> room;
  stack_t before{};
  if (sigaltstack(nullptr, &before) != 0 || (before.ss_flags & SS_DISABLE) == 0) return;
  const stack_t stack{.ss_sp = room.data(), .ss_flags = 0, .ss_size = room.size()};
  sigaltstack(&stack, nullptr);
}

}  // namespace

void leave_last_words(std::string_view words) {
  words_at_end.size = std::min(words.size(), kMost);
  std::memcpy(words_at_end.text.data(), words.data(), words_at_end.size);
  give_own_stack();
  for (const Fatal& fatal : kFatal) handle(fatal.number, say_and_end, SA_ONSTACK);
}

void hear_end_signals() {
  for (const int number : {SIGTERM, SIGHUP, SIGINT})
    handle(number, ask_for_end, static_cast<int>(SA_RESETHAND));
}

bool is_end_asked() { return end_is_asked != 0; }

}  // namespace warplens::app
