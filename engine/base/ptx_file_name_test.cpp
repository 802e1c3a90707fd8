#include "engine/base/ptx_file_name.hpp"

#include <gtest/gtest.h>

namespace warplens {
namespace {

TEST(PtxFileName, QuotesAndWhatStandsForThemComeBack) {
  EXPECT_EQ(ptx_file_name("a b/q\"uote.cu"), "a b/q%22uote.cu");
  EXPECT_EQ(ptx_file_name("100%.cu"), "100%25.cu");
  for (const std::string file :
       {"q\"uote.cu", "back\\slash.cu", "100%22.cu", "line\nbreak.cu", "größe.cu", "%", "%2"})
    EXPECT_EQ(file_of_ptx_name(ptx_file_name(file)), file);
  EXPECT_EQ(file_of_ptx_name("kernel%zz.cu"), "kernel%zz.cu");
}

}  // namespace
}  // namespace warplens
