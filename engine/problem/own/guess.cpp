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
#include "engine/catalog/signature.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/problem/own/binding.hpp"
#include "engine/problem/own/host_code.hpp"
#include "engine/problem/own/pointer_use.hpp"

namespace warplens::problem {
namespace {

using What = BoundArgument::What;
using Number = std::optional<std::int64_t>;

// Words in the names of kernels, the telling ones first.
struct Hint {
  std::string_view word, kind;
};
constexpr Hint kHints[] = {{"softmax", "softmax"},
                           {"layernorm", "layer_norm"},
                           {"layer_norm", "layer_norm"},
                           {"exclusive", "scan_exclusive"},
                           {"scan", "scan"},
                           {"prefix", "scan"},
                           {"hist", "histogram"},
                           {"spmv", "spmv"},
                           {"csr", "spmv"},
                           {"conv2", "conv2d"},
                           {"conv_2d", "conv2d"},
                           {"convolution_2d", "conv2d"},
                           {"convolution2", "conv2d"},
                           {"conv", "conv1d"},
                           {"stencil", "stencil"},
                           {"jacobi", "stencil"},
                           {"transpose", "transpose"},
                           {"saxpy", "saxpy"},
                           {"axpy", "saxpy"},
                           {"dot", "dot"},
                           {"gemv", "gemv"},
                           {"matvec", "gemv"},
                           {"mat_vec", "gemv"},
                           {"matmul_forward", "linear"},
                           {"linear", "linear"},
                           {"gemm", "sgemm"},
                           {"matmul", "sgemm"},
                           {"matrixmul", "sgemm"},
                           {"matrix_mul", "sgemm"},
                           {"mmul", "sgemm"},
                           {"matmult", "sgemm"},
                           {"mm", "sgemm"},
                           {"reduc", "reduce"},
                           {"sum", "reduce"},
                           {"copy", "copy"},
                           {"add", "vector_add"},
                           {"residual", "vector_add"},
                           {"relu", "map"},
                           {"gelu", "map"},
                           {"sigmoid", "map"},
                           {"square", "map"}};

std::string lower(std::string_view text) {
  std::string small;
  for (const char c : text) small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t bytes_of_type(const std::string& name) {
  const auto type = catalog::read_type(name);
  if (!type) return 4;  // of a template: float
  const bool is_8 = type->base.ends_with("64") || type->base == "double";
  const bool is_2 = type->base.ends_with("16") || type->base == "half";
  return (is_8 ? 8 : is_2 ? 2 : type->base.ends_with("t8") ? 1 : 4) * type->parts;
}

// The edge of a tile in shared memory, such as __shared__ float tile[T][T]; 0: none is seen.
int shared_edge(const HostCode& host, std::string_view body) {
  const std::size_t at = body.find("__shared__");
  if (at == std::string_view::npos) return 0;
  const std::size_t open = body.find('[', at), close = body.find(']', at);
  if (open == std::string_view::npos || close == std::string_view::npos || body.find(';', at) < open)
    return 0;
  const auto edge = host.value(body.substr(open + 1, close - open - 1));
  return edge && *edge > 0 && *edge <= 1024 ? static_cast<int>(*edge) : 0;
}

// What templates mostly call their numbers, where no launch says them.
struct Usual {
  std::string_view name;
  int value;
};
constexpr Usual kUsual[] = {{"bm", 64},       {"bn", 64},      {"bk", 8},         {"tm", 8},     {"tn", 8},
                            {"wm", 32},       {"wn", 32},      {"blocksize", 32}, {"bs", 16},    {"tile", 16},
                            {"tilesize", 16}, {"tiledim", 32}, {"tilewidth", 16}, {"block", 256}};
int usual_number(std::string_view name) {
  std::string plain;
  for (const char c : lower(name))
    if (c != '_') plain += c;
  for (const Usual& usual : kUsual)
    if (usual.name == plain) return usual.value;
  return 0;
}

struct SizeGuess {
  std::string name;
  std::int64_t value = 0;     // as written
  Number in_host;             // as launched
  std::string host_text;      // the launch's argument, or the constant's name
  bool is_parameter = false;  // else the kernel has it as a constant
};

struct Guess {
  std::string kind;     // empty: everything by its own name
  std::string problem;  // TOML of buffers and scalars, without sizes
  std::vector<SizeGuess> sizes;
  std::vector<std::string> order;
  std::vector<std::string> plane;  // names of sizes that a two-dimensional grid covers: columns, rows
  std::string one;                 // what a grid of one dimension covers
  bool is_of_rows = false, has_own_sizes = false;
};

class Guessing {
 public:
  Guessing(std::string_view code, const catalog::KernelSignature& kernel, std::string_view body,
           bool only_one)
      : kernel_(kernel),
        body_(body),
        only_one_(only_one),
        host_(code),
        launch_(host_.launch_of(kernel.name)) {
    for (const auto& parameter : kernel_.parameters)
      uses_.push_back(parameter.is_pointer
                          ? use_of(body_.substr(std::min(body_.find('{'), body_.size())), parameter.name)
                          : PointerUse());
    find_constants(code);
  }

  std::string front_matter() {
    find_arguments();
    find_block();
    Guess guess = problem();
    const std::string grid = grid_of(guess);
    const std::string shared = shared_of();
    std::string text = fmt::format("title   = \"{}\"\n", kernel_.name);
    const bool is_table = guess.kind.empty() || guess.has_own_sizes || !guess.order.empty();
    if (!is_table) text += fmt::format("problem = \"{}\"  # guessed\n", guess.kind);
    if (!only_one_ || !arguments_.empty())
      text += fmt::format("kernel  = \"{}{}\"{}\n", kernel_.name,
                          arguments_.empty() ? "" : "<" + arguments_ + ">",
                          arguments_.empty() || are_in_host_ ? "" : "  # guessed");
    if (is_table) text += table_of(guess);
    text += fmt::format("[launch]\nblock   = [{}]{}\ngrid    = [{}]{}\n", fmt::join(block_, ", "),
                        source(launch_ && !launch_->block.empty()), grid, source(grid_is_in_host_));
    return text + shared;
  }

 private:
  std::string source(bool is_in_host) const {
    return is_in_host ? fmt::format("  # as launched in line {}", launch_->line) : std::string("  # guessed");
  }

  // Data of the host that nobody fills here.
  void find_constants(std::string_view code) {
    for (std::size_t at = code.find("__constant__"); at != std::string_view::npos;
         at = code.find("__constant__", at + 1)) {
      const std::string_view text =
          code.substr(at + 12, std::min(code.find_first_of("[;=", at), code.size()) - at - 12);
      std::size_t end = text.find_last_not_of(" \t") + 1, begin = end;
      while (begin > 0 &&
             (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '_'))
        --begin;
      if (begin < end && find_word(body_, text.substr(begin, end - begin)) != std::string_view::npos)
        reads_constants_ = true;
    }
  }

  // Of a template: those of its launch, or what such names mostly are.
  void find_arguments() {
    if (kernel_.of_template.empty() || kernel_.is_instantiated) return;
    const auto given = parts_of(launch_ ? std::string_view(launch_->template_arguments) : std::string_view());
    are_in_host_ = !given.empty();
    const bool has_two = std::any_of(kernel_.of_template.begin(), kernel_.of_template.end(),
                                     [](const auto& parameter) { return lower(parameter.name) == "tn"; });
    for (std::size_t t = 0; t < kernel_.of_template.size(); ++t) {
      const auto& parameter = kernel_.of_template[t];
      const bool is_type = parameter.type == "typename", is_given = t < given.size();
      std::string text(is_given ? given[t] : "");
      const bool is_known = is_type ? catalog::read_type(text).has_value() : host_.value(text).has_value();
      if (!is_given && !parameter.fallback.empty()) break;
      if (!is_known && is_type && text.find_first_of("<:") == std::string::npos) text = "float";
      if (!is_known && !is_type && (!is_given || is_plain_name(text))) {
        int number = usual_number(parameter.name);
        if (has_two && number == 64) number = 128;  // tiles of threads in two dimensions are larger
        if (number == 0) break;
        text = std::to_string(number);
        are_in_host_ = false;
      }
      if (parameter.type == "bool" && is_known) text = host_.value(text) == 0 ? "false" : "true";
      arguments_ += (arguments_.empty() ? "" : ", ") + text;
    }
    kernel_ = catalog::with_arguments(kernel_, arguments_);
  }
  static bool is_plain_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
  }
  int argument(std::string_view name) const {
    const auto values = parts_of(arguments_);
    for (std::size_t i = 0; i < kernel_.of_template.size() && i < values.size(); ++i)
      if (lower(kernel_.of_template[i].name) == name)
        return static_cast<int>(host_.value(values[i]).value_or(0));
    return 0;
  }

  void find_block() {
    if (launch_) block_.assign(launch_->block.begin(), launch_->block.end());
    std::int64_t product = 1;
    for (const std::int64_t edge : block_) product *= edge;
    if (!block_.empty() && product <= 1024) return;
    if (launch_) launch_->block.clear();
    const bool plane = has(body_, "threadIdx.y");
    const int edge = shared_edge(host_, body_);
    if (plane)
      block_ =
          edge >= 4 && edge <= 32 ? std::vector<std::int64_t>{edge, edge} : std::vector<std::int64_t>{16, 16};
    else
      block_ = {threads_of_tiles().value_or(edge >= 32 && edge <= 1024 ? edge : 256)};
  }
  // Of a block in one dimension that covers a tile of two.
  Number threads_of_tiles() const {
    if (const int rows = argument("bm"), columns = argument("bn"); rows > 0 && columns > 0)
      return rows * columns / std::max(1, argument("tm")) / std::max(1, argument("tn"));
    const bool is_split = has(body_, "threadIdx.x /") && has(body_, "threadIdx.x %");
    for (const auto& parameter : kernel_.of_template)
      if (const int edge = argument(lower(parameter.name)); edge > 1 && edge <= 32 && is_split)
        return edge * edge;
    return std::nullopt;
  }
  std::int64_t threads() const {
    std::int64_t product = 1;
    for (const std::int64_t edge : block_) product *= edge;
    return product;
  }
  // Of a matrix that one block covers, by columns and rows.
  std::pair<std::int64_t, std::int64_t> tile() const {
    if (const int rows = argument("bm"), columns = argument("bn"); rows > 0 && columns > 0)
      return {columns, rows};
    if (block_.size() == 1 && !has(body_, "threadIdx.y")) {
      const auto edges = threads_of_tiles();
      for (std::int64_t edge = 1; edges && edge <= 32; ++edge)
        if (edge * edge == *edges) return {edge, edge};
    }
    return {block_[0], block_.size() > 1 ? block_[1] : 1};
  }

  Guess problem() const {
    const std::string name = lower(kernel_.name);
    const bool is_of_two = has(body_, ".y");
    for (const Hint& hint : kHints) {
      if (!has(name, hint.word) || reads_constants_) continue;
      std::string kind(hint.kind);
      if (kind == "reduce" && is_of_extremes()) continue;
      if (kind == "reduce" && !has(body_, "atomicAdd") && has(body_, "[blockIdx.x]")) kind = "partial_sums";
      if (kind == "sgemm" && (has(name, "_nt") || has(name, "abt"))) kind = "sgemm_nt";
      if ((kind == "conv1d" && is_of_two) || (kind == "stencil" && !is_of_two)) continue;
      if (auto found = of_kind(kind)) return *found;
    }
    for (const char* kind : {"sgemm", "vector_add", "map"})
      if (auto found = !reads_constants_ && is_alike(kind) ? of_kind(kind) : std::nullopt) return *found;
    return unknown();
  }

  // The largest is no sum.
  bool is_of_extremes() const {
    const std::string small = lower(body_);
    return (has(small, "max(") || has(small, "min(") || has(small, "fmaxf")) && !has(small, "sum") &&
           !has(small, "atomicadd");
  }

  // Three matrices and their sizes, or vectors and one size: what a kernel takes says so much.
  bool is_alike(std::string_view kind) const {
    std::size_t pointers = 0, written = 0;
    for (std::size_t p = 0; p < uses_.size(); ++p) {
      pointers += kernel_.parameters[p].is_pointer ? 1u : 0u;
      written += uses_[p].is_written ? 1u : 0u;
    }
    const std::size_t numbers = kernel_.parameters.size() - pointers;
    if (written > 1) return false;
    if (kind == "sgemm") return pointers == 3 && numbers >= 1 && has(body_, ".y") && has(body_, "for");
    const bool adds = kind == "map" || (has(body_, "+") && !has(body_, "__shared__"));
    return adds && !has(body_, ".y") && numbers == 1 && pointers == (kind == "map" ? 2u : 3u);
  }

  // Whether what is read and written is what the kind reads and writes.
  bool fits_use(const catalog::ProblemText& text, const Binding& binding) const {
    for (std::size_t p = 0; p < uses_.size(); ++p) {
      const BoundArgument& bound = binding.arguments[p];
      if (bound.what != What::buffer || uses_[p].is_passed_on) continue;
      const bool knows = uses_[p].is_read || uses_[p].is_written;
      if (knows && text.buffers[bound.index].is_output != uses_[p].is_written) return false;
    }
    return true;
  }
  // "in" and "out" mean what they say, also where a kernel mixes them up.
  bool names_are_clear() const {
    for (std::size_t p = 0; p < uses_.size(); ++p) {
      const std::string name = lower(kernel_.parameters[p].name);
      if (kernel_.parameters[p].is_pointer &&
          (has(name, "in") || has(name, "out") || has(name, "src") || has(name, "dst")))
        return true;
    }
    return false;
  }
  // Names that lead to the wrong buffers are no names: what is only read is an input, one after the other.
  bool bind_by_use(const catalog::ProblemText& text, Binding& binding) const {
    std::size_t input = 0, output = 0;
    const auto next = [&](std::size_t& at, bool is_output) {
      while (at < text.buffers.size() && text.buffers[at].is_output != is_output) ++at;
      return at < text.buffers.size();
    };
    for (std::size_t p = 0; p < uses_.size(); ++p) {
      BoundArgument& bound = binding.arguments[p];
      if (bound.what != What::buffer) continue;
      std::size_t& at = uses_[p].is_written ? output : input;
      if (!next(at, uses_[p].is_written)) return false;
      bound.index = at++;
    }
    return !next(input, false);
  }
  std::vector<std::string> names_of(const catalog::ProblemText& text, const Binding& binding) const {
    std::vector<std::string> names;
    for (const BoundArgument& bound : binding.arguments)
      names.push_back(bound.what == What::buffer   ? text.buffers[bound.index].name
                      : bound.what == What::scalar ? text.scalars[bound.index].name
                                                   : text.sizes[bound.index].name);
    return names;
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
    guess.sizes = sizes_of(*text, *binding);
    if (!fit_elements(guess, *text, *binding)) return std::nullopt;
    guess.one = guess.sizes[0].name;
    if (guess.sizes.size() >= 2 && guess.sizes[0].name == "M") {
      guess.plane = {"N", "M"};
      const bool is_flat = name != "gemv" && name != "spmv" && has(body_, "/") && has(body_, "%");
      if (is_flat || name == "sgemm") guess.one = "M * N";
    }
    guess.is_of_rows = name == "softmax" || name == "layer_norm";
    if (name == "partial_sums") guess.one = fmt::format("N / E * {}", threads());
    choose_values(guess);
    return guess;
  }

  // What is compared with inputs that the kernel never gets cannot be right.
  static bool has_inputs(const catalog::ProblemText& text, const Binding& binding) {
    for (std::size_t b = 0; b < text.buffers.size(); ++b)
      if (!text.buffers[b].is_output &&
          std::none_of(binding.arguments.begin(), binding.arguments.end(),
                       [&](const auto& a) { return a.what == What::buffer && a.index == b; }))
        return false;
    return true;
  }

  std::vector<SizeGuess> sizes_of(const catalog::ProblemText& text, const Binding& binding) const {
    std::vector<SizeGuess> sizes;
    for (std::size_t s = 0; s < text.sizes.size(); ++s) {
      SizeGuess size{text.sizes[s].name, text.sizes[s].value, {}, "", false};
      for (std::size_t p = 0; p < binding.arguments.size(); ++p) {
        const BoundArgument& bound = binding.arguments[p];
        if (bound.what != What::size || (bound.index != s && !binding.is_square)) continue;
        size.is_parameter = true;
        take_from_launch(size, p);
      }
      for (const std::string& name : {text.sizes[s].name})
        if (!size.is_parameter && !size.in_host)
          if (const auto value = host_.value(name); value && *value > 0)
            size.in_host = value, size.host_text = name;
      sizes.push_back(std::move(size));
    }
    return sizes;
  }
  void take_from_launch(SizeGuess& size, std::size_t parameter) const {
    if (!launch_ || parameter >= launch_->values.size()) return;
    if (launch_->values[parameter].value_or(0) > 0) size.in_host = launch_->values[parameter];
    size.host_text = launch_->arguments[parameter];
  }

  // Of a pointer parameter, as the host allocates it.
  Number elements_of(std::size_t parameter) const {
    if (!launch_ || parameter >= launch_->arguments.size()) return std::nullopt;
    const auto bytes = host_.bytes_of(launch_->arguments[parameter]);
    if (!bytes) return std::nullopt;
    return *bytes / bytes_of_type(kernel_.parameters[parameter].type);
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
      if (!elements) continue;
      const auto& buffer = text.buffers[bound.index];
      const auto& factors = buffer.shape.empty() ? std::vector<catalog::Written>{buffer.count} : buffer.shape;
      for (int times = 0; times < 2; ++times) solve(factors, *elements, guess.sizes);
      if (const auto own = evaluate(factors, guess.sizes); own && *own != *elements) return false;
    }
    return true;
  }
  // The one factor that is not known yet.
  static void solve(const std::vector<catalog::Written>& factors, std::int64_t elements,
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
    if (open != nullptr && known > 0 && elements % known == 0) open->in_host = elements / known;
  }
  // One result a block.
  bool fit_partial_sums(Guess& guess, const Binding& binding) const {
    const bool two = has(body_, "blockDim.x * 2") || has(body_, "blockDim.x*2") ||
                     has(body_, "blockSize * 2") || has(body_, "2 * blockDim.x") ||
                     has(body_, "2*blockDim.x");
    std::int64_t each = threads() * (two ? 2 : 1);
    Number in, out;
    for (std::size_t p = 0; p < binding.arguments.size(); ++p)
      if (binding.arguments[p].what == What::buffer) (uses_[p].is_written ? out : in) = elements_of(p);
    if (in && out && *out > 1 && *in % *out == 0 && *in / *out >= threads()) each = *in / *out;
    if (has(body_, "gridDim")) return false;
    guess.sizes[0].in_host.reset();
    guess.sizes[0].value = each * std::min<std::int64_t>(1000, std::max<std::int64_t>(1, (1 << 20) / each));
    guess.sizes[1].value = each;
    guess.has_own_sizes = true;
    return true;
  }

