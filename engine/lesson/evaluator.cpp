#include "engine/lesson/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "engine/base/code_text.hpp"
#include "engine/catalog/near.hpp"
#include "engine/expression/dialects.hpp"
#include "engine/expression/operations.hpp"
#include "engine/expression/parser.hpp"
#include "engine/lesson/expression_names.hpp"
#include "engine/lesson/names.hpp"
#include "engine/lesson/prose.hpp"
#include "engine/problem/problem.hpp"
#include "engine/time/predict_run.hpp"

namespace warplens::lesson {
namespace {

constexpr std::string_view kMemories[] = {"global", "shared", "local"};

// Parameters and sizes are upper case; which there are only the kernel can tell.
bool is_value_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return !std::islower(static_cast<unsigned char>(c)); });
}

template <class Rows>
void add_names(std::vector<std::string>& names, const Rows& rows) {
  for (const auto& row : rows) names.emplace_back(row.name);
}

std::vector<std::string> names_of(Side side, bool calls) {
  std::vector<std::string> names;
  if (side == Side::recorded && !calls) add_names(names, recorded_numbers());
  if (side == Side::predicted && !calls) add_names(names, predicted_numbers());
  if (side == Side::transfers && !calls) add_names(names, transfer_numbers());
  if (side != Side::own && side != Side::run) return names;
  if (!calls) {
    for (const run::Quantity& quantity : run::quantities())
      if (quantity.is_of_lessons()) names.emplace_back(quantity.id);
    return names;
  }
  add_names(names, counts());
  add_names(names, access_numbers());
  if (side == Side::run) return names;
  add_names(names, functions());
  for (const char* own : {"run", "recorded", "tuned", "predicted"}) names.emplace_back(own);
  add_names(names, transfer_calls());
  return names;
}

Error unknown(Side side, std::string_view name, bool is_call) {
  const auto others = names_of(side, !is_call);
  if (std::find(others.begin(), others.end(), name) != others.end())
    return is_call ? Error{fmt::format("{} takes no arguments", name), "write it without parentheses"}
                   : Error{fmt::format("{} needs arguments", name),
                           fmt::format("write such as {}('A', 'ld')", name)};
  const auto known = names_of(side, is_call);
  const auto near = catalog::near_names(name, known, 1);
  return {fmt::format("there is no {}{}", name, is_call ? "()" : ""),
          near.empty() ? "docs/lessons.md lists the names" : fmt::format("did you mean {}?", near.front())};
}

Error wrong_arguments(std::string_view name, std::string_view form) {
  return {fmt::format("the arguments of {} are not right", name), fmt::format("write it as {}", form)};
}

bool is_text(const Node& node) { return node.kind == Node::Kind::text; }

// What run() takes beside sizes and parameters.
struct WishText {
  std::string_view name;
  std::string& (*of)(RunWish& wish);
};
constexpr WishText kWishTexts[] = {{"device", [](RunWish& w) -> std::string& { return w.device; }},
                                   {"array", [](RunWish& w) -> std::string& { return w.access.array; }},
                                   {"op", [](RunWish& w) -> std::string& { return w.access.op; }}};
struct WishNumber {
  std::string_view name;
  std::int64_t least;
  void (*set)(RunWish& wish, std::int64_t value);
};
constexpr std::int64_t kLargestWish = std::int64_t{1} << 30;
constexpr WishNumber kWishNumbers[] = {
    {"size", 1, [](RunWish& w, std::int64_t value) { w.size = value; }},
    {"block", 0, [](RunWish& w, std::int64_t value) { w.block = static_cast<std::uint64_t>(value); }},
    {"warp", 0, [](RunWish& w, std::int64_t value) { w.warp = static_cast<std::uint32_t>(value); }},
    {"access", 1,
     [](RunWish& w, std::int64_t value) { w.access.number = static_cast<std::uint32_t>(value); }},
    {"threads", 1, [](RunWish& w, std::int64_t value) { w.by_hand.threads = static_cast<int>(value); }},
    {"registers", 0, [](RunWish& w, std::int64_t value) { w.by_hand.registers = static_cast<int>(value); }},
    {"shared", 0, [](RunWish& w, std::int64_t value) { w.by_hand.shared = value; }}};

