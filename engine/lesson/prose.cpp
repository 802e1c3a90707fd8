#include "engine/lesson/prose.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "engine/base/code_text.hpp"

namespace warplens::lesson {
namespace {

constexpr std::size_t kLongestEmphasis = 500;  // bytes; a '*' that is not closed is looked for no farther

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_space(char c) { return c == ' ' || c == '\t'; }

void add(Spans& spans, std::string_view text, Style style) {
  if (text.empty()) return;
  if (!spans.empty() && spans.back().style == style)
    spans.back().text += text;
  else
    spans.push_back({std::string(text), style});
}

// Where emphasis that begins with `mark` just before `from` ends. 2 * 3 and a*b have none.
std::size_t end_of_emphasis(std::string_view text, std::size_t from, std::string_view mark) {
  if (from >= text.size() || is_space(text[from])) return std::string_view::npos;
  text = text.substr(0, from + kLongestEmphasis);
  bool in_code = false;
  for (std::size_t at = from + 1; at < text.size(); ++at) {
    if (text[at] == '`') in_code = !in_code;
    if (in_code || text[at] != '*' || is_space(text[at - 1]) || text[at - 1] == '\\') continue;
    if (!text.substr(at).starts_with(mark)) continue;
    const std::size_t behind = at + mark.size();
    if (mark == "*" && behind < text.size() && text[behind] == '*') {
      ++at;
      continue;
    }
    if (behind >= text.size() || !is_word(text[behind])) return at;
  }
  return std::string_view::npos;
}

void parse_into(Spans& spans, std::string_view text, Style style) {
  std::size_t plain = 0;  // from here on nothing was added yet
  const auto flush = [&](std::size_t end) { add(spans, text.substr(plain, end - plain), style); };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && at + 1 < text.size() && std::ispunct(static_cast<unsigned char>(text[at + 1])) != 0) {
      flush(at);
      plain = ++at;
    } else if (c == '`') {
      const std::size_t end = text.find('`', at + 1);
      if (end == std::string_view::npos) continue;
      flush(at);
      add(spans, text.substr(at + 1, end - at - 1), Style::code);
      at = end, plain = end + 1;
    } else if (c == '*' && (at == 0 || !is_word(text[at - 1]))) {
      const std::string_view mark = text.substr(at).starts_with("**") ? "**" : "*";
      const std::size_t end = end_of_emphasis(text, at + mark.size(), mark);
      if (end == std::string_view::npos) {
        at += mark.size() - 1;
        continue;
      }
      flush(at);
      parse_into(spans, text.substr(at + mark.size(), end - at - mark.size()),
                 mark == "*" ? Style::italic : Style::bold);
      at = end + mark.size() - 1, plain = at + 1;
    }
  }
  flush(text.size());
}

// Between the bars of a row, which may be escaped or within `code`.
std::vector<Spans> cells_of(std::string_view row) {
  std::vector<Spans> cells;
  row = trimmed(row).substr(1);
  if (row.ends_with('|') && !row.ends_with("\\|")) row.remove_suffix(1);
  std::size_t begin = 0;
  bool in_code = false;
  for (std::size_t at = 0; at <= row.size(); ++at) {
    if (at < row.size() && row[at] == '`') in_code = !in_code;
    const bool bar = at < row.size() && row[at] == '|' && !in_code && (at == 0 || row[at - 1] != '\\');
    if (at < row.size() && !bar) continue;
    cells.push_back(parse_spans(trimmed(row.substr(begin, at - begin))));
    begin = at + 1;
  }
  return cells;
}

bool is_rule(std::string_view row) {
  return row.find('-') != std::string_view::npos && row.find_first_not_of("|-: \t") == std::string_view::npos;
}

struct Refused {
  std::string_view beginning, what, instead;
};
constexpr std::array kRefused = {
    Refused{"#", "a heading that opens no stop", "begin it with '## ', or write a paragraph"},
    Refused{"* ", "a list with '*'", "begin its lines with '- '"},
    Refused{"+ ", "a list with '+'", "begin its lines with '- '"},
    Refused{"> ", "a quotation", "write a paragraph"},
    Refused{"---", "a rule", "remove it"},
    Refused{"![", "an image", "show a state instead"},
    Refused{"<!--", "a comment", "remove it"},
};

