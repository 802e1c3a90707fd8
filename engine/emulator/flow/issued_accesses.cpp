#include "engine/emulator/flow/issued_accesses.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "engine/emulator/flow/address_values.hpp"
#include "engine/emulator/flow/apart_loads.hpp"
#include "engine/emulator/flow/repeated_loads.hpp"

namespace warplens::emulator {

using ptx::Function, ptx::Instruction, ptx::Opcode, ptx::Space;

namespace {

// What the machine code has of one line of the PTX.
struct Made {
  std::uint8_t width = 0;  // 0: of several
  int copies = 0;
  bool operator==(const Made&) const = default;
};
using Line = std::pair<bool, int>;  // whether stores, line of the PTX
using MadeOf = std::map<Line, Made>;

MadeOf made_of(const std::vector<IssuedAccess>& issued) {
  MadeOf made;
  for (const IssuedAccess& access : issued) {
    if (access.space != Space::shared) continue;
    Made& line = made[{access.store, access.ptx_line}];
    if (line.copies++ == 0) line.width = access.width;
    if (line.width != access.width) line.width = 0;
  }
  return made;
}

bool is_store(const Instruction& i) { return i.opcode == Opcode::st; }
Line line_of(const Instruction& i) { return {is_store(i), i.ptx_line}; }

// What is expected where the machine code names an instruction of the PTX.
struct Expected {
  std::uint8_t width = 0;  // 0: of several
  int accesses = 0;
};
using ExpectedAt = std::map<std::uint32_t, Expected>;

ExpectedAt expected_at(const Function& flat, const std::vector<VectorizedAccess>& accesses) {
  ExpectedAt expected;
  const ApartLoads loads(flat);
  for (std::uint32_t pc = 0; pc < accesses.size(); ++pc) {
    if (accesses[pc].width == 0 || accesses[pc].leader != pc) continue;
    Expected& named = expected[accesses[pc].named];
    if (named.accesses == 0) named.width = accesses[pc].width;
    const ApartLoads::Words words = loads.words_of(pc, accesses[pc]);
    named.accesses += words.first == words.second ? 1 : 2;
    if (named.width != accesses[pc].width) named.width = 0;
  }
  return expected;
}

// is_called: the line stands for several instructions, of a device function that is called in several places.
bool agree(const Expected& expected, const Made& made, bool is_called) {
  return made.width != 0 && made.width == expected.width &&
         (is_called || made.copies % expected.accesses == 0);
}

// Instructions before which ptxas makes the lanes of a warp meet: where they may be apart, it copies what
// stands between two of them.
bool joins_lanes(const Instruction& i) {
  return i.opcode == Opcode::bar_warp_sync || i.opcode == Opcode::shfl || i.opcode == Opcode::vote ||
         i.opcode == Opcode::match || i.opcode == Opcode::redux;
}

// Of code that may have been copied, each part that is copied as a whole, by pc.
std::vector<std::uint32_t> parts_of(const Function& flat) {
  const Flow flow(flat);
  std::vector<std::uint32_t> parts(flat.code.size());
  std::uint32_t part = 0;
  for (std::uint32_t pc = 0; pc < flat.code.size(); ++pc) {
    const bool begins = pc == 0 || flow.block_of(pc) != flow.block_of(pc - 1) || joins_lanes(flat.code[pc]);
    parts[pc] = begins ? ++part : part;
  }
  return parts;
}

using Times = std::map<Line, int>;  // of how many instructions a line is the name

Times times_named(const Function& flat, const ExpectedAt& expected) {
  Times times;
  for (const auto& [pc, here] : expected) ++times[line_of(flat.code[pc])];
  return times;
}

bool are_copied_whole(const Function& flat, const ExpectedAt& expected, const MadeOf& made) {
  if (std::ranges::all_of(made, [](const auto& line) { return line.second.copies == 1; })) return true;
  const std::vector<std::uint32_t> parts = parts_of(flat);
  Times times = times_named(flat, expected);
  std::map<std::uint32_t, int> copies_of;
  return std::ranges::all_of(expected, [&](const auto& named) {
    const Line line = line_of(flat.code[named.first]);
    const int copies = made.at(line).copies / named.second.accesses;
    return times[line] > 1 || copies_of.try_emplace(parts[named.first], copies).first->second == copies;
  });
}

// Bytes of shared memory, counted from an address's node.
struct Reach {
  std::int64_t begin = 0, end = 0;
  bool has(const Reach& other) const { return begin <= other.begin && other.end <= end; }
};

bool is_covered(const Reach& place, std::vector<Reach> parts) {
  std::ranges::sort(parts, {}, &Reach::begin);
  std::int64_t covered = place.begin;
  for (const Reach& part : parts)
    if (part.begin <= covered) covered = std::max(covered, part.end);
  return covered >= place.end;
}

bool lies_in_half(const Reach& place, const std::vector<Reach>& parts) {
  const std::int64_t middle = (place.begin + place.end) / 2;
  return std::ranges::all_of(parts, [&](const Reach& part) { return part.end <= middle; }) ||
         std::ranges::all_of(parts, [&](const Reach& part) { return part.begin >= middle; });
}

// An access of the machine code and the PTX's that it makes, the one whose line it names the first here.
struct Group {
  Reach reach;
  std::vector<const NumberedAccess*> members;
  bool is_expected = false;
};

class Assignment {
 public:
  Assignment(const Function& flat, const SharedLayout& layout, const std::vector<VectorizedAccess>& expected,
             const std::vector<IssuedAccess>& issued)
      : flat_(flat),
        expected_(expected),
        made_(made_of(issued)),
        expected_at_(expected_at(flat, expected)),
        times_(times_named(flat, expected_at_)),
        flow_(flat),
        dominators_(flow_),
        values_(flat, layout, flow_, dominators_),
        result_(expected) {}

