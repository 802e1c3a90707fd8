#include "engine/program/nvcc/link_advice.hpp"

#include <gtest/gtest.h>

namespace warplens::program {
namespace {

std::string advice(std::string_view said) {
  const auto error = link_advice("a.cu", said);
  return error ? error->message + " | " + error->next_step : "";
}

TEST(LinkAdvice, AFileWithoutMainIsAKernel) {
  EXPECT_EQ(
      advice("/usr/bin/ld: Scrt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n"
             "collect2: error: ld returned 1 exit status\n"),
      "a.cu has no main(), so it is not a program | run its kernel with 'warplens run a.cu'");
}

TEST(LinkAdvice, LibrariesAreNamedOnceWithTheirOptions) {
  EXPECT_EQ(advice("a.cu:4: undefined reference to `cublasCreate_v2'\na.cu:5: undefined reference to "
                   "`cublasDestroy_v2'\n"
                   "a.cu:6: undefined reference to `curandCreateGenerator'\n"),
            "a.cu uses cuBLAS, cuRAND, which nvcc links only when it is told to | add --nvcc -lcublas --nvcc "
            "-lcurand");
  EXPECT_EQ(advice("undefined reference to `cublasLtMatmul'"),
            "a.cu uses cuBLASLt, which nvcc links only when it is told to | add --nvcc -lcublasLt");
  EXPECT_EQ(
      advice("undefined reference to `cuInit'"),
      "a.cu uses CUDA's driver interface, which nvcc links only when it is told to | add --nvcc -lcuda");
  EXPECT_EQ(advice("undefined reference to `omp_get_num_threads'\nundefined reference to `GOMP_parallel'"),
            "a.cu uses OpenMP, which nvcc links only when it is told to | add --nvcc -Xcompiler=-fopenmp");
}

TEST(LinkAdvice, AHeaderOfCudaThatIsNotThereIsAPackage) {
  EXPECT_EQ(
      advice(
          "a.cu:3:10: fatal error: cublas_v2.h: No such file or directory\n    3 | #include <cublas_v2.h>\n"),
      "a.cu includes cublas_v2.h, which is not beside nvcc | 'pip install --no-deps --target DIR "
      "nvidia-cublas', then "
      "add --nvcc -IDIR/nvidia/cu13/include");
  EXPECT_EQ(advice("a.cu:3:10: fatal error: helper_cuda.h: No such file or directory\n"), "");
}

TEST(LinkAdvice, AFunctionOfNoLibraryIsAnotherFiles) {
  for (const std::string name : {"global_sum(float*)", "cusum(int)", "curandom"})
    EXPECT_EQ(advice("undefined reference to `cublasCreate_v2'\nundefined reference to `" + name + "'"),
              "a.cu calls " + name +
                  ", which is in none of the files that were compiled | add the file that has it with "
                  "--nvcc OTHER.cu, or its library with --nvcc -lNAME");
}

TEST(LinkAdvice, DeviceCodeOfAnotherFileIsLinkedByRdc) {
  EXPECT_EQ(
      advice("ptxas fatal   : Unresolved extern function '_Z5twicei'\n"),
      "a.cu calls twice(int) on the device, which another file has | add --nvcc -rdc=true --nvcc OTHER.cu");
  EXPECT_EQ(
      advice("nvlink error   : Undefined reference to '_Z5twicei' in '/tmp/a.o'\n"),
      "a.cu calls twice(int) on the device, which is in none of the files that were compiled | add the file "
      "that has it with --nvcc OTHER.cu");
  EXPECT_EQ(
      advice("a.cu(2): error: kernel launch from __device__ or __global__ functions requires separate "
             "compilation mode\n"),
      "a.cu launches kernels from a kernel, which is not emulated; it compiles with -rdc=true | add --nvcc "
      "-rdc=true to run what else it does");
}

TEST(LinkAdvice, WhatElseStopsTheCompilerSaysItBestItself) {
  EXPECT_EQ(advice("a.cu(3): error: identifier \"x\" is undefined\n"), "");
  EXPECT_EQ(advice(""), "");
}

}  // namespace
}  // namespace warplens::program
