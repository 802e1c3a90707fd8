#include "viz/figures/access/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

namespace warplens::figures {
namespace {

using report::ReductionTree;
using Round = ReductionTree::Round;

constexpr double kHead = 46;  // the title and what the circles mean
constexpr double kLeft = 92, kRight = 132;
// A class reads numbers, and words beside one row alone.
constexpr double kClassTreeHead = 28, kClassLeft = 58, kClassRight = 192, kClassWarps = 72;
constexpr double kMostPitch = 52;  // from one row to the next

// A warp in one round.
struct WarpRound {
  std::uint32_t working = 0;  // lanes that execute it
  std::uint32_t useful = 0;   // lanes into which a value goes that the result has
};
WarpRound of_warp(const Round& round, std::uint32_t warp) {
  WarpRound here{warp < round.lanes.size() ? round.lanes[warp] : 0, 0};
  if (!round.adds) return {here.working, here.working};
  for (const auto& arc : round.arcs)
    if (arc.counts && arc.to / 32 == warp) here.useful |= 1u << (arc.to % 32);
  return here;
}

// The loads of shared memory that a warp makes in a round, as its lanes were watched.
std::vector<const trace::Exchange*> loads_of(const AccessView& view, const Round& round, std::uint32_t warp) {
  std::vector<const trace::Exchange*> loads;
  if (view.run.lanes == nullptr || round.is_shuffle) return loads;
  const auto* block = view.run.lanes->of(view.run.trace->blocks()[view.place.block].block);
  if (block == nullptr) return loads;
  for (const trace::Exchange& each : block->exchanges)
    if (each.kind == trace::Exchange::Kind::load && each.warp == warp && each.turn == round.turn &&
        std::ranges::find(round.pcs, each.pc) != round.pcs.end())
      loads.push_back(&each);
  return loads;
}

// How many words of shared memory lie between the two that a lane adds, where it reads both.
std::optional<std::int64_t> words_between(const std::vector<const trace::Exchange*>& loads) {
  if (loads.size() != 2 || (loads[0]->lanes & loads[1]->lanes & 1) == 0) return std::nullopt;
  return std::abs(std::int64_t{loads[0]->at[0]} - std::int64_t{loads[1]->at[0]});
}

// The most different words that a load asks one bank for. Of chips that serve a warp at once.
int words_a_bank(const std::vector<const trace::Exchange*>& loads) {
  constexpr std::uint32_t banks = 32;
  std::size_t most = 0;
  for (const trace::Exchange* load : loads) {
    std::array<std::set<std::uint32_t>, banks> words;
    for (std::uint32_t left = load->lanes; left != 0; left &= left - 1) {
      const std::uint32_t word = load->at[static_cast<std::size_t>(std::countr_zero(left))];
      words[word % banks].insert(word);
    }
    for (const auto& each : words) most = std::max(most, each.size());
  }
  return static_cast<int>(most);
}

std::string signed_words(std::int64_t distance) {
  return fmt::format("{} {}", distance < 0 ? "−" : "+",
                     grouped(static_cast<std::uint64_t>(std::abs(distance))));
}

// Where it is brief the distance alone; its colour says whether it is a shuffle. words: between the two that a lane
// reads, where threads are at no distance that all have.
std::string source_words(const Round& round, std::optional<std::int64_t> words, Look look) {
  if (words) return is_brief(look) ? signed_words(*words) : "word " + signed_words(*words);
  const auto distance = round.distance();
  if (!distance) return is_brief(look) ? "" : round.adds ? "adds pairs" : "one a warp";
  const std::string away = signed_words(*distance);
  return is_brief(look) ? away : (round.is_shuffle ? "shuffle " : "thread ") + away;
}

// Those that work, or where some of them add along those that count.
int lanes_counted(const WarpRound& here) {
  return std::popcount(here.useful != 0 ? here.useful : here.working);
}

// "8 of 32 lanes work"; brief: "8/32 work".
std::string lanes_words(const Round& round, const WarpRound& here, bool brief = false) {
  const int working = std::popcount(here.working), useful = std::popcount(here.useful);
  if (brief)
    return fmt::format("{}/32 {}", round.adds ? lanes_counted(here) : working,
                       !round.adds                        ? "read"
                       : useful != working && useful != 0 ? "count"
                                                          : "work");
  if (working == 0) return "32 lanes wait";
  if (!round.adds) return fmt::format("{} of 32 lanes read", working);
  if (useful == working || useful == 0) return fmt::format("{} of 32 lanes work", working);
  return fmt::format("{} lane{}", useful, useful == 1 ? " counts" : "s count");
}

// Fewer warps could do the same.
bool is_scattered(const Round& round) {
  return round.working_lanes() < 32 * round.working_warps() &&
         round.working_warps() > (round.working_lanes() + 31) / 32;
}

class Tree {
 public:
  Tree(const AccessView& view, const ReductionTree& tree, const Rect& area)
      : view_(view), tree_(tree), area_(area), warp_(view.place.warp), now_(round_now(view)) {
    const auto rows = static_cast<double>(tree.rounds.size() + 1);
    pitch_ = std::min(kMostPitch, (area.height - head()) / rows);
    cell_ = (area.width - left() - (is_large(look()) ? kClassRight : kRight)) / 32;
    radius_ = std::max(std::min({cell_ * 0.42, pitch_ * 0.28, 9.0}), 1.5);
    // The one of the access that is shown, or the first that leaves lanes waiting.
    const auto waits = std::ranges::find_if(
        tree.rounds, [&](const Round& round) { return of_warp(round, warp_).working != 0xffffffff; });
    for (const Round& round : tree.rounds) {
      const auto loads = loads_of(view, round, warp_);
      words_a_bank_.push_back(view.run.device().shared_banks == 32 ? words_a_bank(loads) : 0);
      words_between_.push_back(words_between(loads));
    }
    has_conflicts_ = std::ranges::any_of(words_a_bank_, [](int words) { return words > 1; });
    by_words_ = std::ranges::any_of(
        tree.rounds, [](const Round& round) { return !round.is_shuffle && !round.distance(); });
    spoken_ = now_                         ? *now_
              : waits == tree.rounds.end() ? 0
                                           : static_cast<std::size_t>(waits - tree.rounds.begin());
  }

