// The second step of a run: the data of its problem and the reference result, made once for all kernels that
// solve it at these sizes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "engine/base/result.hpp"
#include "engine/problem/problem.hpp"
#include "engine/run/plan.hpp"

namespace warplens::run {

using SharedInstance = std::shared_ptr<const problem::Instance>;

// Keeps the newest few. May be used from several threads.
class Instances {
 public:
  struct Options {
    problem::Pattern pattern = problem::Pattern::random;
    std::uint64_t seed = 1;
    std::uint64_t most_bytes = buffer_memory_limit();  // of one instance
    std::size_t most_kept = 1;
  };
  explicit Instances(Options options) : options_(options) {}

  // Error: more buffers than there is room for.
  Result<SharedInstance> instantiate(const Plan& plan);
  // Of a problem whose right result is that of another kernel: runs that one, once an instance. Nothing to do
  // of others. Errors: the other kernel does not compile or run.
  using MakeBuild = std::function<Result<compile::Build>(const compile::Request& request)>;
  Status complete(const Plan& plan, const problem::Instance& instance, const MakeBuild& build);

 private:
  struct Kept {
    std::string problem;  // its key
    catalog::Values sizes;
    SharedInstance instance;
  };
  Options options_;
  std::mutex mutex_;       // guards what is below
  std::deque<Kept> kept_;  // the newest first
};

}  // namespace warplens::run
