#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "engine/catalog/problem_text.hpp"
#include "engine/problem/elements/element_values.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/problem/problem.hpp"
#include "engine/problem/testing/test_instance.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

using testing::HasSubstr;

catalog::KernelSpec spec_of(const std::string& problem, const std::string& kernel) {
  const auto spec = catalog::parse_kernel(
      "/*---\ntitle = \"x\"\n[problem]\n" + problem + "\n[launch]\nblock = [1]\ngrid = [1]\n---*/\n" + kernel,
      "x", "x.cu");
  EXPECT_TRUE(spec) << to_line(spec.error());
  return spec ? *spec : catalog::KernelSpec();
}

const std::string kKernel = "__global__ void k(const float* in, float* out, int N) {}\n";
std::string with_check(const std::string& check) {
  return "sizes = { N = 1000 }\nbuffers = [{ name = \"in\", count = \"N\" }, { name = \"out\", count = \"N\" "
         "}]\n" +
         check;
}

std::shared_ptr<const Instance> made(const catalog::KernelSpec& spec, Pattern pattern = Pattern::random) {
  const auto problem = find_problem(spec);
  EXPECT_TRUE(problem) << to_line(problem.error());
  const auto instance = (*problem)->make((*problem)->default_sizes(), pattern, 1, kTestMemory);
  EXPECT_TRUE(instance) << to_line(instance.error());
  return *instance;
}

std::string error_of(const std::string& problem, const std::string& kernel = kKernel) {
  const auto found = find_problem(spec_of(problem, kernel));
  return found ? "fine" : to_line(found.error());
}

// What the expression makes of every element, with in[i] = i.
std::vector<double> fills(const std::string& fill, const std::string& type = "double", int count = 6) {
  const auto instance = made(spec_of(
      "sizes = { N = " + std::to_string(count) + " }\nbuffers = [{ name = \"in\", type = \"" + type +
          "\", count = \"N\", fill = \"" + fill + "\" }, { name = \"out\", count = \"N\" }]\nnone = \"x\"",
      "__global__ void k(const " + type + "* in, float* out, int N) {}\n"));
  std::vector<double> values;
  for (int i = 0; i < count; ++i)
    values.push_back(read_element(instance->buffers()[0].type, instance->initial(0).data(), i));
  return values;
}

TEST(ElementExpression, HasTheArithmeticOfFrontMatters) {
  using testing::ElementsAre;
  EXPECT_THAT(fills("i + 2 * 3 - 1"), ElementsAre(5, 6, 7, 8, 9, 10));
  EXPECT_THAT(fills("i % 3 == 1 ? -i : 2 ^ i"), ElementsAre(1, -1, 4, 8, -4, 32));
  EXPECT_THAT(fills("-2 ^ 2 + 0 * i"), testing::Each(-4));
  EXPECT_THAT(fills("i > 1 && i < 4 || i == 5"), ElementsAre(0, 0, 1, 1, 0, 1));
  EXPECT_THAT(fills("not (i > 1 and i < 4)"), ElementsAre(1, 1, 0, 0, 1, 1));
  EXPECT_THAT(fills("ceil_div(i, 2) * 10 + min(i, 3) + max(i, 4)"), ElementsAre(4, 15, 16, 27, 27, 38));
  EXPECT_THAT(fills("sum(k, 0, i + 1, k)"), ElementsAre(0, 1, 3, 6, 10, 15));
  EXPECT_THAT(fills("sum(k, 0, i, sum(j, 0, k, 1))"), ElementsAre(0, 0, 1, 3, 6, 10));
  EXPECT_THAT(fills("max(k, 0, N, (k * 7 + i) % 5)"), testing::Each(4));
  EXPECT_THAT(fills("count(k, 0, 100, k % N == i)"), ElementsAre(17, 17, 17, 17, 16, 16));
  EXPECT_THAT(fills("any(k, 0, 3, k == i) + 10 * all(k, 0, 3, k < i)"), ElementsAre(1, 1, 1, 10, 10, 10));
}

