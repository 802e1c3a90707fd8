// Where lines of text end.
#include "app/window/kit/widgets.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <limits>

namespace warplens::app {
namespace {

class LineEnds : public ::testing::Test {
 protected:
  LineEnds() : before_(ImGui::GetCurrentContext()), context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    unsigned char* pixels = nullptr;
    int unused = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &unused, &unused);
  }
  ~LineEnds() override {
    ImGui::DestroyContext(context_);
    ImGui::SetCurrentContext(before_);
  }

  // The first line of a text where there is room for no more than `widest`.
  static std::string first_line(const std::string& text, const std::string& widest) {
    const ImFont* font = ImGui::GetIO().Fonts->Fonts[0];
    const float width = font->CalcTextSizeA(font->FontSize, 1e6f, 0, widest.c_str()).x;
    const char* const begin = text.data();
    return {begin, line_end(font, begin, begin + text.size(), width + 1)};
  }

 private:
  ImGuiContext *before_, *context_;
};

TEST_F(LineEnds, APathThatIsLongerThanALineIsBrokenBehindAFolder) {
  const std::string path = "kernels/matmul/03_shared.tile.cu:12 reads";
  EXPECT_EQ(first_line(path, "kernels/matmul/03_shared.ti"), "kernels/matmul/");
  EXPECT_EQ(first_line(path, "kernels/matmul/03"), "kernels/matmul/");
  EXPECT_EQ(first_line(path, "kernels/matm"), "kernels/");
}

TEST_F(LineEnds, APathBehindOtherWordsStaysInOnePiece) {
  EXPECT_EQ(first_line("see kernels/matmul/03.cu", "see kernels/matm"), "see");
  EXPECT_EQ(first_line("of 1,024.5 bytes", "of 1,024."), "of ");
}

TEST_F(LineEnds, AWordWithoutFoldersIsBrokenWhereTheLineEnds) {
  EXPECT_EQ(first_line("abcdefghijkl", "abcdef"), "abcdef");
}

TEST(TypedNumber, MayHaveCommas) {
  EXPECT_EQ(typed_number("1048576"), 1048576);
  EXPECT_EQ(typed_number("1,048,576"), 1048576);
  EXPECT_EQ(typed_number(" 4 096 "), 4096);
  EXPECT_EQ(typed_number("-5"), -5);
  EXPECT_EQ(typed_number("99999999999"), std::numeric_limits<int>::max());
  for (const char* text : {"", ",", "12a", "1.5", "-"}) EXPECT_EQ(typed_number(text), std::nullopt) << text;
}

}  // namespace
}  // namespace warplens::app
