#include "engine/trace/rounding_recorder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "engine/trace/exact_sum.hpp"

namespace warplens::trace {
namespace {

using emulator::WatchedStep, ptx::Opcode, ptx::Operand, ptx::Type;

// Of one thread: more than any picture shows. A thread that does more is followed no further.
constexpr std::size_t kMostFollowed = 100'000;

constexpr std::uint32_t kNoStep = ~std::uint32_t{0};

// What is known of a number that is in a register, or in a word of local memory.
struct Shadow {
  std::uint64_t bits = 0;  // the number: what has other bits now is another one
  Exact exact = {};
  std::uint32_t step = kNoStep;  // that computed it
};

// A step and those that computed what it adds.
struct Step {
  RoundedStep told;
  std::array<std::uint32_t, 3> from{kNoStep, kNoStep, kNoStep};
};

bool is_real(Type type) { return type == Type::f32 || type == Type::f64; }
std::uint64_t bits_of(std::uint64_t bits, bool is_double) { return is_double ? bits : bits & 0xffffffffu; }
double number_of(std::uint64_t bits, bool is_double) {
  return is_double ? std::bit_cast<double>(bits)
                   : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

bool is_sum(Opcode opcode) {
  return opcode == Opcode::add || opcode == Opcode::sub || opcode == Opcode::fma || opcode == Opcode::mad;
}

// A real number of other real ones, where it is not followed: a quotient, a root, a sine, the greater one.
bool is_of_function(const ptx::Instruction& i) {
  return is_real(i.type) && i.opcode != Opcode::ld && i.opcode != Opcode::cvt;
}

// The numbers of a thread's registers, as far as they are known.
class Registers {
 public:
  const Shadow* find(ptx::RegisterId id) const {
    return id < known_.size() && known_[id] ? &*known_[id] : nullptr;
  }
  void erase(ptx::RegisterId id) {
    if (id < known_.size()) known_[id].reset();
  }
  void set(ptx::RegisterId id, const Shadow& shadow) {
    if (id >= known_.size()) known_.resize(id + 1);
    known_[id] = shadow;
  }

 private:
  std::vector<std::optional<Shadow>> known_;
};

// Of one thread.
struct Thread {
  Registers registers;
  std::map<std::uint64_t, Shadow> local;
  std::vector<Step> steps;
  std::uint32_t read = 0;
  std::uint32_t last = kNoStep;  // that made what was stored last
  ThreadRounding told;
};

// Only what the stored number is made of: others are computed and not used.
void keep_used(Thread& thread) {
  std::vector<bool> used(thread.steps.size());
  if (thread.last != kNoStep) used[thread.last] = true;
  for (std::size_t at = thread.steps.size(); at-- > 0;)
    if (used[at])
      for (const std::uint32_t from : thread.steps[at].from)
        if (from != kNoStep) used[from] = true;
  for (std::size_t at = 0; at < thread.steps.size(); ++at)
    if (used[at]) thread.told.steps.push_back(thread.steps[at].told);
}

class RoundingFollower : public emulator::BlockWatcher {
 public:
  explicit RoundingFollower(std::uint32_t warp) : warp_(warp) {}

  void on_step(const WatchedStep& step) override {
    if (step.warp != warp_) return;
    settle();
    if (step.exec == 0) return;
    const ptx::Instruction& i = *step.instruction;
    if (i.opcode == Opcode::st) store(step);
    if (i.opcode == Opcode::shfl || i.opcode == Opcode::atom || i.opcode == Opcode::red ||
        (i.opcode == Opcode::ld && i.space == ptx::Space::shared))
      takes_from_others_ = true;
    if (i.destinations > 0) begin(step);
  }

  void finish(WarpRounding& found) {
    settle();
    found.takes_from_others = takes_from_others_, found.uses_functions = uses_functions_;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      keep_used(threads_[lane]);
      found.threads[lane] = std::move(threads_[lane].told);
    }
  }

 private:
  // The number of an operand as it is and as it would be.
  Shadow shadow_of(const WatchedStep& step, std::size_t operand, std::uint32_t lane, bool is_double) const {
    const std::uint64_t bits = bits_of(step.value(operand, lane), is_double);
    const Operand& named = step.instruction->operands[operand];
    const Thread& thread = threads_[lane];
    if (named.kind == Operand::Kind::reg)
      if (const Shadow* known = thread.registers.find(named.register_id);
          known != nullptr && known->bits == bits)
        return *known;
    return {bits, {number_of(bits, is_double), 0}};
  }

  // Whether what it computes can be the number of a followed one.
  static bool is_followed(const ptx::Instruction& i) {
    return is_real(i.type) || i.opcode == Opcode::mov || i.opcode == Opcode::selp || i.opcode == Opcode::ld;
  }

  void begin(const WatchedStep& step) {
    pending_ = step;
    const ptx::Instruction& i = *step.instruction;
    if (!is_followed(i)) return;
    const Type from = i.opcode == Opcode::cvt ? i.source_type : i.type;
    const bool is_double = from == Type::f64 || from == Type::b64;
    const std::size_t first = i.destinations;
    const bool is_selection = i.opcode == Opcode::selp;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if (!(step.exec >> lane & 1)) continue;
      from_[lane] = {};
      if (i.opcode == Opcode::ld) {
        if (i.space == ptx::Space::global) threads_[lane].read += i.vector;
        if (i.space == ptx::Space::local && i.vector == 1)
          if (const auto known = threads_[lane].local.find(step.value(first, lane));
              known != threads_[lane].local.end())
            from_[lane][0] = known->second;
        continue;
      }
      const std::size_t most = std::min<std::size_t>(i.operands.size() - first, is_selection ? 2 : 3);
      for (std::size_t o = 0; o < most; ++o)
        if (const auto kind = i.operands[first + o].kind;
            kind == Operand::Kind::reg || kind == Operand::Kind::immediate)
          from_[lane][o] = shadow_of(step, first + o, lane, is_double);
      if (is_selection) takes_first_[lane] = step.value(first + 2, lane) != 0;
    }
  }

