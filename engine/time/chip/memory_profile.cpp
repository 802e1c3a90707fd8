#include "engine/time/chip/memory_profile.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "engine/time/chip/number_table.hpp"

namespace warplens::time {
namespace {

// The bits of a line's number that a bit of its tag bank is the parity of: by sevens, those that have a part
// in it.
constexpr std::uint64_t bits_with_part(std::uint8_t part) {
  constexpr std::uint8_t kParts[] = {1, 2, 1, 2, 3, 1, 2};
  std::uint64_t bits = 0;
  for (std::size_t bit = 0; bit < 64; ++bit)
    if ((kParts[bit % 7] & part) != 0) bits |= std::uint64_t{1} << bit;
  return bits;
}

// Of four, by all bits of the line's number.
std::size_t tag_bank(std::uint64_t line) {
  constexpr std::uint64_t kLow = bits_with_part(1), kHigh = bits_with_part(2);
  const auto parity = [](std::uint64_t bits) { return static_cast<std::size_t>(std::popcount(bits) & 1); };
  return parity(line & kLow) + 2 * parity(line & kHigh);
}

// What one lane wants of L1.
struct Wanted {
  std::uint64_t line, word;  // word: the first of `words`
  std::uint32_t tag, words;
};

struct Turn {
  std::array<std::uint64_t, 4> lines{};   // by tag bank: a line and 1
  std::array<std::uint64_t, 32> words{};  // by data bank, and 1
  bool takes(const Wanted& wanted) {
    if (lines[wanted.tag] != 0 && lines[wanted.tag] != wanted.line + 1) return false;
    const std::uint64_t end = wanted.word + wanted.words;
    for (std::uint64_t word = wanted.word; word < end; ++word)
      if (words[word % 32] != 0 && words[word % 32] != word + 1) return false;
    for (std::uint64_t word = wanted.word; word < end; ++word) words[word % 32] = word + 1;
    lines[wanted.tag] = wanted.line + 1;
    return true;
  }
};

struct AllWanted {
  std::array<Wanted, 32> lanes;
  std::size_t count = 0;
  bool of_one_line = true;
  bool of_one_bank = true;  // and no word twice
};

// Lanes that want the same as the one before them go with it in every turn.
AllWanted wanted_by(const emulator::AccessEvent& event) {
  AllWanted all;
  for (std::uint32_t lanes = event.active; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = event.address(static_cast<std::uint32_t>(std::countr_zero(lanes)));
    const std::uint64_t first = address / 4, last = (address + event.width - 1) / 4;
    const Wanted wanted{address / 128, first, 0, static_cast<std::uint32_t>(last - first + 1)};
    if (all.count > 0) {
      const Wanted& before = all.lanes[all.count - 1];
      if (before.word == first && before.words == wanted.words) continue;
      all.of_one_line &= before.line == wanted.line;
      all.of_one_bank &= (first - before.word) % 32 == 0 && first > before.word;
    }
    all.lanes[all.count++] = wanted;
  }
  return all;
}

}  // namespace

int turns_of(const emulator::AccessEvent& event) {
  AllWanted all = wanted_by(event);
  if (all.of_one_line) return 1;
  if (all.of_one_bank) return static_cast<int>(all.count);
  for (std::size_t i = 0; i < all.count; ++i)
    all.lanes[i].tag = static_cast<std::uint32_t>(tag_bank(all.lanes[i].line));
  int turns = 0;
  for (std::size_t left = all.count; left > 0; ++turns) {
    Turn turn;
    const std::size_t waiting = std::exchange(left, 0);
    for (std::size_t i = 0; i < waiting; ++i)
      if (!turn.takes(all.lanes[i])) all.lanes[left++] = all.lanes[i];
  }
  return turns;
}

class AccessRecorder::Recorder : public emulator::BlockObserver {
 public:
  Recorder(RecordedBlock& block, const Partitions& partitions, const std::vector<std::uint32_t>& pcs)
      : block_(block), partitions_(partitions), pcs_(pcs) {}
  void on_access(const emulator::AccessEvent& event) override {
    if (event.space == ptx::Space::shared || event.space == ptx::Space::constant || event.active == 0) return;
    if (is_known(event)) return;
    if (block_.warps.size() <= event.warp) block_.warps.resize(event.warp + 1);
    RecordedAccess access{
        .pc = pcs_.empty() ? event.pc : pcs_[event.pc],
        .first = static_cast<std::uint32_t>(block_.sectors.size()),
        .address = event.address(static_cast<std::uint32_t>(std::countr_zero(event.active))),
        .is_store = event.kind == emulator::AccessKind::store,
        .turns = static_cast<float>(turns_of(event))};
    add_sectors(event);
    if (partitions_.are_known()) access.pages = pages_of(event);
    access.count = static_cast<std::uint32_t>(block_.sectors.size()) - access.first;
    block_.warps[event.warp].push_back(access);
  }

