// The editor's text without a window: typing, undo, find, colours, and drafts that outlive a kill.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "app/edit/draft.hpp"
#include "app/edit/highlight.hpp"
#include "app/edit/text_editor.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {
namespace {

using ::testing::ElementsAre;

TextEditor editor_of(std::string_view text) {
  TextEditor editor;
  editor.open(text);
  return editor;
}

TEST(TextBuffer, KeepsTheTextByteByByte) {
  for (const char* text : {"", "\n", "a", "a\nb", "a\nb\n", "a\r\nb\r\n", "a\r\nb\n", "\t\xff\xc3\xa9\n\n"})
    EXPECT_EQ(TextBuffer(text).text(), text);
}

TEST(TextBuffer, CountsColumns) {
  EXPECT_EQ(column_of("\tx", 1), 4);
  EXPECT_EQ(column_of("a\tx", 2), 4);
  EXPECT_EQ(column_of("é=", 2), 1);
  EXPECT_EQ(byte_at_column("é=", 1), 2);
  EXPECT_EQ(byte_at_column("\tx", 1), 0);
  EXPECT_EQ(byte_at_column("\tx", 3), 1);
  EXPECT_EQ(byte_at_column("ab", 9), 2);
}

TEST(TextEditor, TypesAndUndoesByWords) {
  TextEditor editor = editor_of("");
  for (const char* c : {"i", "n", "t", " ", "x", ";"}) editor.type(c);
  EXPECT_EQ(editor.text(), "int x;");
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(editor.text(), "int ");
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(editor.text(), "");
  EXPECT_FALSE(editor.undo());
  EXPECT_TRUE(editor.redo());
  EXPECT_TRUE(editor.redo());
  EXPECT_FALSE(editor.redo());
  EXPECT_EQ(editor.text(), "int x;");
}

TEST(TextEditor, IndentsNewLines) {
  TextEditor editor = editor_of("  if (a) {}");
  editor.put_cursor({0, 10});
  editor.new_line();
  EXPECT_EQ(editor.text(), "  if (a) {\n    \n  }");
  EXPECT_EQ(editor.cursor(), (TextPlace{1, 4}));
  editor.type("b;");
  editor.new_line();
  editor.type("}");
  EXPECT_EQ(editor.text(), "  if (a) {\n    b;\n  }\n  }");
}

TEST(TextEditor, IndentsAndCommentsOutWhatIsSelected) {
  TextEditor editor = editor_of("  a\n  b\n\nc");
  editor.select({0, 1}, {1, 2});
  editor.indent();
  EXPECT_EQ(editor.text(), "    a\n    b\n\nc");
  editor.outdent();
  editor.outdent();
  EXPECT_EQ(editor.text(), "a\nb\n\nc");
  editor.select_all();
  editor.comment_out();
  EXPECT_EQ(editor.text(), "// a\n// b\n\n// c");
  editor.comment_out();
  EXPECT_EQ(editor.text(), "a\nb\n\nc");
}

TEST(TextEditor, MovesByWordsAndKeepsTheColumn) {
  TextEditor editor = editor_of("float sum = 0;\n\nx += threadIdx.x;");
  editor.move(TextMove::word_right);
  EXPECT_EQ(editor.cursor(), (TextPlace{0, 5}));
  editor.move(TextMove::word_right);
  EXPECT_EQ(editor.cursor(), (TextPlace{0, 9}));
  editor.move(TextMove::down);
  EXPECT_EQ(editor.cursor(), (TextPlace{1, 0}));
  editor.move(TextMove::down);
  EXPECT_EQ(editor.cursor(), (TextPlace{2, 9}));
  editor.move(TextMove::text_end, true);
  EXPECT_EQ(editor.selected_text(), "adIdx.x;");
  editor.select_word({2, 7});
  EXPECT_EQ(editor.cut(), "threadIdx");
  EXPECT_EQ(editor.cut(), "x += .x;");  // the line
}

TEST(TextEditor, FindsRoundTheEnd) {
  TextEditor editor = editor_of("Sum sum\nSUM");
  EXPECT_TRUE(editor.find("sum"));
  EXPECT_EQ(editor.selection().first, (TextPlace{0, 0}));
  EXPECT_TRUE(editor.find("sum"));
  EXPECT_TRUE(editor.find("sum"));
  EXPECT_EQ(editor.found("sum"), std::pair(3, 3));
  EXPECT_TRUE(editor.find("sum"));
  EXPECT_EQ(editor.found("sum"), std::pair(1, 3));
  EXPECT_TRUE(editor.find("sum", true));
  EXPECT_EQ(editor.found("sum"), std::pair(3, 3));
  EXPECT_EQ(editor.found("Sum").second, 1);
  EXPECT_FALSE(editor.find("none"));
}

TEST(TextEditor, ReplacesWhatItFinds) {
  TextEditor editor = editor_of("sum sum\nsums");
  EXPECT_TRUE(editor.replace_found("sum", "total"));  // only selects it
  EXPECT_EQ(editor.text(), "sum sum\nsums");
  EXPECT_TRUE(editor.replace_found("sum", "total"));
  EXPECT_EQ(editor.text(), "total sum\nsums");
  EXPECT_EQ(editor.selection().first, (TextPlace{0, 6}));
  EXPECT_EQ(editor.replace_all("sum", "sum sum"), 2);  // and not what it puts there
  EXPECT_EQ(editor.text(), "total sum sum\nsum sums");
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(editor.text(), "total sum\nsums");
  EXPECT_TRUE(editor.redo());
  EXPECT_EQ(editor.text(), "total sum sum\nsum sums");
  EXPECT_EQ(editor.replace_all("total ", ""), 1);
  EXPECT_EQ(editor.replace_all("none", "x"), 0);
  EXPECT_TRUE(editor.find("sums"));
  EXPECT_FALSE(editor.replace_found("sums", ""));  // it was the last one
  EXPECT_EQ(editor.text(), "sum sum\nsum ");
  EXPECT_EQ(editor.replace_all("", "x"), 0);
  while (editor.undo()) {
  }
  EXPECT_EQ(editor.text(), "sum sum\nsums");
}

TEST(TextEditor, ReplacesAsOneChangeAndStaysInPlace) {
  TextEditor editor = editor_of("a\nb\nc\nd");
  editor.put_cursor({3, 1});
  editor.replace("a\nB\nc\nd");
  EXPECT_EQ(editor.cursor(), (TextPlace{3, 1}));
  editor.replace("a\nB\nc\nd\ne");
  editor.replace("B");
  EXPECT_EQ(editor.text(), "B");
  EXPECT_TRUE(editor.undo() && editor.undo());
  EXPECT_EQ(editor.text(), "a\nB\nc\nd");
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(editor.text(), "a\nb\nc\nd");
}

// Whatever hands do, undo goes back to the text that was opened and redo to the one that was left.
TEST(TextEditor, UndoesAndRedoesAnything) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    const std::string begin = "extern \"C\" {\n  a(é);\n\n\tb\n}\n";
    TextEditor editor = editor_of(begin);
    for (int i = 0; i < 200; ++i) {
      editor.put_cursor({pick(8) - 1, pick(14)});
      if (pick(3) == 0) editor.put_cursor({pick(8), pick(14)}, true);
      switch (pick(11)) {
        case 0:
          editor.new_line();
          break;
        case 1:
          editor.backspace(pick(2) == 0);
          break;
        case 2:
          editor.erase(pick(2) == 0);
          break;
        case 3:
          editor.indent();
          break;
        case 4:
          editor.outdent();
          break;
        case 5:
          editor.comment_out();
          break;
        case 6:
          editor.cut();
          break;
        case 7:
          editor.paste("x\r\n  {\n}");
          break;
        case 8:
          editor.replace("x" + editor.text() + "\n}");
          break;
        default:
          editor.type(pick(2) == 0 ? "}" : "é");
      }
    }
    const std::string end = editor.text();
    while (editor.undo()) {
    }
    EXPECT_EQ(editor.text(), begin) << seed;
    while (editor.redo()) {
    }
    EXPECT_EQ(editor.text(), end) << seed;
  }
}

