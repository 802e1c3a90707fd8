#include "engine/problem/recorded_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/catalog/problem_text.hpp"
#include "engine/problem/elements/element_values.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

using catalog::RecordedArray, catalog::RecordedLaunch;
using SharedLaunch = std::shared_ptr<const RecordedLaunch>;

// Of an array whose type nobody knows: bytes where it has no whole words.
ElementType type_of(const RecordedArray& array) {
  if (const auto known = source::read_type(array.type)) {
    const ElementType type = element_type(known->base);
    if (array.bytes.size() % size_in_bytes(type) == 0) return type;
  }
  return array.bytes.size() % 4 == 0 ? ElementType::i32 : ElementType::u8;
}

Buffer buffer_of(const RecordedArray& array) {
  Buffer buffer;
  buffer.name = array.name;
  buffer.type = type_of(array);
  buffer.elements = array.bytes.size() / size_in_bytes(buffer.type);
  const auto count = static_cast<std::int64_t>(buffer.elements);
  buffer.shape = {1, count, count, true};
  buffer.is_output = buffer.starts_filled = array.is_output;
  return buffer;
}

std::uint64_t word_at(const RecordedLaunch& launch, const catalog::RecordedArgument& argument) {
  std::uint64_t word = 0;
  const std::size_t size = std::min<std::size_t>(argument.size, sizeof word);
  if (argument.offset + size <= launch.arguments.size())
    std::memcpy(&word, launch.arguments.data() + argument.offset, size);
  return word;
}

Argument argument_of(const RecordedLaunch& launch, const catalog::RecordedArgument& argument) {
  const std::uint64_t word = word_at(launch, argument);
  if (argument.size == sizeof word)
    for (std::size_t a = 0; a < launch.arrays.size(); ++a) {
      const RecordedArray& array = launch.arrays[a];
      if (word >= array.address && word - array.address < array.bytes.size())
        return BufferArgument{a, word - array.address};
    }
  return ScalarArgument{word, std::min<std::uint32_t>(argument.size, sizeof word)};
}

std::string signature_of(const RecordedLaunch& launch) {
  std::string text;
  for (const auto& parameter : launch.parameters)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", parameter.type, parameter.name);
  return text;
}

class RecordedInstance final : public Instance {
 public:
  RecordedInstance(SharedLaunch launch, std::string_view signature)
      : launch_(std::move(launch)), signature_(signature) {
    for (const RecordedArray& array : launch_->arrays) buffers_.push_back(buffer_of(array));
    // Something is looked at as the result, whether the launch changed it or not.
    if (std::ranges::none_of(buffers_, &Buffer::is_output))
      buffers_.back().is_output = buffers_.back().starts_filled = true;
    for (const auto& parameter : launch_->parameters) arguments_.push_back(argument_of(*launch_, parameter));
  }
  const std::vector<Buffer>& buffers() const override { return buffers_; }
  const std::vector<Argument>& arguments() const override { return arguments_; }
  std::string_view signature() const override { return signature_; }
  std::span<const std::byte> initial(std::size_t buffer) const override {
    return launch_->arrays[buffer].bytes;
  }
  Verification verify(std::span<const std::byte>, std::span<const std::uint8_t>) const override {
    Verification verification;
    verification.not_checked = "whether its result is right only its program knows";
    return verification;
  }
  double operations() const override { return 0; }
  double least_bytes() const override { return 0; }
  const RecordedLaunch* launch() const { return launch_.get(); }

 private:
  SharedLaunch launch_;
  std::string signature_;
  std::vector<Buffer> buffers_;
  std::vector<Argument> arguments_;
};

class RecordedProblem final : public Problem {
 public:
  explicit RecordedProblem(SharedLaunch launch)
      : launch_(std::move(launch)), signature_(signature_of(*launch_)) {}
  std::string_view name() const override { return "launch of a program"; }
  std::string_view signature() const override { return signature_; }
  std::vector<std::string> size_names() const override { return {}; }
  Values default_sizes() const override { return {}; }
  bool has_multiply_adds() const override { return false; }
  std::string_view key() const override { return launch_->id; }
  bool has_one_size() const override { return false; }
  std::string_view like() const override { return {}; }
  bool has_gaps() const override { return false; }
  Result<std::shared_ptr<const Instance>> make(const Values&, Pattern, std::uint64_t,
                                               std::uint64_t) const override {
    return std::shared_ptr<const Instance>(std::make_shared<RecordedInstance>(launch_, signature_));
  }

 private:
  SharedLaunch launch_;
  std::string signature_;
};

}  // namespace

const RecordedLaunch* recorded_launch(const Instance& instance) {
  const auto* recorded = dynamic_cast<const RecordedInstance*>(&instance);
  return recorded == nullptr ? nullptr : recorded->launch();
}

const RecordedLaunch* recorded_launch(const catalog::KernelSpec& spec) {
  return spec.own == nullptr ? nullptr : spec.own->recorded.get();
}

SharedProblem make_recorded_problem(SharedLaunch launch) {
  return std::make_shared<RecordedProblem>(std::move(launch));
}

}  // namespace warplens::problem