  void draw(Group& group) {
    draw_head(group);
    draw_row_of_values(group);
    for (std::size_t r = 0; r < tree_.rounds.size(); ++r) draw_round(group, r);
  }

 private:
  Look look() const { return view_.options.look; }
  double head() const { return is_large(look()) ? kClassTreeHead : kHead; }
  double left() const { return is_large(look()) ? kClassLeft : kLeft; }
  double x(std::uint32_t lane) const { return area_.x + left() + (lane + 0.5) * cell_; }
  // Row 0 has what the lanes start with.
  double y(std::size_t row) const { return area_.y + head() + (static_cast<double>(row) + 0.5) * pitch_; }

  Color color_of(std::uint32_t lane) const {
    return lane_look(view_.options.colors, static_cast<int>(lane)).color;
  }

  void draw_head(Group& group) {
    if (!is_brief(look()))
      group.text({area_.x, area_.y + 14}, fmt::format("How warp {} adds up", warp_), heading());
    double at = area_.x;
    const double level = area_.y + head() - 14;
    const auto add = [&](const std::string& text, auto draw) {
      const double wide = 18 + view_.measure.width(text, caption()) + 18;
      if (at + wide - 18 > area_.right()) return;
      draw(Point{at + 6, level - 4});
      group.text({at + 18, level}, text, caption());
      at += wide;
    };
    if (!is_brief(look())) add("works", [&](Point p) { group.circle(p, 5, {.fill = color_of(1)}); });
    if (std::ranges::any_of(tree_.rounds,
                            [&](const Round& round) { return of_warp(round, warp_).working != 0xffffffff; }))
      add("waits", [&](Point p) { draw_idle(group, p, 5); });
    if (std::any_of(tree_.rounds.begin(), tree_.rounds.end(), [&](const Round& round) {
          const WarpRound here = of_warp(round, warp_);
          return here.useful != 0 && here.useful != here.working;
        }))
      add(is_brief(look()) ? "adds along" : "adds along, at no cost",
          [&](Point p) { draw_vain(group, p, 5, 1); });
    if (is_brief(look()) && std::ranges::any_of(tree_.rounds, &Round::is_shuffle))
      add("shuffle", [&](Point p) { group.text({p.x - 4, p.y + 4}, "+", caption(Token::accent)); });
    if (has_warps())
      add(is_brief(look()) ? "warps" : fmt::format("how full each of {} warps is", tree_.warps),
          [&](Point p) {
            draw_warp_box(group, {p.x - 4, p.y - 5, 8, 10}, 0.5, Token::first_block);
          });
  }

