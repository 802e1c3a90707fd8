#include "app/state/code_columns.hpp"

#include "viz/figures/code/code.hpp"

namespace warplens::app {

std::string column_of(Counter counter) {
  switch (counter) {
    case Counter::sectors:
      return "sectors";
    case Counter::wavefronts:
      return "wavefronts";
    case Counter::executed:
      return std::string(figures::kExecutedColumn);
    case Counter::lanes:
      return "lanes";
    case Counter::time:
      return std::string(figures::kTimeColumn);
    case Counter::none:
      break;
  }
  return "";
}

}  // namespace warplens::app