  bool is_guarded() const { return has(body_, "if") || has(body_, "while"); }
  bool takes_vectors() const {
    const std::string small = lower(body_);
    return has(small, "float4") || has(small, "int4") || has(small, "float2") || has(small, "half2");
  }
  bool is_one_thread() const {
    return launch_ && launch_->grid == std::vector<std::int64_t>{1} && threads() <= 32;
  }

  // The kind's own sizes do, unless the kernel takes only the host's, or no others.
  void choose_values(Guess& guess) const {
    if (guess.has_own_sizes) return;
    const bool is_vector = guess.sizes.size() == 1;
    for (SizeGuess& size : guess.sizes) {
      const std::int64_t kinds_own = size.value;
      if (!size.is_parameter && size.in_host) size.value = *size.in_host;
      const std::int64_t most = is_vector ? 1 << 20 : 512;
      if (size.is_parameter && size.in_host) size.value = *size.in_host <= most ? *size.in_host : most;
      if (size.value == 1000003 && (takes_vectors() || !is_guarded() || !size.is_parameter))
        size.value = 1 << 20;
      if (is_one_thread() && size.is_parameter)
        size.value = std::min<std::int64_t>(size.in_host.value_or(10'000), 10'000);
      // A grid that is no expression of the sizes fits the host's alone.
      if (launch_ && !launch_->grid.empty() && size.is_parameter && size.in_host && !is_one_thread() &&
          !has(body_, "gridDim") && !grid_follows(guess))
        size.value = *size.in_host;
      guess.has_own_sizes |= size.value != kinds_own;
    }
  }

  // Everything by its own name, and nothing checked.
  Guess unknown() const {
    Guess guess;
    std::string scalars;
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      const auto& parameter = kernel_.parameters[p];
      const auto type = catalog::read_type(parameter.type);
      if (parameter.is_pointer || parameter.name.empty()) continue;
      SizeGuess size{parameter.name, 0, {}, "", true};
      take_from_launch(size, p);
      const bool is_zero = launch_ && p < launch_->values.size() && launch_->values[p].value_or(1) <= 0;
      if (type && has(type->base, "int") && !is_zero)
        guess.sizes.push_back(size);
      else
        scalars += fmt::format("{}{{ name = \"{}\", value = {} }}", scalars.empty() ? "" : ", ",
                               parameter.name, is_zero ? *launch_->values[p] : 1);
    }
    if (guess.sizes.empty()) guess.sizes.push_back({"N", 1 << 20, output_elements(), "", false});
    static constexpr std::array<std::int64_t, 4> kEach{1 << 20, 256, 64, 32};
    const std::int64_t each = kEach[std::min<std::size_t>(guess.sizes.size(), 4) - 1];
    for (SizeGuess& size : guess.sizes) size.value = size.in_host.value_or(each);
    if (is_one_thread() && guess.sizes.size() == 1)
      guess.sizes[0].value = std::min<std::int64_t>(guess.sizes[0].value, 10'000);
    std::vector<std::string> names;
    for (const SizeGuess& size : guess.sizes) names.push_back(size.name);
    const bool fits =
        names.size() == 1 || (names.size() == 2 && guess.sizes[0].value * guess.sizes[1].value <= 1 << 24);
    guess.one = fits ? fmt::format("{}", fmt::join(names, " * ")) : "1048576";
    guess.problem = "buffers = [" + buffers_of(guess) + "]\n";
    if (!scalars.empty()) guess.problem += fmt::format("scalars = [{}]\n", scalars);
    guess.problem +=
        "none    = \"nobody has said what is right: write check = \\\"out[i] == ...\\\" instead\"\n";
    if (names.size() >= 2) guess.plane = {names[1], names[0]};
    return guess;
  }
  Number output_elements() const {
    for (std::size_t p = 0; p < uses_.size(); ++p)
      if (uses_[p].is_written)
        if (const auto elements = elements_of(p)) return elements;
    return std::nullopt;
  }

  std::string buffers_of(const Guess& guess) const {
    std::string buffers;
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      const auto& parameter = kernel_.parameters[p];
      if (!parameter.is_pointer) continue;
      const bool is_output = !parameter.is_const && (uses_[p].is_written || uses_[p].is_passed_on);
      const bool is_filled = uses_[p].is_read || uses_[p].is_passed_on || uses_[p].is_added_to;
      buffers += fmt::format("{}{{ name = \"{}\", count = \"{}\"{}{} }}",
                             buffers.empty() ? "" : ",\n           ", parameter.name, count_of(guess, p),
                             !is_output || !is_filled ? ""
                             : uses_[p].is_read       ? ", fill = \"random\""
                                                      : ", fill = \"zero\"",
                             is_output ? ", output = true" : "");
    }
    return buffers;
  }
  // Elements as a product of sizes where it is one.
  std::string count_of(const Guess& guess, std::size_t parameter) const {
    const auto elements = elements_of(parameter);
    if (!elements) return guess.one;
    const bool as_host = std::all_of(guess.sizes.begin(), guess.sizes.end(),
                                     [](const SizeGuess& size) { return size.value == size.in_host; });
    if (!as_host && guess.sizes.size() > 1) return std::to_string(*elements);
    for (const SizeGuess& a : guess.sizes)
      if (a.in_host == elements) return a.name;
    for (const SizeGuess& a : guess.sizes)
      for (const SizeGuess& b : guess.sizes)
        if (a.in_host.value_or(0) * b.in_host.value_or(0) == *elements) return a.name + " * " + b.name;
    return std::to_string(*elements);
  }

