// What is known of the registers of a block beside their values: lanes whose value nobody defined and where
// it came from, and the array that an address was made from.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/check/scene.hpp"
#include "engine/emulator/watcher.hpp"

namespace warplens::check {

// Where a value that is not defined came from.
struct Origin {
  Kind kind = Kind::uninitialized_register;
  std::uint32_t pc = 0;
  ThreadId thread;
  std::string address;
  // Of an array of a whole program: bytes, and those of them that it wrote before the launch. size 0: not known.
  std::uint64_t size = 0, written = 0;
};

struct Stretch;

// What an instruction does with registers, worked out once.
struct RegisterUse {
  enum class Pointer : std::uint8_t { none, keeps, adds, takes_last };  // what becomes of an address
  std::vector<ptx::RegisterId> read, written;
  Pointer pointer = Pointer::none;
  std::uint16_t array = 0;  // that the instruction names; 0: none
  bool may_point = false;   // a register that it writes holds the address of an array at some time
  bool releases = false;    // .release or .acq_rel: a fence of its own
  // The lane goes on by what others wrote: an atomic whose result is used, or a volatile load that waits.
  bool listens = false;
  bool polls = false;  // a volatile load in a loop that goes on until it finds some value
  // A load whose value a compare-and-swap compares: the swap finds out whether it was old.
  bool is_tried = false;
};

// An array that addresses are made from. They are numbered from 1: shared variables, buffers, local
// variables.
struct ArrayPlace {
  ptx::Space space = ptx::Space::shared;
  std::uint64_t first = 0, size = 0;  // size 0: as far as there is memory
  std::string name;
  bool is_input = false;
  // Of a local variable of a called function: the place of that call in Function::locations.
  int call = -1;
  std::uint32_t element = 0;  // bytes of one; 0: not known
  std::uint64_t before = 0;   // bytes before the element that the kernel's pointer is of
};
// Whether an instruction was made from what is called at a place; true where that is not known.
bool is_in_call(const ptx::Function& function, std::uint32_t pc, int call);
std::vector<ArrayPlace> array_places(const LaunchFacts& facts);

class Registers {
 public:
  Registers(Scene& scene, const std::vector<RegisterUse>& uses, std::uint32_t warps);

  void start(std::uint32_t block);
  // Lanes in which some of what the instruction reads is not defined.
  std::uint32_t undefined_sources(const emulator::WatchedStep& step, std::uint16_t& origin) const;
  std::uint32_t undefined(std::uint32_t warp, ptx::RegisterId r) const { return at(warp, r).undefined; }
  std::uint16_t origin(std::uint32_t warp, ptx::RegisterId r) const { return at(warp, r).origin; }
  // The array that the address in a register was made from, 0 where that is not known of the lane.
  std::uint16_t array(std::uint32_t warp, ptx::RegisterId r, std::uint32_t lane) const {
    const Shadow& shadow = at(warp, r);
    return ((shadow.array_lanes >> lane) & 1) != 0 ? shadow.array : std::uint16_t{0};
  }
  void define(const emulator::WatchedStep& step, std::uint32_t undefined, std::uint16_t origin);
  // All but memory, branches and barriers: values follow from values.
  void pass_on(const emulator::WatchedStep& step);
  void pass_array(const emulator::WatchedStep& step);  // of it, what addresses are made from
  // The same of a whole stretch. False, and nothing is done: some of what it reads is not defined.
  bool pass_over(const Stretch& stretch, std::uint32_t warp, std::uint32_t lanes);
  // Of all lanes that take part; 0 where they are not known to have one.
  std::uint16_t array_of(const emulator::WatchedStep& step, ptx::RegisterId r) const;
  bool has_array(const emulator::WatchedStep& step, ptx::RegisterId r) const {  // in any of the lanes
    return (at(step.warp, r).array_lanes & step.exec) != 0;
  }
  // Lanes in which an operand is not defined.
  std::uint32_t undefined_data(const emulator::WatchedStep& step, std::size_t operand,
                               std::uint16_t& origin) const {
    const auto& operands = step.instruction->operands;
    return operand < operands.size() ? of_operand(step, operands[operand], origin) : 0;
  }
  std::uint32_t undefined_element(const emulator::WatchedStep& step, std::size_t operand, std::size_t element,
                                  std::uint16_t& origin) const {
    const ptx::Operand& whole = step.instruction->operands[operand];
    return of_operand(step, element < whole.elements.size() ? whole.elements[element] : whole, origin);
  }
  // The element of the (first) destination.
  void define_element(const emulator::WatchedStep& step, std::size_t element, std::uint32_t undefined,
                      std::uint16_t origin);
  std::uint16_t add_origin(Origin origin);
  const std::vector<ArrayPlace>& places() const { return places_; }
  const ArrayPlace& place(std::uint16_t array) const { return places_[array - 1u]; }
  const Origin& origin_at(std::uint16_t index) const { return origins_[index]; }

 private:
  struct Shadow {
    std::uint32_t undefined = ~0u;
    std::uint16_t origin = 0;  // 0: nobody ever wrote it
    std::uint16_t array = 0;
    std::uint32_t array_lanes = 0;
  };
  const Shadow& at(std::uint32_t warp, ptx::RegisterId r) const { return shadows_[warp * count_ + r]; }
  Shadow& at(std::uint32_t warp, ptx::RegisterId r) { return shadows_[warp * count_ + r]; }
  std::uint32_t of_operand(const emulator::WatchedStep& step, const ptx::Operand& operand,
                           std::uint16_t& origin) const;
  std::uint32_t result_of(const emulator::WatchedStep& step, std::uint16_t& origin) const;
  std::uint32_t of_selection(const emulator::WatchedStep& step, std::uint16_t& origin) const;
  std::uint32_t of_shuffle(const emulator::WatchedStep& step, std::uint16_t& origin);

  std::uint32_t block_ = 0;
  const std::vector<RegisterUse>& uses_;
  std::vector<ArrayPlace> places_;
  std::size_t count_;
  std::vector<Shadow> shadows_;
  std::vector<Origin> origins_;
};

std::vector<RegisterUse> register_uses(const LaunchFacts& facts);

}  // namespace warplens::check
