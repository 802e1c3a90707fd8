#include "engine/problem/own/guess_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>

#include "engine/catalog/expression.hpp"
#include "engine/catalog/problem_text.hpp"
#include "engine/problem/body/threads_of_shared.hpp"
#include "engine/problem/own/grid_form.hpp"
#include "engine/problem/own/guess_words.hpp"
#include "engine/source/shared.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

bool has_part(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::int64_t bytes_of_type(const std::string& name) {
  const auto type = source::read_type(name);
  return type ? type->bytes() : 4;  // of a template: float
}

GuessedLaunch::GuessedLaunch(std::string_view code, const source::KernelSignature& kernel,
                             std::string_view body)
    : kernel_(kernel),
      body_(body),
      host_(code),
      launch_(host_.launch_of(kernel.name)),
      is_of_one_block_(!knows_its_block(code, body)) {
  find_arguments();
  kernel_ = source::with_members(std::move(kernel_), host_.structs());
  if (kernel_.structs.empty()) return;
  body_ = renamed_ = source::named_as_parameters(body_, kernel_);
  if (launch_) launch_ = host_.with_members(*launch_, kernel_);
}

std::string GuessedLaunch::source(bool is_in_host) {
  return is_in_host ? "  # as launched in the file" : "  # guessed";
}

// Of a template: those of its launch, or what such names mostly are.
void GuessedLaunch::find_arguments() {
  if (kernel_.of_template.empty() || kernel_.is_instantiated) return;
  const auto given = parts_of(launch_ ? std::string_view(launch_->template_arguments) : std::string_view());
  are_in_host_ = launch_.has_value();
  const auto has_any = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(kernel_.of_template, [&](const auto& parameter) {
      return std::ranges::find(names, plain_name(parameter.name)) != names.end();
    });
  };
  const bool has_two = has_any({"tn"}),
             has_parts = has_any({"tm", "tn", "wm", "wn", "threadsizex", "threadsizey"});
  for (std::size_t t = 0; t < kernel_.of_template.size(); ++t) {
    const auto& parameter = kernel_.of_template[t];
    const bool is_type = parameter.type == "typename", is_given = t < given.size();
    std::string text(is_given ? given[t] : "");
    const bool is_known = is_type ? source::read_type(text).has_value() : host_.value(text).has_value();
    if (!is_given && !parameter.fallback.empty()) break;
    if (is_type && !is_given) text = type_given(parameter.name);
    if (!is_known && is_type && text.find_first_of("<:*") == std::string::npos &&
        !host_.structs().has(text) && !source::read_type(text)) {
      text = "float";
      are_in_host_ = are_in_host_ && is_given;
    }
    const bool is_enumerator = is_given && !source::read_type(parameter.type);  // BLOCK_SCAN_RAKING
    if (!is_known && !is_type && !is_enumerator && (!is_given || is_plain_name(text))) {
      const auto type = source::read_type(parameter.type);
      if (!type || type->parts > 1 || type->base.find("int") == std::string::npos) break;
      int number = usual_number(parameter.name);
      if (has_two && number == 64) number = 128;    // tiles of threads in two dimensions are larger
      if (!has_parts && number == 64) number = 32;  // a thread for each element of a tile
      text = parameter.type == "bool" ? "false" : std::to_string(number);
      are_in_host_ = false;
    }
    if (parameter.type == "bool" && is_known) text = host_.value(text) == 0 ? "false" : "true";
    arguments_ += (arguments_.empty() ? "" : ", ") + text;
  }
  kernel_ = source::with_arguments(kernel_, arguments_);
}

