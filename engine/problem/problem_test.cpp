#include "engine/problem/problem.hpp"

#include <gmock/gmock.h>

#include "engine/problem/testing/test_instance.hpp"

namespace warplens::problem {
namespace {

const Problem& problem_of(std::string_view name) { return **find_problem(name); }

std::string sizes_error(std::string_view problem, std::string_view text) {
  const auto sizes = parse_sizes(problem_of(problem), text);
  return sizes ? "parsed" : to_line(sizes.error());
}

std::string make_error(std::string_view problem, const Values& sizes, std::uint64_t max_bytes = kTestMemory) {
  const auto made = problem_of(problem).make(sizes, Pattern::random, 1, max_bytes);
  return made ? "made" : to_line(made.error());
}

TEST(Problems, AreFoundByName) {
  std::vector<std::string> names;
  for (const Problem* problem : all_problems()) {
    names.emplace_back(problem->name());
    EXPECT_EQ(*find_problem(problem->name()), problem);
    EXPECT_EQ(problem->default_sizes().size(), problem->size_names().size());
    EXPECT_TRUE(problem->make(problem->default_sizes(), Pattern::random, 1, kTestMemory)) << problem->name();
  }
  EXPECT_THAT(names,
              testing::IsSupersetOf({"sgemm", "sgemm_column", "transpose", "reduce", "minplus", "copy"}));
  const auto none = find_problem("sgem");
  ASSERT_FALSE(none);
  EXPECT_THAT(to_line(none.error()),
              testing::StartsWith("there is no problem sgem; choose one of sgemm, sgemm_column, "));
}

TEST(Problems, UnknownOnesAreFoundInTheirKernelsFile) {
  catalog::KernelSpec spec;
  spec.path = "kernels/mine.cu", spec.problem = "sgem", spec.problem_line = 3;
  const auto none = find_problem(spec);
  ASSERT_FALSE(none);
  EXPECT_THAT(to_line(none.error()),
              testing::StartsWith("kernels/mine.cu:3: there is no problem sgem; choose"));
  spec.problem = "sgemm";
  EXPECT_TRUE(find_problem(spec));
}

TEST(Problems, OfProductsHaveMultiplyAdds) {
  catalog::KernelSpec spec;
  for (const char* name : {"sgemm", "sgemm_column"}) {
    spec.problem = name;
    EXPECT_TRUE(has_multiply_adds(spec)) << name;
  }
  for (const char* name : {"minplus", "reduce", "transpose", "copy", "sgem", "own-0123abcd"}) {
    spec.problem = name;
    EXPECT_FALSE(has_multiply_adds(spec)) << name;
  }
}

// "const float* A, int M": as many parameters as arguments, pointers where buffers are, const where inputs
// are.
TEST(Problems, SignaturesAgreeWithTheArguments) {
  for (const Problem* problem : all_problems()) {
    const auto instance = *problem->make(problem->default_sizes(), Pattern::ones, 1, kTestMemory);
    std::string rest(problem->signature());
    for (const Argument& argument : instance->arguments()) {
      const std::string parameter = rest.substr(0, rest.find(", "));
      rest = rest.size() > parameter.size() ? rest.substr(parameter.size() + 2) : "";
      const auto* buffer = std::get_if<BufferArgument>(&argument);
      if (buffer == nullptr) {
        EXPECT_THAT(parameter, testing::StartsWith("int "));
        continue;
      }
      const Buffer& what = instance->buffers()[buffer->buffer];
      EXPECT_EQ(parameter, std::string(what.is_output ? "" : "const ") + "float* " + what.name);
      EXPECT_EQ(instance->initial(buffer->buffer).size(), what.elements * size_in_bytes(what.type));
    }
    EXPECT_EQ(rest, "");
  }
}

TEST(Problems, ShapesArgumentsAndWork) {
  const Values sizes{{"M", 35}, {"N", 79}, {"K", 19}};
  const auto sgemm = instance_of("sgemm", sizes);
  EXPECT_EQ(sgemm->buffers()[0].elements, 35u * 19);
  EXPECT_EQ(sgemm->buffers()[1].shape.columns, 79);
  EXPECT_EQ(sgemm->operations(), 2.0 * 35 * 79 * 19);
  EXPECT_EQ(sgemm->least_bytes(), 4.0 * (35 * 19 + 19 * 79 + 35 * 79));
  const auto column = instance_of("sgemm_column", sizes);
  const MatrixShape& a = column->buffers()[0].shape;
  EXPECT_EQ(a.rows, 35);
  EXPECT_EQ(a.columns, 79);
  EXPECT_EQ(a.leading_dimension, 35);
  EXPECT_FALSE(a.row_major);
  EXPECT_EQ(std::get<IntArgument>(column->arguments()[3]).value, 35);  // n
  EXPECT_EQ(std::get<IntArgument>(column->arguments()[4]).value, 79);  // m
  EXPECT_EQ(std::get<IntArgument>(column->arguments()[5]).value, 19);  // p
  EXPECT_EQ(instance_of("transpose", {{"M", 3}, {"N", 5}})->least_bytes(), 120);
  EXPECT_EQ(instance_of("reduce", {{"N", 5}})->operations(), 4);
  EXPECT_EQ(instance_of("reduce", {{"N", 5}})->least_bytes(), 24);
}

TEST(ParseSizes, TakesOneOrAll) {
  EXPECT_EQ(*parse_sizes(problem_of("sgemm"), "512"), (Values{{"M", 512}, {"N", 512}, {"K", 512}}));
  EXPECT_EQ(*parse_sizes(problem_of("sgemm"), "35, 79,19"), (Values{{"M", 35}, {"N", 79}, {"K", 19}}));
  EXPECT_EQ(*parse_sizes(problem_of("transpose"), "3,5"), (Values{{"M", 3}, {"N", 5}}));
  EXPECT_EQ(*parse_sizes(problem_of("reduce"), "2147483647"), (Values{{"N", 2147483647}}));
}

TEST(ParseSizes, ErrorsSayTheRightForm) {
  const std::string form =
      "; give M,N,K as whole numbers from 1 up, such as 35,79,19, or one number for all, such as 2048";
  EXPECT_EQ(sizes_error("sgemm", "0"), "the size 0 is below 1" + form);
  EXPECT_EQ(sizes_error("sgemm", "-3"), "the size -3 is below 1" + form);
  EXPECT_EQ(sizes_error("sgemm", "a"), "the size a is not a whole number" + form);
  EXPECT_EQ(sizes_error("sgemm", "12.5"), "the size 12.5 is not a whole number" + form);
  EXPECT_EQ(sizes_error("sgemm", "1,,3"), "a size is empty" + form);
  EXPECT_EQ(sizes_error("sgemm", ""), "a size is empty" + form);
  EXPECT_EQ(sizes_error("sgemm", "1,2"), "sgemm takes 3 sizes, not the 2 of \"1,2\"" + form);
  EXPECT_EQ(sizes_error("sgemm", "1,2,3,4"), "sgemm takes 3 sizes, not the 4 of \"1,2,3,4\"" + form);
  EXPECT_EQ(sizes_error("sgemm", "3000000000"), "the size 3,000,000,000 is more than an int holds" + form);
  EXPECT_EQ(sizes_error("sgemm", "99999999999999999999"),
            "the size 99,999,999,999,999,999,999 is more than an int holds" + form);
  EXPECT_EQ(sizes_error("sgemm", "-99999999999999999999"),
            "the size -99999999999999999999 is below 1" + form);
  EXPECT_EQ(sizes_error("reduce", "1,2"),
            "reduce takes 1 size, not the 2 of \"1,2\"; give N as one whole number from 1 "
            "up, such as 4194304");
}

TEST(Make, ErrorsSayTheLargestThatFits) {
  const std::string line = make_error("sgemm", {{"M", 1000000000}, {"N", 1000000000}, {"K", 1000000000}});
  EXPECT_EQ(
      line,
      "sgemm at M=1000000000, N=1000000000, K=1000000000 needs 1.066e+04 PiB of buffers, more than the 1 GiB "
      "allowed; the largest that fits is M=N=K=9459");
  EXPECT_EQ(make_error("sgemm", {{"M", 9459}, {"N", 9459}, {"K", 9459}}), "made");
  EXPECT_NE(make_error("sgemm", {{"M", 9460}, {"N", 9460}, {"K", 9460}}), "made");
  const std::uint64_t tebibytes = std::uint64_t{1} << 50;
  EXPECT_THAT(make_error("transpose", {{"M", 65536}, {"N", 32768}}, tebibytes),
              testing::HasSubstr(
                  "in buffers of more than 2147483647 elements, which an int cannot count; the largest "
                  "that fits is M=N=46340"));
  EXPECT_THAT(make_error("reduce", {{"N", 4}}, 4), testing::EndsWith("allow more memory"));
  EXPECT_EQ(make_error("reduce", {{"N", 4}}, 20), "made");
}

TEST(Make, ChecksTheSizes) {
  EXPECT_EQ(make_error("sgemm", {{"M", 0}, {"N", 1}, {"K", 1}}).substr(0, 23), "the size M=0 is below 1");
  EXPECT_EQ(make_error("sgemm", {{"M", 1}, {"N", -1}, {"K", 1}}).substr(0, 24), "the size N=-1 is below 1");
  EXPECT_EQ(make_error("sgemm", {{"M", 1}, {"N", 1}, {"K", INT64_MAX}}).substr(0, 65),
            "the size K=9,223,372,036,854,775,807 is more than an int holds; c");
  EXPECT_EQ(make_error("sgemm", {{"M", 1}, {"N", 2}}),
            "sgemm has the sizes M, N, K, not M=1, N=2; give each of them once");
  EXPECT_EQ(make_error("reduce", {{"M", 1}, {"N", 2}}),
            "reduce has the sizes N, not N=2, M=1; give each of them once");
}

}  // namespace
}  // namespace warplens::problem
