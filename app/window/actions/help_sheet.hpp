// The keys and what they do, or the words and what they mean, over everything else.
#pragma once

#include <string>

#include "app/window/kit/ui.hpp"

namespace warplens::app {

struct HelpSheet {
  bool is_open = false;
  bool has_words = false;  // which of the two it shows
  std::string word = {};   // stands out among the others
  bool scrolls = false;    // to it
  void show_words(std::string one) {
    has_words = scrolls = true;
    word = std::move(one);
  }
};
// Closes with Esc, F1, ? or a click.
void draw_help_sheet(const Ui& ui, HelpSheet& sheet);

}  // namespace warplens::app
