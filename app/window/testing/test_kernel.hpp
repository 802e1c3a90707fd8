// For tests of the window: kernel files with a body of their own, in a folder of their own.
#pragma once

#include <filesystem>
#include <string>

#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {

// A transpose whose `body` computes one element from `in`, M rows of N, at row y and column x.
inline std::string transpose_kernel(const std::string& function, const std::string& body) {
  return "/*---\ntitle = \"Test\"\nproblem = \"transpose\"\nidea = \"A test\"\nwatch = \"Nothing\"\n"
         "source = \"none\"\n[params]\nTILE = { default = 8, values = [4, 8, 16], meaning = \"edge\" }\n"
         "[launch]\nblock = [\"TILE\", \"TILE\"]\ngrid = [\"ceil_div(N, TILE)\", \"ceil_div(M, TILE)\"]\n"
         "---*/\nextern \"C\" __global__ void " +
         function +
         "(const float* in, float* out, int M, int N) {\n"
         "  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;\n"
         "  if (x < N && y < M) {\n" +
         body + "\n  }\n}\n";
}

class OwnKernelsTest : public StageTest {
 protected:
  // home_: with the assets and no kernel.
  void make_home() {
    std::filesystem::create_directories(home_ / "kernels" / "test");
    std::filesystem::copy(std::filesystem::path(source_path()) / "assets", home_ / "assets",
                          std::filesystem::copy_options::recursive);
  }
  void add(const std::string& file, const std::string& function, const std::string& body) {
    home_.write("kernels/test/" + file + ".cu", transpose_kernel(function, body));
  }
  void TearDown() override { stage_.reset(); }  // before its folder

  TestFolder home_;
};

}  // namespace warplens::app
