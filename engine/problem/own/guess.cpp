// A front matter for a file that has none: its problem by the name of the kernel and by what it does with its
// parameters, its launch and sizes by the host code that came with it. What is no more than a guess says so
// on its line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "engine/catalog/expression.hpp"
#include "engine/catalog/problem_text.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/problem/own/binding.hpp"
#include "engine/problem/own/chosen_kernel.hpp"
#include "engine/problem/own/guess_kind.hpp"
#include "engine/problem/own/guess_words.hpp"
#include "engine/problem/own/launch_error.hpp"
#include "engine/source/signature.hpp"
#include "engine/source/tokens.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

using What = BoundArgument::What;
// Its problem.
class Guessing : GuessedKind {
 public:
  Guessing(std::string_view code, const source::KernelSignature& kernel, std::string_view body, bool only_one)
      : GuessedKind(code, kernel, body), only_one_(only_one) {
    find_constants(code);
  }

  std::string front_matter() {
    find_block();
    Guess guess = problem();
    const std::string grid = grid_of(guess);
    fill_grid(guess, grid);
    hold_constants(guess, grid);
    const std::string shared = shared_by(guess);
    std::string text = fmt::format("title   = \"{}\"\n", kernel_.name);
    const bool is_table = guess.kind.empty() || guess.has_own_sizes || !guess.order.empty() ||
                          guess.is_of_host || !guess.problem.empty();
    if (!is_table) text += fmt::format("problem = \"{}\"  # guessed\n", guess.kind);
    if (!only_one_ || !arguments_.empty())
      text += fmt::format("kernel  = \"{}{}\"{}\n", kernel_.name,
                          arguments_.empty() ? "" : "<" + arguments_ + ">",
                          arguments_.empty() || are_in_host_ ? "" : "  # guessed");
    if (is_table) text += table_of(guess, grid);
    text += fmt::format("[launch]\nblock   = [{}]{}\ngrid    = [{}]{}\n", fmt::join(block_, ", "),
                        block_source_, grid, source(grid_is_in_host_));
    return text + shared + require_of(guess);
  }

 private:
  // A size that neither an argument nor the grid says is built into the kernel.
  static void hold_constants(Guess& guess, const std::string& grid) {
    for (SizeGuess& size : guess.sizes)
      if (!size.is_parameter && size.in_host == size.value && size.fixed_by.empty() &&
          find_word(grid, size.name) == std::string_view::npos)
        size.fixed_by = size.name;
  }

  // Data of the host that nobody fills here.
  void find_constants(std::string_view code) {
    for (std::size_t at = code.find("__constant__"); at != std::string_view::npos;
         at = code.find("__constant__", at + 1)) {
      const std::string_view text =
          code.substr(at + 12, std::min(code.find_first_of("[;=", at), code.size()) - at - 12);
      const std::string_view name = source::word_before(text, source::before_blanks(text, text.size()));
      if (!name.empty() && find_word(body_, name) != std::string_view::npos) reads_constants_ = true;
    }
  }

  Guess problem() const {
    const std::string name = lower(kernel_.name);
    for (const Hint& hint : hints()) {
      if (name.find(hint.word) == std::string::npos || reads_constants_ || calls_functor()) continue;
      const std::string kind = kind_of(hint, name);
      if (kind.empty()) continue;
      auto found = of_kind(kind);
      if (!found) continue;
      if (!hint.check.empty() && !is_of_another_function(name))
        found->problem += fmt::format("check   = \"{}\"\n", hint.check);
      return *found;
    }
    for (const char* kind : {"sgemm", "vector_add", "map"})
      if (auto found = !reads_constants_ && is_alike(kind) ? of_kind(kind) : std::nullopt) return *found;
    return unknown();
  }