  std::vector<VectorizedAccess> run() {
    for (const NumberedAccess& access : values_.accesses())
      if (!made_.contains(line_of(at(access)))) silent_[access.address.node].push_back(&access);
    for (const NumberedAccess& access : values_.accesses())
      if (made_.contains(line_of(at(access)))) issue(access);
    for (const auto& [node, accesses] : silent_)
      for (const NumberedAccess* access : accesses) join(*access);
    for (const auto& [node, groups] : groups_)
      for (const Group& group : groups) close(group);
    keep_the_model();
    return std::move(result_);
  }

 private:
  const Instruction& at(const NumberedAccess& access) const { return flat_.code[access.pc]; }
  Reach own(const NumberedAccess& access) const {
    return {access.address.offset, access.address.offset + width_of(at(access))};
  }

  // Whether the machine's access that names the one could make the other too.
  bool serves(const NumberedAccess& named, const NumberedAccess& other) const {
    if (is_store(at(named)) != is_store(at(other))) return false;
    if (is_store(at(named))) return other.block == named.block && other.pc < named.pc;
    if (at(named).predicated) return false;
    return named.block == other.block ? named.pc < other.pc : dominators_.dominates(named.block, other.block);
  }

  // Where an access of that many bytes lies which makes the named one: at a multiple of them. Where too
  // little is known of the address, it is the one place that it fills with others.
  std::optional<Reach> place_of(const NumberedAccess& named, int width) const {
    const Reach here = own(named);
    if (width == here.end - here.begin) return here;
    if (named.base.known >= std::countr_zero(static_cast<unsigned>(width))) {
      const auto address = static_cast<std::uint64_t>(here.begin) + named.base.value;
      const std::int64_t begin =
          here.begin - static_cast<std::int64_t>(address & static_cast<std::uint64_t>(width - 1));
      return Reach{begin, begin + width};
    }
    std::vector<Reach> parts{here};
    if (const auto silent = silent_.find(named.address.node); silent != silent_.end())
      for (const NumberedAccess* other : silent->second)
        if (serves(named, *other)) parts.push_back(own(*other));
    std::optional<Reach> only;
    for (std::int64_t begin = here.end - width; begin <= here.begin; begin += here.end - here.begin) {
      const Reach place{begin, begin + width};
      if (!is_covered(place, parts)) continue;
      if (only) return std::nullopt;
      only = place;
    }
    return only;
  }

  // Whether the model expects what the machine code has for the instruction, or without one of its own for
  // that which it says leads it.
  bool is_as_expected(const NumberedAccess& access) const {
    const VectorizedAccess& model = expected_[access.pc];
    if (model.leader == VectorizedAccess::kDropped) return !made_.contains(line_of(at(access)));
    const std::uint32_t named = expected_[model.leader].named;
    const Line line = line_of(flat_.code[named]);
    const auto made = made_.find(line);
    return made != made_.end() && agree(expected_at_.at(named), made->second, times_.at(line) > 1) &&
           (access.pc == named || !made_.contains(line_of(at(access))));
  }

  void issue(const NumberedAccess& access) {
    const Made made = made_.at(line_of(at(access)));
    const VectorizedAccess& model = expected_[access.pc];
    if (is_as_expected(access)) {
      const std::int64_t begin = access.address.offset + model.offset - added_offset(at(access));
      groups_[access.address.node].push_back({{begin, begin + made.width}, {&access}, true});
      return;
    }
    const auto place = made.width < width_of(at(access)) ? std::nullopt : place_of(access, made.width);
    if (place)
      groups_[access.address.node].push_back({*place, {&access}});
    else
      unknown_.insert(access.pc);
  }

  // An access without an instruction of its own: of the loads before it the nearest that makes it too, of
  // those where memory is the same if there is one; of the stores behind it the nearest.
  void join(const NumberedAccess& access) {
    if (is_as_expected(access)) return;
    Group* best = nullptr;
    for (Group& group : groups_[access.address.node]) {
      const NumberedAccess& named = *group.members.front();
      if (!serves(named, access) || !group.reach.has(own(access))) continue;
      const bool is_nearer = !is_store(at(access)) && (best == nullptr || named.memory == access.memory ||
                                                       best->members.front()->memory != access.memory);
      if (best == nullptr || is_nearer) best = &group;
    }
    if (best != nullptr)
      best->members.push_back(&access);
    else
      unknown_.insert(access.pc);
  }

