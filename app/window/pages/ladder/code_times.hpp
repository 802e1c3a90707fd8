// Where in a kernel's source, PTX and machine code its warps spend their time by the model, for the gutter of
// the code and for what is said beside it.
#pragma once

#include <string>

#include "app/window/model/ladder/ladder_marks.hpp"

namespace warplens::app {

// Shares are of the time of all warps, 0 where nothing is known. Lines count from 1.
class CodeTimes {
 public:
  // Either may be null: nothing is known then.
  CodeTimes(const run::SharedRun& run, const study::SharedPrediction& predicted)
      : p_(run && predicted && *predicted ? &**predicted : nullptr) {}

  double of_line(int line) const;
  double of_ptx_line(int line) const;
  double of_address(std::uint32_t address) const;  // of machine code

  // What warps do there, the largest share first; empty where they are not.
  std::string words_of_line(int line) const;
  std::string words_of_ptx_line(int line) const;
  std::string words_of_address(std::uint32_t address) const;

 private:
  using Shares = std::array<double, time::kStalls>;
  template <class IsThere>
  Shares shares(IsThere is_there) const;
  static double sum(const Shares& shares);
  static std::string words(const Shares& shares);

  const time::Prediction* p_;
};

}  // namespace warplens::app
