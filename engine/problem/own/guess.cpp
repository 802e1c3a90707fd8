// A front matter for a file that has none: its problem by the name of the kernel and its parameters, its
// launch by the host code that came with it, or by what the kernel reads of blockDim.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

#include "engine/catalog/problem_text.hpp"
#include "engine/catalog/signature.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/problem/own/binding.hpp"

namespace warplens::problem {
namespace {

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
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

// "32" or a name that the file gives a number: #define T 32, const int T = 32.
std::optional<int> number_of_word(std::string_view code, std::string_view word, int depth = 0) {
  word = trimmed(word);
  int number = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (failed == std::errc() && end == word.data() + word.size()) return number;
  if (word.empty() || depth > 4) return std::nullopt;
  if (const std::size_t times = word.find('*'); times != std::string_view::npos) {
    const auto a = number_of_word(code, word.substr(0, times), depth + 1);
    const auto b = number_of_word(code, word.substr(times + 1), depth + 1);
    if (a && b) return *a * *b;
    return std::nullopt;
  }
  if (!std::all_of(word.begin(), word.end(), is_of_name)) return std::nullopt;
  for (std::size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + 1)) {
    if (at == 0 || is_of_name(code[at - 1]) || is_of_name(code[std::min(at + word.size(), code.size() - 1)]))
      continue;
    const std::size_t line = code.rfind('\n', at) == std::string_view::npos ? 0 : code.rfind('\n', at) + 1;
    const std::string_view before = trimmed(code.substr(line, at - line));
    std::string_view rest = code.substr(at + word.size());
    if (before == "#define")
      return number_of_word(code, rest.substr(0, rest.find_first_of("\n/")), depth + 1);
    rest = trimmed(rest.substr(0, rest.find_first_of(";,\n")));
    if (rest.starts_with("=") && !rest.starts_with("=="))
      if (const auto value = number_of_word(code, rest.substr(1), depth + 1)) return value;
  }
  return std::nullopt;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (text[at] != ',' || depth != 0) continue;
    parts.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

// What stands between the brackets behind `at`, which is that of the opening one.
std::string_view inside(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t end = at; end < text.size(); ++end) {
    if (text[end] == '(') ++depth;
    if (text[end] == ')' && --depth == 0) return text.substr(at + 1, end - at - 1);
  }
  return {};
}

// The edges of "dim3 name(16, 16)", "dim3 name = dim3(16, 16)", "{16, 16}" or of a number.
std::vector<int> edges_of(std::string_view code, std::string_view word) {
  word = trimmed(word);
  std::string_view list = word;
  if (word.starts_with("dim3")) {
    list = inside(word, word.find('('));
  } else if (std::all_of(word.begin(), word.end(), is_of_name)) {
    for (std::size_t at = code.find("dim3"); at != std::string_view::npos; at = code.find("dim3", at + 1)) {
      const std::string_view statement = code.substr(at, code.find(';', at) - at);
      const std::size_t name = statement.find(word);
      if (name == std::string_view::npos || is_of_name(statement[name - 1])) continue;
      const std::size_t open = statement.find_first_of("({", name);
      if (open == std::string_view::npos ||
          is_of_name(statement[std::min(name + word.size(), statement.size() - 1)]))
        continue;
      list = statement[open] == '(' ? inside(statement, open)
                                    : statement.substr(open + 1, statement.find('}') - open - 1);
      break;
    }
  }
  std::vector<int> edges;
  for (const std::string_view part : parts_of(list)) {
    const auto edge = number_of_word(code, part);
    if (!edge || *edge < 1 || *edge > 1024) return {};
    edges.push_back(*edge);
  }
  return edges;
}

struct Launched {
  std::vector<int> block;
  std::string shared;     // of a third argument that is a number
  std::string arguments;  // of a template
};

// The first launch of the kernel in the file.
Launched launch_in(std::string_view code, const std::string& kernel) {
  Launched launched;
  for (std::size_t at = code.find("<<<"); at != std::string_view::npos; at = code.find("<<<", at + 3)) {
    const std::size_t line = code.find_last_of(";{}", at);
    const std::string_view before = code.substr(line + 1, at - line - 1);
    if (!has(before, kernel)) continue;
    if (const std::size_t less = before.find('<'); less != std::string_view::npos)
      launched.arguments = before.substr(less + 1, before.rfind('>') - less - 1);
    const auto parts = parts_of(code.substr(at + 3, code.find(">>>", at) - at - 3));
    if (parts.size() >= 2) launched.block = edges_of(code, parts[1]);
    if (parts.size() >= 3)
      if (const auto bytes = number_of_word(code, parts[2]); bytes && *bytes > 0)
        launched.shared = std::to_string(*bytes);
    break;
  }
  return launched;
}

// The edge of a tile in shared memory, such as __shared__ float tile[T][T]; 0: none is seen.
int shared_edge(std::string_view code, std::string_view body) {
  const std::size_t at = body.find("__shared__");
  if (at == std::string_view::npos) return 0;
  const std::size_t open = body.find('[', at), close = body.find(']', at);
  if (open == std::string_view::npos || close == std::string_view::npos || body.find(';', at) < open)
    return 0;
  return number_of_word(code, body.substr(open + 1, close - open - 1)).value_or(0);
}

struct Guess {
  std::string problem;  // TOML: problem = "...", or a table
  std::vector<std::string>
      rows_and_columns;  // names of sizes that a two-dimensional grid covers: columns, rows
  std::string one;       // the size that a grid of one dimension covers
  bool is_of_rows = false;
};

class Guessing {
 public:
  Guessing(std::string_view code, const catalog::KernelSignature& kernel, std::string_view body,
           bool only_one)
      : code_(code),
        kernel_(kernel),
        body_(body),
        only_one_(only_one),
        launched_(launch_in(code, kernel.name)) {}