std::string kinds_of(std::string_view line, CodeState state = CodeState::code) {
  std::string kinds(line.size(), '.');
  for (const CodeSpan& span : highlight(line, state))
    for (std::size_t i = span.begin; i < span.end; ++i)
      kinds[i] = ".ktuc0\"#="[static_cast<std::size_t>(span.kind)];
  return kinds;
}

TEST(Highlight, KnowsTheParts) {
  EXPECT_EQ(kinds_of("for (int i = 0x1f; i < n) // x"), "kkk..ttt.....0000.........cccc");
  EXPECT_EQ(kinds_of("const float x = 1.5e-3f;"), "kkkkk.ttttt.....0000000.");
  EXPECT_EQ(kinds_of("x = threadIdx.x; /* a */ y"), "....uuuuuuuuu....ccccccc..");
  EXPECT_EQ(kinds_of("#include <cuda_fp16.h>"), "########.\"\"\"\"\"\"\"\"\"\"\"\"\"");
  EXPECT_EQ(kinds_of("s = \"a\\\"b\"; // '"), "....\"\"\"\"\"\"..cccc");
}

TEST(Highlight, GoesOnOverLines) {
  const std::vector<std::string> lines = {"/*---",    "title = \"x\" # y", "[params]", "---*/", "a /* b",
                                          "c */ int", "#define X \\",      "  1",      "d"};
  EXPECT_THAT(states_of(lines), ElementsAre(CodeState::code, CodeState::front_matter, CodeState::front_matter,
                                            CodeState::front_matter, CodeState::code, CodeState::comment,
                                            CodeState::code, CodeState::preprocessor, CodeState::code));
  EXPECT_EQ(kinds_of(lines[1], CodeState::front_matter), "=====...\"\"\".ccc");
  EXPECT_EQ(kinds_of(lines[5], CodeState::comment), "cccc.ttt");
}