TEST(ElementExpression, FillsEveryType) {
  using testing::ElementsAre;
  for (const std::string& type : source::element_types()) {
    const std::string own = type == "bfloat16" ? "__nv_bfloat16" : type == "half" ? "__half" : type;
    EXPECT_THAT(fills("i + 1", own), ElementsAre(1, 2, 3, 4, 5, 6)) << type;
  }
  for (const double value : fills("random(0, 256)", "int", 500)) {
    EXPECT_TRUE(value >= 0 && value < 256 && value == std::floor(value));
  }
}

// Who writes a place as C++ has it learns why the result is wrong.
TEST(OwnProblem, SaysThatADivisionInAPlaceIsOfRealNumbers) {
  const auto said = [](std::string_view place) {
    const auto instance =
        made(spec_of(with_check("check = \"out[i] == in[" + std::string(place) + "]\""), kKernel));
    const std::vector<float> in = floats_of(*instance, 0);
    std::vector<float> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i / 8 * 8];
    const Verification found = instance->verify(bytes_of_floats(out));
    return found.verified ? "verified" : found.explanation;
  };
  EXPECT_THAT(said("i / 8 * 8"), HasSubstr("floor_div(a, b)"));
  EXPECT_EQ(said("floor_div(i, 8) * 8"), "verified");
  EXPECT_THAT(said("i"), testing::Not(HasSubstr("floor_div")));
}

TEST(OwnProblem, VerifiesByTheExpression) {
  const auto instance = made(spec_of(with_check("check = \"out[i] == in[i] * 2 + 1\""), kKernel));
  const std::vector<float> in = floats_of(*instance, 0);
  std::vector<float> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] * 2 + 1;
  EXPECT_TRUE(instance->verify(bytes_of_floats(out)).verified);
  out[17] = out[17] + 1e-5f;
  const Verification wrong = instance->verify(bytes_of_floats(out));
  EXPECT_FALSE(wrong.verified);
  EXPECT_TRUE(wrong.is_wrong());
  EXPECT_EQ(wrong.first_wrong, 17);
  EXPECT_EQ(wrong.mistake, Mistake::differs);
  EXPECT_THAT(wrong.explanation, HasSubstr("out at element 17 is "));
  EXPECT_THAT(wrong.explanation, HasSubstr("1 of 1,000 checked elements is wrong"));
  std::memcpy(&out[17], instance->initial(1).data() + 17 * sizeof(float), sizeof(float));
  const Verification unwritten = instance->verify(bytes_of_floats(out));
  EXPECT_EQ(unwritten.mistake, Mistake::unwritten);
  EXPECT_THAT(unwritten.explanation, HasSubstr("out at element 17 was not written"));
  // Of a sample only what is flagged counts.
  std::vector<std::uint8_t> checked(out.size(), 1);
  checked[17] = 0;
  EXPECT_EQ(instance->verify(bytes_of_floats(out), checked).checked_elements, 999);
  EXPECT_TRUE(instance->verify(bytes_of_floats(out), checked).verified);
}

TEST(OwnProblem, ToleratesWhatTheTypeRounds) {
  const auto right = [](const std::string& type, double error, const std::string& more = "") {
    const auto instance =
        made(spec_of(with_check("check = \"out[i] == in[i] + 1\"\n" + more),
                     "__global__ void k(const " + type + "* in, " + type + "* out, int N) {}\n"));
    const Buffer& buffer = instance->buffers()[1];
    std::vector<std::byte> out(instance->initial(1).size());
    for (std::int64_t i = 0; i < 1000; ++i)
      write_element(buffer.type, out.data(), i,
                    (read_element(buffer.type, instance->initial(0).data(), i) + 1) * (1 + error));
    return instance->verify(out).verified;
  };
  EXPECT_TRUE(right("float", 4e-7));
  EXPECT_FALSE(right("float", 2e-5));
  EXPECT_TRUE(right("double", 1e-16));
  EXPECT_FALSE(right("double", 1e-12));
  EXPECT_TRUE(right("__half", 1e-3));
  EXPECT_FALSE(right("__half", 3e-2));
  EXPECT_TRUE(right("int", 0));
  EXPECT_FALSE(right("int", 0.5));
  EXPECT_TRUE(right("float", 2e-5, "tolerance = 1e-4"));
}

