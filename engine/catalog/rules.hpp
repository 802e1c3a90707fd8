// What makes a set of parameter values valid, compiled once and evaluated many times: the file's requirements
// and the threads and dynamic shared memory that a device gives a block.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/catalog/expression.hpp"
#include "engine/catalog/kernel_spec.hpp"

namespace warplens::catalog {

class Rules {
 public:
  // Errors: a parameter with the name of a size, an expression that cannot be compiled with these sizes.
  static Result<std::unique_ptr<Rules>> make(const KernelSpec& spec, const Values& sizes,
                                             const Limits& limits = {});

  void set(std::size_t parameter, std::int64_t value) {
    *parameters_[parameter] = static_cast<double>(value);
  }
  void set_all(const KernelSpec& spec, const Values& values);

  // The reason of the first rule that the values in force break, e.g. "TILE * TILE <= 1024 is not met: TILE
  // is 64".
  std::optional<std::string> broken() const;
  // The line of that rule in the kernel file, where neither a parameter nor a size has a say in it; else 0.
  int fixed_line() const;
  // Whether the sizes of the problem have a say in any rule.
  bool depend_on_sizes(const Values& sizes) const;
  // Whether every rule holds that needs the parameters before `decided` and, of them, the last one:
  // what a search has to check when it has just fixed parameter decided - 1.
  bool hold_at(std::size_t decided) const;

 private:
  struct Rule {
    Expression test;
    std::string reason;
    std::size_t decided_at;  // 1 + the last parameter it uses, 0 where it uses none
    int line = 0;
  };
  Status add(const KernelSpec& spec, const std::string& test, const std::string& reason, int line);
  Status add_chip(const KernelSpec& spec, const Limits& limits);

  Scope scope_;
  std::vector<double*> parameters_;
  std::vector<Rule> rules_;
};

// Names of the parameters, in the order of the file.
std::vector<std::string> parameter_names(const KernelSpec& spec);

// Fills the scope with sizes and values. Errors: a name that is both.
Status fill_scope(Scope& scope, const KernelSpec& spec, const Values& values, const Values& sizes);

}  // namespace warplens::catalog
