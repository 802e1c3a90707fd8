// Which kinds of figures there are: what a figure is of, and what it takes besides.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace warplens::figures {

// What a figure is of.
enum class Of : std::uint8_t {
  access,  // one access of a run
  source,  // the text of a run, and one access of it
  block,   // one block of a run
  run,     // a run as a whole
  ladder,  // the speeds of a ladder
  device,  // a device, and no kernel's
  window,  // nothing that a file could have: only the window draws it
};

// What a figure takes besides, and how it is shown.
enum class Trait : std::uint8_t {
  panel,       // the window has a panel of its own for it, which is no picture
  index,       // may show an access of no kernel, to Figure::memory
  colors,      // AccessOptions
  per,         // of a part of the work: FlowOptions
  axes,        // over parameters that may be chosen: MapOptions
  cycles,      // of some cycles: TimeOptions
  element,     // follows one element of a matrix: Subject::element
  code,        // may show machine code
  resources,   // of numbers that a user set, perhaps of no kernel: SetByHand
  film,        // may be one: of a warp's accesses, or of packets
  compares,    // shows the other steps of the ladder itself
  operations,  // nothing to draw of problems without floating-point operations
  sizes,       // of a ladder at several sizes
  samples,     // of a measurement of exactly this launch: Subject::timing
};

class Traits {
 public:
  constexpr Traits(std::initializer_list<Trait> traits) {
    for (const Trait trait : traits) bits_ |= 1u << static_cast<unsigned>(trait);
  }
  constexpr bool has(Trait trait) const { return (bits_ >> static_cast<unsigned>(trait) & 1) != 0; }

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace warplens::figures
