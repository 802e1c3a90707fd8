#include "engine/problem/own/guess_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "engine/base/code_text.hpp"
#include "engine/catalog/expression.hpp"
#include "engine/catalog/problem_text.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

std::int64_t bytes_of_element(const std::string& element) {
  return element == "double" ? 8 : element == "uint8" ? 1 : 4;
}

// A size, and a number of the host's that follows from it.
struct Point {
  std::int64_t size = 0, number = 0;
};

// Where the number is one for each so many of the size and one for the rest, as of blocks: how many these are.
std::optional<std::int64_t> part_of(const std::vector<Point>& points, const auto& point_at) {
  const auto fits = [](const Point& point, std::int64_t part) {
    return point.number == (point.size + part - 1) / part;
  };
  const auto [size, number] = points.back();
  if (number < 2) return std::nullopt;
  for (std::int64_t part = (size + number - 1) / number; (size + part - 1) / part == number; ++part) {
    if (part < 2 || !std::ranges::all_of(points, [&](const Point& point) { return fits(point, part); }))
      continue;
    const auto whole = point_at(3 * part), one_more = point_at(3 * part + 1);
    if (whole && one_more && fits(*whole, part) && fits(*one_more, part)) return part;
  }
  return std::nullopt;
}

}  // namespace

GuessedBuffers::GuessedBuffers(std::string_view code, const source::KernelSignature& kernel,
                               std::string_view body)
    : GuessedLaunch(code, kernel, body) {
  const std::string_view statements = body_.substr(std::min(body_.find('{'), body_.size()));
  for (const auto& parameter : kernel_.parameters)
    uses_.push_back(parameter.is_pointer ? use_of(statements, parameter.name, host_.plain()) : PointerUse());
  // What a function of a struct, or an index among its members, does with them is not seen.
  for (std::size_t p = 0; p < uses_.size(); ++p)
    for (const auto& own : kernel_.structs)
      if (const auto& within = kernel_.parameters[p].within;
          within && within->parameter == own.parameter &&
          find_word(statements, own.name) != std::string_view::npos)
        uses_[p].is_passed_on |= kernel_.parameters[p].is_pointer;
}

std::optional<HostStruct> GuessedBuffers::host_struct(std::size_t parameter) const {
  const std::string& type = kernel_.parameters[parameter].type;
  return source::read_type(type) ? std::nullopt : host_.struct_of(type);
}

int GuessedBuffers::parts_of_type(std::size_t parameter) const {
  const auto type = source::read_type(kernel_.parameters[parameter].type);
  return type ? type->parts : 1;
}

std::int64_t GuessedBuffers::bytes_each(std::size_t parameter) const {
  if (const auto own = host_struct(parameter)) return own->bytes;
  return bytes_of_type(kernel_.parameters[parameter].type);
}

Number GuessedBuffers::elements_of(std::size_t parameter) const {
  if (!launch_ || parameter >= launch_->arguments.size()) return std::nullopt;
  const auto bytes = host_.bytes_of(launch_->arguments[parameter], launch_->at);
  if (bytes.value_or(0) < bytes_each(parameter)) return std::nullopt;
  return *bytes / bytes_each(parameter);
}

bool GuessedBuffers::is_host_filled(std::size_t parameter) const {
  return launch_ && parameter < launch_->arguments.size() &&
         host_.is_filled(launch_->arguments[parameter], launch_->at);
}

bool GuessedBuffers::is_never_set(std::size_t parameter) const {
  return launch_ && parameter < launch_->arguments.size() &&
         host_.is_never_set(launch_->arguments[parameter], kernel_.name, launch_->at);
}

bool GuessedBuffers::is_element_known(std::size_t parameter) const {
  if (!launch_ || parameter >= launch_->arguments.size()) return false;
  const auto index = host_.element_passed(launch_->arguments[parameter]);
  return index && (index->empty() || host_.value(*index).value_or(-1) >= 0);
}

