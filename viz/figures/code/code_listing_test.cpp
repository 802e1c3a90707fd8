// The rows of a listing: which of them is looked at, and which columns and bars it has.
#include "viz/figures/code/code_listing.hpp"

#include <gtest/gtest.h>

#include "viz/figures/code/machine_lines.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/testing/scene_words.hpp"
#include "viz/scene/testing/fixed_measure.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::figures {
namespace {

Listing listing(std::vector<ListedLine> lines) {
  return Listing(std::move(lines), {{"sectors", 84, Token::costly}}, 600, 13, scene::FixedMeasure{});
}

// Rectangles of a colour among what is drawn.
int filled_with(const Group& group, Token color) {
  int count = 0;
  for (const scene::Item& item : group.items) {
    if (const auto* inner = std::get_if<Group>(&item.shape)) count += filled_with(*inner, color);
    const auto* rect = std::get_if<scene::RectShape>(&item.shape);
    if (rect != nullptr && rect->style.fill && rect->style.fill->token == color) ++count;
  }
  return count;
}

TEST(Listing, GoesToWhatIsMarkedElseToWhatBelongsToIt) {
  std::vector<ListedLine> lines(5);
  EXPECT_EQ(listing(lines).marked_row(), 5u);
  lines[2].linked = lines[3].linked = true;
  EXPECT_EQ(listing(lines).marked_row(), 2u);
  lines[3].marked = true;
  EXPECT_EQ(listing(lines).marked_row(), 3u);
  lines[4].wrong = true;
  EXPECT_EQ(listing(lines).marked_row(), 4u);
}

// Where the mark of a row ends, and where its number begins.
std::pair<double, double> mark_and_digits(const Group& group, std::string_view number,
                                          const scene::TextMeasure& measure) {
  std::pair<double, double> found{0, 0};
  for (const scene::Item& item : group.items) {
    const auto* rect = std::get_if<scene::RectShape>(&item.shape);
    if (rect != nullptr && rect->rect.width < 10) found.first = rect->rect.right();
    const auto* text = std::get_if<scene::TextShape>(&item.shape);
    if (text != nullptr && text->text == number) found.second = scene::place(*text, measure).baseline.x;
    if (const auto* inner = std::get_if<Group>(&item.shape)) {
      const auto within = mark_and_digits(*inner, number, measure);
      found = {std::max(found.first, within.first), std::max(found.second, within.second)};
    }
  }
  return found;
}

// At the size of a stage an address is wider than the window's column of numbers.
TEST(Listing, TheMarkOfARowCoversNoDigit) {
  std::vector<ListedLine> lines(1);
  lines[0].number = 1, lines[0].label = "0110", lines[0].text = "FFMA", lines[0].marked = true;
  const scene::FixedMeasure measure;
  for (const double type : {13.0, 26.0}) {
    const Listing shown({lines}, {}, 600, type, measure, type);
    Group group;
    shown.draw(group, {0, 0}, 0, 1, measure);
    const auto [mark, digits] = mark_and_digits(group, "0110", measure);
    EXPECT_GT(mark, 0) << type;
    EXPECT_GT(digits, mark) << type;
  }
}

// The path of the kernel's file stands behind the code, for debuggers.
TEST(Listing, OfPtxEndsWithTheCode) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("matmul/01_naive", "64");
  ASSERT_NE(run->job->build.ptx.find("\t.file\t"), std::string::npos);
  ASSERT_EQ(run->ptx_lines.size(), run->row_of_ptx_line.size());
  ASSERT_TRUE(std::ranges::find(run->ptx_lines, "}") != run->ptx_lines.end());
  for (const auto& line : run->ptx_lines) EXPECT_EQ(line.find(".file"), std::string::npos) << line;
}

TEST(Listing, WarnsOnlyOfWhatIsWasted) {
  std::vector<ListedLine> lines(2);
  lines[0].cells = {"512"}, lines[0].shares = {0.5}, lines[0].wastes = {false};
  lines[1].cells = {"4,096"}, lines[1].shares = {0.5}, lines[1].wastes = {true};
  Group group;
  listing(lines).draw(group, {0, 0}, 0, 2, scene::FixedMeasure{});
  EXPECT_EQ(filled_with(group, Token::costly), 1);
}

TEST(Listing, LeavesOutColumnsWithoutACell) {
  std::vector<ListedLine> lines(2);
  lines[0].cells = {"4", "", "w0"}, lines[0].shares = {0, 0, 1};
  lines[1].cells = {"1", "", ""}, lines[1].shares = {0, 0, 0};
  std::vector<ListedColumn> columns = {{"stall", 42}, {"sets", 50}, {"waits for", 62}};
  leave_out_empty(lines, columns);
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[1].title, "waits for");
  EXPECT_EQ(lines[0].cells, (std::vector<std::string>{"4", "w0"}));
  EXPECT_EQ(lines[0].shares, (std::vector<double>{0, 1}));
}

// The jump at the end of a loop holds its warp longest of all, but the chain of multiply-adds is the line's
// work.
TEST(MachineLines, OfALineTheKindThatHoldsItsWarpsLongestIsMarked) {
  sass::Listing listing;
  const auto add = [&](const char* text, int line, int stall, double executed) {
    sass::Row row;
    row.text = text, row.line = line, row.stall = stall, row.executed = executed;
    listing.rows.push_back(row);
  };
  add("LDG.E R2, [R2.64]", 8, 9, 100);
  add("FFMA R3, R2, R4, R5", 9, 1, 100);
  add("@P0 FFMA.SAT R3, R3, R4, R5", 9, 4, 100);
  add("FFMA R3, R3, R4, R5", 9, 4, 100);
  add("@P0 BRA 0x10", 9, 6, 100);
  EXPECT_EQ(longest_row(listing, 9), 2u);
  EXPECT_EQ(longest_row(listing, 8), 0u);
  EXPECT_EQ(longest_row(listing, 7), std::nullopt);
  EXPECT_EQ(longest_row(listing, 0), std::nullopt);
}

}  // namespace
}  // namespace warplens::figures