  std::string table_of(const Guess& guess) const {
    std::string text = "[problem]  # guessed\n", sizes;
    if (!guess.kind.empty()) text += fmt::format("kind    = \"{}\"\n", guess.kind);
    for (const SizeGuess& size : guess.sizes)
      sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", size.name, size.value);
    if (guess.kind.empty() || guess.has_own_sizes) text += fmt::format("sizes   = {{ {} }}\n", sizes);
    if (!guess.order.empty()) text += fmt::format("order   = [\"{}\"]\n", fmt::join(guess.order, "\", \""));
    return text + guess.problem;
  }

  // One edge of the host's grid as an expression of sizes; nothing where it is none.
  std::optional<std::string> edge_of(const Guess& guess, std::size_t d, std::int64_t block) const {
    const std::int64_t blocks = launch_->grid[d];
    std::vector<const SizeGuess*> named, others;
    for (const SizeGuess& size : guess.sizes) {
      if (!size.in_host) continue;
      const bool is_named = !size.host_text.empty() && size.host_text.size() < 40 &&
                            d < launch_->grid_text.size() &&
                            host_.depends_on(launch_->grid_text[d], size.host_text);
      (is_named ? named : others).push_back(&size);
    }
    if (named.empty()) named = others;
    // Of equal sizes the columns lie across.
    std::stable_sort(named.begin(), named.end(), [&](const SizeGuess* a, const SizeGuess* b) {
      const auto rank = [&](const SizeGuess* size) {
        return !guess.plane.empty() && size->name == guess.plane[d == 0 ? 0 : 1] ? 0 : 1;
      };
      return rank(a) < rank(b);
    });
    for (const std::int64_t times : {1, 2, 4, 8})
      for (const SizeGuess* size : named)
        if (blocks > 1 && ceil_div(*size->in_host, block * times) == blocks)
          return fmt::format("ceil_div({}, {})", size->name, block * times);
    for (const SizeGuess* size : named)
      for (std::int64_t tile = 2; tile <= 256; tile *= 2)
        if (blocks > 1 && *size->in_host == blocks * tile)
          return fmt::format("ceil_div({}, {})", size->name, tile);
    for (const SizeGuess* size : named)
      if (blocks > 1 && *size->in_host == blocks) return size->name;
    for (const SizeGuess* a : named)
      for (const SizeGuess* b : named)
        if (blocks > 1 && ceil_div(*a->in_host * *b->in_host, block) == blocks)
          return fmt::format("ceil_div({} * {}, {})", a->name, b->name, block);
    return std::nullopt;
  }
  bool grid_follows(const Guess& guess) const {
    for (std::size_t d = 0; d < launch_->grid.size(); ++d)
      if (launch_->grid[d] > 1 && !edge_of(guess, d, d < block_.size() ? block_[d] : 1)) return false;
    return blocks_of_host() > 1;
  }
  std::int64_t blocks_of_host() const {
    std::int64_t blocks = 1;
    for (const std::int64_t edge : launch_->grid) blocks *= edge;
    return blocks;
  }

