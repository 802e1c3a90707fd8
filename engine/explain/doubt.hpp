// Whether the numbers of a run may be praised: a kernel that is wrong, or stopped, is not better than another
// for what it leaves out, and nobody knows that of one on which the checkers are still at work. Everything
// that judges a run asks here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/explain/explain.hpp"

namespace warplens::explain {

// "it stopped before its end", "its result is wrong", "it has a race", "this device cannot run it": what is
// known against a run. Empty: nothing.
std::string_view doubt(const run::Run& run);

// The same with what was found first, and where: "it has a race: line 26: thread (0, 0) of ...".
std::string doubt_words(const run::Run& run);

// Why nothing it counts is compared with another run or called good: the doubt, or that the checkers have not
// looked at it: "it is being checked", "it was not checked". Empty: nothing speaks against that.
std::string_view reserve(const run::Run& run);

// Whether that is all that speaks against it: the checkers are still at work.
bool is_being_checked(const run::Run& run);

// What is costly stays; of what is good the fact stays, without praise, and what comes first is said: to make
// it right, to wait for the checkers, or to look at what they warn of.
Explanation without_praise(Explanation said, const run::Run& run);

// What is said in the place of a comparison with another run.
struct Against;
Against no_comparison(const run::Run& run);  // Precondition: there is a reserve

// What must stand beside every picture and number of a run, first of all that is known against it.
struct Notice {
  check::Severity severity = check::Severity::error;
  std::string what = {};   // "it has a race"
  std::string words = {};  // what was found, a sentence; may be empty
  std::string fix = {};    // imperative; may be empty
  int line = 0;            // of the kernel's file, from 1; 0: none
  std::size_t more = 0;    // errors and warnings that were found besides
  bool operator==(const Notice&) const = default;
};
// Empty if there is nothing to notice. For a fault it has only what the checkers found of that fault.
std::optional<Notice> notice(const run::Run& run);

}  // namespace warplens::explain