Status check_named(const Node& call) {
  for (const auto& [name, value] : call.named) {
    const bool is_wish = find_row(std::span(kWishTexts), name) != nullptr ||
                         find_row(std::span(kWishNumbers), name) != nullptr;
    const bool is_run = side_of(call.text) != Side::recorded;
    if (is_value_name(name) || (is_run && is_wish) || name == "device") continue;
    return Error{fmt::format("{}() has no {}", call.text, name),
                 is_run ? "it has size, device, block, warp, array, op, access, threads, "
                          "registers, shared, sizes and parameters by their names"
                        : "it has device, sizes and parameters by their names"};
  }
  return Done{};
}

Status check_recording(const Node& call) {
  const bool has_kernel = !call.parts.empty() && is_text(call.parts[0]);
  const std::size_t most = call.text == "run" ? 1 : 2;
  if (has_kernel && call.parts.size() <= most) return check_named(call);
  return wrong_arguments(call.text, call.text == "run"
                                        ? "run('matmul/02_coalesced', size = 512, TILE = 16)"
                                        : fmt::format("{}('matmul/02_coalesced', 4096)", call.text));
}

Status check_count(const Node& call) {
  const auto good_op = [](const Node& node) {
    return is_text(node) && (node.text == "ld" || node.text == "st");
  };
  const auto& parts = call.parts;
  const bool is_access =
      !parts.empty() && parts[0].kind == Node::Kind::name && parts[0].text == "access" && parts.size() == 1;
  const bool is_array =
      !parts.empty() && is_text(parts[0]) && (parts.size() == 1 || (parts.size() == 2 && good_op(parts[1])));
  if (call.named.empty() && (is_access || is_array)) return Done{};
  return wrong_arguments(call.text, fmt::format("{0}(access), {0}('A') or {0}('A', 'ld')", call.text));
}

Status check_access_number(const Node& call, const AccessNumber& row) {
  const auto& parts = call.parts;
  const bool is_access = !parts.empty() && parts[0].kind == Node::Kind::name && parts[0].text == "access";
  if (call.named.empty() && is_access && parts.size() == 1 + static_cast<std::size_t>(row.lanes))
    return Done{};
  return wrong_arguments(call.text, fmt::format("{}(access{})", call.text, row.lanes == 1 ? ", 0" : ""));
}

// ---- evaluation

class Walk {
 public:
  explicit Walk(const Context& context) : context_(context) {}

  Result<Value> value(const Node& node) {
    switch (node.kind) {
      case Node::Kind::number:
        return Value(node.number);
      case Node::Kind::text:
        return Value(node.text);
      case Node::Kind::name:
        return name(node);
      case Node::Kind::call:
        return call(node);
      case Node::Kind::infix:
        return binary(node);
      case Node::Kind::choose: {
        const auto test = value(node.parts[0]);
        return test ? value(node.parts[is_true(*test) ? 1 : 2]) : test;
      }
      default:
        break;
    }
    const auto of = value(node.parts[0]);
    if (!of) return of;
    if (node.op == Op::negation) return Value(is_true(*of) ? 0.0 : 1.0);
    const auto number = as_number(*of, "-");
    return number ? Result<Value>(-*number) : number.error();
  }

 private:
  static Result<double> as_number(const Value& value, std::string_view wanted_by) {
    if (const auto* number = std::get_if<double>(&value)) return *number;
    return Error{
        fmt::format("'{}' is a text, and {} needs a number", std::get<std::string>(value), wanted_by),
        "correct it"};
  }
  Result<double> number(const Node& node, std::string_view wanted_by) {
    const auto of = value(node);
    return of ? as_number(*of, wanted_by) : Result<double>(of.error());
  }
  static Result<Value> defined(double value, std::string_view what) {
    if (std::isfinite(value)) return Value(value);
    return Error{fmt::format("{} is not defined here", what),
                 "correct what it is computed from, such as a division by zero"};
  }

