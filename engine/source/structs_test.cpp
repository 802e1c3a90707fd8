#include "engine/source/structs.hpp"

#include <gtest/gtest.h>

#include "engine/source/tokens.hpp"

namespace warplens::source {
namespace {

// What g++ 12 says of them with sizeof and offsetof.
constexpr std::string_view kCode = R"(
#define N 3
typedef float real;
struct Vec3 { real x, y, z; };
struct __align__(16) Ray { Vec3 at; char kind; double* __restrict__ out; const float *in; };
template <class T, int M = 2> struct Taps { T w[M * N]; short half; };
enum class Edge : short { clamp, zero };
struct Camera : Vec3 {
 public:
  Camera(float f) : focal{f} {}
  float focal = 1.0f;
  Edge edge{Edge::zero};
  float4 colour;
  Taps<double> taps;
  static int count;
  __device__ float operator()(float v) const { return v * focal; }
};
struct Add { __device__ float operator()(float a, float b) const { return a + b; } };
template <typename T> struct Times { T by; __device__ T operator()(T a) const { return by * a; } };
typedef struct { int a; char b; } Pair, *Pairs;
struct Bits { unsigned a : 3; unsigned b; };
union Either { int i; float f; };
struct Holds { Either e; };
struct Virtual { virtual int f(); int n; };
struct Calls { float (*f)(float); };
struct Many { float w[40]; int rows[100][2]; };
struct Far { Many many[2]; float at[80]; };
)";

class StructsTest : public testing::Test {
 protected:
  std::string plain_;
  Macros macros_;
  Structs structs_ = [this] {
    plain_ = blanked(taken_branches(kCode, macros_));
    return Structs(plain_, macros_, [](std::string_view text) -> std::optional<std::int64_t> {
      if (text == "16") return 16;
      if (text == "2 * N") return 6;
      return text.find_first_not_of("0123456789") == std::string_view::npos
                 ? std::atoi(std::string(text).c_str())
                 : std::optional<std::int64_t>();
    });
  }();
  std::int64_t bytes(std::string_view type) const {
    const auto layout = structs_.of(type);
    return layout ? (*layout)->bytes : -1;
  }
  std::string leaves(std::string_view type) const {
    const auto layout = structs_.of(type);
    if (!layout) return layout.error().message;
    const auto list = leaves_of(**layout);
    if (!list) return list.error().message;
    std::string text;
    for (const StructLeaf& leaf : *list)
      text += (text.empty() ? "" : ", ") + leaf.name + " " + leaf.type + (leaf.is_pointer ? "*" : "") + " " +
              std::to_string(leaf.offset);
    return text;
  }
};

TEST_F(StructsTest, AreLaidOutAsTheCompilerDoes) {
  EXPECT_EQ(leaves("Vec3"), "x float 0, y float 4, z float 8");
  EXPECT_EQ(leaves("Ray"),
            "at.x float 0, at.y float 4, at.z float 8, kind int8 12, out double* 16, in float* 24");
  EXPECT_EQ(bytes("Ray"), 32);
  EXPECT_EQ(bytes("Taps<double>"), 56);
  EXPECT_EQ(
      leaves("Camera"),
      "x float 0, y float 4, z float 8, focal float 12, edge int16 16, colour.x float 32, colour.y float 36, "
      "colour.z float 40, colour.w float 44, taps.w[0] double 48, taps.w[1] double 56, taps.w[2] double 64, "
      "taps.w[3] double 72, taps.w[4] double 80, taps.w[5] double 88, taps.half int16 96");
  EXPECT_EQ(bytes("Camera"), 112);
  EXPECT_EQ(leaves("Pair"), "a int32 0, b int8 4");
  EXPECT_EQ(bytes("Pair"), 8);
  EXPECT_EQ(leaves("uchar4"), "x uint8 0, y uint8 1, z uint8 2, w uint8 3");
  EXPECT_EQ(bytes("dim3"), 12);
}

TEST_F(StructsTest, FunctorsHaveNoMembersOrSome) {
  EXPECT_EQ(bytes("Add"), 1);
  EXPECT_EQ(leaves("Add"), "");
  EXPECT_EQ(leaves("Times<int>"), "by int32 0");
  EXPECT_EQ(structs_.functors(), (std::vector<std::string>{"Camera", "Add", "Times<float>"}));
}

TEST_F(StructsTest, SayWhyTheyAreNotLaidOut) {
  EXPECT_EQ(leaves("Bits"), "a member of it is a bit field");
  EXPECT_EQ(leaves("Holds"), "its member e has the type Either: it is a union");
  EXPECT_EQ(leaves("Virtual"), "it has virtual functions");
  EXPECT_EQ(leaves("Calls"), "a member of it is a pointer to a function");
  EXPECT_EQ(leaves("Nowhere"), "the file does not define it");
}

TEST_F(StructsTest, ALongArrayHasOneValue) {
  EXPECT_EQ(leaves("Many"), "w float 0, rows int32 160");
  EXPECT_EQ(bytes("Many"), 960);
  EXPECT_EQ(leaves("Far"),
            "many[0].w float 0, many[0].rows int32 160, many[1].w float 960, many[1].rows int32 1120, at "
            "float 1920");
}

TEST_F(StructsTest, MembersBecomeParameters) {
  const std::string code =
      std::string(kCode) +
      "__global__ void k(float* x, const Ray r, int r_kind, Bits b) { x[0] = r.at.x + r.kind; }";
  const KernelSignature kernel = with_members(kernel_signatures(code).at(0), structs_);
  std::string names;
  for (const KernelParameter& parameter : kernel.parameters) names += parameter.name + " ";
  EXPECT_EQ(names, "x r_at_x r_at_y r_at_z r_kind_ r_out r_in r_kind b ");
  EXPECT_EQ(kernel.parameters.back().reason, "a member of it is a bit field");
  EXPECT_EQ(kernel.structs.size(), 1u);
  EXPECT_EQ(kernel.structs[0].bytes, 32);
  EXPECT_EQ(named_as_parameters("x[0] = r.at.x + r.kind + q.r.kind;", kernel),
            "x[0] = r_at_x + r_kind_ + q.r.kind;");
}

}  // namespace
}  // namespace warplens::source
