// The table of problems, and what the file of each has to give. A row NAME stands for `Kind NAME_kind()` in
// a file of kinds/.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/problem/instance_data.hpp"
#include "engine/problem/problem.hpp"

#define WARPLENS_PROBLEM_KINDS(ROW) \
  ROW(sgemm)                        \
  ROW(sgemm_column)                 \
  ROW(transpose)                    \
  ROW(reduce)                       \
  ROW(minplus)                      \
  ROW(copy)

namespace warplens::problem {

struct SizeName {
  std::string_view name;  // one upper-case letter
  std::int64_t default_value;
};

struct Kind {
  std::string_view name;
  std::string_view signature;
  std::vector<SizeName> sizes;
  // Called with sizes from 1 to 2^31 - 1, not yet checked for memory: it must allocate nothing by them.
  std::function<Layout(const Values& sizes)> layout;
  std::function<std::shared_ptr<const Instance>(Request request)> instance;
  bool multiply_adds = false;  // whether its operations are
  std::string_view key = {};   // empty: the name
  std::string_view like = {};  // see Problem
  bool has_one_size = false;
  bool has_gaps = false;
  std::function<Status(const Values& sizes)> accepts = {};  // what else the sizes have to be
};

SharedProblem make_problem(Kind kind);
// Of the [problem] table of a kernel file, or of a kind whose table the file names or changes.
Result<SharedProblem> make_own_problem(const catalog::KernelSpec& spec, const Values& parameters);
// Whether the kernel is declared as the problem says, but for the names of its parameters.
bool has_signature(const catalog::KernelSpec& spec, std::string_view signature);

template <class Instance_>
std::shared_ptr<const Instance> make_instance(Request request) {
  return std::make_shared<Instance_>(std::move(request));
}

#define WARPLENS_DECLARE(name) Kind name##_kind();
WARPLENS_PROBLEM_KINDS(WARPLENS_DECLARE)
#undef WARPLENS_DECLARE

}  // namespace warplens::problem
