// What a window says when the system ends it, and how it hears that it shall end.
#pragma once

#include <string_view>

namespace warplens::app {

// From now on a signal that ends this process (SIGSEGV, SIGABRT and their like) leaves one line on stderr,
// before the system does what it does: "warplens: ended by SIGSEGV; " and these words, of which it keeps the
// first 1,000 bytes. A signal that somebody handles already, as sanitizers do, is left to him.
void leave_last_words(std::string_view words);

// From now on SIGTERM, SIGHUP and SIGINT ask the window to close, the second time they end it.
void hear_end_signals();
bool is_end_asked();

}  // namespace warplens::app
