#include "engine/program/memory_state.hpp"

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
  std::uint64_t filled_bytes = 0, filled = 0;  // the sum of so many such bytes
  for (std::uint64_t at = address; at < address + size;) {
    const std::uint64_t piece = (at - array->address) / kPiece, begin = array->address + piece * kPiece,
                        end = std::min(begin + kPiece, array->address + array->size),
                        behind = std::min(end, address + size);
    const bool has_sum = tracked != tracked_.end() && piece < tracked->second.hashes.size();
    const bool is_whole = at == begin && behind == end;
    if (has_sum && is_whole && std::exchange(filled_bytes, end - begin) != end - begin)
      filled = sum_of(std::vector<std::byte>(end - begin, value));
    const std::uint64_t now = has_sum && is_whole ? filled : 0;
    const bool is_there =
        now != 0 && !all_touched_ && !tracked->second.is_visible && tracked->second.hashes[piece] == now;
    if (!is_there) std::memset(memory.host(at), static_cast<int>(value), behind - at);
    if (has_sum) tracked->second.hashes[piece] = now;
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