std::string GuessedLaunch::type_given(const std::string& name) const {
  for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
    const source::KernelParameter& parameter = kernel_.parameters[p];
    if (parameter.type != name || !launch_ || p >= launch_->arguments.size()) continue;
    std::string type = host_.type_of(launch_->arguments[p], launch_->at);
    if (type.ends_with("*") && parameter.is_pointer) type.pop_back();
    if (!type.empty()) return type;
  }
  for (const source::KernelParameter& parameter : kernel_.parameters)  // an iterator
    if (parameter.type == name && !parameter.is_pointer && has(parameter.name + "[")) return "float*";
  const auto functors = host_.structs().functors();
  for (const source::KernelParameter& parameter : kernel_.parameters)
    if (parameter.type == name && !parameter.is_pointer && !functors.empty() && has(parameter.name + "("))
      return functors.front();
  return "";
}

bool GuessedLaunch::calls_functor() const {
  return std::ranges::any_of(kernel_.structs, [&](const auto& own) { return has(own.name + "("); });
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
  constexpr std::string_view kOfKernel = "  # as the kernel has it";
  block_source_ = source(false);
  if (launch_) block_.assign(launch_->block.begin(), launch_->block.end());
  std::int64_t product = 1;
  for (const std::int64_t edge : block_) product *= edge;
  if (!block_.empty() && product >= 1 && product <= 1024) {
    block_source_ = source(true);
    return;
  }
  if (launch_) launch_->block.clear();
  const std::int64_t edge =
      threads_of_shared([&](std::string_view expression) { return host_.value(expression); }, body_);
  const Number named = named_block();
  if (!has("threadIdx.y")) {
    const Number tiles = threads_of_tiles(), known = written_block() ? written_block() : named;
    block_ = {tiles ? *tiles : known.value_or(edge >= 32 && edge <= 1024 ? edge : 256)};
    if (!tiles && known) block_source_ = kOfKernel;
    return;
  }
  const Number across = edge == 0 || !has("for") ? written_edge('x') : std::nullopt,
               down = across ? written_edge('y') : std::nullopt;
  if (down && *across * *down >= 32 && *across * *down <= 1024) {
    block_ = {*across, *down};
  } else if (named && *named <= 32) {
    block_ = {*named, *named};
  } else {
    block_ =
        edge >= 4 && edge <= 32 ? std::vector<std::int64_t>{edge, edge} : std::vector<std::int64_t>{16, 16};
    if (edge != block_[0] || !stores_by_thread()) return;
  }
  block_source_ = kOfKernel;
}

Number GuessedLaunch::named_block() const {
  std::vector<std::string> names = names_of_code();
  for (const auto& macro : host_.macros()) names.emplace_back(macro.first);
  for (const std::string& name : names) {
    if (!is_name_of_block(name) || name == "blockDim") continue;
    const auto threads = host_.value(name);
    if (threads && *threads >= 4 && *threads <= 1024) return threads;
  }
  return std::nullopt;
}

// "tile[ty][tx]", where these are the thread's.
bool GuessedLaunch::stores_by_thread() const {
  std::string plain;
  for (const char c : body_)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) plain += c;
  const auto is_thread = [&](const std::string& index, char axis) {
    const std::string thread = std::string("threadIdx.") + axis;
    return index == thread || plain.find(index + "=" + thread + ",") != std::string::npos ||
           plain.find(index + "=" + thread + ";") != std::string::npos;
  };
  for (std::size_t at = plain.find("]["); at != std::string::npos; at = plain.find("][", at + 1)) {
    const std::size_t open = plain.rfind('[', at), close = plain.find(']', at + 2);
    if (open == std::string::npos || close == std::string::npos || plain.substr(close, 2) != "]=" ||
        plain.substr(close, 3) == "]==")
      continue;
    if (is_thread(plain.substr(open + 1, at - open - 1), 'y') &&
        is_thread(plain.substr(at + 2, close - at - 2), 'x'))
      return true;
  }
  return false;
}

