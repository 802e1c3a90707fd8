// The command palette: every action, step, figure, device, size, parameter value and word, found by a few letters.
#pragma once

#include <string>
#include <vector>

#include "app/window/actions/palette_match.hpp"
#include "app/window/kit/page.hpp"

namespace warplens::app {

// What the palette offers now: first the actions, then what the state can be changed to.
std::vector<Command> commands(const Ui& ui);

class Palette {
 public:
  void open() { wanted_ = true; }
  bool is_open() const { return open_; }
  const std::string& query() const { return query_; }
  // One frame, over everything else.
  void draw(const Ui& ui);

 private:
  struct Hit {
    std::size_t command = 0;
    FuzzyMatch match;
  };
  void search(const std::vector<Command>& all);
  void handle_keys(const Ui& ui, const std::vector<Command>& all);
  void draw_hits(const Ui& ui, const Rect& rect, const std::vector<Command>& all);
  bool draw_hit(const Ui& ui, const Rect& rect, const Command& command, const Hit& hit, bool chosen);
  void carry_out(const Ui& ui, const Command& command);

  bool wanted_ = false, open_ = false, moved_ = false;
  std::string query_;
  std::size_t chosen_ = 0;
  std::vector<Hit> hits_;
};

}  // namespace warplens::app
