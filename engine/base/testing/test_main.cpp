// The main() of every test program: GoogleTest's, and a failure where a test skips itself that may not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "engine/base/testing/places.hpp"
#include "engine/base/testing/skips.hpp"

namespace {

class Skips : public testing::EmptyTestEventListener {
 public:
  int refused() const { return refused_; }

 private:
  void OnTestStart(const testing::TestInfo&) override { reason_.clear(); }
  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (part.skipped()) reason_ = part.message();
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    const std::string name = std::string(test.test_suite_name()) + "." + test.name();
    if (!test.result()->Skipped() || warplens::may_skip(list_, name, reason_)) return;
    ++refused_;
    std::printf("%s may not skip itself (%s): not in engine/base/testing/allowed_skips.txt\n", name.c_str(),
                reason_.c_str());
  }

  std::ifstream file_{warplens::source_path("engine/base/testing/allowed_skips.txt")};
  const std::string list_{std::istreambuf_iterator<char>(file_), {}};
  std::string reason_;
  int refused_ = 0;
};

}  // namespace

int main(int count, char** words) {
  testing::InitGoogleMock(&count, words);
  auto* skips = new Skips;  // GoogleTest deletes it when the program ends
  testing::UnitTest::GetInstance()->listeners().Append(skips);
  const int failed = RUN_ALL_TESTS();
  return failed != 0 || skips->refused() != 0 ? 1 : 0;
}
