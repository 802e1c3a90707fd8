// Whether a result is right, and what is wrong with it.
#pragma once

#include <cstdint>
#include <string>

namespace warplens::problem {

// What is wrong with the first element that is not right.
enum class Mistake : std::uint8_t {
  none,       // it is right, or nothing was compared
  differs,    // it has another value than it should
  unwritten,  // no thread wrote it
};

struct Verification {
  bool verified = false;          // every element within the tolerance; a NaN is never
  double max_relative_error = 0;  // of the worst element; infinity where a NaN was found
  std::int64_t wrong_elements = 0;
  std::int64_t first_wrong = -1;  // element index in the output buffer
  std::string explanation;        // empty where verified: which element, got, expected
  double tolerance = 0;  // the largest relative error that is right; 0 where equal bits are asked for
  std::int64_t checked_elements = 0;
  std::string not_checked = {};  // why nothing was compared, where the problem asks for that
  Mistake mistake = Mistake::none;

  bool is_wrong() const { return !verified && not_checked.empty(); }
};

}  // namespace warplens::problem