bool GuessedBuffers::exchange_columns(const catalog::ProblemText& text, Binding& binding) const {
  using What = BoundArgument::What;
  std::string plain;
  for (const char c : body_)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) plain += c;
  const auto size_called = [&](std::string_view name) -> BoundArgument* {
    for (BoundArgument& bound : binding.arguments)
      if (bound.what == What::size && text.sizes[bound.index].name == name) return &bound;
    return nullptr;
  };
  const auto name_of = [&](const BoundArgument* bound) {
    return kernel_.parameters[static_cast<std::size_t>(bound - binding.arguments.data())].name;
  };
  const auto are_columns = [&](const std::string& size) {
    for (std::size_t p = 0; p < uses_.size(); ++p) {
      if (!uses_[p].is_written) continue;
      const std::string index = kernel_.parameters[p].name + "[";
      for (std::size_t at = plain.find(index); at != std::string::npos; at = plain.find(index, at + 1)) {
        const std::size_t end = plain.find(']', at);
        if (plain.substr(at, end - at).find("*" + size + "+") != std::string::npos) return true;
      }
    }
    return false;
  };
  BoundArgument* columns = size_called("N");
  BoundArgument* inner = size_called("K");
  if (binding.is_square || columns == nullptr || inner == nullptr || are_columns(name_of(columns)) ||
      !are_columns(name_of(inner)))
    return false;
  std::swap(columns->index, inner->index);
  return true;
}

bool GuessedBuffers::is_output(std::size_t p) const {
  const auto& parameter = kernel_.parameters[p];
  return parameter.is_pointer && !parameter.is_const && (uses_[p].is_written || uses_[p].is_passed_on);
}

bool GuessedBuffers::has_output() const {
  for (std::size_t p = 0; p < uses_.size(); ++p)
    if (is_output(p)) return true;
  return false;
}

std::string GuessedBuffers::output_name() const {
  for (std::size_t p = 0; p < uses_.size(); ++p)
    if (is_output(p)) return kernel_.parameters[p].name;
  for (const auto& parameter : kernel_.parameters)  // what writes is not seen
    if (parameter.is_pointer && !parameter.is_const) return parameter.name;
  return "OUTPUT";
}

Number GuessedBuffers::output_elements() const {
  for (std::size_t p = 0; p < uses_.size(); ++p)
    if (uses_[p].is_written)
      if (const auto elements = elements_of(p)) return elements;
  return std::nullopt;
}

void GuessedBuffers::shrink(Guess& guess) const {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 29, kLeast = 512;
  std::int64_t bytes = 0;
  for (std::size_t p = 0; p < kernel_.parameters.size(); ++p)
    if (kernel_.parameters[p].is_pointer) bytes += elements_of(p).value_or(0) * bytes_each(p);
  for (; bytes > kMostBytes; bytes /= 2) {
    SizeGuess* largest = nullptr;
    for (SizeGuess& size : guess.sizes)
      if (size.in_host && size.fixed_by.empty() && size.value > kLeast &&
          (largest == nullptr || size.value > largest->value))
        largest = &size;
    if (largest == nullptr) return;
    largest->value = no_more_than(std::max(kLeast, largest->value / 2 / 256 * 256), *largest->in_host);
    guess.is_shrunk = true;
  }
}

// Of what the kernel writes, else of another array; else a thread has one.
Number GuessedBuffers::elements_or_threads() const {
  Number elements = output_elements();
  for (std::size_t p = 0; p < uses_.size() && !elements; ++p)
    if (kernel_.parameters[p].is_pointer) elements = elements_of(p);
  if (elements || !launch_ || launch_->grid.empty()) return elements;
  elements = threads();
  for (const std::int64_t edge : launch_->grid) *elements *= std::min<std::int64_t>(edge, 1 << 20);
  return *elements >= 1 && *elements <= 1 << 24 ? elements : std::nullopt;
}

std::string GuessedBuffers::buffers_of(const Guess& guess) const {
  std::string buffers;
  for (std::size_t p = 0; p < kernel_.parameters.size(); ++p)
    if (kernel_.parameters[p].is_pointer)
      buffers += (buffers.empty() ? "" : ",\n           ") + buffer_of(guess, p);
  return buffers;
}

