// A page in front of everything else: what happened, in one sentence, and what the user can do now.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/ui.hpp"

namespace warplens::app {

struct Notice {
  struct Choice {
    std::string name;                // of its button, for scripts: "notice/again"
    std::string text;                // on it
    std::vector<compat::Key> keys;   // that do it too; the first is named
    std::function<void()> act = {};  // may be empty
  };
  std::string headline, sentence;
  std::vector<Choice> choices;  // the usual one first
};

// What the user chose to do; null until then.
const Notice::Choice* draw_notice(const Ui& ui, const Notice& notice, const Rect& rect);

// The sentence for an exception that was not caught, with what to do next.
std::string words_of_exception();  // precondition: it is being handled

}  // namespace warplens::app
