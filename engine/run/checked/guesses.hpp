// Of a file without a front matter: what may be the fault of the guess is not blamed on the kernel.
#pragma once

#include <set>
#include <string>

#include "engine/base/result.hpp"
#include "engine/run/grid/guessed_addresses.hpp"
#include "engine/run/report.hpp"

namespace warplens::run {

// What is known of a run beside its findings.
struct Circumstances {
  bool reads_whole_numbers = false;  // of its inputs, which may be indices
  bool has_whole_numbers = false;    // of all that is filled, pointers in structs among them
  DataUse data;                      // of those
  bool grid_is_short = false;        // with more blocks the result is right
  AccessPlaces guessed_addresses;    // that contain a guessed number
  std::set<int> decided_by_sizes;    // lines of what sizes decide that the file does not say
  bool host_takes_part = false;      // it may write to memory of the launch while the kernel runs

  // Whether other data may make it go away.
  bool may_be_of_data(const check::Finding& finding) const;
  // Data that the search was not made for, such as an array that is not sorted, lead it anywhere.
  bool is_searched(const check::Finding& finding) const;
  bool has_guessed_address(const check::Finding& finding) const;
};

// What of a front matter is a guess.
struct GuessedParts {
  bool problem = false, arguments = false, block = false, grid = false, shared = false;
  bool data_are_indices = true;    // no built-in problem says otherwise
  bool has_sizes_of_file = false;  // sizes and buffers are those of the file's host code
  std::set<std::string> integers;  // parameters that may be anything: neither lengths nor in the file
  std::string words;               // its lines
};
GuessedParts guessed_parts(const std::string& guessed_text);

// guessed_text: KernelSpec::guessed; empty: nothing was.
// Errors that depend on something guessed become warnings that name it, and the verdict "not checked".
void own_up(Report& report, const std::string& guessed_text, const Circumstances& found);
// Whether a front matter was guessed, and its grid was not.
bool is_grid_of_file(const std::string& guessed_text);
// The same of a run that stopped at a fault.
Error with_guess(Error error, const std::string& guessed_text);

}  // namespace warplens::run
