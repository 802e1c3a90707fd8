// Of a file without a front matter: what may be the fault of the guess is not blamed on the kernel.
#pragma once

#include <string>

#include "engine/base/result.hpp"
#include "engine/run/report.hpp"

namespace warplens::run {

// What is known of a run beside its findings.
struct Circumstances {
  bool reads_whole_numbers = false;  // of its inputs, which may be indices
  bool grid_is_short = false;        // with more blocks the result is right
};

// What of a front matter is a guess.
struct GuessedParts {
  bool problem = false, arguments = false, block = false, grid = false, shared = false;
  bool data_are_indices = true;    // no built-in problem says otherwise
  bool has_sizes_of_file = false;  // sizes and buffers are those of the file's host code
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
