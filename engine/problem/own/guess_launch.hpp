// How a kernel without a front matter is launched: as its host code does, else as what it looks like.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/problem/own/host_code.hpp"
#include "engine/source/signature.hpp"

namespace warplens::problem {

// Of a parameter; a type that a template leaves open is float.
std::int64_t bytes_of_type(const std::string& name);

using Number = std::optional<std::int64_t>;

struct SizeGuess {
  std::string name;
  std::int64_t value = 0;      // as written
  Number in_host = {};         // as launched
  std::string host_text = {};  // the launch's argument, the constant's name, or the bytes of a buffer
  bool is_parameter = false;   // else the kernel has it as a constant
  std::int64_t host_each = 1;  // what `host_text` counts for one of it
  std::string fixed_by = {};   // a name that the kernel has in its place; empty: it may be any number
};

struct Guess {
  std::string kind;     // empty: everything by its own name
  std::string problem;  // TOML of buffers and scalars, without sizes
  std::vector<SizeGuess> sizes;
  std::vector<std::string> order;
  std::vector<std::string> plane;  // names of sizes that a two-dimensional grid covers: columns, rows
  std::string one;                 // what a grid of one dimension covers
  int parts = 1;                   // of a vector such as float4, where sizes count vectors
  bool is_of_rows = false, has_own_sizes = false;
  bool is_of_host = false;  // sizes and buffers are those that the host code has
  bool is_shrunk = false;   // sizes are smaller, since the host's buffers would not fit
};

class GuessedLaunch {
 public:
  GuessedLaunch(const GuessedLaunch&) = delete;  // views of its text are kept

 protected:
  GuessedLaunch(std::string_view code, const source::KernelSignature& kernel, std::string_view body);

  // Whether the kernel, or a function or macro that it may use, asks which block it is, or how many there are.
  static bool knows_its_block(std::string_view code, std::string_view body);

  static std::string source(bool is_in_host);
  // Of a template: those of its launch, or what such names mostly are.
  void find_arguments();
  // What the launch gives for a type, else a functor of the file where the kernel calls it; empty: nobody knows.
  std::string type_given(const std::string& name) const;
  static bool is_plain_name(std::string_view text);
  int argument(std::string_view name) const;
  void find_block();
  Number written_block() const;
  Number written_edge(char axis) const;
  std::string bounded_by(const Guess& guess, char axis) const;
  std::vector<std::string> names_of_code() const;
  // Of the constant that is called as blocks are, such as BLOCK_SIZE.
  Number named_block() const;
  // Whether every thread of a block of two dimensions has its own element of the shared array.
  bool stores_by_thread() const;
  // Of a block in one dimension that covers a tile of two.
  Number threads_of_tiles() const;
  std::int64_t threads() const;
  bool is_one_thread() const;
  // Of a matrix that one block covers, by columns and rows.
  std::pair<std::int64_t, std::int64_t> tile() const;
  // The same by a name that both depend on; two sizes: of their product.
  std::optional<std::string> edge_by(const std::vector<const SizeGuess*>& sizes, std::size_t d) const;
  // One edge of the host's grid as an expression of sizes; empty if it is none.
  std::optional<std::string> edge_of(const Guess& guess, std::size_t d) const;
  std::optional<std::string> find_edge(const Guess& guess, std::size_t d) const;
  bool grid_follows(const Guess& guess) const;
  // The size that all edges of the host's grid follow, and how many do: nothing and 0 where they are of several. Without
  // host code the only size of a kernel whose grid has two axes.
  std::pair<std::string, std::size_t> size_of_axes(const Guess& guess) const;
  std::string grid_of(const Guess& guess);
  // Whether the host's blocks have as many threads as this size says.
  bool is_in_block(const SizeGuess& size) const;
  // Whether the grid or the block is computed from the same names.
  bool is_in_launch(const SizeGuess& size) const;
  // Of a filter or a halo that goes with a tile in shared memory, which is as large as the file says: it is used by
  // its half or its double, and the launch does not depend on it.
  bool is_width_of_filter(const SizeGuess& size) const;
  static constexpr std::int64_t kWidthOfFilter = 3;
  // Of a size that each thread goes through from the first to the last, where there are as many threads.
  bool is_walked_by_each(const SizeGuess& size) const;
  static constexpr std::int64_t kMostOfPairs = 1 << 14;
  // Sizes that are no more than guesses become larger where the grid would have no blocks, and smaller where it would have
  // more than a grid may have.
  static void fill_grid(Guess& guess, const std::string& grid);
  bool is_of_one_block_a_row(const Guess& guess) const;
  static bool as_in_host(const Guess& guess);
  // Sizes that are constants of the kernel change nothing of its launch.
  static bool as_in_host_only(const Guess& guess);
  std::string usual_grid(const Guess& guess);
  bool has_warp_for_each() const;
  // A line of the launch; empty where the kernel has none.
  std::string shared_of() const;
  // Then its name does not say what it computes: a reduce() may be of the largest.
  bool calls_functor() const;
  bool is_guarded() const { return has("if") || has("while"); }
  bool takes_vectors() const;
  // "n / 4" or "4 * i" somewhere.
  bool divides_by(int parts) const;
  // What runs in a moment.
  static std::int64_t most_of(bool is_vector, std::int64_t kinds_own);
  // A smaller size leaves the rest that the host's leaves.
  static std::int64_t no_more_than(std::int64_t most, std::int64_t value);
  // A lock that all threads wait for takes a turn each.
  static constexpr std::int64_t kMostOfLocks = 2000;
  bool has_lock() const { return (has("atomicCAS") || has("atomicExch")) && (has("while") || has("for")); }
  bool has(std::string_view part) const { return body_.find(part) != std::string_view::npos; }

  source::KernelSignature kernel_;  // with the types that its template has
  std::string renamed_;             // the body where members of structs are called as parameters
  std::string_view body_;           // without comments and texts
  HostCode host_;
  std::optional<HostLaunch> launch_;
  bool is_of_one_block_;
  std::vector<std::int64_t> block_;
  std::string arguments_;  // of a template
  bool are_in_host_ = false, grid_is_in_host_ = false;
  std::string block_source_;  // what its line says behind it
  // By kind and axis: finding one looks up hundreds of names.
  mutable std::map<std::pair<std::string, std::size_t>, std::optional<std::string>> edges_;
};

}  // namespace warplens::problem
