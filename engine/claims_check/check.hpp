// Whether what sentences claim of a run is so: counted again from its trace, its counters and its source by
// code of its own, which shares nothing with the rules that made the sentences (engine/explain).
//
// A claim holds where the quantity that it names is found to be its number, for each one that it is about
// where it says "every". A sentence holds where its claims do, and where each of its digits and each word
// such as "all" or "nothing" stands in the words of one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/claims/claims.hpp"
#include "engine/run/count.hpp"
#include "engine/run/run.hpp"
#include "engine/time/launch/over_warps.hpp"
#include "engine/time/launch/timeline.hpp"
#include "engine/time/model.hpp"
#include "engine/trace/roundings.hpp"
#include "engine/trace/tensor_work.hpp"

namespace warplens::claims_check {

// What the sentences are about: an access of a recorded block, by positions, and a line of the source (0:
// none).
struct Place {
  std::size_t block = 0;
  std::uint32_t warp = 0, access = 0;
  int line = 0;
};

// What sentences speak of besides what the run itself shows: times by the model, and other steps of the ladder
// at the same size on the same device.
struct Beside {
  struct Step {
    run::StepCount count;
    std::shared_ptr<const time::Modelled> modelled;  // may be null
  };
  std::shared_ptr<const time::Modelled> of_run = nullptr;           // predicted from the run; null: not known
  std::shared_ptr<const time::Modelled> of_run_in_short = nullptr;  // time::in_short() of that
  std::map<std::string, Step> steps = {};                           // by kernel: that of the run, and others
  std::optional<time::GridTimeline> timeline = {};
  std::optional<time::OverWarps> over_warps = {};
  std::optional<trace::WarpRounding> rounding = {}, rounding_of_other = {};  // of the first warp
  run::SharedRun rounded_before = nullptr;                                   // the run of rounding_of_other
  std::map<std::string, double> turns = {};     // of all threads of a step, by kernel
  std::map<std::string, double> recorded = {};  // seconds of launches of just these steps, by kernel
  // A step of the ladder at one size, as fast as it was recorded there, or else as it is predicted.
  struct Launch {
    std::string kernel, problem;
    double size = 0;   // the first number of it
    double speed = 0;  // work a second, in the unit that speeds of the problem have
    bool is_measured = false;
    double library = 0;  // its speed in the same recording; 0: it did not run
  };
  std::vector<Launch> launches = {};  // in the order of the steps, at several sizes
  // Other values of the run's parameters: predicted, and the seconds of a recorded launch.
  struct Set {
    std::shared_ptr<const time::Modelled> modelled;  // null: the device does not run it
    std::optional<double> recorded = {};
  };
  std::map<catalog::Values, Set> sets = {};
  // What was counted for one sentence and others of the run ask for too, by what it is of: see once().
  mutable std::map<std::string, std::shared_ptr<const void>> counted = {};
  // What the recorded block has the tensor cores do; null: nothing, or it is not known.
  std::shared_ptr<const trace::TensorWork> tensor = nullptr;
  std::string other = {};                       // which of them it is judged against
  std::optional<double> recorded_seconds = {};  // of a launch of exactly this run
  std::optional<double> measured = {};          // times as fast as that one, on the device
};

struct Failure {
  std::string sentence;
  explain::Claim claim;  // of kind name and without a quantity where words of the sentence are no claim's
  std::string found;     // "5", "3 to 5", or what is wrong
};

// texts: as they are shown, all of them made from these claims.
// beside: null where they speak of nothing else.
std::vector<Failure> failures_of(const std::vector<std::string>& texts, const explain::Claims& claims,
                                 const run::Run& run, const Place& place, const Beside* beside = nullptr);

}  // namespace warplens::claims_check