// The names in the kernel.
std::vector<std::string> GuessedLaunch::names_of_code() const {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < body_.size();) {
    std::size_t end = at;
    while (end < body_.size() && is_plain_name(body_.substr(end, 1))) ++end;
    std::string name(body_.substr(at, end - at));
    const bool is_name = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
    if (is_name && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
    at = std::max(end, at + 1);
  }
  return names;
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
  constexpr int kMostThreads = 1024;
  if (const int rows = argument("bm"), columns = argument("bn"); rows > 0 && columns > 0) {
    const int threads = rows * columns / std::max(1, argument("tm")) / std::max(1, argument("tn"));
    if (threads <= kMostThreads) return threads;
  }
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

std::optional<std::string> GuessedLaunch::edge_by(const std::vector<const SizeGuess*>& sizes,
                                                  std::size_t d) const {
  std::string name;
  std::vector<std::string> roots;
  for (const SizeGuess* size : sizes) {
    if (size->host_text.empty()) return std::nullopt;
    name += (name.empty() ? "" : " * ") + size->name;
    for (std::string& root : host_.names_behind(size->host_text)) roots.push_back(std::move(root));
  }
  const auto of_edge = host_.names_behind(launch_->grid_text[d]);
  for (const std::string& root : roots) {
    if (std::find(of_edge.begin(), of_edge.end(), root) == of_edge.end()) continue;
    const auto blocks = [&](std::int64_t value) {
      return host_.value_with(*launch_, launch_->grid_text[d], root, value);
    };
    const auto size_at = [&](std::int64_t value) {
      Number product = 1;
      for (const SizeGuess* size : sizes) {
        const auto each = host_.value_with(*launch_, size->host_text, root, value);
        if (!each || !product) return Number();
        product = *product * (*each / size->host_each);
      }
      return product;
    };
    if (auto form = grid_form(name, size_at, blocks)) return form;
  }
  return std::nullopt;
}

// One edge of the host's grid as an expression of sizes; empty if it is none.
std::optional<std::string> GuessedLaunch::edge_of(const Guess& guess, std::size_t d) const {
  if (d >= launch_->grid_text.size()) return std::nullopt;
  const auto [known, is_new] = edges_.try_emplace({guess.kind, d});
  if (is_new) known->second = find_edge(guess, d);
  return known->second;
}

std::optional<std::string> GuessedLaunch::find_edge(const Guess& guess, std::size_t d) const {
  std::vector<const SizeGuess*> sizes;
  for (const SizeGuess& size : guess.sizes) sizes.push_back(&size);
  // Of equal sizes the columns lie across.
  const auto is_second = [&](const SizeGuess* size) {
    return guess.plane.empty() || size->name != guess.plane[d == 0 ? 0 : 1];
  };
  std::stable_sort(sizes.begin(), sizes.end(),
                   [&](const SizeGuess* a, const SizeGuess* b) { return is_second(a) < is_second(b); });
  for (const SizeGuess* size : sizes)
    if (auto form = edge_by({size}, d)) return form;
  for (std::size_t a = 0; a < guess.sizes.size(); ++a)
    for (std::size_t b = a + 1; b < guess.sizes.size(); ++b)
      if (auto form = edge_by({&guess.sizes[a], &guess.sizes[b]}, d)) return form;
  return std::nullopt;
}

bool GuessedLaunch::grid_follows(const Guess& guess) const {
  bool follows = false;
  for (std::size_t d = 0; d < launch_->grid_text.size(); ++d) {
    const bool is_one =
        (d < launch_->grid.size() && launch_->grid[d] == 1) || launch_->grid_text[d].starts_with("1");
    const bool has_edge = edge_of(guess, d).has_value();
    if (!is_one && !has_edge) return false;
    follows = follows || has_edge;
  }
  return follows;
}

std::pair<std::string, std::size_t> GuessedLaunch::size_of_axes(const Guess& guess) const {
  std::pair<std::string, std::size_t> found;
  const bool is_plane = !launch_ && has("blockIdx.y") && !has("blockIdx.z");
  if (is_plane && guess.sizes.size() == 1 && guess.sizes[0].is_parameter) return {guess.sizes[0].name, 2};
  for (std::size_t d = 0; launch_ && d < launch_->grid_text.size(); ++d) {
    const auto edge = edge_of(guess, d);
    if (!edge) continue;
    for (const SizeGuess& size : guess.sizes) {
      if (find_word(*edge, size.name) == std::string_view::npos) continue;
      if (!found.first.empty() && found.first != size.name) return {};
      found.first = size.name;
    }
    ++found.second;
  }
  return found;
}

std::string GuessedLaunch::grid_of(const Guess& guess) {
  const bool is_read = launch_ && !launch_->block.empty() && guess.kind != "partial_sums" &&
                       (!launch_->grid.empty() || grid_follows(guess));
  if (is_read && (grid_follows(guess) || as_in_host(guess) || is_one_thread() || has("gridDim"))) {
    std::string grid;
    for (std::size_t d = 0; d < std::max(launch_->grid.size(), launch_->grid_text.size()); ++d) {
      const auto edge = edge_of(guess, d);
      const std::string text = is_of_one_block_a_row(guess) ? "\"" + guess.sizes[0].name + "\""
                               : edge && !as_in_host_only(guess)
                                   ? "\"" + *edge + "\""
                                   : std::to_string(d < launch_->grid.size() ? launch_->grid[d] : 1);
      grid += (d > 0 ? ", " : "") + text;
    }
    grid_is_in_host_ = true;
    return grid;
  }
  const std::string usual = usual_grid(guess);
  const bool is_together = (launch_ && launch_->is_cooperative) || has("this_grid");
  if (!is_together || usual.find(',') != std::string::npos || usual.size() < 2) return usual;
  // All of its blocks have to be on the device at once, so they are few.
  return "\"min(" + usual.substr(1, usual.size() - 2) + ", 64)\"";
}

bool GuessedLaunch::is_in_block(const SizeGuess& size) const {
  if (!launch_ || !size.is_parameter || !size.in_host || size.host_text.empty()) return false;
  const auto own = host_.names_behind(size.host_text);
  for (const std::string& edge : launch_->block_text)
    for (const std::string& name : host_.names_behind(edge)) {
      if (std::find(own.begin(), own.end(), name) == own.end()) continue;
      const auto now = host_.value(edge), other = host_.value_with(*launch_, edge, name, *size.in_host + 1);
      if (now && other && *now != *other) return true;
    }
  return false;
}

bool GuessedLaunch::is_in_launch(const SizeGuess& size) const {
  if (!launch_) return false;
  const auto own = host_.names_behind(size.host_text);
  for (const auto* texts : {&launch_->grid_text, &launch_->block_text})
    for (const std::string& edge : *texts)
      for (const std::string& name : host_.names_behind(edge))
        if (std::find(own.begin(), own.end(), name) != own.end()) return true;
  return false;
}

bool GuessedLaunch::is_width_of_filter(const SizeGuess& size) const {
  const auto declarations = source::shared_declarations(body_);
  if (declarations.empty() || declarations[0].is_extern || is_in_launch(size)) return false;
  std::string plain;
  for (const char c : body_)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) plain += c;
  for (std::size_t at = find_word(plain, size.name); at != std::string::npos;
       at = find_word(plain, size.name, at + 1)) {
    const std::string_view before = std::string_view(plain).substr(0, at),
                           behind = std::string_view(plain).substr(at + size.name.size());
    if (behind.starts_with("/2") || behind.starts_with(">>1") || behind.starts_with("*2")) return true;
    if (before.ends_with("2*") || before.ends_with("=-")) return true;
  }
  return false;
}

