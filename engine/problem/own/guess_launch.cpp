#include "engine/problem/own/guess_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/catalog/problem_text.hpp"
#include "engine/problem/own/guess_words.hpp"

namespace warplens::problem {
namespace {

bool has_part(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

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

}  // namespace

std::int64_t bytes_of_type(const std::string& name) {
  const auto type = catalog::read_type(name);
  if (!type) return 4;  // of a template: float
  const bool is_8 = type->base.ends_with("64") || type->base == "double";
  const bool is_2 = type->base.ends_with("16") || type->base == "half";
  return (is_8 ? 8 : is_2 ? 2 : type->base.ends_with("t8") ? 1 : 4) * type->parts;
}

std::string GuessedLaunch::source(bool is_in_host) const {
  return is_in_host ? fmt::format("  # as launched in line {}", launch_->line) : std::string("  # guessed");
}

// Of a template: those of its launch, or what such names mostly are.
void GuessedLaunch::find_arguments() {
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

bool GuessedLaunch::is_plain_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

int GuessedLaunch::argument(std::string_view name) const {
  const auto values = parts_of(arguments_);
  for (std::size_t i = 0; i < kernel_.of_template.size() && i < values.size(); ++i)
    if (lower(kernel_.of_template[i].name) == name)
      return static_cast<int>(host_.value(values[i]).value_or(0));
  return 0;
}

void GuessedLaunch::find_block() {
  if (launch_) block_.assign(launch_->block.begin(), launch_->block.end());
  std::int64_t product = 1;
  for (const std::int64_t edge : block_) product *= edge;
  if (!block_.empty() && product <= 1024) return;
  if (launch_) launch_->block.clear();
  const bool plane = has("threadIdx.y");
  const int edge = shared_edge(host_, body_);
  const Number across = plane && edge == 0 ? written_edge('x') : std::nullopt,
               down = across ? written_edge('y') : std::nullopt;
  if (down && *across * *down >= 32 && *across * *down <= 1024)
    block_ = {*across, *down};
  else if (plane)
    block_ =
        edge >= 4 && edge <= 32 ? std::vector<std::int64_t>{edge, edge} : std::vector<std::int64_t>{16, 16};
  else
    block_ = {threads_of_tiles().value_or(written_block().value_or(edge >= 32 && edge <= 1024 ? edge : 256))};
}

// The threads that "blockIdx.x * 128 + threadIdx.x" counts on.
Number GuessedLaunch::written_block() const {
  constexpr std::string_view kBefore = "blockIdx.x * ", kBehind = " + threadIdx.x";
  const std::size_t at = body_.find(kBefore),
                    end = at == std::string_view::npos ? at : body_.find(kBehind, at);
  if (end == std::string_view::npos || end - at > 60) return std::nullopt;
  const auto threads = host_.value(body_.substr(at + kBefore.size(), end - at - kBefore.size()));
  return threads && *threads >= 32 && *threads <= 1024 ? threads : std::nullopt;
}

// The same of one edge: "blockIdx.y * TILE + threadIdx.y".
Number GuessedLaunch::written_edge(char axis) const {
  std::string plain;
  for (const char c : body_)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) plain += c;
  const std::string before = std::string("blockIdx.") + axis + "*",
                    behind = std::string("+threadIdx.") + axis;
  const std::size_t at = plain.find(before),
                    end = at == std::string::npos ? at : plain.find(behind, at + before.size());
  if (end == std::string::npos || end - at > 40) return std::nullopt;
  const auto edge = host_.value(std::string_view(plain).substr(at + before.size(), end - at - before.size()));
  return edge && *edge >= 1 && *edge <= 1024 ? edge : std::nullopt;
}

// The size that an index along this axis of the grid is compared with: of "x = blockIdx.x * ..." and "x < M"
// it is M. Empty: none is seen.
std::string GuessedLaunch::bounded_by(const Guess& guess, char axis) const {
  const std::size_t at = body_.find(std::string("blockIdx.") + axis);
  if (at == std::string_view::npos) return "";
  std::size_t end = body_.rfind('=', at);
  if (end == std::string_view::npos || body_.substr(end, at - end).find(';') != std::string_view::npos)
    return "";
  while (end > 0 && std::isspace(static_cast<unsigned char>(body_[end - 1])) != 0) --end;
  std::size_t begin = end;
  while (begin > 0 && is_plain_name(body_.substr(begin - 1, 1))) --begin;
  const std::string index(body_.substr(begin, end - begin));
  if (index.empty()) return "";
  for (const SizeGuess& size : guess.sizes)
    for (const std::string_view sign : {" < ", " >= ", "<", ">="}) {
      const std::string test = index + std::string(sign) + size.name;
      const std::size_t found = body_.find(test);
      if (found == std::string_view::npos || (found > 0 && is_plain_name(body_.substr(found - 1, 1))))
        continue;
      const std::size_t after = found + test.size();
      if (after >= body_.size() || !is_plain_name(body_.substr(after, 1))) return size.name;
    }
  return "";
}

// Of a block in one dimension that covers a tile of two.
Number GuessedLaunch::threads_of_tiles() const {
  if (const int rows = argument("bm"), columns = argument("bn"); rows > 0 && columns > 0)
    return rows * columns / std::max(1, argument("tm")) / std::max(1, argument("tn"));
  const bool is_split = has("threadIdx.x /") && has("threadIdx.x %");
  for (const auto& parameter : kernel_.of_template)
    if (const int edge = argument(lower(parameter.name)); edge > 1 && edge <= 32 && is_split)
      return edge * edge;
  return std::nullopt;
}

std::int64_t GuessedLaunch::threads() const {
  std::int64_t product = 1;
  for (const std::int64_t edge : block_) product *= edge;
  return product;
}

// Of a matrix that one block covers, by columns and rows.
std::pair<std::int64_t, std::int64_t> GuessedLaunch::tile() const {
  if (const int rows = argument("bm"), columns = argument("bn"); rows > 0 && columns > 0)
    return {columns, rows};
  if (block_.size() == 1 && !has("threadIdx.y")) {
    const auto edges = threads_of_tiles();
    for (std::int64_t edge = 1; edges && edge <= 32; ++edge)
      if (edge * edge == *edges) return {edge, edge};
  }
  return {block_[0], block_.size() > 1 ? block_[1] : 1};
}

// How the edge follows a size, by what it would be for another one.
std::optional<std::string> GuessedLaunch::edge_by_trial(const Guess& guess, std::size_t d) const {
  constexpr std::int64_t kTrial = 1 << 16;
  if (d >= launch_->grid_text.size()) return std::nullopt;
  for (const SizeGuess& size : guess.sizes) {
    if (!is_plain_name(size.host_text)) continue;
    const auto once = host_.value_with(*launch_, launch_->grid_text[d], size.host_text, kTrial);
    const auto twice = host_.value_with(*launch_, launch_->grid_text[d], size.host_text, 2 * kTrial);
    if (!once || !twice || *once < 1 || *twice != 2 * *once || kTrial % *once != 0) continue;
    return *once == kTrial ? size.name : fmt::format("ceil_div({}, {})", size.name, kTrial / *once);
  }
  return std::nullopt;
}

// One edge of the host's grid as an expression of sizes; nothing where it is none.
std::optional<std::string> GuessedLaunch::edge_of(const Guess& guess, std::size_t d,
                                                  std::int64_t block) const {
  if (auto text = edge_by_trial(guess, d)) return text;
  if (d >= launch_->grid.size()) return std::nullopt;
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

bool GuessedLaunch::grid_follows(const Guess& guess) const {
  bool follows = false;
  for (std::size_t d = 0; d < launch_->grid_text.size(); ++d) {
    const bool is_one =
        (d < launch_->grid.size() && launch_->grid[d] == 1) || launch_->grid_text[d].starts_with("1");
    const bool has_edge = edge_of(guess, d, d < block_.size() ? block_[d] : 1).has_value();
    if (!is_one && !has_edge) return false;
    follows = follows || has_edge;
  }
  return follows;
}

std::string GuessedLaunch::grid_of(const Guess& guess) {
  const bool is_read = launch_ && !launch_->block.empty() && guess.kind != "partial_sums" &&
                       (!launch_->grid.empty() || grid_follows(guess));
  if (is_read && (grid_follows(guess) || as_in_host(guess) || is_one_thread() || has("gridDim"))) {
    std::string grid;
    for (std::size_t d = 0; d < std::max(launch_->grid.size(), launch_->grid_text.size()); ++d) {
      const auto edge = edge_of(guess, d, d < block_.size() ? block_[d] : 1);
      const std::string text = edge && !as_in_host_only(guess)
                                   ? "\"" + *edge + "\""
                                   : std::to_string(d < launch_->grid.size() ? launch_->grid[d] : 1);
      grid += (d > 0 ? ", " : "") + text;
    }
    grid_is_in_host_ = true;
    return grid;
  }
  return usual_grid(guess);
}

bool GuessedLaunch::as_in_host(const Guess& guess) {
  return std::all_of(guess.sizes.begin(), guess.sizes.end(),
                     [](const SizeGuess& size) { return size.value == size.in_host; });
}

// Sizes that are constants of the kernel change nothing of its launch.
bool GuessedLaunch::as_in_host_only(const Guess& guess) {
  return as_in_host(guess) && std::none_of(guess.sizes.begin(), guess.sizes.end(),
                                           [](const SizeGuess& size) { return size.is_parameter; });
}

std::string GuessedLaunch::usual_grid(const Guess& guess) {
  const bool of_warps =
      guess.kind == "gemv" && has("threadIdx.y") && (has("shfl") || has_part(lower(body_), "warp"));
  if (of_warps && !(launch_ && !launch_->block.empty())) block_ = {32, 4};
  if (of_warps) return fmt::format("\"ceil_div(M, {})\"", block_.size() > 1 ? block_[1] : 1);
  const bool plane = (block_.size() > 1 || has("blockIdx.y")) && !guess.plane.empty();
  const auto [across, down] = tile();
  if (plane) {
    std::string wide = bounded_by(guess, 'x'), high = bounded_by(guess, 'y');
    if (wide.empty() || high.empty() || wide == high) wide = guess.plane[0], high = guess.plane[1];
    return fmt::format("\"ceil_div({}, {})\", \"ceil_div({}, {})\"", wide, across, high, down);
  }
  if (guess.is_of_rows) {
    const bool many = has("blockIdx.x * blockDim.x") || has("blockIdx.x*blockDim.x");
    return many ? fmt::format("\"ceil_div(M, {})\"", threads()) : std::string("\"M\"");
  }
  return fmt::format("\"ceil_div({}, {})\"", guess.one, threads());
}

// A line of the launch; empty where the kernel has none.
std::string GuessedLaunch::shared_of() const {
  if (launch_ && launch_->shared.value_or(0) > 0)
    return fmt::format("shared  = {}{}\n", *launch_->shared, source(true));
  const std::size_t at = body_.find("extern");
  if (at == std::string_view::npos || body_.find("__shared__", at) == std::string_view::npos) return "";
  std::int64_t bytes = 4;
  for (const char* type : {"double", "float4", "half", "char", "long"})
    if (has_part(body_.substr(at, 80), type)) bytes = bytes_of_type(type);
  return fmt::format("shared  = {}  # guessed\n", threads() * bytes);
}
bool GuessedLaunch::is_one_thread() const {
  return launch_ && launch_->grid == std::vector<std::int64_t>{1} && threads() <= 32;
}

}  // namespace warplens::problem
