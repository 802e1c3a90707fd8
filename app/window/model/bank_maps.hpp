// The bank map of a block, counted by a worker: that takes longer than a frame.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "engine/base/latest_wins.hpp"
#include "engine/run/run.hpp"
#include "viz/figures/warp/bank_map.hpp"

namespace warplens::app {

using SharedBanks = std::shared_ptr<const figures::BankMap>;

class BankMaps {
 public:
  BankMaps();
  // The bank map of this block of the run; null while it is being counted, and if it was not recorded.
  SharedBanks of(const run::SharedRun& run, std::size_t trace_block);
  std::optional<double> busy_seconds() const { return worker_.busy_seconds(); }

 private:
  struct Request {
    run::SharedRun run;
    std::size_t trace_block = 0;
    bool operator==(const Request&) const = default;
  };
  Request asked_;
  SharedBanks banks_;
  LatestWins<Request, SharedBanks> worker_;
};

}  // namespace warplens::app
