// From a number to a smaller one, by hashing, in one array: what the caches' simulation looks up for each
// sector.
#pragma once

#include <cstdint>
#include <vector>

namespace warplens::time {

class NumberTable {
 public:
  // Null: the key is not there. Valid until the next change.
  std::uint32_t* find(std::uint64_t key) {
    Slot& slot = slots_[place_of(key)];
    return slot.key == 0 ? nullptr : &slot.value;
  }
  bool contains(std::uint64_t key) { return find(key) != nullptr; }

  struct Inserted {
    std::uint32_t& value;
    bool is_new;
  };
  // The value that is there, else this one.
  Inserted insert(std::uint64_t key, std::uint32_t value = 0) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(key)];
    const bool is_new = slot.key == 0;
    if (is_new) slot = {key + 1, value}, ++size_;
    return {slot.value, is_new};
  }

  // The slots behind it move up where their own place is before them.
  void erase(std::uint64_t key) {
    std::size_t hole = place_of(key);
    if (slots_[hole].key == 0) return;
    --size_;
    for (std::size_t i = next(hole); slots_[i].key != 0; i = next(i)) {
      const std::size_t home = home_of(slots_[i].key - 1), mask = slots_.size() - 1;
      if (((i - home) & mask) < ((i - hole) & mask)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole] = {};
  }

 private:
  struct Slot {
    std::uint64_t key = 0;  // and 1; 0: free
    std::uint32_t value = 0;
  };
  std::size_t home_of(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> shift_);
  }
  std::size_t next(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }
  // Of the key, or the free slot where it would stand.
  std::size_t place_of(std::uint64_t key) const {
    std::size_t place = home_of(key);
    while (slots_[place].key != 0 && slots_[place].key != key + 1) place = next(place);
    return place;
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    --shift_;
    for (const Slot& slot : old)
      if (slot.key != 0) slots_[place_of(slot.key - 1)] = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(256);
  int shift_ = 56;  // 64 - log2 of the slots
  std::size_t size_ = 0;
};

}  // namespace warplens::time
