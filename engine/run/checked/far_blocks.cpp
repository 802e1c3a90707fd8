#include "engine/run/checked/far_blocks.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "engine/emulator/observer.hpp"

namespace warplens::run {
namespace {

constexpr std::size_t kMostPairs = 8, kMostOfInstruction = 2;
constexpr std::uint64_t kPage = 4096, kMostPages = 16'384;

// Blocks from 1; 0: none.
struct Word {
  std::uint32_t stored = 0, touched = 0;
};
using Page = std::array<Word, kPage / 4>;

// The words of the arrays that may be written.
class Words {
 public:
  // ignored: addresses, from and up to.
  explicit Words(std::vector<std::pair<std::uint64_t, std::uint64_t>> ignored)
      : ignored_(std::move(ignored)) {}
  const std::vector<BlockPair>& pairs() const { return pairs_; }
  bool has_enough() const { return pairs_.size() >= kMostPairs; }

  // block: from 1.
  void visit(const emulator::AccessEvent& event, std::uint32_t block) {
    if (event.space != ptx::Space::global) return;
    const bool stores = event.kind == emulator::AccessKind::store;
    for (std::uint32_t left = event.active; left != 0; left &= left - 1) {
      const std::uint64_t first = event.address(static_cast<std::uint32_t>(std::countr_zero(left)));
      for (std::uint64_t at = first & ~std::uint64_t{3}; at < first + event.width; at += 4) {
        Word* const word = word_at(at);
        if (word == nullptr) continue;
        if (word->stored != 0 && word->stored != block) add({word->stored, block}, event.pc);
        if (stores && word->touched != 0 && word->touched != block) add({word->touched, block}, event.pc);
        (stores ? word->stored : word->touched) = block;
      }
    }
  }

 private:
  // Null where nothing is kept of it.
  Word* word_at(std::uint64_t address) {
    const std::uint64_t page = address / kPage;
    if (page != last_page_) {
      const auto has = [&](const auto& range) { return address >= range.first && address < range.second; };
      if (std::ranges::any_of(ignored_, has)) return nullptr;
      if (pages_.size() >= kMostPages && !pages_.contains(page)) return nullptr;
      std::unique_ptr<Page>& found = pages_[page];
      if (found == nullptr) found = std::make_unique<Page>();
      last_page_ = page, last_ = found.get();
    }
    return &(*last_)[address % kPage / 4];
  }

  void add(std::array<std::uint32_t, 2> blocks, std::uint32_t pc) {
    const auto [low, high] = std::minmax({blocks[0] - 1, blocks[1] - 1});
    std::vector<std::uint64_t>& distances = distances_[pc];
    if (distances.size() >= kMostOfInstruction || has_enough()) return;
    if (std::ranges::find(distances, high - low) != distances.end()) return;
    distances.push_back(high - low);
    const BlockPair pair{low, high};
    if (std::ranges::find(pairs_, pair) == pairs_.end()) pairs_.push_back(pair);
  }

  std::vector<std::pair<std::uint64_t, std::uint64_t>> ignored_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t last_page_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
  std::map<std::uint32_t, std::vector<std::uint64_t>> distances_;  // by instruction
  std::vector<BlockPair> pairs_;
};

// Blocks that run together are each told apart.
class Searcher final : public emulator::Observer {
 public:
  Searcher(Words& words, const std::atomic<bool>* cancel) : words_(words), cancel_(cancel) {}
  const std::atomic<bool>& is_done() const { return is_done_; }
  emulator::BlockObserver* begin_block(std::uint64_t block) override {
    if (words_.has_enough() || (cancel_ != nullptr && *cancel_)) is_done_ = true;
    return (running_[block] = std::make_unique<OfBlock>(words_, static_cast<std::uint32_t>(block + 1))).get();
  }
  void end_block(std::uint64_t block) override { running_.erase(block); }

 private:
  class OfBlock final : public emulator::BlockObserver {
   public:
    OfBlock(Words& words, std::uint32_t block) : words_(words), block_(block) {}
    void on_access(const emulator::AccessEvent& event) override { words_.visit(event, block_); }

   private:
    Words& words_;
    std::uint32_t block_;
  };

  Words& words_;
  const std::atomic<bool>* cancel_;
  std::atomic<bool> is_done_ = false;
  std::map<std::uint64_t, std::unique_ptr<OfBlock>> running_;
};

}  // namespace

std::vector<BlockPair> blocks_at_one_word(const emulator::Kernel& kernel, emulator::Launch launch,
                                          emulator::GlobalMemory& memory,
                                          const std::vector<check::BufferFacts>& arrays) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ignored;
  for (const check::BufferFacts& array : arrays)
    if (!array.is_output) ignored.push_back({array.address, array.address + array.size});
  Words words(std::move(ignored));
  Searcher searcher(words, launch.cancel);
  launch.threads = 1;
  launch.observer = &searcher;
  launch.watcher = nullptr;
  launch.cancel = &searcher.is_done();
  static_cast<void>(kernel.run(launch, memory));
  return words.pairs();
}

}  // namespace warplens::run