// Vectors and structs are counted in their own elements.
std::string GuessedBuffers::buffer_of(const Guess& guess, std::size_t p) const {
  const auto& parameter = kernel_.parameters[p];
  std::string type;
  if (const auto own = host_struct(p)) {
    const std::int64_t parts = own->bytes / bytes_of_element(own->element);
    type = fmt::format("type = \"{}\", ", own->element);
    if (parts > 1) type += fmt::format("parts = {}, ", parts);
  } else if (parts_of_type(p) > 1) {
    type = fmt::format("type = \"{}\", ", parameter.type);
  }
  return fmt::format("{{ name = \"{}\", {}count = \"{}\"{}{}{} }}", parameter.name, type, count_of(guess, p),
                     first_of(guess, p), fill_of(guess, p), is_output(p) ? ", output = true" : "");
}

// Where the launch passes a pointer to another element than the first.
std::string GuessedBuffers::first_of(const Guess& guess, std::size_t p) const {
  if (!is_element_known(p)) return "";
  const std::string_view index = *host_.element_passed(launch_->arguments[p]);
  const std::int64_t value = index.empty() ? 0 : *host_.value(index);
  if (value == 0) return "";
  for (const SizeGuess& size : guess.sizes)
    if (size.host_text == index) return fmt::format(", first = \"{}\"", size.name);
  return fmt::format(", first = \"{}\"", line_of(guess, index, 1).value_or(std::to_string(value)));
}

// Elements as a product of sizes where it is one.
std::string GuessedBuffers::count_of(const Guess& guess, std::size_t parameter) const {
  const auto elements = elements_of(parameter);
  if (!elements)
    return product_of(guess, parameter).value_or(is_of_offsets(parameter) ? guess.one + " + 1" : guess.one);
  const bool as_host = std::all_of(guess.sizes.begin(), guess.sizes.end(),
                                   [](const SizeGuess& size) { return size.value == size.in_host; });
  if (!as_host && guess.sizes.size() > 1 && !guess.is_shrunk) return std::to_string(*elements);
  // Of equal sizes those that the host counts with.
  const std::string bytes = host_.bytes_text_of(launch_->arguments[parameter], launch_->at);
  for (const bool is_sure : {true, false}) {
    for (const SizeGuess& a : guess.sizes)
      if (a.in_host == elements && (!is_sure || is_product(guess, {&a}, bytes, bytes_each(parameter))))
        return a.name;
    for (const SizeGuess& a : guess.sizes)
      for (const SizeGuess& b : guess.sizes)
        if (a.in_host.value_or(0) * b.in_host.value_or(0) == *elements &&
            (!is_sure || is_product(guess, {&a, &b}, bytes, bytes_each(parameter))))
          return a.name + " * " + b.name;
  }
  return line_of(guess, bytes, bytes_each(parameter)).value_or(std::to_string(*elements));
}

std::optional<std::string> GuessedBuffers::product_of(const Guess& guess, std::size_t parameter) const {
  if (!launch_ || parameter >= launch_->arguments.size()) return std::nullopt;
  return as_product(guess, host_.bytes_text_of(launch_->arguments[parameter], launch_->at),
                    bytes_each(parameter));
}

