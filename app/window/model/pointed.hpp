// What the pointer is on, by what it means: pictures, code and numbers light the same thing. Whoever draws
// what is under the pointer says its id, as figures name their items; all others ask for what goes with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/state.hpp"
#include "engine/run/runner.hpp"
#include "viz/figures/access/pick.hpp"

namespace warplens::app {

class Model;

struct Pointed {
  std::string id = {};                      // of what is under the pointer; empty: of nothing that is known
  std::vector<figures::CellId> cells = {};  // of matrices and shared arrays
  // Lanes, sectors and banks of the access that is shown.
  std::uint32_t lanes = 0;
  std::vector<std::uint64_t> sectors = {};  // address / 32
  std::uint64_t banks = 0;                  // bit i for bank i
  // Lines of the kernel file: that of the access, and the line that calls its function, if it is another one.
  int line = 0, calling_line = 0;
  std::optional<std::uint32_t> pc = {};  // nothing: all instructions of the line

  // Whether an item of a picture with this id is meant.
  bool has(std::string_view item) const;
  bool has_line(int number) const { return number > 0 && (number == line || number == calling_line); }
  bool operator==(const Pointed&) const = default;
};

// id: "cell:A:3,5", "lane:7", "sector:123", "bank:4", "line:28", or "ptx:97" (a line of the PTX, from 1).
Pointed pointed_at(const Model& model, std::string_view id);

// From frame to frame.
class Pointing {
 public:
  // While a frame is drawn: this is under the pointer.
  void at(std::string id) { next_ = std::move(id); }
  const Pointed& now() const { return now_; }
  // The frame is drawn. True where something else is pointed at than it shows: another one is due.
  bool end_frame(const Model& model);

 private:
  struct Key {
    std::string id;
    run::SharedRun run;
    Selection selection;
    std::string figure;
    bool operator==(const Key&) const = default;
  };
  std::string next_;
  Key key_;
  Pointed now_;
};

}  // namespace warplens::app