bool GuessedLaunch::is_walked_by_each(const SizeGuess& size) const {
  if (launch_ && !is_in_launch(size)) return false;
  std::string plain;
  for (const char c : body_)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) plain += c;
  for (const std::string_view bound : {std::string_view(size.name), std::string_view("gridDim.x")})
    for (std::size_t at = find_word(plain, bound); at != std::string::npos;
         at = find_word(plain, bound, at + 1)) {
      const std::size_t begin = plain.rfind("=0;", at);  // for (int j = 0; j < n; ...)
      if (begin == std::string::npos || !std::string_view(plain).substr(at + bound.size()).starts_with(";"))
        continue;
      const std::string_view test = std::string_view(plain).substr(begin + 3, at - begin - 3);
      if (test.ends_with("<") && is_plain_name(test.substr(0, test.size() - 1))) return true;
    }
  return false;
}

void GuessedLaunch::fill_grid(Guess& guess, const std::string& grid) {
  constexpr double kMostAlongY = 65535;  // and along z
  const auto is_free = [](const SizeGuess& size) { return size.is_parameter && !size.in_host; };
  const auto edges = parts_of(grid);
  const auto has_edge = [&](const auto& is_such) {
    catalog::Scope scope;
    for (const SizeGuess& size : guess.sizes) scope.set(size.name, size.value);
    for (std::size_t d = 0; d < edges.size(); ++d) {
      if (!edges[d].starts_with("\"")) continue;
      const auto blocks =
          catalog::Expression::compile(std::string(edges[d].substr(1, edges[d].size() - 2)), scope);
      if (blocks && is_such(blocks->evaluate(), d)) return true;
    }
    return false;
  };
  const auto change = [&](const auto& is_such, const auto& by) {
    for (int times = 0; times < 12 && has_edge(is_such); ++times)
      for (SizeGuess& size : guess.sizes)
        if (is_free(size)) size.value = by(size.value), guess.has_own_sizes = true;
  };
  change([](double blocks, std::size_t) { return blocks < 1; }, [](std::int64_t value) { return value * 2; });
  change([](double blocks, std::size_t d) { return d > 0 && blocks > kMostAlongY; },
         [](std::int64_t value) { return std::max<std::int64_t>(value / 2, 1); });
}