std::optional<std::string> GuessedBuffers::as_product(const Guess& guess, std::string_view text,
                                                      std::int64_t each) const {
  constexpr std::array<std::int64_t, 2> kTrials{101, 1013};
  std::array<std::int64_t, 2> wanted{};
  std::array<std::vector<std::int64_t>, 2> sizes;
  for (std::size_t t = 0; t < kTrials.size(); ++t) {
    HostCode::Instead instead;  // of the names that have no value
    for (const SizeGuess& size : guess.sizes)
      for (const std::string& name : host_.names_behind(size.host_text))
        if (!host_.value_with(*launch_, name, HostCode::Instead()))
          instead.emplace_back(name, kTrials[t] + 2 * static_cast<std::int64_t>(instead.size() * (t + 1)));
    const auto number = host_.value_with(*launch_, text, instead);
    if (!number || *number < 1 || *number % each != 0) return std::nullopt;
    wanted[t] = *number / each;
    for (const SizeGuess& size : guess.sizes)
      sizes[t].push_back(host_.value_with(*launch_, size.host_text, instead).value_or(0) / size.host_each);
  }
  if (wanted[0] == wanted[1]) return std::nullopt;
  // By the number of factors, the fewest first, each list in the order of the sizes.
  std::vector<std::vector<std::size_t>> lists{{}};
  for (std::size_t next = 0; next < lists.size(); ++next) {
    const std::vector<std::size_t> list = lists[next];
    std::array<std::int64_t, 2> product{1, 1};
    std::string words;
    for (const std::size_t s : list) {
      for (std::size_t t = 0; t < product.size(); ++t) product[t] *= sizes[t][s];
      words += (words.empty() ? "" : " * ") + guess.sizes[s].name;
    }
    if (product[0] < 1 || product[1] < 1) continue;
    const std::int64_t times = wanted[0] / product[0];
    if (!list.empty() && times >= 1 && times * product[0] == wanted[0] && times * product[1] == wanted[1])
      return times == 1 ? words : fmt::format("{} * {}", times, words);
    constexpr std::size_t kMostFactors = 4;
    for (std::size_t s = list.empty() ? 0 : list.back(); s < guess.sizes.size() && list.size() < kMostFactors;
         ++s) {
      lists.push_back(list);
      lists.back().push_back(s);
    }
  }
  return std::nullopt;
}

void GuessedBuffers::make_smaller(Guess& guess, const std::string& product, std::int64_t most) {
  const auto now = [&] {
    catalog::Scope scope;
    for (const SizeGuess& size : guess.sizes) scope.set(size.name, size.value);
    const auto value = catalog::Expression::compile(product, scope);
    return value ? value->evaluate() : 0;
  };
  while (now() > static_cast<double>(most)) {
    SizeGuess* largest = nullptr;
    for (SizeGuess& size : guess.sizes)
      if (!size.in_host && size.value > 1 && find_word(product, size.name) != std::string_view::npos &&
          (largest == nullptr || size.value > largest->value))
        largest = &size;
    if (largest == nullptr) return;
    largest->value /= 2;
  }
}

void GuessedBuffers::fit_products(Guess& guess) const {
  constexpr std::int64_t kMostElements = 1 << 24;
  for (std::size_t p = 0; p < kernel_.parameters.size(); ++p)
    if (kernel_.parameters[p].is_pointer && !elements_of(p))
      if (const auto product = product_of(guess, p)) make_smaller(guess, *product, kMostElements);
}

std::string GuessedBuffers::shared_by(Guess& guess) const {
  constexpr std::int64_t kMostBytes = 48 * 1024;
  const auto product = launch_ && launch_->has_shared && !launch_->shared
                           ? as_product(guess, launch_->shared_text, 1)
                           : std::nullopt;
  if (!product) return shared_of();
  make_smaller(guess, *product, kMostBytes);
  return fmt::format("shared  = \"{}\"{}\n", *product, source(true));
}

bool GuessedBuffers::is_held(std::size_t parameter) const {
  if (!launch_ || parameter >= launch_->values.size()) return false;
  const std::int64_t value = launch_->values[parameter].value_or(0);
  if (value < 1) return false;
  const auto numbers = std::ranges::count_if(kernel_.parameters, [](const auto& one) {
    return !one.is_pointer && one.type.find("int") != std::string::npos;
  });
  const auto names = host_.names_behind(launch_->arguments[parameter]);
  const auto is_of_names = [&](std::string_view text) {
    return std::ranges::any_of(host_.names_behind(text), [&](const std::string& name) {
      return std::ranges::find(names, name) != names.end();
    });
  };
  std::int64_t covered = threads();
  for (const std::int64_t edge : launch_->grid) covered *= edge;
  if (value > kMostOfLiterals && (launch_->grid.empty() || covered - value < threads())) return false;
  for (const auto* texts : {&launch_->grid_text, &launch_->block_text})
    if (std::ranges::any_of(*texts, is_of_names)) return false;
  for (std::size_t p = 0; p < uses_.size(); ++p) {
    if (!kernel_.parameters[p].is_pointer) continue;
    if (p >= launch_->arguments.size()) return false;
    const auto elements = elements_of(p);
    const std::string bytes = host_.bytes_text_of(launch_->arguments[p], launch_->at);
    const bool is_small_literal = names.empty() && value <= kMostOfLiterals && numbers > 1;
    if (is_of_names(bytes) || (bytes.empty() && !is_small_literal)) return false;
    if (elements == value || (elements && value > kMostOfLiterals && *elements % value == 0)) return false;
  }
  return true;
}