  std::optional<Guess> of_kind(const std::string& name) const {
    auto text = catalog::parse_problem(find_kind_text(name)->problem);
    if (!text) return std::nullopt;
    text->kind = name;
    for (auto& buffer : text->buffers)
      for (const auto& check : text->check) buffer.is_output |= check.text.starts_with(buffer.name + "[");
    auto binding = bind_arguments(*text, &kernel_);
    if (!binding || !has_inputs(*text, *binding)) return std::nullopt;
    Guess guess;
    guess.kind = name;
    if (!fits_use(*text, *binding) && !names_are_clear()) {
      if (!bind_by_use(*text, *binding)) return std::nullopt;
      guess.order = names_of(*text, *binding);
    }
    if (name == "sgemm" && exchange_columns(*text, *binding)) {
      if (!fits_use(*text, *binding) && !bind_by_use(*text, *binding)) return std::nullopt;
      guess.order = names_of(*text, *binding);
    }
    guess.sizes = sizes_of(*text, *binding);
    fix_sizes(guess, *text);
    if (has_other_extents(guess, *text, *binding)) return std::nullopt;
    if (!count_vectors(guess, *text, *binding)) return std::nullopt;
    if (!fit_elements(guess, *text, *binding)) return std::nullopt;
    guess.one = guess.sizes[0].name;
    if (guess.sizes.size() >= 2 && guess.sizes[0].name == "M") {
      guess.plane = {"N", "M"};
      const bool is_flat = name != "gemv" && name != "spmv" && has("/") && has("%");
      if (is_flat || name == "sgemm") guess.one = "M * N";
    }
    guess.is_of_rows = name == "softmax" || name == "layer_norm";
    if (name == "partial_sums") fit_grid_of_sums(guess);
    choose_values(guess);
    guess.problem = factors_of(*text, *binding);
    if (guess.problem.empty()) guess.problem = changes_of(guess, *text, *binding);
    guess.is_of_host = is_of_host(guess);
    return guess;
  }

  // float4* for n elements is n of them, unless the kernel divides what it is given. False: the kind is of
  // something else.
  bool count_vectors(Guess& guess, const catalog::ProblemText& text, const Binding& binding) const {
    int parts = 0;
    for (std::size_t p = 0; p < binding.arguments.size(); ++p) {
      if (binding.arguments[p].what != What::buffer) continue;
      if (host_struct(p)) return false;
      const int own = parts_of_type(p);
      if (parts != 0 && own != parts) return false;
      parts = own;
    }
    if (parts <= 1) return true;
    const bool is_each_alone = std::none_of(text.check.begin(), text.check.end(), [](const auto& check) {
      return check.text.find('(') != std::string::npos && check.text.find("old(") == std::string::npos;
    });
    const bool is_flat = std::all_of(text.buffers.begin(), text.buffers.end(),
                                     [](const auto& buffer) { return buffer.shape.empty(); });
    for (std::size_t p = 0; p < binding.arguments.size(); ++p) {
      const auto elements = binding.arguments[p].what == What::buffer ? elements_of(p) : std::nullopt;
      const auto size = guess.sizes[0].in_host;
      if (!elements || !size) continue;
      if (*elements * parts == *size) return true;  // it counts their parts
      if (*elements != *size) return false;
      guess.parts = parts;
    }
    if (guess.parts == 1 && !divides_by(parts)) guess.parts = parts;
    return guess.parts == 1 || (is_each_alone && is_flat);
  }
  static std::string extent_of(const catalog::BufferText& buffer) {
    if (buffer.shape.size() == 2)
      return fmt::format("shape = [\"{}\", \"{}\"]", buffer.shape[0].text, buffer.shape[1].text);
    return fmt::format("count = \"{}\"", buffer.count.text);
  }
  // What the kind's buffers are otherwise here: vectors, inputs that the host computes, and outputs that it fills and the kernel
  // reads.
  std::string changes_of(const Guess& guess, const catalog::ProblemText& text, const Binding& binding) const {
    std::string buffers;
    for (std::size_t p = 0; p < binding.arguments.size(); ++p) {
      if (binding.arguments[p].what != What::buffer) continue;
      const auto& buffer = text.buffers[binding.arguments[p].index];
      const bool is_free = text.check.empty();  // nobody says what it has to hold at first
      const bool is_filled =
          buffer.is_output && buffer.fill.text.empty() && uses_[p].is_read && (is_free || is_host_filled(p));
      const std::string own = buffer.is_output ? "" : host_fill_of(guess, p);
      if (guess.parts == 1 && !is_filled && own.empty()) continue;
      buffers += fmt::format(
          "{}{{ name = \"{}\", {}{}{} }}", buffers.empty() ? "" : ", ", buffer.name, extent_of(buffer),
          guess.parts == 1 ? "" : fmt::format(", type = \"{}\"", kernel_.parameters[p].type),
          !own.empty() ? fmt::format(", fill = \"{}\"", own)
          : !is_filled ? ""
          : is_free    ? ", fill = \"random\""
                       : ", fill = \"zero\"");
    }
    if (buffers.empty()) return "";
    const std::string& operations = text.operations.text;
    return "buffers = [" + buffers + "]\n" +
           (guess.parts == 1 || operations.empty()
                ? ""
                : fmt::format("operations = \"{} * ({})\"\n", guess.parts, operations));
  }
  static std::string filled_output(const catalog::ProblemText& text, const std::string& output) {
    const auto buffer = std::find_if(text.buffers.begin(), text.buffers.end(),
                                     [&](const auto& one) { return one.name == output; });
    if (buffer == text.buffers.end()) return "";
    return fmt::format("buffers = [{{ name = \"{}\", {}, fill = \"random\" }}]\n", output,
                       extent_of(*buffer));
  }