  std::string grid_of(const Guess& guess) {
    const bool is_read =
        launch_ && !launch_->grid.empty() && !launch_->block.empty() && guess.kind != "partial_sums";
    if (is_read && (grid_follows(guess) || as_in_host(guess) || is_one_thread() || has(body_, "gridDim"))) {
      std::string grid;
      for (std::size_t d = 0; d < launch_->grid.size(); ++d) {
        const auto edge = edge_of(guess, d, d < block_.size() ? block_[d] : 1);
        const std::string text =
            edge && !as_in_host_only(guess) ? "\"" + *edge + "\"" : std::to_string(launch_->grid[d]);
        grid += (d > 0 ? ", " : "") + text;
      }
      grid_is_in_host_ = true;
      return grid;
    }
    return usual_grid(guess);
  }
  static bool as_in_host(const Guess& guess) {
    return std::all_of(guess.sizes.begin(), guess.sizes.end(),
                       [](const SizeGuess& size) { return size.value == size.in_host; });
  }
  // Sizes that are constants of the kernel change nothing of its launch.
  static bool as_in_host_only(const Guess& guess) {
    return as_in_host(guess) && std::none_of(guess.sizes.begin(), guess.sizes.end(),
                                             [](const SizeGuess& size) { return size.is_parameter; });
  }

