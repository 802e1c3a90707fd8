// The table of problems, and what the file of each has to give. A row NAME stands for `Kind NAME_kind()` in
// a file of kinds/.
#pragma once

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
  Layout (*layout)(const Values& sizes);
  std::shared_ptr<const Instance> (*instance)(Request request);
  bool multiply_adds = false;  // whether its operations are
};

template <class Instance_>
std::shared_ptr<const Instance> make_instance(Request request) {
  return std::make_shared<Instance_>(std::move(request));
}

#define WARPLENS_DECLARE(name) Kind name##_kind();
WARPLENS_PROBLEM_KINDS(WARPLENS_DECLARE)
#undef WARPLENS_DECLARE

}  // namespace warplens::problem
