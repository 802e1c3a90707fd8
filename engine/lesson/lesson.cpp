#include "engine/lesson/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "engine/base/code_text.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/near.hpp"
#include "engine/lesson/blocks.hpp"
#include "engine/lesson/prose.hpp"

namespace warplens::lesson {
namespace {

constexpr std::string_view kFence = "```", kFront = "+++";
constexpr const char* kBegin =
    "begin it with title, summary and minutes between two lines '+++', and open a stop with '## Heading'";

// Bytes of one well-formed character at the head of a text; 0: there is none (RFC 3629).
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90)) return 0;
  return length;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t' && c != '\r') || byte == 0x7f;
}

class Reader {
 public:
  explicit Reader(const std::string& file) { parsed_.lesson.file = file; }

  Parsed read(std::string_view text) {
    if (text.size() > kMostBytes) return too_large(text.size());
    const std::string clean = cleaned(text);
    split(clean);
    if (auto why = why_no_lesson(clean)) {
      errors_ = {*std::move(why)};
      return finish();
    }
    if (!read_front()) return finish();
    while (at_ < lines_.size() && parsed_.lesson.stops.size() < kMostStops) read_stop();
    if (at_ < lines_.size())
      fail(number(), fmt::format("the lesson has more than {} stops", kMostStops),
           "divide it into several lessons");
    if (parsed_.lesson.stops.empty()) fail(0, "the lesson has no stops", "open one with a line '## Heading'");
    return finish();
  }

  Parsed too_large(std::uintmax_t bytes) {
    fail(0, fmt::format("the lesson has {} bytes, and {} are the most", grouped(bytes), grouped(kMostBytes)),
         "divide it into several lessons");
    return finish();
  }

 private:
  void fail(int line, std::string message, std::string next_step) {
    errors_.push_back({std::move(message), std::move(next_step), {parsed_.lesson.file, line, 0}});
  }
  void add(const std::vector<Error>& more) {
    for (Error error : more) {
      error.place.file = parsed_.lesson.file;
      errors_.push_back(std::move(error));
    }
  }