  void draw_idle(Group& group, Point at, double radius) const {
    group.circle(at, radius, {.stroke = scene::Stroke{Color{Token::dim, 0.75}, 1}});
  }
  void draw_vain(Group& group, Point at, double radius, std::uint32_t lane) const {
    const Color color = color_of(lane);
    group.circle(at, radius, {.fill = Color{color.token, 0.25}, .stroke = scene::Stroke{color, 1}});
  }

  void draw_now(Group& group, double middle) {
    group.rect({area_.x - 6, middle - pitch_ / 2 + 1, area_.width + 12, pitch_ - 2},
               {.fill = Color{Token::accent, 0.16}}, 4);
  }

  bool has_two_lines() const { return pitch_ >= 30 && !is_brief(look()); }
  // A class sees the boxes of the warps beside the numbers, so that they have room in low rows too.
  double warp_width() const {
    return std::min(9.0, (is_large(look()) ? kClassWarps : kRight - 10) / tree_.warps);
  }
  bool has_warps() const {
    return tree_.warps >= 2 && warp_width() >= 4 && (is_large(look()) ? pitch_ >= 14 : has_two_lines());
  }

  // What brings values from global memory before any round is of this row.
  bool is_start_now() const {
    return !now_ && view_.access && view_.access->space == ptx::Space::global &&
           view_.access->kind == emulator::AccessKind::load;
  }

  void draw_row_of_values(Group& group) {
    if (is_start_now()) draw_now(group, y(0));
    if (pitch_ >= 14 && !is_brief(look()))
      group.text({area_.x, y(0) + 4}, "at the start", within(caption(), left() - 10));
    const std::size_t brought = elements_of_a_lane();
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      group.circle({x(lane), y(0)}, radius_, {.fill = color_of(lane)});
    if (pitch_ < 14 || (is_brief(look()) && brought < 2)) return;
    group.text({x(31) + cell_ / 2 + 10, y(0) + 4},
               is_brief(look()) ? fmt::format("× {}", brought)
               : brought > 1    ? fmt::format("{} elements each", brought)
                                : "a value each",
               within(caption(), kRight));
  }

  void draw_round(Group& group, std::size_t r) {
    const Round& round = tree_.rounds[r];
    const WarpRound here = of_warp(round, warp_);
    const double top = y(r + 1);
    Group row;
    if (now_ == r) draw_now(row, top);
    draw_arcs(row, r, here);
    for (std::uint32_t lane = 0; lane < 32; ++lane) draw_lane(row, {x(lane), top}, here, lane);
    if (pitch_ >= 14) {
      // What needs neither shared memory nor barriers stands out.
      row.text({area_.x, top + 4}, source_words(round, by_words_ ? words_between_[r] : std::nullopt, look()),
               within(caption(round.is_shuffle ? Token::accent : Token::dim), left() - 10));
      draw_counts(row, round, here, top);
    }
    group.group(std::move(row)).named(fmt::format("line:{}", round.line), title_of(round, here));
  }

  // How many elements the first lane of the warp reads from global memory before it passes anything on.
  std::size_t elements_of_a_lane() const {
    constexpr std::size_t most = 4096;
    const auto& accesses = view_.story.accesses();
    std::size_t elements = 0;
    const auto count = static_cast<std::uint32_t>(std::min(most, accesses.of_warp(warp_).size()));
    for (std::uint32_t a = 0; a < count; ++a) {
      const auto access = accesses.at(warp_, a);
      if (access->space != ptx::Space::global || access->kind != emulator::AccessKind::load) continue;
      if ((access->active & 1) != 0) elements += std::max<std::size_t>(access->width / 4, 1);
    }
    return elements;
  }

  void draw_lane(Group& group, Point at, const WarpRound& here, std::uint32_t lane) {
    const bool works = (here.working >> lane & 1) != 0, counts = (here.useful >> lane & 1) != 0;
    if (!works)
      draw_idle(group, at, radius_);
    else if (counts || here.useful == 0)
      group.circle(at, radius_, {.fill = color_of(lane)});
    else
      draw_vain(group, at, radius_, lane);
  }

