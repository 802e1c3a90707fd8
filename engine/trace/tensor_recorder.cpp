#include "engine/trace/tensor_recorder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>

#include "engine/emulator/semantics/matrix.hpp"
#include "engine/ptx/matrix_products.hpp"

namespace warplens::trace {
namespace {

using emulator::WatchedStep, ptx::Opcode;

// Of a warp: the products of a tile of 64 x 64 of a warp in eight steps of k are 256.
constexpr std::size_t kMostProducts = 256, kMostOfGroup = 32, kMostRows = 4096, kMostBoxes = 4096,
                      kMostOfPipeline = 20'000;

constexpr std::size_t kA = 1, kB = 2;  // operands of a product

// Of a sparse product the lanes hold other elements than of a dense one.
bool is_product(const ptx::Instruction& i) {
  return ptx::is_matrix_product(i.opcode) && i.opcode != Opcode::mma_sp;
}
bool copies_box(const ptx::Instruction& i) { return i.opcode == Opcode::cp_async_bulk_tensor; }

int bits_of(const ptx::Instruction& product, std::size_t operand) {
  return 8 * ptx::size_in_bytes(product.matrix_types[operand]);
}

// The elements of a fragment, lane by lane, by their digits.
std::vector<ElementNumber> fragment_of(const WatchedStep& step, std::size_t operand, FactorBits factor) {
  const std::size_t registers = std::max<std::size_t>(step.instruction->operands[operand].elements.size(), 1);
  std::vector<emulator::Lanes> words(registers);
  for (std::size_t r = 0; r < registers; ++r) {
    std::array<std::uint64_t, 32> values{};
    step.element(operand, r, values);
    for (std::size_t lane = 0; lane < 32; ++lane) words[r][lane] = static_cast<std::uint32_t>(values[lane]);
  }
  const int bits = bits_of(*step.instruction, operand), per_lane = static_cast<int>(registers) * 32 / bits;
  std::vector<ElementNumber> elements;
  for (int lane = 0; lane < 32; ++lane)
    for (int index = 0; index < per_lane; ++index)
      elements.push_back(
          digit_in(static_cast<std::uint32_t>(emulator::fragment_element(words, lane, index, bits)), factor));
  return elements;
}

// The element that begins at a byte of memory, by its digit.
ElementNumber element_at(const std::byte* bytes, FactorBits factor) {
  std::uint32_t element = 0;
  std::memcpy(&element, bytes, static_cast<std::size_t>(factor.bits) / 8);
  return digit_in(element, factor);
}

std::vector<ElementNumber> elements_in(const std::byte* bytes, std::size_t size, FactorBits factor) {
  const std::size_t each = static_cast<std::size_t>(factor.bits) / 8;
  std::vector<ElementNumber> elements(size / each);
  for (std::size_t e = 0; e < elements.size(); ++e) elements[e] = element_at(bytes + e * each, factor);
  return elements;
}

class BlockFollower : public emulator::BlockWatcher {
 public:
  BlockFollower(TensorWork& work, std::uint32_t rank, FactorBits factor, std::uint32_t shared_bytes,
                emulator::GlobalMemory& memory, std::atomic<bool>& done)
      : work_(work),
        rank_(rank),
        factor_(factor),
        shared_bytes_(shared_bytes),
        memory_(memory),
        done_(done) {}

  void on_step(const WatchedStep& step) override {
    shared_ = step.shared();
    if (step.exec == 0) return;
    if (is_product(*step.instruction)) multiply(step);
    note(step);
    if (copies_box(*step.instruction))
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        if ((step.exec >> lane & 1) != 0) copy(step, lane);
  }

  void on_matrix(const emulator::AccessEvent& event) override {
    const bool is_store = event.kind == emulator::AccessKind::store;
    const bool are_words = event.width == kWord && !is_store;
    if (event.space != ptx::Space::shared || (event.width != kRow && !are_words)) return;
    std::vector<MatrixRows>& to = is_store ? work_.writes : work_.reads;
    if ((closed_ && !is_store) || to.size() >= kMostRows) return;
    MatrixRows rows{.pc = event.pc, .warp = event.warp};
    if (!is_store) rows.at_row.resize(32);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((event.active >> lane & 1) == 0 || (are_words && !begins_row(event, lane))) continue;
      const auto offset = static_cast<std::uint32_t>(event.address(lane) & emulator::kOwnOffset);
      rows.lanes |= 1u << lane;
      rows.row[lane] = are_words ? MatrixRows::kToNone : offset;
      if (!is_store) rows.at_row[lane] = element_at(shared_ + offset, factor_);
    }
    to.push_back(std::move(rows));
  }

