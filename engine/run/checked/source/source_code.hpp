// The functions of a kernel file that its kernel calls, as text, and what names stand for in them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/run.hpp"
#include "engine/source/conditionals.hpp"

namespace warplens::run {

struct SourceFunction {
  std::size_t body = 0, end = 0;  // of its '{', and behind its '}'
};

class SourceCode {
 public:
  explicit SourceCode(const Job& job);
  std::string_view text() const { return text_; }  // without comments, texts and preprocessor lines
  const std::vector<SourceFunction>& functions() const { return functions_; }
  int line_of(std::size_t place) const;

  using Known = std::map<std::string, double, std::less<>>;  // "threadIdx.x", loops' variables
  // A whole number; empty if a name in it has no value. function: whose own constants count.
  std::optional<std::int64_t> value(std::string_view expression, const SourceFunction& function,
                                    const Known& known) const;
  // Whether it depends on the number of the thread, itself or by a name in it.
  bool depends_on_thread(std::string_view expression, const SourceFunction& function) const;

 private:
  std::optional<double> value_of(std::string_view name, const SourceFunction& function, const Known& known,
                                 int depth) const;
  std::optional<double> number(std::string_view expression, const SourceFunction& function,
                               const Known& known, int depth) const;
  // What a variable that never changes is set to where it is declared; empty: it is none.
  const std::string& definition(std::string_view name, std::size_t from, std::size_t end) const;

  std::string text_;
  source::Macros macros_;
  Known constants_;
  std::vector<SourceFunction> functions_;
  mutable std::map<std::pair<std::string, std::size_t>, std::string> definitions_;
};

}  // namespace warplens::run