  std::string usual_grid(const Guess& guess) {
    const bool of_warps = guess.kind == "gemv" && has(body_, "threadIdx.y") &&
                          (has(body_, "shfl") || has(lower(body_), "warp"));
    if (of_warps && !(launch_ && !launch_->block.empty())) block_ = {32, 4};
    if (of_warps) return fmt::format("\"ceil_div(M, {})\"", block_.size() > 1 ? block_[1] : 1);
    const bool plane = (block_.size() > 1 || has(body_, "blockIdx.y")) && !guess.plane.empty();
    const auto [across, down] = tile();
    if (plane)
      return fmt::format("\"ceil_div({}, {})\", \"ceil_div({}, {})\"", guess.plane[0], across, guess.plane[1],
                         down);
    if (guess.is_of_rows) {
      const bool many = has(body_, "blockIdx.x * blockDim.x") || has(body_, "blockIdx.x*blockDim.x");
      return many ? fmt::format("\"ceil_div(M, {})\"", threads()) : std::string("\"M\"");
    }
    return fmt::format("\"ceil_div({}, {})\"", guess.one, threads());
  }

  // A line of the launch; empty where the kernel has none.
  std::string shared_of() const {
    if (launch_ && launch_->shared.value_or(0) > 0)
      return fmt::format("shared  = {}{}\n", *launch_->shared, source(true));
    const std::size_t at = body_.find("extern");
    if (at == std::string_view::npos || body_.find("__shared__", at) == std::string_view::npos) return "";
    std::int64_t bytes = 4;
    for (const char* type : {"double", "float4", "half", "char", "long"})
      if (has(body_.substr(at, 80), type)) bytes = bytes_of_type(type);
    return fmt::format("shared  = {}  # guessed\n", threads() * bytes);
  }