  // The number without rounding that the instruction computes; empty if it is not followed.
  std::optional<Shadow> followed(const ptx::Instruction& i, const std::array<Shadow, 3>& from,
                                 bool takes_first) const {
    const Exact a = from[0].exact, b = from[1].exact, c = from[2].exact;
    switch (i.opcode) {
      case Opcode::mov:
        return from[0];
      case Opcode::selp:
        return takes_first ? from[0] : from[1];
      case Opcode::ld:
        return from[0].step == kNoStep ? std::nullopt : std::optional(from[0]);
      case Opcode::cvt:
        return is_real(i.type) && is_real(i.source_type) ? std::optional(from[0]) : std::nullopt;
      default:
        break;
    }
    if (!is_real(i.type)) return std::nullopt;
    switch (i.opcode) {
      case Opcode::neg:
        return Shadow{0, -a, from[0].step};
      case Opcode::add:
        return Shadow{0, a + b};
      case Opcode::sub:
        return Shadow{0, a - b};
      case Opcode::mul:
        return Shadow{0, a * b};
      case Opcode::fma:
      case Opcode::mad:
        return Shadow{0, a * b + c};
      default:
        return std::nullopt;
    }
  }

  void settle() {
    if (!pending_) return;
    const WatchedStep step = *std::exchange(pending_, std::nullopt);
    const ptx::Instruction& i = *step.instruction;
    const bool is_double = i.type == Type::f64 || i.type == Type::b64;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if (step.exec >> lane & 1) settle(step, lane, is_double);
  }

