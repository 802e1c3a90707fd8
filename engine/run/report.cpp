#include "engine/run/report.hpp"

namespace warplens::run {

double gflops(const Report& report) {
  return report.seconds > 0 ? report.operations / report.seconds * 1e-9 : 0;
}

}  // namespace warplens::run