class ProseReader {
 public:
  ProseReader(std::span<const std::string_view> lines, std::vector<ProseMistake>& mistakes)
      : lines_(lines), mistakes_(mistakes) {}

  std::vector<Block> blocks() {
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      const std::string_view line = trimmed(lines_[at_]);
      if (line.empty()) {
        kind_ = nullptr;
        continue;
      }
      refuse(line);
      if (line.starts_with('|'))
        add_row(line);
      else if (line.starts_with("- "))
        add_item(line.substr(2));
      else
        add_words(line);
    }
    for (Block& block : blocks_) complete(block);
    return std::move(blocks_);
  }

 private:
  void refuse(std::string_view line) {
    for (const Refused& refused : kRefused)
      if (line.starts_with(refused.beginning))
        return mistakes_.push_back(
            {static_cast<int>(at_),
             "a lesson's text has no " + std::string(refused.what).substr(refused.what.find(' ') + 1),
             std::string(refused.instead)});
    if (line.starts_with("1. ") && at_ + 1 < lines_.size() && trimmed(lines_[at_ + 1]).starts_with("2. "))
      mistakes_.push_back(
          {static_cast<int>(at_), "a lesson's text has no numbered list", "begin its lines with '- '"});
    if (line.find("](") != std::string_view::npos)
      mistakes_.push_back({static_cast<int>(at_), "a lesson's text has no links",
                           "write the words, or the address, as text"});
  }

  template <class Kind>
  Kind& open() {
    static const int which = 0;
    if (kind_ != &which) blocks_.push_back(Kind{}), texts_.emplace_back();
    kind_ = &which;
    return std::get<Kind>(blocks_.back());
  }

  void add_row(std::string_view line) {
    Table& table = open<Table>();
    if (is_rule(line) && table.rows.size() == 1) return;
    auto cells = cells_of(line);
    if (!table.rows.empty() && cells.size() != table.rows[0].size()) {
      mistakes_.push_back({static_cast<int>(at_),
                           "this row has " + std::to_string(cells.size()) + " cells, the heading " +
                               std::to_string(table.rows[0].size()),
                           "give all rows as many; a bar within a cell is written \\|"});
      cells.resize(table.rows[0].size());
    }
    table.rows.push_back(std::move(cells));
  }
  void add_item(std::string_view text) {
    open<List>();
    texts_.back().emplace_back(text);
  }
  // The next line of what is open: a paragraph, or an item of a list.
  void add_words(std::string_view text) {
    if (kind_ == nullptr || std::holds_alternative<Table>(blocks_.back())) open<Paragraph>();
    auto& texts = texts_.back();
    if (texts.empty())
      texts.emplace_back(text);
    else
      texts.back() += " " + std::string(text);
  }
  void complete(Block& block) {
    const auto& texts = texts_[static_cast<std::size_t>(&block - blocks_.data())];
    if (auto* paragraph = std::get_if<Paragraph>(&block); paragraph != nullptr && !texts.empty())
      paragraph->spans = parse_spans(texts[0]);
    if (auto* list = std::get_if<List>(&block))
      for (const std::string& text : texts) list->items.push_back(parse_spans(text));
  }

  std::span<const std::string_view> lines_;
  std::vector<ProseMistake>& mistakes_;
  std::size_t at_ = 0;
  const int* kind_ = nullptr;  // of the block that the next line may go on with
  std::vector<Block> blocks_;
  std::vector<std::vector<std::string>> texts_;  // of each block: a paragraph's, or each item's
};

}  // namespace

Spans parse_spans(std::string_view text) {
  Spans spans;
  parse_into(spans, text, Style::plain);
  return spans;
}

std::vector<Block> parse_prose(std::span<const std::string_view> lines, std::vector<ProseMistake>& mistakes) {
  return ProseReader(lines, mistakes).blocks();
}

std::string plain_text(const Spans& spans) {
  std::string text;
  for (const Span& span : spans) text += span.text;
  return text;
}

}  // namespace warplens::lesson