std::string GuessedBuffers::tied_to(const std::vector<SizeGuess>& sizes, std::size_t parameter) const {
  if (!launch_ || parameter >= launch_->arguments.size()) return "";
  const std::string& text = launch_->arguments[parameter];
  const auto behind = host_.names_behind(text);
  for (const SizeGuess& size : sizes) {
    if (size.host_text == text || behind.size() < 2 || behind[1] != size.host_text) continue;
    const auto is_same_at = [&](std::int64_t value) {
      return host_.value_with(*launch_, text, size.host_text, value) == value;
    };
    if (is_same_at(101) && is_same_at(1013)) return size.name;
  }
  return "";
}

bool GuessedBuffers::is_product(const Guess& guess, const std::vector<const SizeGuess*>& factors,
                                std::string_view host_text, std::int64_t each) const {
  for (const SizeGuess& size : guess.sizes)
    for (const std::string& root : host_.names_behind(size.host_text)) {
      const auto now = host_.value_with(*launch_, root, "", 0);
      if (!now) continue;
      std::int64_t product = each;
      for (const SizeGuess* factor : factors) {
        const auto value = host_.value_with(*launch_, factor->host_text, root, *now + 1);
        if (!value) return false;
        product *= *value / factor->host_each;
      }
      if (host_.value_with(*launch_, host_text, root, *now + 1) != product) return false;
    }
  return true;
}

std::optional<std::string> GuessedBuffers::line_of(const Guess& guess, std::string_view host_text,
                                                   std::int64_t each) const {
  constexpr std::array<std::int64_t, 4> kTrials{1000, 1037, 4096, 100'003};
  const auto names = host_.names_behind(host_text);
  for (const SizeGuess& size : guess.sizes)
    for (const std::string& root : host_.names_behind(size.host_text)) {
      if (std::find(names.begin(), names.end(), root) == names.end()) continue;
      const auto point_at = [&](std::int64_t trial) -> std::optional<Point> {
        const auto of_size = host_.value_with(*launch_, size.host_text, root, trial);
        const auto number = host_.value_with(*launch_, host_text, root, trial);
        if (!of_size || !number || *number % each != 0) return std::nullopt;
        return Point{*of_size / size.host_each, *number / each};
      };
      std::vector<Point> points;
      for (const std::int64_t trial : kTrials)
        if (const auto point = point_at(trial)) points.push_back(*point);
      if (points.size() < kTrials.size() || points[1].size == points[0].size) continue;
      const std::int64_t slope = (points[1].number - points[0].number) / (points[1].size - points[0].size);
      const std::int64_t rest = points[0].number - slope * points[0].size;
      const bool is_line = std::all_of(points.begin(), points.end(), [&](const Point& point) {
        return point.number == slope * point.size + rest;
      });
      if (const auto part = is_line ? std::nullopt : part_of(points, point_at))
        return fmt::format("ceil_div({}, {})", size.name, *part);
      if (!is_line || slope < 1) continue;
      const std::string product = slope == 1 ? size.name : fmt::format("{} * {}", slope, size.name);
      return rest == 0 ? product : fmt::format("{} {} {}", product, rest < 0 ? "-" : "+", std::abs(rest));
    }
  return std::nullopt;
}

}  // namespace warplens::problem
