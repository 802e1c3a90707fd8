// For tests: kernel files with a body of their own.
#pragma once

#include <string>

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

}  // namespace warplens::app