// What is read has no error, so a function of it is right to a few roundings of its result, however steep it
// is; what was rounded first may be off by what the function makes of that.
TEST(OwnProblem, MeasuresFunctionsAgainstTheirResult) {
  struct {
    const char *name, *fill, *right;
    double (*made)(double in);
    bool is_right;
  } constexpr kCases[] = {
      {"zero", "random(1e6, 1e7)", "sin(in[i])", [](double) { return 0.0; }, false},
      {"sine", "random(1e6, 1e7)", "sin(in[i])", [](double in) { return std::sin(in); }, true},
      {"sine of a little more", "random(1e3, 1e5)", "sin(in[i])",
       [](double in) { return std::sin(in) + 3e-5; }, false},
      {"exponential", "random(50, 80)", "exp(in[i])", [](double in) { return std::exp(in) * 1.00001; },
       false},
      {"power", "random(20, 30)", "pow(in[i], 20)", [](double in) { return std::pow(in, 20) * 1.00002; },
       false},
      {"product", "random(20, 30)", "pow(in[i], 20)",
       [](double in) {
         float product = 1;
         for (int k = 0; k < 20; ++k) product *= static_cast<float>(in);
         return static_cast<double>(product);
       },
       true},
      {"steps", "random(-1, 1)", "1 - (1 - in[i]) * pow(0.9990234375, 1024)",
       [](double in) {
         float x = static_cast<float>(in);
         for (int k = 0; k < 1024; ++k) x = x * 0.9990234375f + 0.0009765625f;
         return static_cast<double>(x);
       },
       true},
      {"exact product", "i", "cos(in[i] * 1000000)", [](double) { return 1.0; }, false},
      {"rounded product", "random(1, 2)", "sin(in[i] * 30000)",
       [](double in) { return std::sin(static_cast<double>(static_cast<float>(in) * 30000.0f)); }, true},
      {"sine of nothing like it", "random(1, 2)", "sin(in[i] * 300)", [](double) { return 0.5; }, false},
      {"fraction", "random(1e5, 1e6)", "in[i] - floor(in[i])", [](double) { return 0.0; }, false},
      {"sum of a difference", "random(50, 60)", "exp(in[i] * 0.3 - 15)",
       [](double in) { return static_cast<double>(std::exp(static_cast<float>(in) * 0.3f - 15.0f)); }, true}};
  for (const auto& one : kCases) {
    const auto instance = made(spec_of(
        "sizes = { N = 1000 }\nbuffers = [{ name = \"in\", count = \"N\", fill = \"" + std::string(one.fill) +
            "\" }, { name = \"out\", count = \"N\" }]\ncheck = \"out[i] == " + one.right + "\"",
        kKernel));
    std::vector<float> out;
    for (const float in : floats_of(*instance, 0)) out.push_back(static_cast<float>(one.made(double{in})));
    const Verification verification = instance->verify(bytes_of_floats(out));
    EXPECT_EQ(verification.verified, one.is_right) << one.name << ": " << verification.explanation;
    if (one.is_right)
      EXPECT_LE(verification.max_relative_error, verification.tolerance) << one.name;
    else
      EXPECT_GT(verification.max_relative_error, 1e-6) << one.name;
  }
}

TEST(OwnProblem, SaysWhyNothingIsChecked) {
  const auto instance = made(spec_of(with_check("none = \"a sketch\""), kKernel));
  const Verification verification = instance->verify(instance->initial(1));
  EXPECT_FALSE(verification.verified);
  EXPECT_FALSE(verification.is_wrong());
  EXPECT_EQ(verification.not_checked, "a sketch");
}

TEST(OwnProblem, MayBeATruthAboutEveryElement) {
  const auto instance =
      made(spec_of("sizes = { N = 1000 }\nbuffers = [{ name = \"in\", count = \"N\" }, { name = \"out\", "
                   "count = \"N\", output = "
                   "true }]\ncheck = \"i == 0 || out[i] >= out[i - 1]\"",
                   kKernel));
  std::vector<float> out(1000);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(i);
  EXPECT_TRUE(instance->verify(bytes_of_floats(out)).verified);
  out[500] = 0;
  EXPECT_THAT(instance->verify(bytes_of_floats(out)).explanation,
              HasSubstr("out at element 500 is 0, and i == 0 || out[i] >= out[i - 1] does not hold"));
}