  Result<Value> binary(const Node& node) {
    const auto left = value(node.parts[0]);
    if (!left) return left;
    if (node.op == Op::both || node.op == Op::either) {
      const bool decides = node.op == Op::either;
      if (is_true(*left) == decides) return Value(decides ? 1.0 : 0.0);
      const auto right = value(node.parts[1]);
      return right ? Result<Value>(is_true(*right) ? 1.0 : 0.0) : right;
    }
    const auto right = value(node.parts[1]);
    if (!right) return right;
    if (node.op == Op::equal || node.op == Op::unequal) return equal(*left, *right, node.op == Op::equal);
    const auto a = as_number(*left, node.text), b = as_number(*right, node.text);
    if (!a) return a.error();
    if (!b) return b.error();
    return compute(node, *a, *b);
  }
  static bool same(double a, double b) {
    return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
  }
  static Result<Value> equal(const Value& a, const Value& b, bool wanted) {
    if (a.index() != b.index())
      return Error{
          fmt::format("{} and {} cannot be equal: one is a text, one a number", to_string(a), to_string(b)),
          "compare like with like"};
    const bool is_equal = a.index() == 0 ? same(std::get<double>(a), std::get<double>(b)) : a == b;
    return Value(is_equal == wanted ? 1.0 : 0.0);
  }
  static Result<Value> compute(const Node& node, double a, double b) {
    if (expression::is_comparison(node.op)) return Value(compares(node.op, a, b) ? 1.0 : 0.0);
    return defined(expression::computed(node.op, a, b),
                   fmt::format("{} {} {}", to_string(a), node.text, to_string(b)));
  }
  static bool compares(Op op, double a, double b) {
    const bool less = a < b && !same(a, b), more = a > b && !same(a, b);
    return op == Op::less ? less : op == Op::more ? more : op == Op::at_most ? !more : !less;
  }

  // ---- names

  Result<Value> name(const Node& node) {
    if (!node.of.empty() && side_of(node.of[0].text) == Side::transfers)
      return transferred(node.of[0], node.text);
    if (!node.of.empty() && side_of(node.of[0].text) == Side::predicted)
      return predicted(node.of[0], node.text);
    if (!node.of.empty() && side_of(node.of[0].text) == Side::recorded) {
      const auto* speed = recording(node.of[0]);
      if (speed == nullptr) return *error_;
      return find_row(recorded_numbers(), node.text)->of(*speed);
    }
    if (node.of.empty() && node.text == "true") return Value(1.0);
    if (node.of.empty() && node.text == "false") return Value(0.0);
    const auto subject = subject_for(node);
    if (!subject) return subject.error();
    const run::Run& run = *subject->run;
    if (node.text == "kernel") return Value(context_.kernels.name(run.plan().spec.id));
    if (const auto* quantity = run::find_quantity(node.text))
      return run::value(*quantity, run.report, run::Scope::grid, subject->by_hand);
    for (const catalog::Values* values : {&run.plan().parameters, &run.plan().sizes})
      if (const auto found = values->find(node.text); found != values->end())
        return Value(static_cast<double>(found->second));
    return Error{fmt::format("{} has no parameter or size {}", run.plan().spec.id, node.text),
                 fmt::format("it has {}{}{}", run::value_words(run.plan().parameters),
                             run.plan().parameters.empty() ? "" : ", ", run::value_words(run.plan().sizes))};
  }

  Result<Value> transferred(const Node& call, std::string_view name) {
    if (context_.recorded == nullptr)
      return Error{"nothing is recorded", "ask for emulated numbers by run()"};
    std::vector<Value> arguments;
    for (const auto& part : call.parts) {
      const auto argument = value(part);
      if (!argument) return argument;
      arguments.push_back(*argument);
    }
    const auto all = context_.recorded->transfers("h200");  // the one that is measured
    if (!all) return all.error();
    const auto transfer = find_row(transfer_calls(), call.text)->of(**all, arguments);
    if (!transfer) return transfer.error();
    return Value(find_row(transfer_numbers(), name)->of(*transfer));
  }