  // From the row above. Of neighbours whose lines would run together a few are drawn, over a band that stands
  // for all of them; of those that add along, and of these none.
  void draw_arcs(Group& group, std::size_t r, const WarpRound& here) {
    const Round& round = tree_.rounds[r];
    const double from = y(r) + radius_, to = y(r + 1) - radius_;
    if (round.adds)
      for (std::uint32_t lane = 0; lane < 32; ++lane)  // its own value, which stays where it is
        if (here.working >> lane & 1) group.line({x(lane), from}, {x(lane), to}, {Color{Token::dim, 0.7}, 1});
    for (const auto& arcs : neighbours_of(round)) {
      if (arcs.front().from / 32 != warp_) {
        for (const auto& arc : arcs) draw_stub(group, arc, from, to);
        continue;
      }
      const std::size_t every = drawn_of(arcs, to - from);
      if (every > 1 && !arcs.front().counts) continue;
      if (every > 1) draw_band(group, arcs, from, to);
      for (std::size_t a = arcs.size(); a-- > 0;)  // the first one on top
        if ((arcs[a].to - arcs.front().to) % every == 0 || arcs[a].to == arcs.back().to)
          draw_arc(group, arcs[a], from, to);
    }
  }

  using Arc = ReductionTree::Arc;
  // Those into lanes of the warp that lie side by side and are alike, from left to right.
  std::vector<std::vector<Arc>> neighbours_of(const Round& round) const {
    std::vector<Arc> arcs;
    for (const Arc& arc : round.arcs)
      if (arc.to / 32 == warp_) arcs.push_back(arc);
    std::ranges::stable_sort(arcs, {}, &Arc::to);
    std::vector<std::vector<Arc>> runs;
    for (const Arc& arc : arcs) {
      const bool goes_on = !runs.empty() && arc.to - runs.back().back().to <= 1 &&
                           runs.back().back().counts == arc.counts &&
                           runs.back().back().from / 32 == arc.from / 32;
      if (!goes_on) runs.emplace_back();
      runs.back().push_back(arc);
    }
    return runs;
  }
  // Every which one of them is drawn, so that two lines are as far apart as can be seen.
  std::size_t drawn_of(const std::vector<Arc>& arcs, double high) const {
    constexpr double least = 4.5;
    double flat = 0;
    for (const Arc& arc : arcs) flat = std::max(flat, std::abs(x(arc.from % 32) - x(arc.to % 32)));
    const double apart = cell_ * high / std::hypot(flat, high);
    std::size_t every = 1;
    while (every < arcs.size() && static_cast<double>(every) * apart < least) every *= 2;
    return every;
  }
  void draw_band(Group& group, const std::vector<Arc>& arcs, double from, double to) const {
    const Arc &first = arcs.front(), &last = arcs.back();
    group.polygon({{x(first.from % 32), from},
                   {x(last.from % 32), from},
                   {x(last.to % 32), to},
                   {x(first.to % 32), to}},
                  {.fill = Color{color_of(last.to % 32).token, 0.16}});
  }
  double head_size() const { return std::clamp(radius_ * 0.8, 3.0, 5.5); }
  void draw_arc(Group& group, const Arc& arc, double from, double to) const {
    group.arrow({x(arc.from % 32), from}, {x(arc.to % 32), to},
                {Color{color_of(arc.to % 32).token, arc.counts ? 1 : 0.3}, arc.counts ? 1.4 : 0.8},
                head_size());
  }
  // What comes from another warp: from the edge of the row.
  void draw_stub(Group& group, const Arc& arc, double from, double to) const {
    const double at = x(arc.to % 32);
    group.arrow({at + cell_ * 0.45, from + (to - from) * 0.25}, {at, to},
                {Color{color_of(arc.to % 32).token, arc.counts ? 1 : 0.3}, arc.counts ? 1.2 : 0.8},
                head_size());
  }

