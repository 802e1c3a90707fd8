#include <gtest/gtest.h>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/catalog/problem_text.hpp"
#include "engine/source/signature.hpp"
#include "engine/source/types.hpp"

namespace warplens::catalog {
namespace {

// Line 3 is [problem].
const std::string kGoodProblem = R"cu(/*---
title = "One more"
[problem]
sizes   = { N = 1000003 }
buffers = [{ name = "in", type = "float", count = "N", fill = "random" },
           { name = "out", type = "float4", shape = ["N", "2"] }]
scalars = [{ name = "alpha", type = "float", value = 2.5 }]
check   = "out[i] == in[i] + 1"
order   = ["in", "out", "alpha", "N"]
[launch]
block   = [256]
grid    = ["ceil_div(N, 256)"]
---*/
)cu";

std::string problem_error(const std::string& text) {
  const auto spec = parse_kernel(text, "x", "x.cu");
  return spec ? "parsed" : to_line(spec.error());
}
std::string with_line(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(OwnProblem, IsReadAsItIsWritten) {
  const auto spec = parse_kernel(kGoodProblem, "x", "x.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  ASSERT_NE(spec->own, nullptr);
  const ProblemText& own = *spec->own;
  EXPECT_EQ(own.sizes.at(0).value, 1000003);
  EXPECT_EQ(own.buffers.at(1).shape.at(1).text, "2");
  EXPECT_EQ(own.scalars.at(0).value.text, "2.5");
  EXPECT_EQ(own.check.at(0).line, 8);
  EXPECT_EQ(own.order.size(), 4u);
  EXPECT_EQ(spec->problem_line, 3);
  EXPECT_EQ(spec->problem.substr(0, 4), "own-");
  // Steps of one ladder bring the same table, at whatever line.
  EXPECT_EQ(parse_kernel("\n\n" + kGoodProblem, "y", "y.cu")->problem, spec->problem);
  EXPECT_NE(parse_kernel(with_line(kGoodProblem, "in[i] + 1", "in[i] + 2"), "y", "y.cu")->problem,
            spec->problem);
}

struct BadLine {
  std::string name, from, to, line;
};
void PrintTo(const BadLine& bad, std::ostream* out) { *out << bad.name; }
class BadProblem : public testing::TestWithParam<BadLine> {};

TEST_P(BadProblem, IsOneLineWithItsPlace) {
  const BadLine& bad = GetParam();
  EXPECT_EQ(problem_error(with_line(kGoodProblem, bad.from, bad.to)), bad.line);
}

const BadLine kBadProblems[] = {
    {"unknown_key", "order ", "oder ",
     "x.cu:9: unknown key oder in [problem]; did you mean order? the keys here are kind, sizes, buffers, "
     "scalars, order, "
     "check, like, none, tolerance, operations"},
    {"no_sizes", "sizes   = { N = 1000003 }", "",
     "x.cu:9: order has N, which [problem] does not; use each of in, out, alpha that the kernel takes"},
    {"size_zero", "1000003", "0",
     "x.cu:4: the size N is no whole number from 1 up; write the size that opens first, such as N = 1000003"},
    {"unknown_type", "\"float4\"", "\"flaot4\"",
     "x.cu:6: out has the type flaot4, which a buffer cannot have; use one of float, double, half, bfloat16, "
     "int8, uint8, "
     "int16, uint16, int32, uint32, int64, uint64, or a vector of them such as float4"},
    {"scalar_vector", "type = \"float\", value", "type = \"float2\", value",
     "x.cu:7: alpha has the type float2, which a scalar cannot have; use one of float, double, half, "
     "bfloat16, int8, uint8, "
     "int16, uint16, int32, uint32, int64, uint64"},
    {"no_count", ", count = \"N\", fill", ", fill",
     "x.cu:5: the buffer in has no count; say how many elements it has: count = \"N\", or shape = [\"M\", "
     "\"N\"]"},
    {"shape_of_one", "[\"N\", \"2\"]", "[\"N\"]",
     "x.cu:6: the shape of out is not two expressions; give rows and columns, such as shape = [\"M\", "
     "\"N\"]; vectors have a "
     "count"},
    {"scalar_without_value", ", value = 2.5", "",
     "x.cu:7: the scalar alpha has no value; give it one: value = 2.0, or an expression such as \"N\""},
    {"no_check", "check   = \"out[i] == in[i] + 1\"", "",
     "x.cu:3: the front matter has no problem.check; add check = \"out[i] == in[i] + 1\", like = "
     "\"01_naive\" for another "
     "kernel's result, or none = \"why it is not checked\""},
    {"two_ways", "order ", "none = \"x\"\norder ",
     "x.cu:3: [problem] says in two ways what is right; keep one of check, like and none"},
    {"twice", "name = \"alpha\"", "name = \"in\"",
     "x.cu:7: in is the name of two things in [problem]; give each size, buffer and scalar a name of its "
     "own"},
    {"order_unknown", "\"alpha\", \"N\"]", "\"beta\", \"N\"]",
     "x.cu:9: order has beta, which [problem] does not; use each of N, in, out, alpha that the kernel takes"},
    {"buffer_a_string", "[{ name = \"in\", type = \"float\", count = \"N\", fill = \"random\" },", "[\"in\",",
     "x.cu:5: an entry of buffers is a string, not a table { name = \"in\", type = \"float\", count = \"N\" "
     "}; make it a table "
     "{ name = \"in\", type = \"float\", count = \"N\" }"},
    {"tolerance_a_string", "order ", "tolerance = \"x\"\norder ",
     "x.cu:9: tolerance is a string, not a number such as 1e-3; make it a number such as 1e-3"},
    {"grid_of_another_size", "ceil_div(N, 256)", "ceil_div(M, 256)",
     "x.cu:12: unknown name M in \"ceil_div(M, 256)\"; use one of N"},
};
INSTANTIATE_TEST_SUITE_P(All, BadProblem, testing::ValuesIn(kBadProblems),
                         [](const auto& bad) { return bad.param.name; });

TEST(Types, AreKnownUnderTheNamesOfKernels) {
  EXPECT_EQ(source::read_type("float4")->parts, 4);
  EXPECT_EQ(source::read_type("uchar4")->base, "uint8");
  EXPECT_EQ(source::read_type("unsigned long long")->base, "uint64");
  EXPECT_EQ(source::read_type("std::size_t")->base, "uint64");
  EXPECT_EQ(source::read_type("__nv_bfloat162")->base, "bfloat16");
  EXPECT_EQ(source::read_type("int16")->parts, 1);
  EXPECT_FALSE(source::read_type("cudaTextureObject_t"));
  EXPECT_FALSE(source::read_type("float5"));
}

TEST(Signature, IsReadThroughWhatKernelsAreDeclaredWith) {
  const auto kernels = source::kernel_signatures(R"cu(
typedef float real;
#define INT unsigned int
// __global__ void not_this(int x) {}
__global__ void declared(int n);
template <typename T, int BLOCK = 256>
__global__ void __launch_bounds__(BLOCK, 2)
    scale(const T* __restrict__ in, real *out, INT n, const float4* const vectors) {
  if (n > 1) { out[0] = 1; }
}
template __global__ void scale<float, 128>(const float*, float*, unsigned, const float4*);
extern "C" __global__ void plain(float a[], size_t n) {}
)cu");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "scale");
  EXPECT_TRUE(kernels[0].is_instantiated);
  EXPECT_EQ(kernels[0].line, 8);
  ASSERT_EQ(kernels[0].of_template.size(), 2u);
  EXPECT_EQ(kernels[0].of_template[0].type, "typename");
  EXPECT_EQ(kernels[0].of_template[1].fallback, "256");
  ASSERT_EQ(kernels[0].parameters.size(), 4u);
  EXPECT_TRUE(kernels[0].parameters[0].is_const);
  EXPECT_EQ(kernels[0].parameters[1].type, "float");
  EXPECT_FALSE(kernels[0].parameters[1].is_const);
  EXPECT_EQ(kernels[0].parameters[2].type, "unsigned int");
  EXPECT_EQ(kernels[0].parameters[3].type, "float4");
  EXPECT_EQ(kernels[1].name, "plain");
  EXPECT_TRUE(kernels[1].parameters[0].is_pointer);
  EXPECT_EQ(kernels[1].parameters[1].name, "n");
}

}  // namespace
}  // namespace warplens::catalog
