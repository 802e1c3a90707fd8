// What every instance has in common: its buffers, arguments and initial contents.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "engine/problem/comparison.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::problem {

struct Layout {
  std::vector<Buffer> buffers;
  std::vector<Argument> arguments;
};

// One instance as asked for, with its layout made and its memory found to fit.
struct Request {
  Values sizes;
  Layout layout;
  Pattern pattern = Pattern::random;
  std::uint64_t seed = 0;
  std::string_view signature = {};  // of a kind, which lives as long as the program
};

// An f32 matrix without padding, rows x columns.
Buffer matrix(std::string name, std::int64_t rows, std::int64_t columns, bool row_major = true);
Buffer output(Buffer buffer);
IntArgument int_argument(std::int64_t value);

class InstanceData : public Instance {
 public:
  const std::vector<Buffer>& buffers() const final { return request_.layout.buffers; }
  const std::vector<Argument>& arguments() const final { return request_.layout.arguments; }
  std::string_view signature() const final { return request_.signature; }
  std::span<const std::byte> initial(std::size_t buffer) const final;
  Verification verify(std::span<const std::byte> output,
                      std::span<const std::uint8_t> checked = {}) const override;
  // Each input read once, each output written once.
  double least_bytes() const override;

 protected:
  explicit InstanceData(Request request);
  std::int64_t size(std::string_view name) const { return request_.sizes.find(name)->second; }
  const Values& sizes() const { return request_.sizes; }
  Pattern pattern() const { return request_.pattern; }
  std::uint64_t seed() const { return request_.seed; }
  std::span<const float> floats(std::size_t buffer) const;
  // Of spans of the right length.
  virtual Comparison compare(std::span<const std::byte> output,
                             std::span<const std::uint8_t> checked) const = 0;
  // Fills an input that follows from others; false for one that follows the pattern.
  virtual bool derive(std::size_t buffer, std::span<std::byte> bytes) const;

 private:
  struct Contents {
    std::once_flag made;
    std::unique_ptr<std::byte[]>
        bytes;  // allocated at once, so that running out of memory is an error of make()
  };
  void fill(std::size_t buffer) const;

  Request request_;
  std::unique_ptr<Contents[]> contents_;
};

}  // namespace warplens::problem