  // The first time that all threads meet after a product, its tile may be given up.
  void on_release(int barrier, std::span<const emulator::BarrierArrival>) override {
    if (barrier != 0 || given_ == 0 || closed_) return;
    closed_ = true;
    if (work_.boxes.empty()) done_ = true;
  }

  // What another block of the cluster copies, and does at barriers of this one.
  void note_peer(const WatchedStep& step, std::uint32_t rank) {
    if (copies_box(*step.instruction))
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        if (auto box = (step.exec >> lane & 1) != 0 && work_.peers.size() < kMostBoxes ? box_of(step, lane)
                                                                                       : std::nullopt)
          box->rank = rank, work_.peers.push_back(*box);
    if (step.instruction->opcode != Opcode::mbarrier_arrive || step.exec == 0 || shared_ == nullptr) return;
    PipelineEvent event{.pc = step.pc, .warp = step.warp, .count = 1};
    each_barrier(step, 1, event, true);
  }

 private:
  // wmma.load by an address of any kind: four lanes side by side read a row word by word, and none points to it.
  static constexpr std::uint32_t kWord = 4, kRow = 16;
  static bool begins_row(const emulator::AccessEvent& event, std::uint32_t lane) {
    if (lane % (kRow / kWord) != 0) return false;
    for (std::uint32_t next = 1; next < kRow / kWord; ++next)
      if ((event.active >> (lane + next) & 1) == 0 ||
          event.address(lane + next) != event.address(lane) + next * kWord)
        return false;
    return true;
  }

  void multiply(const WatchedStep& step) {
    if (given_++ == 0) work_.shared = elements_in(step.shared(), shared_bytes_, factor_);
    const bool of_group = step.instruction->opcode == Opcode::wgmma_mma_async;
    if (closed_ || kept_[step.warp] >= (of_group ? kMostOfGroup : kMostProducts)) return;
    ++kept_[step.warp];
    TensorProduct product{.pc = step.pc, .warp = step.warp};
    const bool has_a = step.instruction->operands[kA].kind == ptx::Operand::Kind::vector || !of_group;
    if (has_a)
      product.a = fragment_of(step, kA, factor_);
    else
      product.a_descriptor = step.value(kA, 0);
    if (of_group)
      product.b_descriptor = step.value(kB, 0);
    else
      product.b = fragment_of(step, kB, factor_);
    work_.products.push_back(std::move(product));
  }

  // ---- who waits for whom

  using Kind = PipelineEvent::Kind;

  void add(PipelineEvent event) {
    if (work_.events.size() < kMostOfPipeline)
      work_.events.push_back(event);
    else
      work_.is_cut = true;
  }

  // The phase that a barrier is in, counted from 0 by the turns of its highest bit, which each event looks at.
  std::uint32_t phase_of(std::uint32_t barrier) {
    std::uint64_t bits = 0;
    if (barrier + 8 > shared_bytes_) return 0;
    std::memcpy(&bits, shared_ + barrier, 8);
    Turns& turns = turns_[barrier];
    if (emulator::is_odd_phase(bits) != turns.odd) turns.odd = !turns.odd, ++turns.phase;
    return turns.phase;
  }

  void note(const WatchedStep& step) {
    const ptx::Instruction& i = *step.instruction;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(step.exec));
    PipelineEvent event{.pc = step.pc, .warp = step.warp};
    switch (i.opcode) {
      case Opcode::mbarrier_init:
        event.kind = Kind::initialise, event.count = static_cast<std::uint32_t>(step.value(1, lane));
        return each_barrier(step, 0, event);
      case Opcode::mbarrier_arrive:
      case Opcode::mbarrier_arrive_expect_tx: {
        event.kind = Kind::arrive;
        const bool expects = i.opcode == Opcode::mbarrier_arrive_expect_tx;
        const std::uint64_t given = i.operands.size() > 2 ? step.value(2, lane) : 1;
        event.count = expects ? 1 : static_cast<std::uint32_t>(given);
        event.bytes = expects ? given : 0;
        return each_barrier(step, 1, event);
      }
      case Opcode::mbarrier_try_wait:
      case Opcode::mbarrier_test_wait:
      case Opcode::mbarrier_try_wait_parity:
      case Opcode::mbarrier_test_wait_parity:
        return wait(step, lane, event);
      case Opcode::wgmma_mma_async:
        if (step.warp % 4 == 0) ++uncommitted_[step.warp / 4];
        return;
      case Opcode::wgmma_commit_group:
        event.kind = Kind::multiply;
        if (step.warp % 4 == 0) event.count = std::exchange(uncommitted_[step.warp / 4], 0);
        return add(event);
      case Opcode::wgmma_wait_group:
        event.kind = Kind::drain, event.count = static_cast<std::uint32_t>(step.value(0, lane));
        return add(event);
      default:
        return;
    }
  }