  // Factors that are neither 0 nor 1 show a kernel that forgets them: C = alpha A B + beta C.
  std::string factors_of(const catalog::ProblemText& text, const Binding& binding) const {
    const auto takes = [&](std::string_view name) {
      for (std::size_t p = 0; p < binding.arguments.size(); ++p) {
        const BoundArgument& bound = binding.arguments[p];
        const std::string& type = kernel_.parameters[p].type;
        if (bound.what == What::scalar && text.scalars[bound.index].name == name)
          return type == "float" || type == "double";
      }
      return false;
    };
    const bool is_scaled = takes("alpha"), is_added = takes("beta");
    constexpr std::string_view kEquals = " == ";
    if ((!is_scaled && !is_added) || text.check.size() != 1) return "";
    const std::string& check = text.check[0].text;
    const std::size_t equals = check.find(kEquals), index = check.find('[');
    if (equals == std::string::npos || index > equals) return "";
    const std::string output = check.substr(0, index), element = check.substr(index, equals - index),
                      sum = check.substr(equals + kEquals.size());
    std::string words = "scalars = [";
    if (is_scaled) words += "{ name = \"alpha\", value = 1.5 }";
    if (is_added) words += std::string(is_scaled ? ", " : "") + "{ name = \"beta\", value = 0.5 }";
    words += "]  # neither 0 nor 1, so that a kernel that forgets them is found\n";
    if (is_added) words += filled_output(text, output);
    return words + fmt::format("check   = \"{}{} == {}{}{}\"\n", output, element, is_scaled ? "alpha * " : "",
                               sum, is_added ? fmt::format(" + beta * old({}){}", output, element) : "");
  }

  // A size that the kernel has as a constant is that constant: B where the kernel says BINS.
  void fix_sizes(Guess& guess, const catalog::ProblemText& text) const {
    for (std::size_t s = 0; s < guess.sizes.size(); ++s) {
      SizeGuess& size = guess.sizes[s];
      if (size.is_parameter) continue;
      for (const std::string& name : names_of_code()) {
        if (!is_constant_of(name, text.sizes[s], guess.kind)) continue;
        const auto value = host_.value(name);
        if (!value || *value < 1) continue;
        size.in_host = value, size.host_text = size.fixed_by = name;
        break;
      }
    }
  }
  bool is_constant_of(const std::string& name, const catalog::SizeText& size, std::string_view kind) const {
    if (std::any_of(kernel_.parameters.begin(), kernel_.parameters.end(),
                    [&](const auto& parameter) { return parameter.name == name; }))
      return false;
    if (name == size.name) return true;
    const std::string plain = plain_name(name);
    if (plain.size() < 2) return false;
    if (kind == "histogram" && size.name == "B" && (plain == "bins" || plain == "nbin")) return true;
    return std::any_of(size.also.begin(), size.also.end(),
                       [&](const std::string& other) { return plain_name(other) == plain; });
  }
  std::string require_of(const Guess& guess) const {
    std::string tests;
    for (const SizeGuess& size : guess.sizes)
      if (!size.fixed_by.empty())
        tests += fmt::format("{}{{ test = \"{} == {}\", reason = \"{} is {} in the file\" }}",
                             tests.empty() ? "" : ", ", size.name, size.value, size.fixed_by, size.value);
    return tests.empty() ? "" : fmt::format("require = [{}]\n", tests);
  }