 private:
  // Of each instruction the first turns of its loop stand for the rest.
  bool is_known(const emulator::AccessEvent& event) {
    constexpr std::uint8_t kTurns = 128;
    if (turns_.size() <= event.warp) turns_.resize(event.warp + 1);
    auto& turns = turns_[event.warp];
    if (turns.size() <= event.pc) turns.resize(event.pc + 1);
    if (turns[event.pc] == kTurns) return true;
    ++turns[event.pc];
    return false;
  }

  float pages_of(const emulator::AccessEvent& event) const {
    float changes = 0;
    std::uint64_t last = ~std::uint64_t{0};
    for (std::uint32_t lanes = event.active; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      const std::uint64_t page = partitions_.page_of(event.address(lane));
      if (page != std::exchange(last, page)) ++changes;
    }
    return changes;
  }

  void add_sectors(const emulator::AccessEvent& event) {
    found_.clear();
    for (std::uint32_t lanes = event.active; lanes != 0; lanes &= lanes - 1) {
      const std::uint64_t at = event.address(static_cast<std::uint32_t>(std::countr_zero(lanes)));
      if (!found_.empty() && found_.back().first == at / 32)
        found_.back().second += event.width;
      else
        found_.emplace_back(at / 32, event.width);
    }
    std::sort(found_.begin(), found_.end());
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const auto& [sector, bytes] = found_[i];
      if (i == 0 || found_[i - 1].first != sector) {
        block_.sectors.push_back(sector);
        block_.bytes.push_back(0);
      }
      block_.bytes.back() = static_cast<std::uint8_t>(std::min(32, block_.bytes.back() + bytes));
    }
  }

  RecordedBlock& block_;
  Partitions partitions_;
  const std::vector<std::uint32_t>& pcs_;
  std::vector<std::vector<std::uint8_t>> turns_;      // by warp and pc
  std::vector<std::pair<std::uint64_t, int>> found_;  // sector, bytes
};

AccessRecorder::AccessRecorder(std::vector<std::uint64_t> blocks, const Partitions& partitions,
                               std::vector<std::uint32_t> pcs)
    : pcs_(std::move(pcs)), recorded_(blocks.size()) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    recorded_[i].block = blocks[i];
    recorders_.push_back(std::make_unique<Recorder>(recorded_[i], partitions, pcs_));
  }
}
AccessRecorder::~AccessRecorder() = default;

emulator::BlockObserver* AccessRecorder::begin_block(std::uint64_t block) {
  const auto found = std::find_if(recorded_.begin(), recorded_.end(),
                                  [&](const RecordedBlock& recorded) { return recorded.block == block; });
  return found == recorded_.end() ? nullptr
                                  : recorders_[static_cast<std::size_t>(found - recorded_.begin())].get();
}

namespace {

// Lines of 128 bytes whose sectors are filled one by one; the line that was used longest ago goes.
class Cache {
 public:
  explicit Cache(std::int64_t bytes)
      : most_lines_(static_cast<std::size_t>(std::max<std::int64_t>(bytes / 128, 1))) {}
  // When the sector came: `now` where it was not there.
  std::uint32_t touch(std::uint64_t sector, std::uint32_t now) {
    const std::uint32_t* found = at_.find(sector / 4);
    const std::uint32_t place = found != nullptr ? *found : place_for(sector / 4);
    put_first(place);
    std::uint32_t& came = lines_[place].came[sector % 4];
    if (came == 0) return came = now;
    return came < now ? came : kJustNow;
  }
  static constexpr std::uint32_t kJustNow = 0;  // there, or on its way since this moment

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Line {
    std::uint64_t line = 0;
    std::array<std::uint32_t, 4> came{};
    std::uint32_t newer = kNone, older = kNone;  // by their last use
  };
  std::uint32_t place_for(std::uint64_t line) {
    auto place = static_cast<std::uint32_t>(lines_.size());
    if (lines_.size() < most_lines_) {
      lines_.emplace_back();
    } else {
      place = last_;
      take_out(place);
      at_.erase(lines_[place].line);
    }
    lines_[place] = {.line = line};
    at_.insert(line, place);
    return place;
  }
  void take_out(std::uint32_t place) {
    const auto [newer, older] = std::pair(lines_[place].newer, lines_[place].older);
    (newer == kNone ? first_ : lines_[newer].older) = older;
    (older == kNone ? last_ : lines_[older].newer) = newer;
  }
  void put_first(std::uint32_t place) {
    if (first_ == place) return;
    if (lines_[place].newer != kNone) take_out(place);
    lines_[place].newer = kNone;
    lines_[place].older = first_;
    (first_ == kNone ? last_ : lines_[first_].newer) = place;
    first_ = place;
  }

