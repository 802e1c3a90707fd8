// Keys that answer the question of a lesson's stop: A, B, C ... for its choices, which show these letters.
#pragma once

#include "app/window/kit/ui.hpp"

namespace warplens::app {

// Does what a key of this frame says to the question that waits: on stage it counts the guess of one of the class,
// beside the page it chooses. True: no other action has these keys now.
bool answer_by_key(const Ui& ui);

}  // namespace warplens::app