// A grid in numbers that is one block for each row.
bool GuessedLaunch::is_of_one_block_a_row(const Guess& guess) const {
  return guess.is_of_rows && guess.sizes[0].is_parameter && guess.sizes[0].in_host.value_or(0) > 1 &&
         launch_->grid == std::vector<std::int64_t>{*guess.sizes[0].in_host};
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

bool GuessedLaunch::knows_its_block(std::string_view code, std::string_view body) {
  constexpr std::string_view kWords[] = {"blockIdx",     "gridDim", "this_grid",
                                         "this_cluster", "ctaid",   "clusterid"};
  for (const std::string_view word : kWords) {
    if (has_part(body, word)) return true;
    for (std::size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + 1)) {
      const std::size_t kernel = code.rfind("__global__", at), function = code.rfind("__device__", at),
                        macro = code.rfind("#define", at);
      const auto is_behind = [&](std::size_t other) {
        return other != std::string_view::npos && (kernel == std::string_view::npos || other > kernel);
      };
      if (kernel == std::string_view::npos || is_behind(function) || is_behind(macro)) return true;
    }
  }
  return false;
}

std::string GuessedLaunch::usual_grid(const Guess& guess) {
  if (is_of_one_block_) return "1";
  const bool of_warps =
      guess.kind == "gemv" && has("threadIdx.y") && (has("shfl") || has_part(lower(body_), "warp"));
  if (of_warps && !(launch_ && !launch_->block.empty())) block_ = {32, 4};
  if (of_warps) return fmt::format("\"ceil_div(M, {})\"", block_.size() > 1 ? block_[1] : 1);
  std::vector<std::string> edges = guess.plane;
  if (const auto [edge, axes] = size_of_axes(guess); edges.empty() && axes == 2) edges = {edge, edge};
  const bool plane = (block_.size() > 1 || has("blockIdx.y")) && !edges.empty();
  const auto [across, down] = tile();
  if (plane) {
    std::string wide = bounded_by(guess, 'x'), high = bounded_by(guess, 'y');
    if (wide.empty() || high.empty() || wide == high) wide = edges[0], high = edges[1];
    return fmt::format("\"ceil_div({}, {})\", \"ceil_div({}, {})\"", wide, across, high, down);
  }
  if (guess.is_of_rows) {
    const bool many = has("blockIdx.x * blockDim.x") || has("blockIdx.x*blockDim.x");
    return many ? fmt::format("\"ceil_div(M, {})\"", threads()) : std::string("\"M\"");
  }
  if (has_warp_for_each()) return fmt::format("\"ceil_div(32 * {}, {})\"", guess.one, threads());
  return fmt::format("\"ceil_div({}, {})\"", guess.one, threads());
}