  // Lanes of one barrier together.
  void each_barrier(const WatchedStep& step, std::size_t operand, PipelineEvent event, bool is_peer = false) {
    std::array<std::uint64_t, 32> address{};
    step.values(operand, address);
    const std::uint32_t each = event.count;
    for (std::uint32_t left = step.exec; left != 0;) {
      const auto first = static_cast<std::size_t>(std::countr_zero(left));
      std::uint32_t same = 0;
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        if ((left >> lane & 1) != 0 && address[lane] == address[first]) same |= 1u << lane;
      left &= ~same;
      PipelineEvent one = event;
      const auto rank = address[first] >> emulator::kRankShift & 0xff;
      one.is_remote = is_peer ? rank != rank_ + 1 : rank != 0 && rank != rank_ + 1;
      if (is_peer && one.is_remote) continue;
      one.is_peers = is_peer;
      one.barrier = static_cast<std::uint32_t>(address[first] & emulator::kOwnOffset);
      if (event.kind == Kind::initialise)
        turns_[one.barrier] = {};
      else
        one.count = each * static_cast<std::uint32_t>(std::popcount(same)),
        one.phase = one.is_remote ? 0 : phase_of(one.barrier);
      one.bytes *= static_cast<std::uint64_t>(std::popcount(same));
      add(one);
    }
  }

  // A wait is told again when it goes on.
  void wait(const WatchedStep& step, std::uint32_t lane, PipelineEvent event) {
    std::array<std::uint64_t, 32> address{};
    step.values(1, address);
    event.kind = Kind::wait;
    event.barrier = static_cast<std::uint32_t>(address[lane] & emulator::kOwnOffset);
    const std::uint64_t given = step.value(2, lane);
    const Opcode opcode = step.instruction->opcode;
    const bool by_parity =
        opcode == Opcode::mbarrier_try_wait_parity || opcode == Opcode::mbarrier_test_wait_parity;
    const bool odd = by_parity ? (given & 1) != 0 : emulator::is_odd_phase(given);
    const std::uint32_t now = phase_of(event.barrier);
    const bool is_over = (now % 2 == 1) != odd;
    if (is_over && now == 0) return;  // of the phase before the first one, which is over at once
    event.phase = is_over ? now - 1 : now;
    Waited& last = waited_[step.warp];
    if (last.barrier == event.barrier && last.phase == event.phase && last.pc == event.pc) return;
    last = {event.barrier, event.phase, event.pc};
    add(event);
  }

  // [target], [map, coordinates], [barrier] {, mask}, or [map, coordinates], [source].
  std::optional<BoxCopy> box_of(const WatchedStep& step, std::uint32_t lane) {
    const std::size_t operands = step.instruction->operands.size();
    const bool is_store = operands == 2;
    const std::size_t of_map = is_store ? 0 : 1;
    const auto at = [&](std::size_t operand) {
      std::array<std::uint64_t, 32> values{};
      step.values(operand, values);
      return values[lane];
    };
    const std::uint64_t map = at(of_map);
    if (memory_.find(map, tensor::kMapBytes) == nullptr) return std::nullopt;
    const auto decoded = tensor::decode({memory_.host(map), tensor::kMapBytes});
    if (!decoded) return std::nullopt;
    BoxCopy box{.pc = step.pc, .warp = step.warp, .lane = lane, .is_store = is_store, .map = *decoded};
    for (std::size_t d = 0; d < step.instruction->operands[of_map].elements.size(); ++d) {
      std::array<std::uint64_t, 32> coordinate{};
      step.element(of_map, d, coordinate);
      box.at[d] = static_cast<std::int32_t>(coordinate[lane]);
    }
    box.shared = static_cast<std::uint32_t>(at(is_store ? 1 : 0) & emulator::kOwnOffset);
    if (!is_store) box.barrier = static_cast<std::uint32_t>(at(2) & emulator::kOwnOffset);
    box.blocks = 0;
    if (operands > 3) box.blocks = static_cast<std::uint32_t>(step.value(3, lane) & 0xffff);
    box.product = given_;
    return box;
  }

  void copy(const WatchedStep& step, std::uint32_t lane) {
    auto found = work_.boxes.size() < kMostBoxes ? box_of(step, lane) : std::nullopt;
    if (!found) return;
    BoxCopy& box = *found;
    box.rank = rank_;
    work_.boxes.push_back(box);
    if (box.is_store) return;
    add({.kind = Kind::copy,
         .pc = step.pc,
         .warp = step.warp,
         .barrier = box.barrier,
         .phase = phase_of(box.barrier),
         .count = static_cast<std::uint32_t>(work_.boxes.size() - 1),
         .bytes = tensor::box_bytes(box.map)});
  }

