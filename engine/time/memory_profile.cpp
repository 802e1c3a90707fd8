#include "engine/time/memory_profile.hpp"

#include <algorithm>
#include <list>
#include <memory>
#include <set>
#include <unordered_set>

namespace warplens::time {

class AccessRecorder::Recorder : public emulator::BlockObserver {
 public:
  explicit Recorder(RecordedBlock& block) : block_(block) {}
  void on_access(const emulator::AccessEvent& event) override {
    if (event.space == ptx::Space::shared || event.active == 0) return;
    if (block_.warps.size() <= event.warp) block_.warps.resize(event.warp + 1);
    RecordedAccess access{event.pc, static_cast<std::uint32_t>(block_.sectors.size()), 0, 0};
    found_.clear();
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((event.active >> lane & 1) == 0) continue;
      const std::uint64_t at = event.address(lane);
      if (found_.empty()) access.address = at;
      for (std::uint64_t sector = at / 32; sector <= (at + event.width - 1) / 32; ++sector)
        if (found_.empty() || found_.back() != sector) found_.push_back(sector);
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    access.count = static_cast<std::uint32_t>(found_.size());
    block_.sectors.insert(block_.sectors.end(), found_.begin(), found_.end());
    block_.warps[event.warp].push_back(access);
  }

 private:
  RecordedBlock& block_;
  std::vector<std::uint64_t> found_;
};

AccessRecorder::AccessRecorder(std::vector<std::uint64_t> blocks) : recorded_(blocks.size()) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    recorded_[i].block = blocks[i];
    recorders_.push_back(std::make_unique<Recorder>(recorded_[i]));
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
  explicit Cache(std::int64_t bytes) : lines_(static_cast<std::size_t>(std::max<std::int64_t>(bytes / 128, 1))) {}
  bool touch(std::uint64_t sector) {  // whether it was there
    const auto found = at_.find(sector / 4);
    const std::uint8_t bit = static_cast<std::uint8_t>(1u << sector % 4);
    if (found == at_.end()) {
      if (at_.size() >= lines_) {
        at_.erase(order_.back().line);
        order_.pop_back();
      }
      order_.push_front({sector / 4, bit});
      at_[sector / 4] = order_.begin();
      return false;
    }
    order_.splice(order_.begin(), order_, found->second);
    const bool hit = (found->second->sectors & bit) != 0;
    found->second->sectors |= bit;
    return hit;
  }

 private:
  struct Line {
    std::uint64_t line = 0;
    std::uint8_t sectors = 0;
  };
  std::size_t lines_;
  std::list<Line> order_;
  std::unordered_map<std::uint64_t, std::list<Line>::iterator> at_;
};

int lines_of(const RecordedBlock& block, const RecordedAccess& access) {
  int lines = 0;
  std::uint64_t last = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < access.count; ++i) {
    const std::uint64_t line = block.sectors[access.first + i] / 4;
    lines += line != last;
    last = line;
  }
  return lines;
}

struct Tally {
  AccessProfile* profile;
  Cache& cache;
};

}  // namespace

std::map<std::uint32_t, AccessProfile> profile_of(const std::vector<RecordedBlock>& blocks,
                                                  std::int64_t l1_bytes) {
  std::map<std::uint32_t, AccessProfile> profiles;
  Cache cache(l1_bytes);
  std::vector<std::unordered_set<std::uint64_t>> seen(blocks.size());
  std::size_t longest = 0;
  for (const auto& block : blocks)
    for (const auto& warp : block.warps) longest = std::max(longest, warp.size());
  // The warps run abreast: the n-th access of all of them, then the next.
  for (std::size_t n = 0; n < longest; ++n)
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (const auto& warp : blocks[b].warps) {
        if (n >= warp.size()) continue;
        const RecordedAccess& access = warp[n];
        AccessProfile& profile = profiles[access.pc];
        profile.requests += 1;
        profile.sectors += access.count;
        profile.lines += lines_of(blocks[b], access);
        double missed = 0;
        for (std::uint32_t i = 0; i < access.count; ++i) {
          const std::uint64_t sector = blocks[b].sectors[access.first + i];
          missed += !cache.touch(sector);
          profile.unique += seen[b].insert(sector).second;
        }
        profile.missed += missed;
        profile.miss_share += missed > 0;
      }
  for (auto& [pc, profile] : profiles) {
    for (double* sum : {&profile.sectors, &profile.lines, &profile.missed, &profile.miss_share, &profile.unique})
      *sum /= profile.requests;
    std::set<std::uint64_t> addresses;
    double firsts = 0;
    for (const auto& block : blocks) {
      bool found = false;
      for (const auto& warp : block.warps)
        for (const auto& access : warp) {
          if (access.pc != pc || found) continue;
          addresses.insert(access.address);
          firsts += 1;
          found = true;
        }
    }
    profile.same_address = firsts > 1 ? (firsts - static_cast<double>(addresses.size())) / (firsts - 1) : 0;
  }
  return profiles;
}

}  // namespace warplens::time
