// What a sentence claims, as values. A sentence is made last, from its claims: each number, and each word
// such as "all" or "nothing", stands in the words of one of them, so that whoever knows the run can check the
// sentence without the rules that made it (engine/claims_check does).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::explain {

enum class Quantity : std::uint16_t;  // quantity.hpp, which only those include who name one

enum class ClaimKind : std::uint8_t {
  equals,   // the quantity is this number
  every,    // it is this number for each one that it is about: lane, row of lanes, access, warp
  average,  // it is this number on average over these; the sentence calls it one
  name,     // no number: a name of the source, the language or the device, taken over as it is
  cause,    // number: the share of a change in time that the model gives this quantity, 0 to 1
  fix,      // number: the share of the kernel's time that this is predicted to gain, 0 to 1
};

// Of what one amount is.
enum class Scope : std::uint8_t { access, line, thread, warp, block, kernel, device, two_steps };

struct Claim {
  ClaimKind kind = ClaimKind::equals;
  Quantity quantity{};  // none
  double number = 0;    // as exact as it is known; `shown` may round it
  Scope scope = Scope::access;
  std::string shown = {};  // the words that stand in the sentence: "4 sectors", "a third of", "all lanes"
  // What else the quantity is of: an array, a line of the source, a unit, a parameter; empty where nothing.
  std::string of = {};
  std::string size = {};  // of the problem, as the sentence says it; empty: that of the picture beside it
  std::string_view unit() const;
  bool operator==(const Claim&) const = default;
};
using Claims = std::vector<Claim>;

// Claims with their words.
namespace claim {
Claim number(Quantity quantity, double number, Scope scope = Scope::access);  // whole: "2,048"
Claim amount(Quantity quantity, double number, Scope scope = Scope::access);  // with its unit: "4 sectors"
// In words of the caller's, which may be other than digits: "a third of".
Claim words(std::string words, Quantity quantity, double number, Scope scope = Scope::access);
Claim every(std::string words, Quantity quantity, double number, Scope scope = Scope::access);
Claim average(std::string words, Quantity quantity, double number, Scope scope = Scope::access);
Claim name(std::string_view words);
Claim of(Claim claim, std::string what);  // with Claim::of
}  // namespace claim

// The words of a claim for each "{}" of the pattern, in order. The pattern itself has no digit and no
// universal word.
struct Said {
  std::string text = {};
  Claims claims = {};
};
Said say(std::string_view pattern, Claims parts = {});

// The words of a claim, which is added to these: where a sentence is made piece by piece.
std::string keep(Claims& claims, Claim one);
// These too.
void add(Claims& claims, Claims more);

std::string_view name_of(ClaimKind kind);
std::string_view name_of(Scope scope);

}  // namespace warplens::explain
