#include "engine/program/memory/memory_state.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warplens::program {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{64} << 10;

// Never 0. Four sums side by side, so that the processor need not wait for one.
std::uint64_t sum_of(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t sums[4] = {bytes.size(), 2, 3, 4}, words[4];
  std::size_t at = 0;
  for (; at + sizeof words <= bytes.size(); at += sizeof words) {
    std::memcpy(words, bytes.data() + at, sizeof words);
    for (int i = 0; i < 4; ++i) {
      sums[i] = (sums[i] ^ words[i]) * kOdd;
      sums[i] ^= sums[i] >> 29;
    }
  }
  for (; at < bytes.size(); ++at) sums[0] = (sums[0] ^ static_cast<std::uint64_t>(bytes[at])) * kOdd;
  return std::max<std::uint64_t>(((sums[0] * 31 + sums[1]) * 31 + sums[2]) * 31 + sums[3], 1);
}

void add(Effect& changes, std::uint64_t address, std::uint64_t hash, std::span<const std::byte> bytes,
         std::uint64_t most) {
  if (changes.bytes + bytes.size() > most) changes.is_whole = false;
  if (!changes.is_whole) return;
  changes.bytes += bytes.size();
  changes.pieces.push_back({address, hash, {bytes.begin(), bytes.end()}});
}

// The sums of pieces filled with one value; those of one size are summed once.
class FilledSum {
 public:
  explicit FilledSum(std::byte value) : value_(value) {}
  std::uint64_t of(std::uint64_t bytes) {
    if (std::exchange(bytes_, bytes) != bytes) sum_ = sum_of(std::vector<std::byte>(bytes, value_));
    return sum_;
  }

 private:
  std::byte value_;
  std::uint64_t bytes_ = 0, sum_ = 0;
};

}  // namespace

void MemoryState::touch(std::uint64_t address, std::uint64_t size) {
  auto found = tracked_.upper_bound(address);
  if (found == tracked_.begin() || size == 0) return;
  --found;
  auto& hashes = found->second.hashes;
  const std::uint64_t first = (address - found->first) / kPiece,
                      last = (address - found->first + size - 1) / kPiece;
  for (std::uint64_t piece = first; piece <= last && piece < hashes.size(); ++piece) hashes[piece] = 0;
}

void MemoryState::fill(std::uint64_t address, std::uint64_t size, std::byte value,
                       emulator::GlobalMemory& memory) {
  const emulator::Allocation* const array = memory.find(address, size);
  if (array == nullptr) return;
  const auto tracked = tracked_.find(array->address);
  FilledSum sum{value};
  for (std::uint64_t at = address; at < address + size;) {
    const std::uint64_t piece = (at - array->address) / kPiece, begin = array->address + piece * kPiece,
                        end = std::min(begin + kPiece, array->address + array->size),
                        behind = std::min(end, address + size);
    std::uint64_t* const hash = tracked != tracked_.end() && piece < tracked->second.hashes.size()
                                    ? &tracked->second.hashes[piece]
                                    : nullptr;
    const bool is_whole = hash != nullptr && at == begin && behind == end;
    const std::uint64_t now = is_whole ? sum.of(end - begin) : 0;
    const bool is_there = is_whole && !all_touched_ && !tracked->second.is_visible && *hash == now;
    if (!is_there) std::memset(memory.host(at), static_cast<int>(value), behind - at);
    if (hash != nullptr) *hash = now;
    at = behind;
  }
}

std::uint64_t MemoryState::hash_all(std::uint64_t address, Tracked& one, std::span<const std::byte> bytes,
                                    Effect* changes, std::uint64_t most) {
  std::uint64_t all = 1;
  for (std::uint64_t piece = 0; piece < one.hashes.size(); ++piece) {
    const auto own = bytes.subspan(piece * kPiece, std::min(kPiece, bytes.size() - piece * kPiece));
    std::uint64_t& hash = one.hashes[piece];
    if (all_touched_ || one.is_visible || hash == 0) {
      const std::uint64_t now = sum_of(own);
      if (changes != nullptr && now != hash) add(*changes, address + piece * kPiece, now, own, most);
      hash = now;
    }
    all = (all ^ hash) * 0x9e3779b97f4a7c15;
    all ^= all >> 31;
  }
  return all;
}

std::uint64_t MemoryState::fingerprint(emulator::GlobalMemory& memory, Effect* changes, std::uint64_t most) {
  std::uint64_t all = 1;
  for (const emulator::Allocation& one : memory.allocations()) {
    if (one.internal) continue;
    Tracked& tracked = tracked_[one.address];
    if (tracked.size != one.size) {
      tracked.size = one.size;
      tracked.hashes.assign((one.size + kPiece - 1) / kPiece, 0);
    }
    all =
        all * 1099511628211u + one.address + hash_all(one.address, tracked, memory.bytes(one), changes, most);
  }
  all_touched_ = false;
  return all;
}

void MemoryState::apply(const Effect& effect, emulator::GlobalMemory& memory) {
  for (const Effect::Piece& piece : effect.pieces) {
    const auto found = std::prev(tracked_.upper_bound(piece.address));
    std::uint64_t& hash = found->second.hashes[(piece.address - found->first) / kPiece];
    if (std::exchange(hash, piece.hash) != piece.hash)
      std::ranges::copy(piece.bytes, memory.host(piece.address));
  }
}

}  // namespace warplens::program