  // Whether the file's own launch, sizes and buffers are all there is.
  bool is_of_host(const Guess& guess) const {
    if (!launch_ || !as_in_host(guess)) return false;
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      if (!kernel_.parameters[p].is_pointer) continue;
      if (!is_element_known(p) || !elements_of(p)) return false;
    }
    return true;
  }

  std::vector<SizeGuess> sizes_of(const catalog::ProblemText& text, const Binding& binding) const {
    std::vector<SizeGuess> sizes;
    for (std::size_t s = 0; s < text.sizes.size(); ++s) {
      SizeGuess size{.name = text.sizes[s].name, .value = text.sizes[s].value};
      for (std::size_t p = 0; p < binding.arguments.size(); ++p) {
        const BoundArgument& bound = binding.arguments[p];
        if (bound.what != What::size || (bound.index != s && !binding.is_square)) continue;
        size.is_parameter = true;
        take_from_launch(size, p);
      }
      if (!size.is_parameter && !size.in_host)
        if (const auto value = host_.value(size.name); value && *value > 0)
          size.in_host = value, size.host_text = size.name;
      sizes.push_back(std::move(size));
    }
    return sizes;
  }
  void take_from_launch(SizeGuess& size, std::size_t parameter) const {
    if (!launch_ || parameter >= launch_->values.size()) return;
    if (launch_->values[parameter].value_or(0) > 0) size.in_host = launch_->values[parameter];
    size.host_text = launch_->arguments[parameter];
  }

  static Number evaluate(const std::vector<catalog::Written>& factors, const std::vector<SizeGuess>& sizes) {
    catalog::Scope scope;
    for (const SizeGuess& size : sizes) {
      if (!size.in_host) return std::nullopt;
      scope.set(size.name, *size.in_host);
    }
    std::int64_t product = 1;
    for (const auto& factor : factors) {
      const auto expression = catalog::Expression::compile(factor.text, scope);
      if (!expression) return std::nullopt;
      product *= static_cast<std::int64_t>(expression->evaluate());
    }
    return product;
  }

  // Sizes that no argument gives follow from the buffers; false: the buffers are those of something else.
  bool fit_elements(Guess& guess, const catalog::ProblemText& text, const Binding& binding) const {
    if (guess.kind == "partial_sums") return fit_partial_sums(guess, binding);
    for (std::size_t p = 0; p < binding.arguments.size(); ++p) {
      const BoundArgument& bound = binding.arguments[p];
      const auto elements = bound.what == What::buffer ? elements_of(p) : std::nullopt;
      if (!elements || *elements * bytes_each(p) > kMostOfBuffer) continue;
      const auto& buffer = text.buffers[bound.index];
      const auto& factors = buffer.shape.empty() ? std::vector<catalog::Written>{buffer.count} : buffer.shape;
      const int parts = guess.parts == 1 ? parts_of_type(p) : 1;  // a size that counts parts
      const Known known{*elements * parts, bytes_each(p) / parts,
                        host_.bytes_text_of(launch_->arguments[p], launch_->at)};
      for (int times = 0; times < 2; ++times) solve(factors, known, guess.sizes);
      if (const auto own = evaluate(factors, guess.sizes); own && *own != *elements * parts) return false;
    }
    return true;
  }
  // Of a buffer, as the host allocates it.
  struct Known {
    std::int64_t elements = 0, bytes_each = 0;
    std::string bytes;
  };
  // The one factor that is not known yet.
  static void solve(const std::vector<catalog::Written>& factors, const Known& buffer,
                    std::vector<SizeGuess>& sizes) {
    SizeGuess* open = nullptr;
    std::int64_t known = 1;
    for (const auto& factor : factors) {
      const auto size =
          std::find_if(sizes.begin(), sizes.end(), [&](const SizeGuess& s) { return s.name == factor.text; });
      if (size == sizes.end() || (!size->in_host && open != nullptr)) return;
      if (size->in_host)
        known *= *size->in_host;
      else
        open = &*size;
    }
    if (open == nullptr || known <= 0 || buffer.elements % known != 0) return;
    open->in_host = buffer.elements / known;
    open->host_text = buffer.bytes, open->host_each = known * buffer.bytes_each;
  }
  // One result a block.
  bool fit_partial_sums(Guess& guess, const Binding& binding) const {
    const bool two = has("blockDim.x * 2") || has("blockDim.x*2") || has("blockSize * 2") ||
                     has("2 * blockDim.x") || has("2*blockDim.x");
    std::int64_t each = threads() * (two ? 2 : 1);
    Number in, out;
    for (std::size_t p = 0; p < binding.arguments.size(); ++p)
      if (binding.arguments[p].what == What::buffer) (uses_[p].is_written ? out : in) = elements_of(p);
    if (in && out && *out > 1 && *in % *out == 0 && *in / *out >= threads()) each = *in / *out;
    if (has("gridDim")) return false;
    guess.sizes[0].in_host.reset();
    guess.sizes[0].value = each * std::min<std::int64_t>(1000, std::max<std::int64_t>(1, (1 << 20) / each));
    guess.sizes[1].value = each;
    guess.has_own_sizes = true;
    return true;
  }

  // A block for each E elements, which its threads decide. A kernel that is told N takes a last block that is not full, too.
  void fit_grid_of_sums(Guess& guess) const {
    const bool takes_rest = guess.sizes[0].is_parameter;
    guess.one = fmt::format("{} * {}", takes_rest ? "ceil_div(N, E)" : "N / E", threads());
    if (!guess.sizes[1].is_parameter) guess.sizes[1].fixed_by = "what a block adds up";
  }

  // Of a size that the kernel knows from its grid alone.
  bool follows_the_grid(const Guess& guess, const SizeGuess& size) const {
    const bool is_named = has(size.name) || (!size.host_text.empty() && has(size.host_text));
    return !is_guarded() && !is_named && grid_follows(guess);
  }

  // The kind's own sizes do, unless the kernel takes only the host's, or no others.
  void choose_values(Guess& guess) const {
    if (guess.has_own_sizes) return;
    for (SizeGuess& size : guess.sizes) {
      const std::int64_t kinds_own = size.value;
      if (!size.is_parameter && size.in_host)
        size.value = follows_the_grid(guess, size)
                         ? no_more_than(most_of(guess.sizes.size() == 1, kinds_own), *size.in_host)
                         : *size.in_host;
      if (size.is_parameter && size.in_host)
        size.value = no_more_than(most_of(guess.sizes.size() == 1, kinds_own), *size.in_host);
      if (size.value == 1000003 && (takes_vectors() || !is_guarded() || !size.is_parameter))
        size.value = 1 << 20;
      if (has_lock() && size.is_parameter) size.value = std::min(size.value, kMostOfLocks);
      if (is_one_thread() && size.is_parameter)
        size.value = std::min<std::int64_t>(size.in_host.value_or(10'000), 10'000);
      // A grid that is no expression of the sizes fits the host's alone.
      if (launch_ && !launch_->grid.empty() && size.is_parameter && size.in_host && !is_one_thread() &&
          !has("gridDim") && !grid_follows(guess))
        size.value = *size.in_host;
      if (is_in_block(size)) size.value = *size.in_host, size.fixed_by = size.host_text;
      guess.has_own_sizes |= size.value != kinds_own;
    }
  }

  // As the launch passes it, where that is known.
  double scalar_of(std::size_t parameter, double other) const {
    return launch_ && parameter < launch_->numbers.size() ? launch_->numbers[parameter].value_or(other)
                                                          : other;
  }

  // Everything by its own name, and nothing checked.
  Guess unknown() const {
    Guess guess;
    std::string scalars;
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      const auto& parameter = kernel_.parameters[p];
      const auto type = source::read_type(parameter.type);
      if (parameter.is_pointer || parameter.name.empty()) continue;
      SizeGuess size{.name = parameter.name, .is_parameter = true};
      take_from_launch(size, p);
      const bool is_zero = launch_ && p < launch_->values.size() && launch_->values[p].value_or(1) <= 0;
      const bool is_number = type && (type->base == "float" || type->base == "double");
      const bool is_whole = type && type->base.find("int") != std::string::npos && type->bytes() > 1;
      const std::string tied = is_whole ? tied_to(guess.sizes, p) : "";
      if (is_whole && !is_zero && tied.empty() && !is_held(p))
        guess.sizes.push_back(size);
      else
        scalars +=
            fmt::format("{}{{ name = \"{}\", value = {} }}", scalars.empty() ? "" : ", ", parameter.name,
                        tied.empty() ? fmt::format("{}", scalar_of(p, is_number ? 1.5 : 1))
                                     : fmt::format("\"{}\"", tied));
    }
    if (guess.sizes.empty()) guess.sizes.push_back({.name = "N", .in_host = elements_or_threads()});
    // A matrix or a cube where the host's grid follows one size along two axes or three.
    const auto [edge, axes] = size_of_axes(guess);
    static constexpr std::array<std::int64_t, 4> kEach{1 << 20, 256, 64, 32};
    const std::int64_t each = kEach[std::min<std::size_t>(std::max(guess.sizes.size(), axes), 4) - 1];
    for (SizeGuess& size : guess.sizes) {
      size.value = size.in_host.value_or(is_width_of_filter(size) ? kWidthOfFilter : each);
      if (size.value > kMostOfPairs && is_walked_by_each(size))
        size.value = no_more_than(kMostOfPairs, size.value);
      if (is_in_block(size)) size.fixed_by = size.host_text;
    }
    if (has_lock() && guess.sizes.size() == 1)
      guess.sizes[0].value = std::min(guess.sizes[0].value, kMostOfLocks);
    if (is_one_thread() && guess.sizes.size() == 1)
      guess.sizes[0].value = std::min<std::int64_t>(guess.sizes[0].value, 10'000);
    shrink(guess);
    fit_products(guess);
    std::vector<std::string> names;
    for (const SizeGuess& size : guess.sizes) names.push_back(size.name);
    const bool fits =
        names.size() == 1 || (names.size() == 2 && guess.sizes[0].value * guess.sizes[1].value <= 1 << 24);
    guess.one = !fits ? "1048576" : fmt::format("{}", fmt::join(names, " * "));
    if (axes > 1) guess.one = fmt::format("{}", fmt::join(std::vector<std::string>(axes, edge), " * "));
    guess.problem = "buffers = [" + buffers_of(guess) + "]\n";
    if (!scalars.empty()) guess.problem += fmt::format("scalars = [{}]\n", scalars);
    const bool takes_none = std::none_of(kernel_.parameters.begin(), kernel_.parameters.end(),
                                         [](const auto& parameter) { return parameter.is_pointer; });
    guess.problem += takes_none
                         ? "none    = \"the kernel takes no array, so there is no result to compare\"\n"
                         : fmt::format(
                               "none    = \"the file does not say what {0} should hold: write check = "
                               "\\\"{0}[i] == ...\\\" instead of none in its head\"\n",
                               output_name());
    if (names.size() >= 2) guess.plane = {names[1], names[0]};
    guess.is_of_host = is_of_host(guess);
    return guess;
  }
  static std::string sizes_source(const Guess& guess, const std::string& grid) {
    if (guess.is_of_host) return "  # as in the file";
    std::string names;
    for (const SizeGuess& size : guess.sizes)
      if (guess.kind.empty() && size.is_parameter && !size.in_host &&
          find_word(grid, size.name) == std::string_view::npos)
        names += (names.empty() ? "" : ", ") + size.name;
    if (!names.empty()) return "  # " + std::string(kNoMoreThanAGuess) + names;
    const bool is_smaller = std::any_of(guess.sizes.begin(), guess.sizes.end(), [](const SizeGuess& size) {
      return size.value < size.in_host.value_or(0);
    });
    return is_smaller ? "  # smaller than in the file" : "";
  }

  std::string table_of(const Guess& guess, const std::string& grid) const {
    std::string text = "[problem]  # guessed\n", sizes;
    if (!guess.kind.empty()) text += fmt::format("kind    = \"{}\"\n", guess.kind);
    for (const SizeGuess& size : guess.sizes)
      sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", size.name, size.value);
    if (guess.kind.empty() || guess.has_own_sizes || guess.is_of_host)
      text += fmt::format("sizes   = {{ {} }}{}\n", sizes, sizes_source(guess, grid));
    if (!guess.order.empty()) text += fmt::format("order   = [\"{}\"]\n", fmt::join(guess.order, "\", \""));
    return text + guess.problem;
  }

  static constexpr std::int64_t kMostOfBuffer = std::int64_t{1} << 30;  // bytes that are run here
  bool only_one_, reads_constants_ = false;
};

std::string front_matter_of(std::string_view code, const source::KernelSignature& kernel, bool only_one) {
  const std::string plain = source::blanked(code);
  std::size_t begin = 0;
  for (int line = 1; line < kernel.line; ++line) begin = plain.find('\n', begin) + 1;
  const std::size_t behind = source::behind_bracket(plain, plain.find('{', begin));
  const std::string body = plain.substr(begin, std::min(behind - 1, plain.size()) - begin);
  return Guessing(code, kernel, body, only_one).front_matter();
}

}  // namespace

std::string guessed_front_matter(std::string_view code) {
  const auto kernels = source::kernel_signatures(code);
  return kernels.empty() ? "" : front_matter_of(code, chosen_kernel(kernels, code), kernels.size() == 1);
}

std::string guessed_front_matter(std::string_view code, std::string_view name) {
  const auto kernels = source::kernel_signatures(code);
  for (const auto& kernel : kernels)
    if (kernel.name == name) return front_matter_of(code, kernel, kernels.size() == 1);
  return "";
}

catalog::GuessedText guessed(std::string_view code) {
  return {guessed_front_matter(code), launch_error(code)};
}

}  // namespace warplens::problem
