// The buffers of a kernel without a front matter: as its host code makes them, else by what the kernel does
// with them.
#pragma once

#include <string>
#include <vector>

#include "engine/problem/body/pointer_use.hpp"
#include "engine/problem/own/binding.hpp"
#include "engine/problem/own/guess_launch.hpp"

namespace warplens::problem {

class GuessedBuffers : protected GuessedLaunch {
 protected:
  GuessedBuffers(std::string_view code, const source::KernelSignature& kernel, std::string_view body);

  // Of a pointer parameter: what it points to, and how many of these the host makes.
  std::optional<HostStruct> host_struct(std::size_t parameter) const;
  int parts_of_type(std::size_t parameter) const;
  std::int64_t bytes_each(std::size_t parameter) const;
  Number elements_of(std::size_t parameter) const;
  // By a copy or cudaMemset.
  bool is_host_filled(std::size_t parameter) const;
  bool is_never_set(std::size_t parameter) const;
  // Whether it is known which element a launch passes the pointer of.
  bool is_element_known(std::size_t parameter) const;

  // Of a product whose arguments are called so that N is the inner size, "out[i * d + k]": the columns of the output
  // say which size is N and which K. True: they were exchanged.
  bool exchange_columns(const catalog::ProblemText& text, Binding& binding) const;

  bool is_output(std::size_t parameter) const;
  // Of an array whose size nobody knows the sizes that multiplied are as many elements, whatever they are: "n * n".
  std::optional<std::string> product_of(const Guess& guess, std::size_t parameter) const;
  // A line of the launch; empty where the kernel has none.
  // Sizes that are no more than guesses become smaller where its product is more than any kernel may have.
  std::string shared_by(Guess& guess) const;
  // The same of arrays whose numbers of elements are products of such sizes.
  void fit_products(Guess& guess) const;
  // Whether a whole number of the launch is no extent: neither the grid nor an array follows it.
  bool is_held(std::size_t parameter) const;
  static constexpr std::int64_t kMostOfLiterals = 16;  // a larger one may be a number of elements
  // The size whose value the host gives a further number of the launch, "int ldc = m;"; empty: none.
  std::string tied_to(const std::vector<SizeGuess>& sizes, std::size_t parameter) const;
  bool has_output() const;
  std::string output_name() const;
  Number output_elements() const;
  // Of buffers that would not fit, each of which grows with the product of the sizes: the larger sizes smaller, with the same
  // rest of a tile.
  void shrink(Guess& guess) const;
  Number elements_or_threads() const;
  // The list of them, each by its own name.
  std::string buffers_of(const Guess& guess) const;

  // Of whole numbers, which may be indices, as the host computes them; empty: nobody knows.
  std::string host_fill_of(const Guess& guess, std::size_t parameter) const;

  std::vector<PointerUse> uses_;  // of each parameter

 private:
  static void make_smaller(Guess& guess, const std::string& product, std::int64_t most);
  // A number of the host's as a product of sizes, times `each`; empty: it is none.
  std::optional<std::string> as_product(const Guess& guess, std::string_view text, std::int64_t each) const;
  std::string buffer_of(const Guess& guess, std::size_t parameter) const;
  std::string fill_of(const Guess& guess, std::size_t parameter) const;
  std::string index_fill_of(const Guess& guess, std::size_t parameter) const;
  // Of one of two whole numbers whose sum is a place; empty: it is none such.
  std::string part_of_place(std::size_t parameter, std::string_view inside) const;
  bool is_of_offsets(std::size_t parameter) const;
  bool is_only_written(std::string_view array) const;
  std::string extent_of_index(const Guess& guess, std::string_view array, std::string_view inside) const;
  std::string count_of(const Guess& guess, std::size_t parameter) const;
  // Whether a number of bytes of the host's is that of as many elements as these sizes multiplied, also where one of
  // the names behind the sizes has another value.
  bool is_product(const Guess& guess, const std::vector<const SizeGuess*>& factors,
                  std::string_view host_text, std::int64_t each) const;
  std::string first_of(const Guess& guess, std::size_t parameter) const;
  // A number of the host's as "2 * N + 4" of one size; empty if it is not that at other sizes too.
  std::optional<std::string> line_of(const Guess& guess, std::string_view host_text, std::int64_t each) const;
};

}  // namespace warplens::problem