  std::size_t most_lines_;
  std::vector<Line> lines_;
  std::uint32_t first_ = kNone, last_ = kNone;
  NumberTable at_;  // where a line is
};

using Profiles = std::map<std::uint32_t, AccessProfile>;

// The warps run abreast: the n-th access of all of them, then the next.
template <class Visit>
void abreast(std::span<const RecordedBlock> blocks, Visit visit) {
  std::size_t longest = 0;
  for (const auto& block : blocks)
    for (const auto& warp : block.warps) longest = std::max(longest, warp.size());
  for (std::size_t n = 0; n < longest; ++n)
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (const auto& warp : blocks[b].warps)
        if (n < warp.size()) visit(b, warp[n], static_cast<std::uint32_t>(n + 1));
}

NumberTable sectors_of(const RecordedBlock& block) {
  NumberTable sectors;
  for (const std::uint64_t sector : block.sectors) sectors.insert(sector);
  return sectors;
}

// Of the sectors that an instruction was the first to touch in its block.
struct Firsts {
  bool are_stores = false;
  std::vector<std::uint64_t> sectors;
};

// What memory moves for them.
double moved_for(const Firsts& firsts) {
  const std::uint64_t granule = firsts.are_stores ? 4 : 2;  // sectors
  NumberTable granules;                                     // how many of their sectors
  double moved = 0;                                         // of each granule at least two
  for (const std::uint64_t sector : firsts.sectors) {
    const auto [sectors, is_new] = granules.insert(sector / granule);
    ++sectors;
    moved += is_new ? 2 : sectors > 2 ? 1 : 0;
  }
  return moved;
}
// The share of them that is written in part; written: bytes of each sector that the block writes.
double partial_share(const Firsts& firsts, NumberTable& written) {
  if (!firsts.are_stores) return 0;
  const auto partial =
      std::ranges::count_if(firsts.sectors, [&](std::uint64_t sector) { return *written.find(sector) < 32; });
  return static_cast<double>(partial) / static_cast<double>(firsts.sectors.size());
}

// Whether the access touches 64 bytes that were not there before this moment.
bool is_fresh(const RecordedBlock& block, const RecordedAccess& access, NumberTable& granules,
              std::uint32_t now) {
  bool fresh = false;
  for (std::uint32_t i = access.first; i < access.first + access.count; ++i)
    fresh |= granules.insert(block.sectors[i] / 2, now).value == now;
  return fresh;
}

void add_sharing(Profiles& profiles, const std::vector<RecordedBlock>& blocks, const Neighbours& n) {
  const RecordedBlock& block = blocks[0];
  NumberTable right, below;
  if (n.right != 0) right = sectors_of(blocks[n.right]);
  if (n.below != 0) below = sectors_of(blocks[n.below]);
  NumberTable seen, written;  // bytes
  NumberTable granules;       // when they were first touched
  std::map<std::uint32_t, Firsts> firsts;
  std::map<std::uint32_t, double> requests;
  abreast({blocks.data(), 1}, [&](std::size_t, const RecordedAccess& access, std::uint32_t now) {
    requests[access.pc] += 1;
    profiles[access.pc].fresh += is_fresh(block, access, granules, now);
    for (std::uint32_t i = access.first; i < access.first + access.count; ++i) {
      const std::uint64_t sector = block.sectors[i];
      if (access.is_store) written.insert(sector).value += block.bytes[i];
      if (!seen.insert(sector).is_new) continue;
      firsts[access.pc].are_stores = access.is_store;
      firsts[access.pc].sectors.push_back(sector);
      if (n.right != 0) profiles[access.pc].shared_x += right.contains(sector);
      if (n.below != 0) profiles[access.pc].shared_y += below.contains(sector);
    }
  });
  for (auto& [pc, first] : firsts) {
    profiles[pc].shared_x /= static_cast<double>(first.sectors.size());
    profiles[pc].shared_y /= static_cast<double>(first.sectors.size());
    profiles[pc].moved = moved_for(first) / requests[pc];
    profiles[pc].filled = profiles[pc].moved * partial_share(first, written);
  }
  for (const auto& [pc, count] : requests) profiles[pc].fresh /= count;
}

// Of pairs of blocks: those that begin at one address. A block that goes on to others meets the others there as well.
void add_meetings(Profiles& profiles, std::span<const RecordedBlock> blocks) {
  struct Met {
    std::map<std::uint64_t, double> firsts;  // blocks by their first address
    double blocks = 0, places = 0;
  };
  std::map<std::uint32_t, Met> met;
  for (const auto& block : blocks) {
    std::map<std::uint32_t, std::set<std::uint64_t>> places;
    for (const auto& warp : block.warps)
      for (const auto& access : warp) {
        std::set<std::uint64_t>& own = places[access.pc];
        if (own.empty()) ++met[access.pc].firsts[access.address];
        own.insert(access.address);
      }
    for (const auto& [pc, own] : places) met[pc].places += static_cast<double>(own.size()), ++met[pc].blocks;
  }
  for (const auto& [pc, all] : met) {
    double pairs = 0;
    for (const auto& [address, count] : all.firsts) pairs += count * (count - 1);
    if (all.blocks > 1) profiles[pc].same_address = pairs / (all.blocks * (all.blocks - 1));
    profiles[pc].addresses = all.places / all.blocks;
    using Count = std::pair<const std::uint64_t, double>;
    profiles[pc].first_address = std::ranges::max_element(all.firsts, {}, &Count::second)->first;
  }
}

// Requests, and what L1 lacks of them, as sums, of blocks that run abreast.
Profiles through_l1(std::span<const RecordedBlock> blocks, std::int64_t l1_bytes) {
  Profiles profiles;
  Cache cache(l1_bytes);
  abreast(blocks, [&](std::size_t b, const RecordedAccess& access, std::uint32_t now) {
    AccessProfile& profile = profiles[access.pc];
    profile.requests += 1;
    profile.sectors += access.count;
    profile.turns += access.turns;
    bool waits = false;
    std::uint64_t line = ~std::uint64_t{0};  // the sectors are in order
    for (std::uint32_t i = 0; i < access.count; ++i) {
      const std::uint64_t sector = blocks[b].sectors[access.first + i];
      const std::uint32_t came = cache.touch(sector, now);
      profile.missed += came == now;
      waits = waits || came == now || came == Cache::kJustNow;
      if (!access.is_store && came != now) continue;
      profile.lines += sector / 4 != line;
      line = sector / 4;
    }
    profile.miss_share += waits;
  });
  return profiles;
}

constexpr auto kMisses = {&AccessProfile::missed, &AccessProfile::miss_share, &AccessProfile::lines};

// The same where each block runs alone: others are elsewhere in their work, and what it finds in its part of
// L1 it brought there itself.
void add_alone(Profiles& profiles, std::span<const RecordedBlock> blocks, std::int64_t l1_bytes,
               double share) {
  for (auto& [pc, profile] : profiles)
    for (const auto column : kMisses) profile.*column *= 1 - share;
  for (const RecordedBlock& block : blocks)
    for (const auto& [pc, alone] : through_l1({&block, 1}, l1_bytes / std::ssize(blocks)))
      for (const auto column : kMisses) profiles[pc].*column += share * alone.*column;
}

}  // namespace

std::map<std::uint32_t, AccessProfile> profile_of(const std::vector<RecordedBlock>& blocks,
                                                  const Neighbours& neighbours, std::int64_t l1_bytes) {
  if (blocks.empty()) return {};
  const std::span<const RecordedBlock> together{blocks.data(), neighbours.together};
  Profiles profiles = through_l1(together, l1_bytes);
  if (neighbours.abreast < 1) add_alone(profiles, together, l1_bytes, 1 - neighbours.abreast);
  for (auto& [pc, profile] : profiles)
    for (double* sum :
         {&profile.sectors, &profile.turns, &profile.missed, &profile.miss_share, &profile.lines})
      *sum /= profile.requests;
  add_sharing(profiles, blocks, neighbours);
  add_meetings(profiles, together);
  return profiles;
}

}  // namespace warplens::time