// "(blockIdx.x * blockDim.x + threadIdx.x) / 32" counts the warps of the grid.
bool GuessedLaunch::has_warp_for_each() const {
  std::string plain;
  for (const char c : body_)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) plain += c;
  for (const char* thread : {"(blockIdx.x*blockDim.x+threadIdx.x)", "(threadIdx.x+blockIdx.x*blockDim.x)",
                             "(blockDim.x*blockIdx.x+threadIdx.x)"})
    for (const char* lanes : {"/32", "/warpSize", "/WARP_SIZE", ">>5"})
      if (has_part(plain, std::string(thread) + lanes)) return true;
  return false;
}

// A line of the launch; empty where the kernel has none.
std::string GuessedLaunch::shared_of() const {
  if (launch_ && launch_->shared.value_or(0) > 0)
    return fmt::format("shared  = {}{}\n", *launch_->shared, source(true));
  if (launch_ && launch_->is_read && !launch_->has_shared) return "";  // as launched: none
  const auto declarations = source::shared_declarations(body_);
  const auto dynamic = std::ranges::find_if(declarations, &source::SharedDeclaration::is_extern);
  if (dynamic == declarations.end()) return "";
  return fmt::format("shared  = {}  # guessed\n", threads() * bytes_of_type(std::string(dynamic->type)));
}

bool GuessedLaunch::takes_vectors() const {
  const std::string small = lower(body_);
  return has_part(small, "float4") || has_part(small, "int4") || has_part(small, "float2") ||
         has_part(small, "half2") || has_part(small, "x128") || has_part(small, "load128");
}

bool GuessedLaunch::divides_by(int parts) const {
  std::string plain;
  for (const char c : body_.substr(std::min(body_.find('{'), body_.size())))
    if (std::isspace(static_cast<unsigned char>(c)) == 0) plain += c;
  const auto has_number = [&](int number, std::string_view before, std::string_view behind) {
    const std::string text = std::to_string(number);
    for (std::size_t at = find_word(plain, text); at != std::string::npos;
         at = find_word(plain, text, at + 1))
      if ((!before.empty() && plain.substr(0, at).ends_with(before)) ||
          (!behind.empty() && plain.substr(at + text.size()).starts_with(behind)))
        return true;
    return false;
  };
  return has_number(parts, "/", "*") || has_number(parts, "*", "") || has_number(parts / 2, ">>", "") ||
         has_number(parts / 2, "<<", "");
}

std::int64_t GuessedLaunch::most_of(bool is_vector, std::int64_t kinds_own) {
  const auto power = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(kinds_own)));
  return is_vector ? 1 << 20 : std::max<std::int64_t>(512, power);
}

std::int64_t GuessedLaunch::no_more_than(std::int64_t most, std::int64_t value) {
  constexpr std::int64_t kTile = 256;
  if (value <= most) return value;
  return value % kTile == 0 ? most : most - kTile + value % kTile;
}

bool GuessedLaunch::is_one_thread() const {
  return launch_ && launch_->grid == std::vector<std::int64_t>{1} && threads() <= 32;
}

}  // namespace warplens::problem