TEST(OwnProblem, HasOneClearMessageForEachError) {
  EXPECT_EQ(error_of(with_check("check = \"out[i] == im[i]\"")),
            "x.cu:6: unknown name im in \"im[i]\"; did you mean in? the names here are in, out, i, N");
  EXPECT_EQ(error_of(with_check("check = \"out[i] == in\"")),
            "x.cu:6: in has no index in \"in\"; write an element of it, such as in[i]");
  EXPECT_EQ(error_of(with_check("check = \"out[i] == out[i] + 1\"")),
            "x.cu:6: \"out[i] == out[i] + 1\" says what out is by what it is; write old(out)[i] for what it "
            "held before the "
            "kernel ran");
  EXPECT_EQ(error_of(with_check("check = \"out[i] == sum(N, 0, 3, in[i])\"")),
            "x.cu:6: N is already the name of something in \"sum(N, 0, 3, in[i])\"; choose another index");
  EXPECT_EQ(error_of(with_check("check = \"out[i] == in[i, 0]\"")),
            "x.cu:6: in has 2 indices in \"in[i, 0]\"; give one, or give the buffer a shape = [\"rows\", "
            "\"columns\"]");
  EXPECT_EQ(error_of(with_check("check = \"out[i] == (in[i]\"")),
            "x.cu:6: the '(' is not closed at position 1 of \"(in[i]\"; add a ')'");
  EXPECT_THAT(error_of(with_check("check = \"out[i] == exq(in[i])\"")),
              HasSubstr("unknown function exq in \"exq(in[i])\""));
  EXPECT_EQ(error_of(with_check("check = \"out[i] == in[i]\""),
                     "__global__ void k(const float* in, float* out, int N, Foo f) {}"),
            "x.cu:11: the parameter f of the kernel has the type Foo, which no problem passes: the file does "
            "not define it; use pointers "
            "to and numbers of "
            "float, double, half, bfloat16, int8, uint8, int16, uint16, int32, uint32, int64, uint64");
  EXPECT_EQ(error_of(with_check("check = \"out[i] == in[i]\""),
                     "__global__ void k(const float* in, float* out, int N, int m) {}"),
            "x.cu:11: the problem has nothing for the kernel's parameter m; add it to [problem] as a size, "
            "or as a scalar: { name = "
            "\"m\", value = 1 }");
  EXPECT_EQ(error_of(with_check("check = \"out[i] == in[i]\"\norder = [\"in\", \"out\"]")),
            "x.cu:3: the kernel takes 3 arguments, and order has 2; list every argument once, in the order "
            "of the kernel's "
            "parameters");
  EXPECT_EQ(error_of("sizes = { N = 10 }\nbuffers = [{ name = \"in\", type = \"int\", count = \"N\" }, { "
                     "name = \"out\", count = "
                     "\"N\" }]\nnone = \"x\""),
            "x.cu:5: in is int32 in [problem] and float in the kernel; make them the same, or leave the type "
            "out of [problem]");
  EXPECT_EQ(
      error_of("kind = \"softmix\""), "x.cu:3: there is no kind softmix; choose one of " + [] {
        std::string names;
        for (const KindText& kind : kind_texts())
          names += (names.empty() ? "" : ", ") + std::string(kind.name);
        return names;
      }());
}

TEST(OwnProblem, ManyArgumentsAreNotFoundByTheirNames) {
  std::string parameters;
  for (int p = 0; p < 300; ++p) parameters += ", int p" + std::to_string(p);
  const auto spec = spec_of("sizes = { N = 10 }\nbuffers = [{ name = \"out\", count = \"N\" }]\nnone = \"x\"",
                            "__global__ void k(float* out" + parameters + ") {}");
  const auto problem = find_problem(spec);
  ASSERT_FALSE(problem);
  EXPECT_THAT(to_line(problem.error()),
              HasSubstr("the kernel takes 301 arguments, too many to be found by "));
}