  std::string front_matter() {
    find_block();
    const Guess guess = problem();
    std::string text = fmt::format("title   = \"{}\"\n", kernel_.name);
    if (!guess.problem.starts_with("[")) text += guess.problem;
    const bool is_template = !kernel_.of_template.empty() && !kernel_.is_instantiated;
    if (!only_one_ || (is_template && !launched_.arguments.empty()))
      text += fmt::format(
          "kernel  = \"{}{}\"\n", kernel_.name,
          is_template && !launched_.arguments.empty() ? "<" + resolved(launched_.arguments) + ">" : "");
    if (guess.problem.starts_with("[")) text += guess.problem;
    text += fmt::format("[launch]\nblock   = [{}]\ngrid    = [{}]\n", fmt::join(block_, ", "), grid(guess));
    if (!launched_.shared.empty()) text += fmt::format("shared  = {}\n", launched_.shared);
    return text;
  }

 private:
  // Names of the host's constants are no names in the front matter.
  std::string resolved(const std::string& arguments) const {
    std::string text;
    for (const std::string_view part : parts_of(arguments)) {
      const auto number = number_of_word(code_, part);
      text += (text.empty() ? "" : ", ") + (number ? std::to_string(*number) : std::string(part));
    }
    return text;
  }

  void find_block() {
    block_ = launched_.block;
    if (!block_.empty()) return;
    const bool plane = has(body_, "threadIdx.y");
    const int edge = shared_edge(code_, body_);
    const int stride = block_stride();
    if (!plane && stride > 0)
      block_ = {stride};
    else if (plane)
      block_ = edge >= 4 && edge <= 32 ? std::vector<int>{edge, edge} : std::vector<int>{16, 16};
    else
      block_ = {edge >= 32 && edge <= 1024 ? edge : 256};
  }
  // Of blockIdx.x * 128 + threadIdx.x, the 128; 0: it says no number.
  int block_stride() const {
    constexpr std::string_view kIndex = "blockIdx.x";
    for (std::size_t at = body_.find(kIndex); at != std::string_view::npos; at = body_.find(kIndex, at + 1)) {
      std::string_view rest = trimmed(body_.substr(at + kIndex.size()));
      if (!rest.starts_with("*")) continue;
      rest = trimmed(rest.substr(1));
      const auto end = std::find_if_not(rest.begin(), rest.end(), is_of_name);
      const auto number = number_of_word(code_, rest.substr(0, static_cast<std::size_t>(end - rest.begin())));
      const bool adds_thread = trimmed({end, rest.end()}).starts_with("+") &&
                               trimmed(trimmed({end, rest.end()}).substr(1)).starts_with("threadIdx.x");
      if (number && adds_thread && *number >= 1 && *number <= 1024) return *number;
    }
    return 0;
  }
  int threads() const {
    int product = 1;
    for (const int edge : block_) product *= edge;
    return product;
  }

  Guess problem() const {
    const std::string name = lower(kernel_.name);
    for (const Hint& hint : kHints) {
      if (!has(name, hint.word)) continue;
      std::string kind(hint.kind);
      if (kind == "reduce" && !has(body_, "atomicAdd") && has(body_, "[blockIdx.x]")) kind = "partial_sums";
      if (kind == "sgemm" && (has(name, "_nt") || has(name, "abt"))) kind = "sgemm_nt";
      if (auto found = of_kind(kind)) return *found;
    }
    for (const char* kind : {"sgemm", "vector_add", "map"})
      if (auto found = is_alike(kind) ? of_kind(kind) : std::nullopt) return *found;
    return unknown();
  }

