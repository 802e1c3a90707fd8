// A lesson: a Markdown file with a TOML front matter, as data (docs/lessons.md). Each "## Heading" opens a
// stop, which has text and fenced blocks: what the window shows, a question, claims, an exercise. Here
// nothing is run and no kernel is known: states stay TOML (app/lesson/stops.hpp resolves them), expressions
// are read and wait for what they are about (evaluator.hpp).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/lesson/expression.hpp"

namespace warplens::lesson {

// ---- text, ready to be drawn

enum class Style { plain, bold, italic, code };
struct Span {
  std::string text;  // UTF-8, no line breaks
  Style style = Style::plain;
  bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;
struct Paragraph {
  Spans spans;
};
struct List {
  std::vector<Spans> items;
};
struct Table {
  std::vector<std::vector<Spans>> rows;  // the first is the heading; all of the same length
};
using Block = std::variant<Paragraph, List, Table>;

// **bold**, *italic*, `code` of one line of text; also of questions, reasons, tasks and hints.
Spans parse_spans(std::string_view text);
// The words alone.
std::string plain_text(const Spans& spans);

// ---- what a stop is made of; `line` counts from 1 in the lesson's file

struct Prose {
  std::vector<Block> blocks;
  int line = 0;
};
struct StateBlock {
  std::string toml;
  int line = 0;  // of the first line of the TOML
};
// An answer that can be chosen.
struct Choice {
  std::string text;              // "10 times"
  std::optional<double> number;  // that it counts as: 10; empty if it says none
  std::string wrong;             // the reason why it is not right, where the file gives one
};
struct Ask {
  std::string question;
  std::vector<Choice> choices;  // empty: a number is typed
  // How far a typed number may be from the answer, in its unit; nothing: 5 % of it.
  std::optional<double> tolerance;
  Expression answer;  // or the text of a choice
  int line = 0, answer_line = 0;
};
struct Claim {
  Expression expression;
  int line = 0;
};
struct Claims {
  std::vector<Claim> claims;
  int line = 0;
};
struct Try {
  std::string task, hint;  // hint: may be empty
  Expression goal, best;   // best: likewise
  int line = 0, goal_line = 0, best_line = 0;
};
// An exercise in which code is written: an assignment (engine/exercise) in the folder "exercises" beside the lesson.
struct Write {
  std::string exercise;  // its name: "tail_guard"
  int line = 0;
};
// What only the teacher's hand-out has.
struct Teach {
  std::string board, trap;  // what to draw on the board; what usually goes wrong. One of them may be empty
  int line = 0;
};
// What stands below the picture on stage, in place of the first sentences of the text: the point of the stop.
struct OnStage {
  std::string text;
  int line = 0;
};
using Part = std::variant<Prose, StateBlock, Ask, Claims, Try, Write, Teach, OnStage>;

struct Stop {
  std::string heading;
  int line = 0;
  std::vector<Part> parts;  // in the order of the file

  // The first one of its kind; null where there is none. A stop has at most one of each but prose and claims.
  template <class Kind>
  const Kind* find() const {
    for (const Part& part : parts)
      if (const Kind* found = std::get_if<Kind>(&part)) return found;
    return nullptr;
  }
};

struct Lesson {
  std::string file;  // as it was opened
  std::string title, summary, source;
  int minutes = 0;
  std::vector<std::string> exhibits;  // rows of the table of lectures: "N1"
  std::vector<Stop> stops;

  std::filesystem::path folder() const { return std::filesystem::path(file).parent_path(); }
  std::filesystem::path assignment(const Write& write) const {
    return folder() / "exercises" / (write.exercise + ".toml");
  }
  std::string name() const { return std::filesystem::path(file).stem().string(); }  // "01_matmul"
};

// A lesson with mistakes keeps all that could be read, so that a player can show it beside them.
struct Parsed {
  Lesson lesson;
  std::vector<Error> errors;  // in the order of the file, at most kMostErrors; each with file and line
  bool is_fine() const { return errors.empty(); }
};

inline constexpr std::size_t kMostErrors = 20;
inline constexpr std::size_t kMostBytes = 1 << 20;  // of a file
inline constexpr std::size_t kMostStops = 200;

Parsed parse(std::string_view text, const std::string& file);
// Errors too: no such file, one that is too large.
Parsed read(const std::filesystem::path& path);

// The *.md files of a folder by their names; an empty list where there is no such folder.
std::vector<std::filesystem::path> lesson_files(const std::filesystem::path& folder);

}  // namespace warplens::lesson
