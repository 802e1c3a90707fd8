// What a picture says, for who does not see it: screen readers, search, the alternative text of a page.
#pragma once

#include <string>

namespace warplens::scene {

struct PictureWords {
  std::string title = {};        // one line; empty: nothing is said
  std::string description = {};  // sentences
};

}  // namespace warplens::scene