  TensorWork& work_;
  std::uint32_t rank_;
  FactorBits factor_;
  std::uint32_t shared_bytes_;
  emulator::GlobalMemory& memory_;
  std::atomic<bool>& done_;
  const std::byte* shared_ = nullptr;
  std::uint32_t given_ = 0;  // products of all warps
  bool closed_ = false;      // the first tile is over
  struct Turns {
    std::uint32_t phase = 0;
    bool odd = false;
  };
  struct Waited {
    std::uint32_t barrier = ~0u, phase = 0, pc = 0;
  };
  std::map<std::uint32_t, Turns> turns_;        // of each barrier
  std::array<std::uint32_t, 8> uncommitted_{};  // products of each warp group
  std::array<Waited, 32> waited_{};             // of each warp
  std::array<std::size_t, 32> kept_{};
};

class PeerFollower : public emulator::BlockWatcher {
 public:
  PeerFollower(BlockFollower& block, std::uint32_t rank) : block_(block), rank_(rank) {}
  void on_step(const WatchedStep& step) override { block_.note_peer(step, rank_); }

 private:
  BlockFollower& block_;
  std::uint32_t rank_;
};

// The same list but for the digits, which are added.
bool add_digits(std::vector<ElementNumber>& all, const std::vector<ElementNumber>& digits, int shift) {
  if (all.size() != digits.size()) return false;
  for (std::size_t e = 0; e < all.size(); ++e) all[e] |= digits[e] << shift;
  return true;
}

}  // namespace

int runs_for(FactorBits of, std::uint64_t elements) {
  return std::max<int>(1, (static_cast<int>(std::bit_width(elements)) + of.digit() - 1) / of.digit());
}

const ptx::Instruction* first_product(const ptx::Function& function) {
  const auto found = std::ranges::find_if(function.code, is_product);
  return found == function.code.end() ? nullptr : &*found;
}

FactorBits factor_bits(const ptx::Instruction& product) {
  constexpr int kUnseenOfTf32 = 13;
  return {.bits = bits_of(product, kA),
          .unseen = product.matrix_types[kA] == ptx::Type::tf32 ? kUnseenOfTf32 : 0};
}

TensorRecorder::TensorRecorder(std::uint64_t block, RankOf rank_of, FactorBits factor,
                               std::uint32_t shared_bytes, emulator::GlobalMemory& memory)
    : block_(block),
      rank_of_(std::move(rank_of)),
      follower_(new BlockFollower(work_, rank_of_(block), factor, shared_bytes, memory, done_)) {
  work_.block = block;
  work_.element_bytes = static_cast<std::uint32_t>(factor.bits) / 8;
}
TensorRecorder::~TensorRecorder() = default;

emulator::BlockWatcher* TensorRecorder::begin_block(std::uint64_t block) {
  if (block == block_) return follower_.get();
  peers_.push_back(std::make_unique<PeerFollower>(static_cast<BlockFollower&>(*follower_), rank_of_(block)));
  return peers_.back().get();
}

TensorWork TensorRecorder::finish() { return std::move(work_); }

bool add_digits(TensorWork& all, const TensorWork& of_run, int first_bit) {
  if (all.products.size() != of_run.products.size() || all.reads.size() != of_run.reads.size() ||
      all.boxes.size() != of_run.boxes.size() || !add_digits(all.shared, of_run.shared, first_bit))
    return false;
  for (std::size_t p = 0; p < all.products.size(); ++p)
    if (!add_digits(all.products[p].a, of_run.products[p].a, first_bit) ||
        !add_digits(all.products[p].b, of_run.products[p].b, first_bit))
      return false;
  for (std::size_t r = 0; r < all.reads.size(); ++r)
    if (!add_digits(all.reads[r].at_row, of_run.reads[r].at_row, first_bit)) return false;
  return true;
}

std::optional<ElementPlace> place_of(const TensorWork& work, ElementNumber number) {
  for (const NumberedBuffer& each : work.buffers)
    if (number >= each.first && number - each.first < each.elements)
      return ElementPlace{each.buffer, number - each.first};
  return std::nullopt;
}

std::optional<ElementNumber> number_of(const TensorWork& work, std::size_t buffer, std::uint64_t element) {
  for (const NumberedBuffer& each : work.buffers)
    if (each.buffer == buffer && element < each.elements)
      return static_cast<ElementNumber>(each.first + element);
  return std::nullopt;
}

}  // namespace warplens::trace