  // A store writes all that it is wide. A load that does with half of its width is one that ptxas vectorized
  // over the turns of a loop.
  void close(const Group& group) {
    const NumberedAccess& named = *group.members.front();
    const bool store = is_store(at(named));
    if (group.is_expected) {
      for (const NumberedAccess* member : group.members)
        if (member != &named) result_[member->pc].leader = expected_[named.pc].leader;
      return;
    }
    std::vector<Reach> parts;
    for (const NumberedAccess* member : group.members) parts.push_back(own(*member));
    const bool is_wide = group.reach.end - group.reach.begin > width_of(at(named));
    const bool is_right =
        !is_wide || (store ? is_covered(group.reach, parts) : !lies_in_half(group.reach, parts));
    const NumberedAccess& leader = **std::ranges::min_element(group.members, {}, &NumberedAccess::pc);
    for (const NumberedAccess* member : group.members) {
      if (!is_right) unknown_.insert(member->pc);
      result_[member->pc].leader = store ? leader.pc : named.pc;
      result_[member->pc].named = named.pc;
      if (store || member == &named) spread(*member, group.reach);
    }
  }

  // What the counted access is, from the address register of one that is part of it.
  void spread(const NumberedAccess& member, const Reach& reach) {
    result_[member.pc].width = static_cast<std::uint8_t>(reach.end - reach.begin);
    result_[member.pc].offset = added_offset(at(member)) + reach.begin - member.address.offset;
  }

  // The model's entries for what is unknown, and for what would be counted with it by one of the two.
  void keep_the_model() {
    for (bool grows = !unknown_.empty(); grows;) {
      grows = false;
      std::set<std::uint32_t> leaders;
      for (const std::uint32_t pc : unknown_) leaders.insert({pc, result_[pc].leader, expected_[pc].leader});
      leaders.erase(VectorizedAccess::kDropped);
      for (const NumberedAccess& access : values_.accesses())
        if (leaders.contains(result_[access.pc].leader) || leaders.contains(expected_[access.pc].leader))
          grows |= unknown_.insert(access.pc).second;
    }
    for (const std::uint32_t pc : unknown_) result_[pc] = expected_[pc];
  }

  const Function& flat_;
  const std::vector<VectorizedAccess>& expected_;
  const MadeOf made_;
  const ExpectedAt expected_at_;
  const Times times_;
  const Flow flow_;
  const Dominators dominators_;
  const AddressValues values_;
  std::vector<VectorizedAccess> result_;
  std::map<std::uint32_t, std::vector<const NumberedAccess*>> silent_;  // by node: no line of theirs is named
  std::map<std::uint32_t, std::vector<Group>> groups_;                  // by node
  std::set<std::uint32_t> unknown_;  // of which it cannot be told what they became
};

}  // namespace

namespace {

bool shared_are_issued(const Function& flat, const std::vector<VectorizedAccess>& accesses,
                       const std::vector<IssuedAccess>& issued) {
  const MadeOf made = made_of(issued);
  const ExpectedAt expected = expected_at(flat, accesses);
  const Times times = times_named(flat, expected);
  const bool agrees = std::ranges::all_of(expected, [&](const auto& named) {
    const auto found = made.find(line_of(flat.code[named.first]));
    return found != made.end() && agree(named.second, found->second, times.at(found->first) > 1);
  });
  return agrees && times.size() == made.size() && are_copied_whole(flat, expected, made);
}

}  // namespace

namespace {

bool is_combined(const Instruction& i, const std::vector<int>& voted_lines) {
  return (i.opcode == Opcode::atom || i.opcode == Opcode::red) &&
         std::ranges::binary_search(voted_lines, i.ptx_line);
}

}  // namespace

void mark_combined_atomics(Function& flat, const std::vector<int>& voted_lines) {
  for (Instruction& i : flat.code) i.combined = is_combined(i, voted_lines);
}

bool are_combined(const Function& flat, const std::vector<int>& voted_lines) {
  return std::ranges::all_of(flat.code,
                             [&](const Instruction& i) { return i.combined == is_combined(i, voted_lines); });
}

bool are_issued(const Function& flat, const std::vector<VectorizedAccess>& accesses,
                const std::vector<IssuedAccess>& issued) {
  return shared_are_issued(flat, accesses, issued) &&
         std::ranges::all_of(repeated_loads(flat, issued),
                             [&](const auto& load) { return accesses[load.first].leader == load.second; });
}

std::vector<VectorizedAccess> as_issued(const Function& flat, const SharedLayout& layout,
                                        const std::vector<VectorizedAccess>& expected,
                                        const std::vector<IssuedAccess>& issued) {
  auto accesses =
      shared_are_issued(flat, expected, issued) ? expected : Assignment(flat, layout, expected, issued).run();
  for (const auto& [pc, first] : repeated_loads(flat, issued)) accesses[pc].leader = first;
  return accesses;
}

}  // namespace warplens::emulator