  // Three matrices and their sizes, or vectors and one size: what a kernel takes says so much.
  bool is_alike(std::string_view kind) const {
    std::size_t pointers = 0;
    for (const auto& parameter : kernel_.parameters) pointers += parameter.is_pointer ? 1u : 0u;
    const std::size_t numbers = kernel_.parameters.size() - pointers;
    if (kind == "sgemm") return pointers == 3 && numbers >= 1 && has(body_, ".y") && has(body_, "for");
    return !has(body_, ".y") && numbers == 1 && pointers == (kind == "map" ? 2u : 3u);
  }

  std::optional<Guess> of_kind(const std::string& name) const {
    const KindText* kind = find_kind_text(name);
    auto text = catalog::parse_problem(kind->problem);
    if (!text) return std::nullopt;
    text->kind = name;
    for (auto& buffer : text->buffers)
      for (const auto& check : text->check) buffer.is_output |= check.text.starts_with(buffer.name + "[");
    if (!bind_arguments(*text, &kernel_)) return std::nullopt;
    Guess guess;
    guess.problem = fmt::format("problem = \"{}\"\n", name);
    if (name == "partial_sums") {
      const bool two = has(body_, "blockDim.x * 2") || has(body_, "blockDim.x*2") ||
                       has(body_, "blockSize * 2") || has(body_, "2 * blockDim.x") ||
                       has(body_, "2*blockDim.x");
      const int each = threads() * (two ? 2 : 1);
      guess.problem = fmt::format("[problem]\nkind    = \"partial_sums\"\nsizes   = {{ N = {}, E = {} }}\n",
                                  each * 1000, each);
      guess.one = "N / E * " + std::to_string(threads());
    }
    if (guess.one.empty()) guess.one = text->sizes[0].name;
    if (text->sizes.size() >= 2 && text->sizes[0].name == "M") guess.rows_and_columns = {"N", "M"};
    guess.is_of_rows = name == "softmax" || name == "layer_norm";
    return guess;
  }

  // Everything by its own name, and nothing checked.
  Guess unknown() const {
    std::string sizes, buffers;
    std::vector<std::string> names;
    for (const auto& parameter : kernel_.parameters) {
      const auto type = catalog::read_type(parameter.type);
      if (parameter.is_pointer || parameter.name.empty()) continue;
      const bool whole = type && type->base.find("int") != std::string::npos;
      if (whole) names.push_back(parameter.name);
    }
    const std::string count = names.empty() ? "N" : fmt::format("{}", fmt::join(names, " * "));
    if (names.empty()) names.push_back("N");
    for (const std::string& name : names)
      sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", name, names.size() == 1 ? 1 << 20 : 256);
    std::string scalars;
    for (const auto& parameter : kernel_.parameters) {
      if (parameter.is_pointer)
        buffers += fmt::format("{}{{ name = \"{}\", count = \"{}\"{} }}",
                               buffers.empty() ? "" : ",\n           ", parameter.name, count,
                               parameter.is_const ? "" : ", fill = \"random\", output = true");
      else if (std::find(names.begin(), names.end(), parameter.name) == names.end())
        scalars +=
            fmt::format("{}{{ name = \"{}\", value = 1 }}", scalars.empty() ? "" : ", ", parameter.name);
    }
    Guess guess;
    guess.problem = fmt::format("[problem]\nsizes   = {{ {} }}\nbuffers = [{}]\n", sizes, buffers);
    if (!scalars.empty()) guess.problem += fmt::format("scalars = [{}]\n", scalars);
    guess.problem +=
        "none    = \"nobody has said what is right: write check = \\\"out[i] == ...\\\" instead\"\n";
    guess.one = count;
    if (names.size() >= 2) guess.rows_and_columns = {names[1], names[0]};
    return guess;
  }

  std::string grid(const Guess& guess) const {
    const bool plane = (block_.size() > 1 || has(body_, "blockIdx.y")) && !guess.rows_and_columns.empty();
    if (plane) {
      const int across = block_[0], down = block_.size() > 1 ? block_[1] : 1;
      return fmt::format("\"ceil_div({}, {})\", \"ceil_div({}, {})\"", guess.rows_and_columns[0], across,
                         guess.rows_and_columns[1], down);
    }
    if (guess.is_of_rows) {
      const bool many = has(body_, "blockIdx.x * blockDim.x") || has(body_, "blockIdx.x*blockDim.x");
      return many ? fmt::format("\"ceil_div(M, {})\"", threads()) : std::string("\"M\"");
    }
    return fmt::format("\"ceil_div({}, {})\"", guess.one, threads());
  }

  std::string_view code_;
  const catalog::KernelSignature& kernel_;
  std::string_view body_;
  bool only_one_;
  Launched launched_;
  std::vector<int> block_;
};

}  // namespace

std::string guessed_front_matter(std::string_view code) {
  const auto kernels = catalog::kernel_signatures(code);
  if (kernels.empty()) return "";
  // The last is mostly the one that those before lead to.
  const catalog::KernelSignature& kernel = kernels.back();
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
