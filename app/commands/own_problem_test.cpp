// What the command line says of kernel files with problems of their own, and of plain .cu files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/testing/child_process.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OwnProblemCommand : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(write_whole_file(folder_ / name, text));
    return (folder_ / name).string();
  }
  static ChildResult warplens(std::vector<std::string> words) {
    words.insert(words.begin(), program_path("warplens"));
    return run_child(words, {{"WARPLENS_HOME", ""}, {"XDG_CACHE_HOME", ""}});
  }

  const fs::path folder_ = fs::temp_directory_path() / "warplens_own_problem_command_test";
  const std::string kernel_ =
      "__global__ void k(const float* in, float* out, int n) {\n  int i = blockIdx.x * 128 + threadIdx.x;\n"
      "  if (i < n) out[i] = in[i];\n}\n";
};

TEST_F(OwnProblemCommand, SaysNotCheckedInsteadOfVerified) {
  const std::string path = write("x.cu",
                                 "/*---\ntitle = \"x\"\n[problem]\nsizes = { N = 1000 }\nbuffers = [{ name = "
                                 "\"in\", count = \"N\" }, { name = \"out\", "
                                 "count = \"N\" }]\nnone = \"a sketch\"\n[launch]\nblock = [128]\ngrid = "
                                 "[\"ceil_div(N, 128)\"]\n---*/\n" +
                                     kernel_);
  const ChildResult text = warplens({"run", path});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("not checked: a sketch"));
  EXPECT_THAT(text.out, testing::Not(HasSubstr("verified")));
  const Json json = Json::parse(warplens({"run", path, "--json"}).out);
  EXPECT_TRUE(json.at("verified").is_null());
  EXPECT_EQ(json.at("not_checked"), "a sketch");
}

TEST_F(OwnProblemCommand, NewFilesRunAsTheyAre) {
  const std::string path = (folder_ / "mine").string();
  const ChildResult made = warplens({"new", path, "--like", "dot"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.out, "wrote " + path + ".cu; run it with: warplens run " + path + ".cu\n");
  const ChildResult ran = warplens({"run", path + ".cu"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("verified"));
  EXPECT_EQ(warplens({"new", path}).err,
            "warplens: " + path + ".cu is there already; choose another name, or remove it first\n");
  EXPECT_THAT(warplens({"new", path + "2", "--like", "sofmax"}).err,
              HasSubstr("there is no kind of problem sofmax; did you mean softmax? "));
}

TEST_F(OwnProblemCommand, PlainFilesRunWithAGuess) {
  const std::string path = write("copy.cu", "// mine\n" + std::string(kernel_).replace(16, 1, "copy"));
  const ChildResult ran = warplens({"run", path});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("verified"));
  EXPECT_THAT(ran.err, HasSubstr("has no front matter; this one was guessed"));
  EXPECT_THAT(ran.err, HasSubstr("problem = \"copy\""));
}

// What a guess may have caused is no error of the kernel, and the guess is named.
TEST_F(OwnProblemCommand, GuessesTakeTheBlame) {
  const std::string path = write("scan_add.cu",
                                 "__global__ void vector_add(float* a, float* b, float* c, int n) {\n"
                                 "  int i = blockIdx.x * 256 + threadIdx.x;\n"
                                 "  if (i < n) c[i] = a[i + n] + b[i];\n}\n");
  const ChildResult ran = warplens({"run", path});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("not checked: line 3: thread 0 of block 0 reads a["));
  EXPECT_THAT(
      ran.out,
      HasSubstr("that may be the guess and not the kernel: put the front matter at the top of the file and "
                "correct problem = \"vector_add\", block = [256], grid = [\"ceil_div(N, 256)\"]"));
  EXPECT_THAT(ran.out, HasSubstr("warning: out-of-"));
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("\nerror: ")));
  const Json json = Json::parse(warplens({"run", path, "--json"}).out);
  EXPECT_TRUE(json.at("verified").is_null());
}

// A launch as the file makes it shows what is wrong within a block.
TEST_F(OwnProblemCommand, WhatNoGuessCausesStaysAnError) {
  const std::string path = write("sums.cu",
                                 "__global__ void sums(const float* in, float* out) {\n"
                                 "  __shared__ float s[64];\n"
                                 "  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];\n"
                                 "  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];\n}\n"
                                 "int main() { sums<<<4, 64>>>(a, b); }\n");
  const ChildResult ran = warplens({"run", path});
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("error: uninitialized-shared, line 4"));
}

}  // namespace
}  // namespace warplens::app
