// What the body of a kernel shows that its name may not say: signs that it is not of the kind that it is called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens::problem {

// Bodies are without comments and texts.
class KindSigns {
 public:
  explicit KindSigns(std::string_view body);

  // Whether it has "a[i] + b[i]": other functions of two arrays take the same arguments.
  bool adds_elements() const { return adds_elements_; }
  // Whether it may sum products: "c[i] = a[i] + b[i]" does not, nor does what neither repeats nor adds anything.
  bool may_sum_products() const;
  // Whether an element's place is computed as "row * n + column": then an array has more than n elements.
  bool multiplies_by(std::string_view size) const;
  // Whether what is below 0 becomes something else than 0: "max(x, 0.01f * x)".
  bool is_leaky() const;
  // Whether an output is written to elsewhere than at its first element.
  bool is_indexed(std::string_view output) const;
  // Whether it is used at its first element alone.
  bool is_only_first(std::string_view output) const;
  // Whether a scan of these inputs leaves out each own element: it reads the one before, or begins its way down with
  // a 0, and adds nothing when it writes, or calls a function that says so.
  bool is_exclusive(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) const;
  // Whether it counts bits, not elements.
  bool counts_bits() const { return plain_.find("__popc") != std::string::npos; }

 private:
  std::string plain_;  // the body without blanks
  bool repeats_ = false, adds_elements_ = false, may_multiply_ = false;
};

}  // namespace warplens::problem