  catalog::KernelSignature kernel_;  // with the types that its template has
  std::string_view body_;
  bool only_one_;
  HostCode host_;
  std::optional<HostLaunch> launch_;
  std::vector<PointerUse> uses_;
  std::vector<std::int64_t> block_;
  std::string arguments_;  // of a template
  bool are_in_host_ = false, grid_is_in_host_ = false, reads_constants_ = false;
};

// The last that is launched, else the last: mostly the one that those before lead to.
const catalog::KernelSignature& chosen(const std::vector<catalog::KernelSignature>& kernels,
                                       std::string_view code) {
  const HostCode host(code);
  for (std::size_t k = kernels.size(); k-- > 0;)
    if (host.launch_of(kernels[k].name)) return kernels[k];
  return kernels.back();
}

}  // namespace

std::string guessed_front_matter(std::string_view code) {
  const auto kernels = catalog::kernel_signatures(code);
  if (kernels.empty()) return "";
  const catalog::KernelSignature& kernel = chosen(kernels, code);
  const std::string plain = catalog::blanked(code);
  std::size_t begin = 0;
  for (int line = 1; line < kernel.line; ++line) begin = plain.find('\n', begin) + 1;
  std::size_t end = plain.find('{', begin);
  int depth = 0;
  for (; end < plain.size(); ++end) {
    depth += plain[end] == '{' ? 1 : plain[end] == '}' ? -1 : 0;
    if (depth == 0) break;
  }
  const std::string body = plain.substr(begin, std::min(end, plain.size()) - begin);
  return Guessing(code, kernel, body, kernels.size() == 1).front_matter();
}

}  // namespace warplens::problem