  Result<Value> predicted(const Node& call, std::string_view name) {
    auto wish = run_wish(call);
    if (!wish) return wish.error();
    if (call.parts.size() > 1) {
      const auto size = whole(call.parts[1], "size");
      if (!size) return size.error();
      wish->size = *size;
    }
    if (!context_.run) return Error{"other runs cannot be asked for here", "leave predicted() out"};
    const auto subject = context_.run(*wish);
    if (!subject) return subject.error();
    const auto prediction = time::predict(*subject->run);
    if (!prediction) return prediction.error();
    return find_row(predicted_numbers(), name)->of(*prediction, *subject->run);
  }

  Result<Value> call(const Node& node) {
    if (node.of.empty())
      if (const auto* function = find_row(functions(), node.text)) return arithmetic(node, *function);
    if (const auto* row = find_row(counts(), node.text)) return counted(node, *row);
    const auto view = view_for(node);
    if (!view) return view.error();
    int lane = 0;
    if (node.parts.size() > 1) {
      const auto asked = number(node.parts[1], node.text);
      if (!asked) return asked.error();
      lane = *asked == std::floor(*asked) && std::abs(*asked) < 100 ? static_cast<int>(*asked) : -1;
    }
    return find_row(access_numbers(), node.text)->of(*view, lane);
  }

  Result<Value> arithmetic(const Node& node, const Function& function) {
    std::vector<double> arguments;
    for (const auto& part : node.parts) {
      const auto argument = number(part, node.text);
      if (!argument) return argument.error();
      arguments.push_back(*argument);
    }
    return defined(function.of(arguments), function.name);
  }

  Result<Value> counted(const Node& node, const Count& row) {
    const auto value = [&](const emulator::AccessCounts& counts) {
      return Value(static_cast<double>(counts.*row.field));
    };
    if (node.parts[0].kind == Node::Kind::name) {
      const auto view = view_for(node);
      if (!view) return view.error();
      if ((row.kind == Kind::sectors && !view->global) || (row.kind == Kind::wavefronts && !view->shared))
        return Error{fmt::format("the access shown is to {} memory and has no {}",
                                 view->shared ? "shared" : "global", row.name),
                     fmt::format("ask for its {}", view->shared ? "wavefronts" : "sectors")};
      return value(view->counts);
    }
    const auto subject = subject_for(node);
    if (!subject) return subject.error();
    const std::string& of = node.parts[0].text;
    const std::string op = node.parts.size() > 1 ? node.parts[1].text : "";
    if (std::find(std::begin(kMemories), std::end(kMemories), of) != std::end(kMemories)) {
      if ((row.kind == Kind::sectors && of == "shared") || (row.kind == Kind::wavefronts && of != "shared"))
        return Error{fmt::format("{} memory has no {}", of, row.name),
                     fmt::format("ask for its {}", of == "shared" ? "wavefronts" : "sectors")};
      return value(count_memory(*subject->run, of, op));
    }
    const auto counts = count_array(*subject, of, op, row.kind);
    return counts ? Result<Value>(value(*counts)) : counts.error();
  }

  // ---- what they are about

  Result<Subject> subject_for(const Node& node) {
    if (node.of.empty()) {
      if (context_.shown) return context_.shown();
      return Error{"there is no run that this could be about", "write run('matmul/01_naive').blocks"};
    }
    const auto wish = run_wish(node.of[0]);
    if (!wish) return wish.error();
    if (!context_.run) return Error{"other runs cannot be asked for here", "leave run() out"};
    return context_.run(*wish);
  }

  Result<AccessView> view_for(const Node& node) {
    if (node.of.empty() && context_.own_access != nullptr) return view_of(*context_.own_access);
    const auto subject = subject_for(node);
    return subject ? view_of(*subject) : Result<AccessView>(subject.error());
  }

  Result<std::int64_t> whole(const Node& node, std::string_view name) {
    const auto value = number(node, name);
    if (!value) return value.error();
    if (*value == std::floor(*value) && std::abs(*value) < 9e15) return static_cast<std::int64_t>(*value);
    return Error{fmt::format("{} = {} is no whole number", name, *value), "correct it"};
  }

