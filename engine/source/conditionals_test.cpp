#include "engine/source/conditionals.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/whole_file.hpp"
#include "engine/source/signature.hpp"

namespace warplens::source {
namespace {

// The type of the first parameter of the first kernel.
std::string type_of(const std::string& before, const std::string& folder = "") {
  const auto kernels = kernel_signatures(before + "\n__global__ void k(real* x) {}\n", folder);
  return kernels.empty() ? "none" : kernels[0].parameters[0].type;
}

TEST(Conditionals, ChooseTheTypeThatIsCompiled) {
  const std::string types =
      "#if defined(BF)\ntypedef __nv_bfloat16 real;\n#elif defined HALF && HALF >= 2\ntypedef half real;\n"
      "#else\ntypedef float real;\n#endif\n";
  EXPECT_EQ(type_of(types), "float");
  EXPECT_EQ(type_of("#define BF\n" + types), "__nv_bfloat16");
  EXPECT_EQ(type_of("#define HALF 2\n" + types), "half");
  EXPECT_EQ(type_of("#define HALF 1\n" + types), "float");
  EXPECT_EQ(type_of("#define BF\n#undef BF\n" + types), "float");
  EXPECT_EQ(type_of("#ifdef __CUDA_ARCH__\nusing real = double;\n#else\nusing real = int;\n#endif\n"),
            "double");
  EXPECT_EQ(type_of("#if 0\nusing real = int;\n#endif\n#ifndef real\n#define real short\n#endif\n"), "short");
}

TEST(Conditionals, KeepEveryLineWhereItIs) {
  Macros macros;
  EXPECT_EQ(taken_branches("a\n#if 0\nb \\\n#define X\n#else\nc\n#endif\n", macros),
            "a\n#if 0\n   \n         \n#else\nc\n#endif\n");
  EXPECT_TRUE(macros.empty());
}

TEST(Conditionals, LookIntoFilesBesideTheKernel) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "warplens_conditionals_test";
  fs::create_directories(folder / "below");
  ASSERT_TRUE(
      write_whole_file(folder / "types.h",
                       "#pragma once\n#include \"below/more.h\"\n#ifdef BF\ntypedef __nv_bfloat16 real;\n"
                       "#else\ntypedef MORE real;\n#endif\n"));
  ASSERT_TRUE(write_whole_file(folder / "below/more.h", "#include \"../types.h\"\n#define MORE double\n"));
  EXPECT_EQ(type_of("#include \"types.h\"\n", folder.string()), "double");
  EXPECT_EQ(type_of("#define BF\n#include \"types.h\"\n", folder.string()), "__nv_bfloat16");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace warplens::source
