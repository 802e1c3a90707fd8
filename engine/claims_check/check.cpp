#include "engine/claims_check/check.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "engine/claims_check/found.hpp"

namespace warplens::claims_check {
namespace {

using explain::Claim, explain::ClaimKind, explain::Claims, explain::Quantity;

constexpr double kLeastGain = 0.05;

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::string_view kHeldTogether = "\u00a0";  // a space at which no line ends
  for (std::size_t at = 0; (at = small.find(kHeldTogether, at)) != std::string::npos;)
    small.replace(at, kHeldTogether.size(), " ");
  return small;
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// ---- the number that the words show

struct Shown {
  double number = 0, tolerance = 0;
};
// "12.3 TFLOP/s", "4 kB", "31 µs": what its prefix makes of the number; 1 where it has none.
double prefix_in(std::string_view words) {
  constexpr std::array<std::pair<std::string_view, double>, 8> prefixes = {
      {{"n", 1e-9}, {"µ", 1e-6}, {"m", 1e-3}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}}};
  constexpr std::array<std::string_view, 7> units = {"FLOP/s", "OP/s", "B/s", "launches/s", "B", "s", ""};
  const std::size_t space = words.find(' ', words.find_first_of("0123456789"));
  if (space == std::string_view::npos) return 1;
  const std::string_view unit = words.substr(space + 1);
  for (const auto& [prefix, factor] : prefixes)
    for (const std::string_view name : units) {
      if (!unit.starts_with(prefix) || !unit.substr(prefix.size()).starts_with(name)) continue;
      const std::string_view rest = unit.substr(prefix.size() + name.size());
      if (rest.empty() || !is_letter(rest.front())) return factor;
    }
  return 1;
}

// The first number in the words, and half of its last digit; nothing without digits.
std::optional<Shown> number_in(std::string_view words) {
  const std::size_t at = words.find_first_of("0123456789");
  if (at == std::string_view::npos) return std::nullopt;
  std::string digits;
  int decimals = 0;
  bool is_behind_point = false;
  for (std::size_t i = at; i < words.size(); ++i) {
    const bool is_followed = i + 1 < words.size() && is_digit(words[i + 1]);
    if (words[i] == ',' && is_followed) continue;
    if (words[i] == '.' && is_followed && !is_behind_point) {
      is_behind_point = true;
    } else if (!is_digit(words[i])) {
      break;
    } else {
      decimals += is_behind_point ? 1 : 0;
    }
    digits += words[i];
  }
  const double scale = has(words, "%") ? 0.01 : prefix_in(words);
  return Shown{scale * std::strtod(digits.c_str(), nullptr), scale * 0.5 * std::pow(10, -decimals)};
}
// "a third of": a number too.
std::optional<double> fraction_in(std::string_view words) {
  constexpr std::array<std::pair<std::string_view, double>, 5> fractions = {
      {{"half of", 2}, {"a third of", 3}, {"a quarter of", 4}, {"an eighth of", 8}, {"a sixteenth of", 16}}};
  for (const auto& [word, parts] : fractions)
    if (words.starts_with(word)) return 1 / parts;
  return std::nullopt;
}

std::string number_words(double value) { return fmt::format("{:.6g}", value); }
std::string found_words(const Found& found) {
  return found.least == found.most ? number_words(found.mean)
                                   : fmt::format("{} to {}, {} on average", number_words(found.least),
                                                 number_words(found.most), number_words(found.mean));
}
bool is_near(double one, double other) {
  return std::abs(one - other) <= 1e-6 * std::max(1.0, std::abs(other));
}

// ---- claims; empty: it holds

bool is_name_known(const Claim& claim, const run::Run& run) {
  const run::Plan& plan = run.plan();
  if (has(plan.spec.code, claim.shown)) return true;
  if (!claim.of.empty()) return true;  // of the language, or of a cluster
  return std::ranges::none_of(claim.shown, is_digit);
}

std::string wrong_in_words(const Claim& claim, const Found& found) {
  const std::string_view words = claim.shown;
  const double value = std::abs(claim.kind == ClaimKind::every ? found.least : found.mean);
  if (const auto fraction = fraction_in(words); fraction && !is_near(*fraction, value))
    return found_words(found);
  const auto shown = number_in(words);
  if (shown && std::abs(shown->number - value) > shown->tolerance * (1 + 1e-9) + 1e-9)
    return found_words(found);
  return "";
}

// words: whether they show the number.
std::string wrong_in_number(const Claim& claim, const Subject& subject, bool words = true) {
  const Measure measure = measure_of(claim.quantity);
  if (measure == nullptr) return "nobody can measure it";
  const Measured found = measure(subject);
  if (!found) return "none of it is found";
  const bool holds = claim.kind == ClaimKind::every
                         ? is_near(found->least, claim.number) && is_near(found->most, claim.number)
                         : is_near(found->mean, claim.number);
  if (!holds) return found_words(*found);
  return words ? wrong_in_words(claim, *found) : "";
}

std::string wrong_in_fix(const Subject& subject) {
  if (subject.claim.number < kLeastGain) return "it gains less than 5 %";
  return subject.beside == nullptr ? "" : wrong_in_number(subject.claim, subject, false);
}

std::string wrong_with(const Subject& subject, const std::string& all_texts, const Claims& all) {
  const Claim& claim = subject.claim;
  const run::Run& run = subject.run;
  if (claim.kind == ClaimKind::name) return is_name_known(claim, run) ? "" : "no name of the source";
  if (!has(all_texts, lower(claim.shown))) return "no sentence says it";
  if (claim.kind == ClaimKind::cause) return wrong_in_cause(subject, all);
  if (claim.kind == ClaimKind::fix) return wrong_in_fix(subject);
  if (claim.kind == ClaimKind::average && !has(all_texts, "on average")) return "no average is called one";
  if (const std::string unit = lower(claim.unit());
      !unit.empty() && number_in(claim.shown) && !has(all_texts, unit))
    return fmt::format("no sentence has its unit, {}", unit);
  if (!claim.size.empty() && !has(all_texts, lower(claim.size))) return "no sentence says of which size";
  return wrong_in_number(claim, subject);
}

// ---- what is left of a text without its claims

std::string without(std::string text, const Claims& claims) {
  std::vector<std::string> words;
  for (const Claim& claim : claims) words.push_back(lower(claim.shown));
  std::ranges::stable_sort(words, std::greater{}, [](const std::string& one) { return one.size(); });
  for (const std::string& one : words)
    for (std::size_t at = 0; !one.empty() && (at = text.find(one, at)) != std::string::npos; at += 1) {
      const std::size_t end = at + one.size();
      const bool cuts_word = (at > 0 && is_of_word(text[at - 1]) && is_of_word(one.front())) ||
                             (end < text.size() && is_of_word(text[end]) && is_of_word(one.back()));
      if (!cuts_word) text.replace(at, one.size(), " ");
    }
  return text;
}
// The first word of a text that says something of all, or of none; empty where there is none.
std::string universal_word(const std::string& text) {
  constexpr std::array<std::string_view, 9> words = {"each",    "every",  "all",   "no",  "none",
                                                     "nothing", "nobody", "never", "only"};
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || text[end] == '_')) ++end;
    const std::string word = text.substr(at, end - at);
    if (std::ranges::find(words, word) != words.end()) return word;
    at = end;
  }
  return "";
}