  Result<RunWish> run_wish(const Node& call) {
    const auto kernel = context_.kernels.find(call.parts[0].text);
    if (!kernel) return kernel.error();
    RunWish wish{.kernel = *kernel};
    for (const auto& [name, node] : call.named) {
      if (const auto* text = find_row(std::span(kWishTexts), name)) {
        const auto given = value(node);
        if (!given) return given.error();
        if (!std::holds_alternative<std::string>(*given))
          return Error{fmt::format("{} is no text", name), "put it in quotes"};
        text->of(wish) = std::get<std::string>(*given);
        continue;
      }
      const auto given = whole(node, name);
      if (!given) return given.error();
      const auto* number = find_row(std::span(kWishNumbers), name);
      if (number == nullptr)
        wish.values.insert_or_assign(name, *given);
      else if (*given < number->least || *given > kLargestWish)
        return Error{fmt::format("{} = {} is not from {} to {}", name, *given, number->least, kLargestWish),
                     "correct it"};
      else
        number->set(wish, *given);
    }
    return wish;
  }

  // Null: error_ says why.
  const measured::RecordedSpeed* recording(const Node& call) {
    const auto found = find_recording(call);
    if (found) return *found;
    error_ = found.error();
    return nullptr;
  }

  Result<const measured::RecordedSpeed*> find_recording(const Node& call) {
    if (context_.recorded == nullptr)
      return Error{"nothing is recorded", "ask for emulated numbers by run()"};
    const auto kernel = context_.kernels.find(call.parts[0].text);
    if (!kernel) return kernel.error();
    const auto spec = context_.catalog->find(*kernel);
    if (!spec) return spec.error();
    auto size = size_of(call, *spec);
    if (!size) return size.error();
    const bool tuned = call.text == "tuned";
    catalog::Values params = default_values(*spec);
    const auto speeds = speeds_for(call);
    if (!speeds) return speeds.error();
    for (const auto& [name, node] : call.named) {
      if (name == "device") continue;
      const auto given = whole(node, name);
      if (!given) return given.error();
      if (!size->contains(name) && (tuned || !params.contains(name)))
        return Error{fmt::format("{} has no {}", tuned ? "tuned()" : spec->id, name),
                     fmt::format("it has {}", run::value_words(tuned ? *size : params))};
      (size->contains(name) ? *size : params).insert_or_assign(name, *given);
    }
    if (const auto* speed = (*speeds)->find(*spec, *size, tuned ? nullptr : &params)) return speed;
    return Error{fmt::format("nothing is recorded of {} at {}{}", spec->id, run::value_words(*size),
                             tuned ? "" : fmt::format(" with {}", run::value_words(params))),
                 recorded_sizes(**speeds, *spec)};
  }

  // Of the device that is named; else of that on which most was recorded.
  Result<const measured::RecordedSpeeds*> speeds_for(const Node& call) {
    std::string device = "h100";
    for (const auto& [name, node] : call.named) {
      if (name != "device") continue;
      const auto given = value(node);
      if (!given) return given.error();
      if (!std::holds_alternative<std::string>(*given)) return Error{"device is no text", "put it in quotes"};
      device = std::get<std::string>(*given);
    }
    return context_.recorded->speeds(device);
  }

  // The second argument, a number or "64,32,16"; else the problem's own.
  Result<catalog::Values> size_of(const Node& call, const catalog::KernelSpec& spec) {
    const auto problem = problem::find_problem(spec);
    if (!problem) return problem.error();
    if (call.parts.size() < 2) return (*problem)->default_sizes();
    const auto given = value(call.parts[1]);
    if (!given) return given.error();
    const auto* number = std::get_if<double>(&*given);
    return problem::parse_sizes(
        **problem, number != nullptr ? fmt::format("{}", *number) : std::get<std::string>(*given));
  }

  static std::string recorded_sizes(const measured::RecordedSpeeds& speeds, const catalog::KernelSpec& spec) {
    std::string sizes;
    for (const auto& speed : speeds.results)
      if (speed.kernel == spec.id) {
        const std::string words = run::value_words(speed.size);
        if (sizes.find(words) == std::string::npos) sizes += (sizes.empty() ? "" : "; ") + words;
      }
    return sizes.empty() ? "record it with 'warplens bench --save', or ask for another kernel"
                         : "it is recorded at " + sizes;
  }

  const Context& context_;
  std::optional<Error> error_;
};

}  // namespace

