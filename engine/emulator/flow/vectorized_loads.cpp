#include "engine/emulator/flow/vectorized_loads.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "engine/emulator/flow/address_values.hpp"
#include "engine/emulator/flow/apart_loads.hpp"

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Space, ptx::Type;

namespace {

bool is_shared_load(const Instruction& i) { return i.opcode == Opcode::ld && i.space == Space::shared; }
bool is_shared_store(const Instruction& i) { return i.opcode == Opcode::st && i.space == Space::shared; }
int element_of(const Instruction& i) { return ptx::size_in_bytes(i.type); }

// Elements that may be moved together; a load of a signed half extends its sign and moves alone.
bool can_be_vectorized(const Instruction& i) {
  const int size = element_of(i);
  return !i.is_volatile &&
         (size == 4 || size == 8 || (size == 2 && !(is_shared_load(i) && i.type == Type::s16)));
}

// The aligned piece of memory that an access falls in: of four elements, or of as many as are known to be
// aligned.
struct Piece {
  std::int64_t start = 0;  // from the address's node
  int size = 0;            // bytes, a power of two
};

Piece piece_of(const NumberedAccess& access, LowBits base, const Instruction& i) {
  const int most = std::min(4 * element_of(i), 16);
  const int size = std::max(width_of(i), std::min(most, 1 << base.known));
  const auto address = static_cast<std::uint64_t>(access.address.offset) + base.value;
  return {access.address.offset - static_cast<std::int64_t>(address & static_cast<std::uint64_t>(size - 1)),
          size};
}

// One load of a group.
struct Member {
  std::uint32_t pc = 0, block = 0;
  int first = 0;             // element of the piece
  std::uint32_t wanted = 0;  // its elements of the piece, one bit each
};

struct Group {
  Piece piece;
  int element = 4;
  std::vector<Member> members;  // the first may lead
};

class Merger {
 public:
  Merger(const ptx::Function& flat, const SharedLayout& layout)
      : flat_(flat),
        flow_(flat),
        dominators_(flow_),
        values_(flat, layout, flow_, dominators_),
        result_(flat.code.size()),
        loads_(flat),
        widened_(flat.registers.size(), false) {}

  std::vector<VectorizedAccess> run() {
    for (std::uint32_t pc = 0; pc < flat_.code.size(); ++pc) start(pc);
    learn_alignment();
    for (const NumberedAccess& access : values_.accesses()) {
      const Instruction& i = flat_.code[access.pc];
      if (is_shared_store(i)) {
        take_store(i, access);
      } else if (can_be_vectorized(i) && !loads_widened(i)) {
        take_load(i, access);
      } else {
        close_stores();
      }
    }
    close_stores();
    for (auto& [key, groups] : groups_)
      for (const Group& group : groups) close(group);
    return std::move(result_);
  }

 private:
  // Memory version, node, element size, start and size of the piece.
  using Key = std::tuple<std::uint32_t, std::uint32_t, int, std::int64_t, int>;

  void start(std::uint32_t pc) {
    const Instruction& i = flat_.code[pc];
    VectorizedAccess& entry = result_[pc];
    entry.leader = entry.named = pc;
    std::vector<ptx::RegisterId> written, read;
    registers_of(i, written, read);
    // A half that is widened as it comes is loaded by LDS.U16, alone.
    const bool widens = i.opcode == Opcode::cvt
                            ? i.source_type == Type::u16 && ptx::size_in_bytes(i.type) == 4
                            : i.part == ptx::MulPart::wide && i.type == Type::u16;
    if (widens)
      for (auto r : read) widened_[r] = true;
    if (!is_shared_load(i) && !is_shared_store(i)) return;
    entry.width = static_cast<std::uint8_t>(width_of(i));
    entry.offset = added_offset(i);
  }

  // A vector access is aligned to its width, wherever it is sure to be made.
  void learn_alignment() {
    for (const NumberedAccess& access : values_.accesses()) {
      const Instruction& i = flat_.code[access.pc];
      if (i.predicated) continue;
      const auto width =
          static_cast<unsigned>(std::bit_floor(static_cast<unsigned>(std::max(width_of(i), 1))));
      const LowBits implied =
          low_bits(std::countr_zero(width), static_cast<std::uint64_t>(-access.address.offset));
      if (implied.known > access.base.known)
        learned_[access.address.node].emplace_back(access.block, implied);
    }
  }

