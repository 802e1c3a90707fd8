// warplens cpu: the matrix product on this computer's processor, in four orders of its loops.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "app/base/text_table.hpp"
#include "app/commands/commands.hpp"
#include "engine/base/json_text.hpp"
#include "engine/problem/loop_orders.hpp"

namespace warplens::app {
namespace {

using Matrix = std::vector<float>;

Matrix random_matrix(std::size_t n, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> value(-1, 1);
  Matrix matrix(n * n);
  for (float& element : matrix) element = value(engine);
  return matrix;
}

struct Inputs {
  std::size_t n;
  Matrix a, b;
};

// The least of so many seconds, as nothing but other programs makes it longer.
double seconds_of(const problem::LoopOrder& order, const Inputs& inputs, int repeats) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    Matrix c(inputs.n * inputs.n);
    const auto begin = std::chrono::steady_clock::now();
    order.multiply(inputs.a, inputs.b, c, inputs.n);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

}  // namespace

Result<int> cpu_command(const CommonOptions& common, const CpuOptions& options) {
  const auto n = static_cast<std::size_t>(options.size);
  const Inputs inputs{n, random_matrix(n, 1), random_matrix(n, 2)};
  const double operations = 2 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  Json all = Json::array();
  std::vector<TextRow> rows = {{"order", "GFLOP/s", "milliseconds", "the innermost loop walks"}};
  for (const problem::LoopOrder& order : problem::loop_orders()) {
    const double seconds = seconds_of(order, inputs, options.repeats);
    all.push_back({{"order", order.name},
                   {"size", n},
                   {"seconds", seconds},
                   {"gflops", operations / seconds / 1e9},
                   {"walks", order.walks}});
    rows.push_back({std::string(order.name), fmt::format("{:.2f}", operations / seconds / 1e9),
                    fmt::format("{:.1f}", seconds * 1e3), std::string(order.walks)});
  }
  if (common.json)
    fmt::print("{}", warplens::to_text(all));
  else
    fmt::print("C = A B, {} x {}, single precision, row-major, one thread of this processor\n{}", n, n,
               format_table(rows));
  return kExitFine;
}

}  // namespace warplens::app