std::optional<Side> side_of(std::string_view call) {
  if (call == "run") return Side::run;
  if (call == "recorded" || call == "tuned") return Side::recorded;
  if (call == "predicted") return Side::predicted;
  return find_row(transfer_calls(), call) != nullptr ? std::optional(Side::transfers) : std::nullopt;
}

Status check_name(Side side, std::string_view name) {
  if (side != Side::own && side != Side::run) {
    const auto known = names_of(side, false);
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    return is_known ? Status(Done{}) : unknown(side, name, false);
  }
  if (side == Side::own && (name == "true" || name == "false")) return Done{};
  const auto* quantity = run::find_quantity(name);
  if (is_value_name(name) || (quantity != nullptr && quantity->is_of_lessons())) return Done{};
  return unknown(side, name, false);
}

Status check_call(Side side, const Node& call) {
  if (side == Side::own && side_of(call.text) == Side::transfers) {
    const auto* row = find_row(transfer_calls(), call.text);
    if (call.parts.size() == row->arguments && call.named.empty()) return Done{};
    return wrong_arguments(call.text, std::string(row->form));
  }
  if (side == Side::own && side_of(call.text)) return check_recording(call);
  if (side == Side::own)
    if (const auto* function = find_row(functions(), call.text)) {
      const bool fits =
          function->arguments == 0 ? call.parts.size() >= 2 : call.parts.size() == function->arguments;
      if (fits && call.named.empty()) return Done{};
      return wrong_arguments(call.text,
                             fmt::format("{}({})", call.text, function->arguments == 1 ? "a" : "a, b"));
    }
  if (side == Side::own || side == Side::run) {
    if (find_row(counts(), call.text) != nullptr) return check_count(call);
    if (const auto* row = find_row(access_numbers(), call.text)) return check_access_number(call, *row);
  }
  return unknown(side, call.text, true);
}

Expression::Expression(std::string_view text) : text_(text) {
  auto root = expression::parse(text, expression::lesson_dialect());
  const Status known = root ? check_names(*root) : Status(root.error());
  if (known)
    root_ = std::make_shared<const Node>(*std::move(root));
  else
    error_ = known.error();
}

Result<Expression> Expression::parse(std::string_view text) {
  Expression expression(text);
  if (expression.error_) return *expression.error_;
  return expression;
}

Result<Value> Expression::evaluate(const Context& context) const {
  return error_ ? Result<Value>(*error_) : Walk(context).value(*root_);
}

std::vector<std::string> Expression::recorded_kernels() const {
  std::vector<std::string> kernels;
  const auto look = [&](const auto& self, const Node& node) -> void {
    if (node.kind == Node::Kind::call && side_of(node.text) == Side::recorded)
      kernels.push_back(node.parts[0].text);
    for (const auto* inside : {&node.of, &node.parts})
      for (const Node& each : *inside) self(self, each);
    for (const auto& [name, value] : node.named) self(self, value);
  };
  if (root_) look(look, *root_);
  return kernels;
}

std::string Expression::explain(const Context& context) const {
  std::string said;
  Walk walk(context);
  const auto side = [&](const Node& node) {
    if (node.kind == Node::Kind::number || node.kind == Node::Kind::text) return;
    const auto value = walk.value(node);
    if (value)
      said += fmt::format("{}{} is {}", said.empty() ? "" : ", ",
                          trimmed(std::string_view(text_).substr(node.begin, node.end - node.begin)),
                          to_string(*value));
  };
  const auto look = [&](const auto& self, const Node& node) -> void {
    if (expression::is_comparison(node.op)) {
      const auto holds = walk.value(node);
      if (holds && !is_true(*holds)) side(node.parts[0]), side(node.parts[1]);
    } else if (node.op == Op::both || node.op == Op::either) {
      for (const Node& part : node.parts) self(self, part);
    }
  };
  if (root_) look(look, *root_);
  return said;
}

std::vector<std::string> vocabulary() {
  std::vector<std::string> names = names_of(Side::own, false);
  const auto calls = names_of(Side::own, true);
  names.insert(names.end(), calls.begin(), calls.end());
  add_names(names, recorded_numbers());
  add_names(names, predicted_numbers());
  return names;
}

}  // namespace warplens::lesson