TEST(Kinds, HaveATemplateForEachBuiltInProblem) {
  for (const Problem* problem : all_problems())
    EXPECT_NE(find_kind_text(problem->name()), nullptr) << problem->name();
}

TEST(OwnProblem, CountsMustBeWhole) {
  const auto spec = spec_of(
      "sizes = { N = 10 }\nbuffers = [{ name = \"in\", count = \"N\" }, { name = \"out\", count = \"N / 4\" "
      "}]\nnone = \"x\"",
      kKernel);
  const auto made = (*find_problem(spec))->make({{"N", 10}}, Pattern::random, 1, kTestMemory);
  ASSERT_FALSE(made);
  EXPECT_EQ(to_line(made.error()),
            "x.cu:5: the buffer out would have N / 4 = 2.5 elements; make that a whole number from 1 up, "
            "with ceil_div or max(1, "
            "...)");
}

// The arguments that a kernel gets, in words.
std::string signature_of(const std::string& kind, const std::string& parameters) {
  catalog::KernelSpec spec;
  spec.problem = kind;
  spec.path = "x.cu";
  spec.code = "__global__ void k(" + parameters + ") {}";
  const auto problem = find_problem(spec);
  return problem ? std::string((*problem)->signature()) : to_line(problem.error());
}

TEST(Binding, FindsTheArgumentsOfPublishedKernels) {
  EXPECT_EQ(
      signature_of("sgemm", "int M, int N, int K, float alpha, float *A, float *B, float beta, float *C"),
      "int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C");
  EXPECT_EQ(signature_of("sgemm", "float *C, float *A, float *B, int wA, int wB"),
            "float* C, const float* A, const float* B, int K, int N");
  EXPECT_EQ(signature_of("sgemm", "const float* d_M, const float* d_N, float* d_P, int Width"),
            "const float* A, const float* B, float* C, int N");
  EXPECT_EQ(signature_of("vector_add", "const double *a, const double *b, double *c, size_t n"),
            "const double* A, const double* B, double* C, std::uint64_t N");
  EXPECT_EQ(signature_of("vector_add", "float* out, const float* inp1, const float* inp2, int N"),
            "float* C, const float* A, const float* B, int N");
  EXPECT_EQ(signature_of("softmax", "float* out, const float* inp, int N, int C"),
            "float* out, const float* in, int M, int N");
  EXPECT_EQ(
      signature_of(
          "linear",
          "float* out, const float* inp, const float* weight, const float* bias, int BT, int C, int OC"),
      "float* out, const float* inp, const float* weight, const float* bias, int M, int K, int N");
  EXPECT_EQ(signature_of("transpose", "float *odata, const float *idata"), "float* out, const float* in");
  EXPECT_EQ(signature_of("saxpy", "int n, float a, float *x, float *y"),
            "int N, float a, const float* x, float* y");
  EXPECT_EQ(signature_of("histogram", "unsigned char* buffer, long size, unsigned int* histo"),
            "const std::uint8_t* in, std::int64_t N, unsigned* bins");
  // As it was: the problem's own order, by its own code.
  EXPECT_EQ(signature_of("sgemm", "const float* A, const float* B, float* C, int M, int N, int K"),
            "const float* A, const float* B, float* C, int M, int N, int K");
}

TEST(Kinds, AreAllUnderstood) {
  for (const KindText& kind : kind_texts()) {
    const auto spec = catalog::parse_kernel(kernel_file_of(kind), "x", "x.cu");
    ASSERT_TRUE(spec) << kind.name << ": " << to_line(spec.error());
    const auto problem = find_problem(*spec);
    ASSERT_TRUE(problem) << kind.name << ": " << to_line(problem.error());
    EXPECT_EQ((*problem)->has_multiply_adds(), kind.multiply_adds) << kind.name;
  }
}

// A bound has to hold where the file does not say.
TEST(OwnProblem, OfNoKindMayHaveMultiplyAdds) {
  EXPECT_TRUE(has_multiply_adds(spec_of(with_check("check = \"out[i] == in[i]\""), kKernel)));
  EXPECT_FALSE(has_multiply_adds(catalog::KernelSpec()));
}

}  // namespace
}  // namespace warplens::problem
