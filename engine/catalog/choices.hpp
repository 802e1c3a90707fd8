// The values of a kernel's sliders, for one size and one device. The front matter's expressions are compiled
// once, so that a slider that moves only evaluates them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::catalog {

class Rules;

class Choices {
 public:
  Choices(KernelSpec spec, const Values& sizes, Limits limits = {});
  Choices(Choices&&) noexcept;
  Choices& operator=(Choices&&) noexcept;
  ~Choices();

  const KernelSpec& spec() const { return spec_; }
  // Each value of one parameter, with the others as in `values` or else their defaults, and what
  // Limits::refuses says of it now. Where the rules cannot be read no value is valid. Empty: no such
  // parameter.
  std::vector<Choice> of(std::string_view parameter, const Values& values);

 private:
  KernelSpec spec_;
  Limits limits_;
  Result<std::unique_ptr<Rules>> rules_;
};

}  // namespace warplens::catalog