  void settle(const WatchedStep& pending, std::uint32_t lane, bool is_double) {
    const ptx::Instruction& i = *pending.instruction;
    Thread& thread = threads_[lane];
    const Operand& to = i.operands[0];
    for (const Operand& element : to.elements) thread.registers.erase(element.register_id);
    if (to.kind != Operand::Kind::reg) return;
    thread.registers.erase(to.register_id);
    if (!is_followed(i)) return;
    auto now = followed(i, from_[lane], takes_first_[lane]);
    uses_functions_ = uses_functions_ || (!now && is_of_function(i));
    if (!now || thread.steps.size() >= kMostFollowed) return;
    const std::uint64_t bits = bits_of(pending.value(0, lane), is_double);
    const bool is_same = now->bits == bits;
    now->bits = bits;
    if (is_real(i.type) && (is_sum(i.opcode) || i.opcode == Opcode::mul)) {
      Step step{
          {thread.read, (Exact{number_of(bits, is_double), 0} - now->exact).value(), now->exact.value()}};
      for (std::size_t o = 0; o < step.from.size(); ++o) step.from[o] = from_[lane][o].step;
      step.told.terms = terms_of(thread, from_[lane]);
      now->step = static_cast<std::uint32_t>(thread.steps.size());
      thread.steps.push_back(step);
    } else if (now->step == kNoStep && is_same) {
      return;  // a number that nothing was lost of
    }
    thread.registers.set(to.register_id, *now);
  }

  // Kahan's correction is made of sums again and again: their number is cut.
  static std::uint32_t terms_of(const Thread& thread, const std::array<Shadow, 3>& from) {
    constexpr std::uint32_t kMostTerms = 1u << 30;
    std::uint32_t terms = 0;
    for (const Shadow& one : from)
      terms += one.step != kNoStep ? thread.steps[one.step].told.terms : one.exact.value() != 0 ? 1u : 0u;
    return std::min(terms, kMostTerms);
  }

  void store(const WatchedStep& step) {
    const ptx::Instruction& i = *step.instruction;
    if (i.vector != 1 || i.operands.size() < 2) return;
    const bool is_double = i.type == Type::f64 || i.type == Type::b64;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if (!(step.exec >> lane & 1)) continue;
      const Shadow stored = shadow_of(step, 1, lane, is_double);
      Thread& thread = threads_[lane];
      if (i.space == ptx::Space::local) thread.local.insert_or_assign(step.value(0, lane), stored);
      if (i.space != ptx::Space::global || stored.step == kNoStep) continue;
      thread.last = stored.step;
      thread.told.stored = true, thread.told.is_double = is_double;
      thread.told.result = number_of(stored.bits, is_double), thread.told.exact = stored.exact.value();
    }
  }

  std::uint32_t warp_;
  std::array<Thread, 32> threads_{};
  // What an instruction computes is known when the next one begins; what it computes it from, before.
  std::optional<WatchedStep> pending_;
  std::array<std::array<Shadow, 3>, 32> from_{};
  std::array<bool, 32> takes_first_{};  // of a selection
  bool takes_from_others_ = false, uses_functions_ = false;
};

}  // namespace

double ThreadRounding::unit() const {
  const double size = std::abs(exact);
  if (size == 0 || !std::isfinite(size)) return is_double ? 0x1p-1074 : 0x1p-149;
  return std::ldexp(1.0, std::max(std::ilogb(size) - (is_double ? 52 : 23), is_double ? -1074 : -149));
}
double ThreadRounding::units_off() const { return error() / unit(); }

int WarpRounding::worst() const {
  int worst = -1;
  for (int lane = 0; lane < 32; ++lane) {
    const auto off = [&](int of) { return std::abs(threads[static_cast<std::size_t>(of)].units_off()); };
    if (threads[static_cast<std::size_t>(lane)].stored && (worst < 0 || off(lane) > off(worst))) worst = lane;
  }
  return worst;
}

RoundingRecorder::RoundingRecorder(std::uint64_t block, std::uint32_t warp) : block_(block), warp_(warp) {}
RoundingRecorder::~RoundingRecorder() = default;

emulator::BlockWatcher* RoundingRecorder::begin_block(std::uint64_t block) {
  if (block != block_) return nullptr;
  follower_ = std::make_unique<RoundingFollower>(warp_);
  return follower_.get();
}

WarpRounding RoundingRecorder::finish() {
  WarpRounding found;
  found.block = block_, found.warp = warp_;
  if (follower_ != nullptr) static_cast<RoundingFollower&>(*follower_).finish(found);
  return found;
}

}  // namespace warplens::trace
