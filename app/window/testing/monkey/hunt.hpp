// Seeds tried one after another, and what is said of a death: its seed and the shortest list of actions that
// repeats it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/window/testing/monkey/trial.hpp"

namespace warplens::app::monkey {

struct Hunt {
  std::string program;        // whose main() calls play_here
  std::size_t actions = 150;  // of one seed
  double shorten = 300;       // seconds, at most
  Limits limits = {};
  std::filesystem::path folder;  // where lists are left; empty: nowhere
};

// Plays until so many seeds were tried or so many seconds are over. Says each death on stdout. Returns how
// many.
int hunt(const Hunt& how, std::uint64_t first_seed, std::uint64_t seeds, double seconds);

// The shortest list that dies too, begun from one that did. Played again up to three times where it lives:
// workers come and go as they like.
Actions shorten(const Hunt& how, Actions list);

}  // namespace warplens::app::monkey