  // What is no text is told once a line, another encoding once, and replaced, so that the rest can be read.
  std::string cleaned(std::string_view text) {
    std::string clean;
    int line = 1, told = 0;
    bool is_encoding_told = false;
    const auto tell = [&](std::string message, const char* next_step) {
      if (std::exchange(told, line) != line) fail(line, std::move(message), next_step);
    };
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    while (!text.empty()) {
      const std::size_t bytes = character_bytes(text);
      if (bytes == 0 && !std::exchange(is_encoding_told, true))
        tell("this is no UTF-8", "save the file as UTF-8");
      if (bytes > 0 && is_control(text.front()))
        tell(fmt::format("there is a control character, number {}", static_cast<int>(text.front())),
             "remove it");
      clean += bytes == 0 || is_control(text.front()) ? "?" : text.substr(0, bytes);
      line += text.front() == '\n' ? 1 : 0;
      text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return clean;
  }

  // Of a file in which nothing is as in a lesson one thing is said, not what each of its lines lacks. clean:
  // its text, of which lines_ are.
  std::optional<Error> why_no_lesson(std::string_view clean) const {
    if (clean.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return Error{"the file is empty", kBegin, {parsed_.lesson.file, 1, 0}};
    const bool has_any = std::ranges::any_of(
        lines_, [](std::string_view line) { return trimmed(line) == kFront || line.starts_with("## "); });
    if (has_any) return std::nullopt;
    if (!errors_.empty())
      return Error{"this is no text",
                   "name the lesson's own file, or save it as UTF-8",
                   {parsed_.lesson.file, errors_.front().place.line, 0}};
    return Error{"the file has neither front matter nor stops", kBegin, {parsed_.lesson.file, 1, 0}};
  }

  void split(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      lines_.push_back(text.substr(0, end > 0 && text[end - 1] == '\r' ? end - 1 : end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  int number() const { return static_cast<int>(at_) + 1; }
  bool is_heading() const { return lines_[at_].starts_with("## "); }

  // The lines up to one that `ends` takes, which is passed over; at_ stands behind it. False: there is none.
  template <class Ends>
  bool take_until(std::string& text, Ends ends) {
    for (; at_ < lines_.size(); ++at_) {
      if (ends()) return ++at_, true;
      if (is_heading()) return false;
      text += std::string(lines_[at_]) + "\n";
    }
    return false;
  }

  // False where it takes in all that follows.
  bool read_front() {
    while (at_ < lines_.size() && trimmed(lines_[at_]).empty()) ++at_;
    if (at_ == lines_.size() || trimmed(lines_[at_]) != kFront) {
      fail(number(), "the lesson has no front matter",
           "begin it with title, summary and minutes between two lines '+++'");
      return true;
    }
    const int opened = number();
    ++at_;
    std::string toml;
    if (!take_until(toml, [&] { return trimmed(lines_[at_]) == kFront; })) {
      fail(opened, "the front matter has no end", "close it with a line '+++'");
      return at_ < lines_.size();
    }
    add(read_front_matter(toml, opened + 1, parsed_.lesson));
    return true;
  }

  void read_stop() {
    Stop stop;
    stop.line = number();
    const bool has_heading = is_heading();
    if (has_heading) {
      stop.heading = trimmed(lines_[at_++].substr(3));
      if (stop.heading.empty()) fail(stop.line, "this stop has no heading", "name it behind '##'");
    }
    while (at_ < lines_.size() && !is_heading()) {
      if (trimmed(lines_[at_]).starts_with(kFence))
        read_block(stop);
      else
        read_prose(stop);
    }
    if (!has_heading) {
      if (!stop.parts.empty())
        fail(stop.line, "there is text before the first stop", "open a stop above it with '## Heading'");
      return;
    }
    if (stop.find<Prose>() == nullptr)
      fail(stop.line, fmt::format("the stop '{}' has no text", stop.heading),
           "say in a paragraph what is to be seen");
    parsed_.lesson.stops.push_back(std::move(stop));
  }

  void read_prose(Stop& stop) {
    const std::size_t first = at_;
    while (at_ < lines_.size() && !is_heading() && !trimmed(lines_[at_]).starts_with(kFence)) ++at_;
    std::vector<ProseMistake> mistakes;
    Prose prose{parse_prose(std::span(lines_).subspan(first, at_ - first), mistakes), 0};
    for (ProseMistake& mistake : mistakes)
      fail(static_cast<int>(first) + mistake.line + 1, std::move(mistake.message),
           std::move(mistake.next_step));
    if (prose.blocks.empty()) return;
    std::size_t begin = first;
    while (trimmed(lines_[begin]).empty()) ++begin;
    prose.line = static_cast<int>(begin) + 1;
    stop.parts.emplace_back(std::move(prose));
  }

  void read_block(Stop& stop) {
    const int opened = number();
    const std::string name(trimmed(trimmed(lines_[at_++]).substr(kFence.size())));
    std::string text;
    if (!take_until(text, [&] { return trimmed(lines_[at_]) == kFence; }))
      return fail(opened, fmt::format("the block '{}' has no end", name),
                  "close it with a line of three backquotes");
    auto read = read_fenced(name, text, opened + 1);
    add(read.errors);
    if (!read.part) return;
    const bool twice = std::any_of(stop.parts.begin(), stop.parts.end(),
                                   [&](const Part& part) { return part.index() == read.part->index(); });
    if (twice && !std::holds_alternative<Claims>(*read.part))
      return fail(opened, fmt::format("this stop has a second block '{}'", name),
                  "open another stop for it, or join the two");
    stop.parts.push_back(*std::move(read.part));
  }

  Parsed finish() {
    std::stable_sort(errors_.begin(), errors_.end(),
                     [](const Error& a, const Error& b) { return a.place.line < b.place.line; });
    if (errors_.size() > kMostErrors) errors_.resize(kMostErrors);
    parsed_.errors = std::move(errors_);
    return std::move(parsed_);
  }

  Parsed parsed_;
  std::vector<Error> errors_;
  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
};

}  // namespace

Parsed parse(std::string_view text, const std::string& file) { return Reader(file).read(text); }

Parsed read(const std::filesystem::path& path) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  if (!failed && size > kMostBytes) return Reader(path.string()).too_large(size);  // and is not even read
  const auto text = read_whole_file(path);
  if (text) return parse(*text, path.string());
  Parsed parsed;
  parsed.lesson.file = path.string();
  parsed.errors.push_back(text.error());
  return parsed;
}

std::vector<std::filesystem::path> lesson_files(const std::filesystem::path& folder) {
  std::error_code failed;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.path().extension() == ".md" && entry.path().filename() != "README.md")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace warplens::lesson