// Digits behind letters are of a name: "L2", "float4".
std::size_t first_number(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (is_digit(text[at]) && (at == 0 || !is_of_word(text[at - 1]))) return at;
  return std::string::npos;
}

// On one page there are shares of the kernel's time, of the time of its warps and of that of the SMs.
bool is_share_of_unnamed_time(const std::string& text) { return has(lower(text), "% of the time"); }

std::string uncovered(const std::string& text, const Claims& claims) {
  if (is_share_of_unnamed_time(text)) return "whose time it is a share of is not said";
  const std::string rest = without(lower(text), claims);
  if (const std::size_t digit = first_number(rest); digit != std::string::npos)
    return fmt::format("no claim has the number at '{}'", rest.substr(digit, 12));
  const std::string word = universal_word(rest);
  return word.empty() ? "" : fmt::format("no claim has the word '{}'", word);
}

}  // namespace

std::vector<Failure> failures_of(const std::vector<std::string>& texts, const Claims& claims,
                                 const run::Run& run, const Place& place, const Beside* beside) {
  std::vector<Failure> failures;
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : " | ") + text;
  for (const Claim& claim : claims)
    if (std::string wrong = wrong_with({run, place, claim, beside}, lower(all), claims); !wrong.empty())
      failures.push_back({all, claim, std::move(wrong)});
  for (const std::string& text : texts)
    if (std::string wrong = uncovered(text, claims); !wrong.empty())
      failures.push_back({text, Claim{.kind = ClaimKind::name}, std::move(wrong)});
  return failures;
}

// ---- what the measures look at

std::optional<Found> over(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  Found found{values.front(), values.front(), 0};
  for (const double value : values) {
    found.least = std::min(found.least, value), found.most = std::max(found.most, value);
    found.mean += value / static_cast<double>(values.size());
  }
  return found;
}

std::vector<std::uint32_t> events_of_warp(const Subject& s) {
  return s.run.trace->find(s.place.block, {.warp = s.place.warp});
}

std::optional<trace::Access> access_of(const Subject& s) {
  const auto events = events_of_warp(s);
  if (s.place.access >= events.size()) return std::nullopt;
  const trace::Access access = s.run.trace->access(s.place.block, events[s.place.access]);
  return access.active == 0 ? std::nullopt : std::optional(access);
}

bool is_shared(const trace::Access& access) { return access.space == ptx::Space::shared; }

std::vector<std::uint64_t> addresses_of(const trace::Access& access) {
  std::vector<std::uint64_t> addresses;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((access.active >> lane & 1) != 0) addresses.push_back(access.address[lane]);
  return addresses;
}

const report::Face* array_of(const Subject& s, const trace::Access& access) {
  const std::uint64_t address = addresses_of(access).front();
  for (const report::Face& face : s.run.stories[s.place.block]->faces())
    if (face.is_shared == is_shared(access) && address >= face.address &&
        address < face.address + face.elements * face.element_bytes)
      return &face;
  return nullptr;
}

const report::Face* array_named(const Subject& s, const std::string& name) {
  for (const report::Face& face : s.run.stories[s.place.block]->faces())
    if (face.name == name) return &face;
  return nullptr;
}

Measure measure_of(Quantity quantity) {
  static const std::map<Quantity, Measure> measures = [] {
    std::map<Quantity, Measure> all;
    for (const auto& table :
         {about_measures(), access_measures(), block_measures(), kernel_measures(), instruction_measures(),
          step_measures(), time_measures(), gain_measures(), device_measures(), figure_measures(),
          flow_measures(), role_measures(), rounding_measures(), step_time_measures(), ladder_measures(),
          choice_measures(), tensor_measures(), tile_measures()})
      for (const Row& row : table) all.emplace(row.quantity, row.measure);
    return all;
  }();
  const auto found = measures.find(quantity);
  return found == measures.end() ? nullptr : found->second;
}

}  // namespace warplens::claims_check