// Lines that cannot change the state are not read for it; that must make no difference.
TEST(Highlight, StatesAreThoseOfReadingEveryLine) {
  const std::vector<std::string> pieces = {"/*---", "/*", "*/", "\"", "//", "\\", "#define", "int", " ", "'"};
  std::mt19937 random(3);
  std::vector<std::string> lines(3000);
  for (std::string& line : lines)
    for (auto left = random() % 5; left > 0; --left) line += pieces[random() % pieces.size()];
  const auto states = states_of(lines);
  CodeState state = CodeState::code;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ASSERT_EQ(states[i], state) << i << ": " << lines[i];
    highlight(lines[i], state);
  }
}

TEST(Draft, IsReadAsItWasWritten) {
  const Draft draft{"/tmp/a = b\n\\c.cu", "matmul/01_naive", fingerprint_of("x"), "\nfile = no\n\ntext"};
  const auto read = parse_draft(to_text(draft));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, draft);
  for (const char* text : {"", "warplens draft 1\n", "warplens draft 1\nfile\n\nx", "int main() {}"})
    EXPECT_FALSE(parse_draft(text));
}

TEST(Drafts, AreKeptAndForgotten) {
  const TestFolder folder;
  Drafts drafts(folder / "drafts");
  drafts.keep({"/a/x.cu", "", "", "one"});
  drafts.keep({"/b/x.cu", "", "", "two"});
  drafts.keep({"/a/x.cu", "", "", "three"});
  drafts.flush();
  EXPECT_EQ(drafts.all().size(), 2u);
  EXPECT_EQ(drafts.of("/a/x.cu")->text, "three");
  drafts.forget("/a/x.cu");
  drafts.flush();
  EXPECT_FALSE(drafts.of("/a/x.cu"));
  EXPECT_FALSE(drafts.take_error());
  EXPECT_TRUE(Drafts().all().empty());
}

// A child types until it is killed: what it typed up to a second before is there, and whole.
TEST(Drafts, OutliveAKill) {
  const TestFolder folder;
  const auto drafts_in = folder / "drafts";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Drafts drafts(drafts_in);
    TextEditor editor;
    for (int i = 0;; ++i) {
      editor.type("x");
      drafts.keep({"/kernels/mine.cu", "", "", editor.text()});
      if (write(ends[1], &i, sizeof i) != sizeof i) _exit(1);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  const auto start = std::chrono::steady_clock::now();
  int typed = 0, second_ago = 0;
  for (double seconds = 0; seconds < 2;) {
    ASSERT_EQ(read(ends[0], &typed, sizeof typed), static_cast<ssize_t>(sizeof typed));
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds < 1) second_ago = typed;
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ends[0]), close(ends[1]);
  const auto found = Drafts(drafts_in).all();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "/kernels/mine.cu");
  EXPECT_GT(found[0].text.size(), static_cast<std::size_t>(second_ago));
  EXPECT_EQ(found[0].text, std::string(found[0].text.size(), 'x'));
}

}  // namespace
}  // namespace warplens::app