  LowBits base_of(const NumberedAccess& access) const {
    LowBits best = access.base;
    const auto found = learned_.find(access.address.node);
    if (found == learned_.end()) return best;
    for (const auto& [block, bits] : found->second)
      if (bits.known > best.known && dominators_.dominates(block, access.block)) best = bits;
    return best;
  }

  bool loads_widened(const Instruction& i) const {
    return i.operands[0].kind == Operand::Kind::reg && element_of(i) == 2 &&
           widened_[i.operands[0].register_id];
  }

  void take_load(const Instruction& i, const NumberedAccess& access) {
    std::uint32_t elements = loads_.wanted(i);
    const int element = element_of(i);
    if (i.vector == 1 &&
        stored_.contains({access.memory, access.address.node, element, access.address.offset, 0}))
      elements = 0;
    if (elements == 0) {  // never read, or still in the register that was stored there
      result_[access.pc].leader = VectorizedAccess::kDropped;
      return;
    }
    close_stores();
    const Piece piece = piece_of(access, base_of(access), i);
    const int first = static_cast<int>((access.address.offset - piece.start) / element);
    auto& groups = groups_[{access.memory, access.address.node, element, piece.start, piece.size}];
    const Member member{access.pc, access.block, first, elements << first};
    const auto joined = std::find_if(groups.begin(), groups.end(),
                                     [&](const Group& g) { return serves(g.members.front(), member); });
    if (joined != groups.end())
      joined->members.push_back(member);
    else
      groups.push_back({piece, element, {member}});
  }

  // Whether what a is part of can be loaded at a for b too.
  bool serves(const Member& a, const Member& b) const {
    if (flat_.code[a.pc].predicated || !dominators_.dominates(a.block, b.block)) return false;
    return std::all_of(dominators_.loops().begin(), dominators_.loops().end(),
                       [&](const Dominators::Loop& loop) {
                         if (!loop.body.test(a.block)) return true;
                         // The test of a `while` loop is copied in front of it: what its header loads is
                         // loaded in two places.
                         return loop.body.test(b.block) &&
                                !(loop.tests_first && a.block == loop.header && b.block != a.block);
                       });
  }

  void close(const Group& group) {
    const int count = group.piece.size / group.element;
    std::uint32_t all = 0;
    for (const Member& m : group.members) all |= m.wanted;
    if (count == 4 && std::popcount(all) >= 3) return issue(group, 0, 4);
    for (int e = 0; e < std::max(count, 1); e += 2) {
      const std::uint32_t pair = 3u << e;
      if (count >= 2 && (all & pair) == pair) {
        issue(group, e, 2);
      } else {
        issue(group, e, 1);
        issue(group, e + 1, 1);
      }
    }
  }

  // Issues the elements [first, first + count) of a group at the first member that wants one of them, and
  // again at members that it does not serve.
  void issue(const Group& group, int first, int count) {
    const std::uint32_t bits = ((1u << count) - 1) << first;
    std::vector<const Member*> leaders;
    for (const Member& m : group.members) {
      if ((m.wanted & bits) == 0) continue;
      const auto found =
          std::find_if(leaders.begin(), leaders.end(), [&](const Member* l) { return serves(*l, m); });
      if (found == leaders.end()) {
        leaders.push_back(&m);
        lead(group, m, first, count);
      } else if (issued_[m.pc] == 0) {
        result_[m.pc].leader = (*found)->pc;
      }
    }
  }

