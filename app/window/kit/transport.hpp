// Time: the accesses of one warp of one block, one by one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/window/kit/ui.hpp"

namespace warplens::app {

// What a transport moves through.
struct Transport {
  std::size_t steps = 0;
  std::uint32_t step = 0;
  std::uint64_t block = 0, blocks = 1;  // 0: not known yet
  std::uint32_t warp = 0, warps = 1;    // the same
  std::string here = {};                // where in the code the step is
  bool is_framed = true;                // else it is a part of what stands above or beside it
  bool is_brief = false;  // one row beside something else: without what has no room, longest first
  std::vector<double> barriers = {};  // shares of the way, ascending
  std::function<void(std::uint32_t)> go_to = {};
  std::function<void(std::uint64_t)> choose_block = {};
  std::function<void(std::uint32_t)> choose_warp = {};
};

void draw_transport(const Ui& ui, const Rect& rect, const Transport& transport);

}  // namespace warplens::app
