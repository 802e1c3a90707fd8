#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "engine/explain/access_rule.hpp"
#include "engine/explain/around_access.hpp"

namespace warplens::explain {
namespace {

Claim lanes_of_a_bank(const Facts& f) { return claim::number(Quantity::words_of_a_bank, words_of_a_bank(f)); }
Claim words_of_row(const Facts& f) {
  return claim::of(claim::amount(Quantity::row_words, static_cast<double>(row_words(f))), f.array);
}
double words_apart(const Facts& f) { return static_cast<double>(f.stride.value_or(0)) / 4; }

Said fix_of_column(const Facts& f) {
  const int words = padding(f);
  const bool swizzle = helps_swizzle(f);
  if (words == 0) return swizzle ? say("a swizzle: rows permuted in different ways") : Said{};
  const std::string_view count = words == 1 ? "one word" : words == 2 ? "two words" : "four words";
  return say(swizzle ? "{} of padding a row, or a swizzle" : "{} of padding a row",
             {claim::of(claim::words(std::string(count), Quantity::words_of_a_bank_padded, 1),
                        std::to_string(words))});
}

Claim all_banks(const Facts& f) {
  const int touched = banks_touched(f);
  return touched == f.pieces.shared.banks
             ? claim::every("all banks", Quantity::banks_touched, touched)
             : claim::words(fmt::format("{} banks", touched), Quantity::banks_touched, touched);
}

// "in the next bank"
Said in_the_bank(const Facts& f) {
  Said said = neighbours(f);
  said.text += words_apart(f) < 0 ? ", in the previous bank" : ", in the next bank";
  return said;
}

Said no_two_lanes(const Facts& f) {
  if (words_of_a_bank(f) > 1) return {};
  if (f.pieces.shared.phases > 1)
    return say("lanes that are served together have {}",
               {claim::every("no bank conflict", Quantity::words_of_a_bank, 1)});
  return say("{} ask one bank for different words",
             {claim::every("no two lanes", Quantity::words_of_a_bank, 1)});
}

// Warps that are done still come to the barriers of the rounds that follow.
Said fix_of_waiting_warps(const Facts& f) {
  const int barriers = barriers_behind(f);
  if (barriers == 0) return nothing_to_fix(f, "the others are through");
  return say("let the others go: they still wait at {}",
             {claim::amount(Quantity::barriers_behind, barriers, Scope::block)});
}

Said own_bytes(const Facts& f) {
  return say("{} {} {} of its own, {} a cycle",
             {claim::every("every lane", Quantity::lanes_at_one_address, 1), claim::name(verb(f)),
              claim::amount(Quantity::lane_bytes, f.access.width),
              claim::amount(Quantity::bytes_a_wavefront, 4.0 * f.pieces.shared.banks, Scope::device)});
}

constexpr std::array kSharedRules = {
    AccessRule{
        RuleId::column_in_one_bank, Verdict::costly,
        [](const Facts& f) { return is_shared(f) && !is_ideal(f) && f.walks_down && row_words(f) > 0; },
        cost_against_ideal,
        [](const Facts& f) {
          return say("{} lanes of a column share a bank: rows of {} are {} long",
                     {lanes_of_a_bank(f), claim::name(f.array), words_of_row(f)});
        },
        fix_of_column},
    AccessRule{
        RuleId::bank_stride, Verdict::costly,
        [](const Facts& f) { return is_shared(f) && !is_ideal(f) && distance(f) > f.access.width; },
        cost_against_ideal,
        [](const Facts& f) {
          const Claim words = of_rows(f, claim::number(Quantity::distance_words, words_apart(f)));
          const Claim way = claim::name(words_apart(f) < 0 ? "back" : "on");
          return f.row_lanes == 32 ? say("{} lanes share a bank: {} is {} words further {}",
                                         {lanes_of_a_bank(f), lane_after(f), words, way})
                                   : say("{} lanes share a bank: {} is {} words further {} in groups of {}",
                                         {lanes_of_a_bank(f), lane_after(f), words, way,
                                          claim::amount(Quantity::row_of_lanes, f.row_lanes)});
        },
        [](const Facts& f) {
          if (padding(f) > 0) return say("give neighbouring lanes neighbouring words, or pad the rows");
          if (skipped_words(f) > 0)
            return say("give neighbouring lanes neighbouring words, or skip some words after a row of banks");
          return say("give neighbouring lanes neighbouring words");
        }},
    AccessRule{RuleId::bank_conflict, Verdict::costly,
               [](const Facts& f) { return is_shared(f) && !is_ideal(f); }, cost_against_ideal,
               [](const Facts& f) {
                 if (words_of_a_bank(f) <= 1 && f.lanes > distinct_addresses(f) && is_by_halves(f))
                   return say("several lanes share a word: a turn gives one such word");
                 const int words = words_of_a_bank(f);
                 if (f.access.kind == emulator::AccessKind::atomic && f.pieces.units > words) {
                   const Claim several =
                       claim::words("several", Quantity::lanes_at_one_address, most_lanes_at_one_address(f));
                   if (words <= 1)
                     return say("{} lanes update the same word of {}: it is updated once a turn",
                                {several, claim::name(f.array)});
                   return say(
                       "lanes ask one bank for {} different words of {}, and {} for the same one: each word "
                       "is updated "
                       "once a turn",
                       {lanes_of_a_bank(f), claim::name(f.array), several});
                 }
                 return words > 1 ? say("lanes ask one bank for {} different words of {}",
                                        {lanes_of_a_bank(f), claim::name(f.array)})
                                  : Said{};
               },
               [](const Facts& f) {
                 const bool is_atomic = f.access.kind == emulator::AccessKind::atomic;
                 return is_atomic ? Said{} : say("place words so that lanes of a warp use different banks");
               }},
    AccessRule{RuleId::before_shuffles, Verdict::good,
               [](const Facts& f) { return is_free_load(f) && shuffles_behind(f) > 0; },
               [](const Facts& f) {
                 return say("{} by shuffles follow: {}",
                            {claim::amount(Quantity::shuffle_rounds, static_cast<double>(shuffles_behind(f)),
                                           Scope::warp),
                             claim::every("no barrier", Quantity::barriers_behind, 0, Scope::block)});
               },
               [](const Facts& f) {
                 return say("lanes add registers of other lanes: {} is {}",
                            {claim::name(f.array),
                             claim::every("read no more", Quantity::shared_accesses_behind, 0, Scope::warp)});
               },
               nothing_to_fix},
    AccessRule{RuleId::lanes_at_the_front, Verdict::good,
               [](const Facts& f) {
                 return is_free_load(f) && tree_of(f) != nullptr && !f.condition.empty() &&
                        at_work(f).warps < f.block_warps && at_work(f).are_first;
               },
               [](const Facts& f) {
                 return say(
                     "{} of {} have {} to add",
                     {claim::number(Quantity::warps_done, f.block_warps - at_work(f).warps, Scope::block),
                      claim::amount(Quantity::block_warps, f.block_warps, Scope::block),
                      claim::every("nothing", Quantity::lanes_of_warps_done, 0, Scope::block)});
               },
               [](const Facts& f) {
                 return say("the first {} threads add the rest, {}",
                            {claim::number(Quantity::first_threads_at_work, at_work(f).lanes, Scope::block),
                             claim::words("without bank conflicts", Quantity::times_the_least, 1)});
               },
               fix_of_waiting_warps},
    AccessRule{
        RuleId::shared_broadcast, Verdict::good,
        [](const Facts& f) { return is_shared(f) && is_ideal(f) && f.is_broadcast; },
        [](const Facts& f) {
          return f.pieces.units == 1
                     ? say("{} serves {}", {units(f), claim::amount(Quantity::lanes, f.lanes)})
                     : least(f);
        },
        [](const Facts& f) {
          const Claim all = claim::every("all lanes", Quantity::distinct_addresses, 1);
          return f.access.width > 4
                     ? say("{} want the same {} of {}",
                           {all, claim::amount(Quantity::lane_bytes, f.access.width), claim::name(f.array)})
                     : say("{} want the same word of {}", {all, claim::name(f.array)});
        },
        [](const Facts& f) {
          if (!is_least_in_any_order(f)) return Said{};
          return nothing_to_fix(f, f.pieces.units == 1 ? "a broadcast is free" : "as quick as it gets");
        }},
    AccessRule{
        RuleId::padded_column, Verdict::good,
        [](const Facts& f) { return is_shared(f) && is_ideal(f) && f.walks_down && row_words(f) % 2 == 1; },
        [](const Facts& f) {
          return say("{}: the column walks through {}", {units(f), all_banks(f)});
        },
        [](const Facts& f) {
          const std::int64_t step = row_words(f) % std::max(f.pieces.shared.banks, 1);
          return say(
              "{} a row: {} starts {} further on",
              {words_of_row(f), claim::every("each row", Quantity::bank_step, static_cast<double>(step)),
               claim::words(step == 1 ? "one bank" : fmt::format("{} banks", step), Quantity::bank_step,
                            static_cast<double>(step))});
        },
        [](const Facts& f) { return nothing_to_fix(f, "that is the padding at work"); }},
    AccessRule{RuleId::swizzled_column, Verdict::good,
               [](const Facts& f) { return is_shared(f) && is_ideal(f) && is_swizzled(f); },
               [](const Facts& f) {
                 return say("{}: a column meets {}", {units(f), all_banks(f)});
               },
               [](const Facts& f) {
                 return say("in {} of {} it lies in another column",
                            {claim::every("each row", Quantity::distinct_columns, 32), claim::name(f.array)});
               },
               [](const Facts& f) { return nothing_to_fix(f, "the swizzle saves the words of padding"); }},
    AccessRule{RuleId::staged, Verdict::good, [](const Facts& f) { return staging_of(f).is_worth_it(); },
               [](const Facts& f) {
                 const Staging staging = staging_of(f);
                 const double apart_ = words_apart(f);
                 return say("{}, not {}: lanes take {} from shared memory",
                            {claim::amount(Quantity::staged_sectors, static_cast<double>(staging.least)),
                             claim::number(Quantity::sectors_in_order, static_cast<double>(staging.apart)),
                             claim::every(apart_ == 2   ? "every other word"
                                          : apart_ == 3 ? "every third word"
                                                        : fmt::format("words {} apart", apart_),
                                          Quantity::distance_words, apart_)});
               },
               [](const Facts& f) {
                 return say("warps copy in order through {}; {} reads {} words further on there",
                            {claim::name(f.array), lane_after(f),
                             claim::number(Quantity::distance_words, words_apart(f))});
               },
               [](const Facts& f) { return nothing_to_fix(f, "that is what staging is for"); }},
    AccessRule{
        RuleId::wide_loads_shared, Verdict::good,
        [](const Facts& f) {
          return is_shared(f) && is_ideal(f) && f.access.width == 16 && f.lanes == 32 && f.pieces.units < 4;
        },
        [](const Facts& f) {
          return say("{} instead of {}", {units(f), claim::number(Quantity::wavefronts_if_apart, 4)});
        },
        [](const Facts& f) {
          return say("{} ask for the same {}", {claim::words("several lanes", Quantity::lanes_at_one_address,
                                                             most_lanes_at_one_address(f)),
                                                claim::amount(Quantity::lane_bytes, f.access.width)});
        },
        [](const Facts& f) {
          return is_least_in_any_order(f) ? nothing_to_fix(f, "as quick as it gets") : Said{};
        }},
    AccessRule{
        RuleId::wide_loads, Verdict::good,
        [](const Facts& f) {
          return is_shared(f) && is_ideal(f) && f.access.width == 16 && f.pieces.units == 4;
        },
        [](const Facts& f) {
          return distinct_addresses(f) < f.lanes || !is_least_in_any_order(f)
                     ? least(f)
                     : say("{}: {} for {}",
                           {units(f), claim::words("the least", Quantity::fewest_wavefronts, f.pieces.units),
                            claim::amount(Quantity::bytes_asked, distinct_bytes(f))});
        },
        [](const Facts& f) { return distinct_addresses(f) < f.lanes ? no_two_lanes(f) : own_bytes(f); },
        [](const Facts& f) {
          return is_least_in_any_order(f) ? nothing_to_fix(f, "lanes do not wait for banks") : Said{};
        }},
    AccessRule{RuleId::a_word_of_each_bank, Verdict::good,
               [](const Facts& f) { return is_shared(f) && is_ideal(f); }, least,
               [](const Facts& f) {
                 return is_side_by_side(f) && f.row_lanes == 32 && f.access.width == 4 ? in_the_bank(f)
                                                                                       : no_two_lanes(f);
               },
               [](const Facts& f) { return is_least_in_any_order(f) ? nothing_to_fix(f) : Said{}; }},
};

}  // namespace

std::span<const AccessRule> shared_rules() { return kSharedRules; }

}  // namespace warplens::explain