  // How many lanes work, and of each warp of the block how full it is.
  void draw_counts(Group& group, const Round& round, const WarpRound& here, double middle) {
    const double left = x(31) + cell_ / 2 + 10;
    const bool two_lines = has_two_lines();
    // Lanes that were scattered before are so in the last row too, where only one is left.
    const bool bad =
        here.working != 0 && here.working != 0xffffffff &&
        std::any_of(tree_.rounds.data(), &round + 1, [](const Round& each) { return is_scattered(each); });
    const std::size_t r = static_cast<std::size_t>(&round - tree_.rounds.data());
    const bool waits_for_banks = is_sparse(look()) && has_conflicts_;
    const bool is_costly = waits_for_banks ? words_a_bank_[r] > 1 : bad;
    TextStyle style = caption(is_costly ? Token::costly : here.working == 0 ? Token::dim : Token::text);
    const bool is_said = !is_brief(look()) || r == spoken_;
    const std::string counted = waits_for_banks ? bank_words(words_a_bank_[r], is_said)
                                : is_said       ? lanes_words(round, here, is_brief(look()))
                                                : fmt::format("{}", lanes_counted(here));
    group.text({left, middle + (two_lines ? -3 : 4)}, counted, within(style, area_.right() - left));
    if (!has_warps()) return;
    const double wide = warp_width(), high = is_large(look()) ? std::min(12.0, pitch_ - 4) : 10;
    const double first = is_large(look()) ? area_.right() - wide * tree_.warps : left;
    for (std::uint32_t warp = 0; warp < tree_.warps; ++warp) {
      const Rect box{first + warp * wide, is_large(look()) ? middle - high / 2 : middle + 3, wide - 2, high};
      const double share = std::popcount(round.lanes[warp]) / 32.0;
      const Color color = warp == warp_ ? color_of(1) : Color{Token::first_block};
      draw_warp_box(group, box, share, color);
    }
  }

  static std::string bank_words(int words, bool is_said) {
    return is_said && words > 1 ? fmt::format("{} words a bank", words) : fmt::format("{}", words);
  }

  static void draw_warp_box(Group& group, const Rect& box, double share, Color color) {
    if (share > 0)
      group.rect({box.x, box.bottom() - box.height * share, box.width, box.height * share}, {.fill = color},
                 1);
    group.rect(box, {.stroke = scene::Stroke{edge(), 1}}, 1);
  }

  std::string title_of(const Round& round, const WarpRound& here) const {
    const std::string line = round.line > 0 ? fmt::format("Line {}: ", round.line) : "";
    return fmt::format("{}{}; in the block {} of {} threads in {}", line, lanes_words(round, here),
                       grouped(round.working_lanes()), grouped(tree_.threads),
                       counted(round.working_warps(), "warp"));
  }

  const AccessView& view_;
  const ReductionTree& tree_;
  Rect area_;
  std::uint32_t warp_;
  std::optional<std::size_t> now_;
  std::size_t spoken_ = 0;  // the round whose lanes have words before a class
  // By round, of the warp; 0 and empty if it reads no shared memory.
  std::vector<int> words_a_bank_;
  std::vector<std::optional<std::int64_t>> words_between_;
  bool has_conflicts_ = false, by_words_ = false;
  double pitch_ = 0, cell_ = 0, radius_ = 0;
};

}  // namespace

const report::ReductionTree* tree_of(const AccessView& view) {
  const auto& trees = view.run.trees;
  return view.place.block < trees.size() ? trees[view.place.block].get() : nullptr;
}

std::optional<std::size_t> round_now(const AccessView& view) {
  const report::ReductionTree* tree = tree_of(view);
  if (tree == nullptr || !view.access) return std::nullopt;
  const auto& accesses = view.story.accesses();
  const auto events = accesses.of_warp(view.place.warp);
  std::uint32_t turn = 0;
  for (std::uint32_t a = 0; a < view.place.access; ++a)
    turn += accesses.trace().pc(accesses.block(), events[a]) == view.access->pc ? 1 : 0;
  if (const auto round = tree->round_of(view.access->pc, turn)) return round;
  // What is read from shared memory to be shuffled is of the first shuffle behind it.
  const bool is_read =
      view.access->space == ptx::Space::shared && view.access->kind == emulator::AccessKind::load;
  const auto next = std::ranges::find_if(tree->rounds, [&](const Round& each) {
    return each.is_shuffle && !each.pcs.empty() && each.pcs.front() > view.access->pc;
  });
  if (!is_read || next == tree->rounds.end()) return std::nullopt;
  return static_cast<std::size_t>(next - tree->rounds.begin());
}

void draw_tree(Group& group, const AccessView& view, const Rect& area) {
  if (const report::ReductionTree* tree = tree_of(view)) Tree(view, *tree, area).draw(group);
}

}  // namespace warplens::figures
