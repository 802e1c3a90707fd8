// The checkers on the newest run of an edited kernel, on a worker, once it stands still.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/window/model/model.hpp"
#include "engine/base/latest_wins.hpp"

namespace warplens::app {

class EditChecks {
 public:
  EditChecks(std::shared_ptr<run::Runner> runner, std::function<void()> wake);

  // Asks for the findings of the run where they are not known; null or incomplete: for none.
  void ask(const run::SharedRun& run);
  // True where there is anything new.
  bool take();
  // What the run that was checked last is shown as, once its findings are known.
  using Learn = std::function<run::SharedRun(const run::SharedRun&, const run::Report&)>;
  void tell(const Learn& learn);
  // Of this run; null: not known yet.
  const run::Report* report(const run::Run* run) const;
  const std::optional<Error>& error() const { return error_; }
  bool is_busy() const { return checks_.busy_seconds().has_value(); }

 private:
  struct Answer {
    run::SharedRun of;
    Result<run::SharedRun> checked;
  };
  run::SharedRun asked_;
  std::optional<Answer> answer_;
  std::optional<Error> error_;
  LatestWins<run::SharedRun, std::optional<Answer>> checks_;  // last: its worker ends first
};

}  // namespace warplens::app
