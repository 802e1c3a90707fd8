#include "app/window/model/bank_maps.hpp"

namespace warplens::app {

BankMaps::BankMaps()
    : worker_(
          [](const Request& request, const auto&, const auto&) {
            return std::make_shared<const figures::BankMap>(
                figures::bank_map_of(*request.run, request.trace_block));
          },
          {}) {}

SharedBanks BankMaps::of(const run::SharedRun& run, std::size_t trace_block) {
  if (run == nullptr || trace_block >= run->stories.size()) return nullptr;
  if (Request wanted{run, trace_block}; wanted != asked_) {
    asked_ = wanted;
    banks_.reset();
    worker_.submit(std::move(wanted));
  }
  if (auto done = worker_.poll()) banks_ = *std::move(done);
  return banks_;
}

}  // namespace warplens::app