  // A load that leads two words of its vector that are no aligned pair is taken apart (apart_loads.hpp), and
  // stands here as its first one.
  void lead(const Group& group, const Member& m, int first, int count) {
    VectorizedAccess& entry = result_[m.pc];
    std::uint32_t& span = issued_[m.pc];
    const std::int64_t own = span == 0 ? entry.offset : base_offset_[m.pc];
    base_offset_[m.pc] = own;
    span |= ((1u << count) - 1) << first;
    int begin = std::countr_zero(span), end = 32 - std::countl_zero(span);
    const bool is_apart = group.element == 4 && are_apart(span) && group.members.front().pc == m.pc;
    if (is_apart) end = begin + 1;
    const int width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(end - begin)));
    begin = begin / width * width;
    entry.leader = m.pc;
    entry.named = group.members.front().pc;
    entry.width = static_cast<std::uint8_t>((begin + width < end ? group.piece.size / group.element : width) *
                                            group.element);
    entry.offset = own + (begin - m.first) * group.element;
  }

  void take_store(const Instruction& i, const NumberedAccess& access) {
    const int element = element_of(i);
    const bool simple = can_be_vectorized(i) && !i.predicated;
    const Piece piece = piece_of(access, base_of(access), i);
    const int first = static_cast<int>((access.address.offset - piece.start) / element);
    const Member member{access.pc, access.block, first, ((1u << i.vector) - 1) << first};
    if (simple && i.vector == 1)
      stored_.insert({access.memory_after, access.address.node, element, access.address.offset, 0});
    const Key key{access.block, access.address.node, element, piece.start, piece.size};
    const bool joins = simple && !run_.members.empty() && key == run_key_ && memory_ == access.memory &&
                       std::none_of(run_.members.begin(), run_.members.end(),
                                    [&](const Member& m) { return (m.wanted & member.wanted) != 0; });
    if (!joins) close_stores();
    if (!simple) return;
    if (!joins) run_ = {piece, element, {}};
    mixed_ = joins && (mixed_ || i.vector != vector_);
    vector_ = i.vector;
    run_.members.push_back(member);
    run_key_ = key;
    memory_ = access.memory_after;
  }

  void close_stores() {
    std::uint32_t all = 0;
    for (const Member& m : run_.members) all |= m.wanted;
    const int count = run_.members.empty() || mixed_ ? 0 : run_.piece.size / run_.element;
    if (count == 4 && all == 15) {
      unite_stores(0, 4);
    } else {
      for (int e = 0; e + 1 < count; e += 2)
        if ((all >> e & 3) == 3) unite_stores(e, 2);
    }
    run_.members.clear();
  }

  void unite_stores(int first, int count) {
    const std::uint32_t bits = ((1u << count) - 1) << first;
    const Member* leader = nullptr;
    for (const Member& m : run_.members) {
      if ((m.wanted & bits) == 0) continue;
      if (leader == nullptr) leader = &m;
      result_[m.pc].leader = leader->pc;
      result_[leader->pc].named = m.pc;
      result_[m.pc].offset += (first - m.first) * run_.element;
      result_[m.pc].width = static_cast<std::uint8_t>(count * run_.element);
    }
  }

  const ptx::Function& flat_;
  const Flow flow_;
  const Dominators dominators_;
  const AddressValues values_;
  std::vector<VectorizedAccess> result_;
  const ApartLoads loads_;
  std::vector<bool> widened_;  // registers of 16 bits that are widened
  // node -> block, its alignment
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, LowBits>>> learned_;
  std::map<Key, std::vector<Group>> groups_;
  std::map<std::uint32_t, std::uint32_t> issued_;      // leaders: the elements that they load
  std::map<std::uint32_t, std::int64_t> base_offset_;  // leaders: the offset that the PTX says
  std::set<Key> stored_;                               // words that a register still holds
  Group run_;                                          // of stores that may be vectorized
  Key run_key_;
  bool mixed_ = false;        // the run has vectors and scalars: it stays as it is
  int vector_ = 1;            // of its last store
  std::uint32_t memory_ = 0;  // after the last of them
};

}  // namespace

std::vector<VectorizedAccess> vectorize_shared_accesses(const ptx::Function& flat,
                                                        const SharedLayout& layout) {
  const bool any = std::any_of(flat.code.begin(), flat.code.end(),
                               [](const Instruction& i) { return is_shared_load(i) || is_shared_store(i); });
  if (any) return Merger(flat, layout).run();
  std::vector<VectorizedAccess> nothing(flat.code.size());
  for (std::uint32_t pc = 0; pc < nothing.size(); ++pc) nothing[pc].leader = nothing[pc].named = pc;
  return nothing;
}

}  // namespace warplens::emulator
