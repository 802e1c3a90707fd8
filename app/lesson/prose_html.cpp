#include "app/lesson/prose_html.hpp"

#include <fmt/format.h>

#include <cctype>
#include <variant>

namespace warplens::app {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string anchor_of(const explain::Term& term) {
  std::string anchor = "word-";
  for (const char c : term.word)
    anchor += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return anchor;
}

namespace {

// Words of the glossary lead to their sentence at the end, which is also shown where the pointer rests.
std::string with_links(std::string_view text) {
  std::string linked;
  std::size_t done = 0;
  for (const explain::TermPlace& place : explain::terms_in(text)) {
    linked += escaped(text.substr(done, place.at - done));
    linked += fmt::format("<a class=\"word\" href=\"#{}\" title=\"{}\">{}</a>", anchor_of(*place.term),
                          escaped(place.term->meaning), escaped(text.substr(place.at, place.length)));
    done = place.at + place.length;
  }
  return linked + escaped(text.substr(done));
}

}  // namespace

std::string html(const lesson::Spans& spans, bool links) {
  std::string text;
  for (const lesson::Span& span : spans) {
    const char* tag = span.style == lesson::Style::bold     ? "strong"
                      : span.style == lesson::Style::italic ? "em"
                      : span.style == lesson::Style::code   ? "code"
                                                            : nullptr;
    if (tag == nullptr && links)
      text += with_links(span.text);
    else
      text += tag == nullptr ? escaped(span.text) : fmt::format("<{0}>{1}</{0}>", tag, escaped(span.text));
  }
  return text;
}

std::string html(const lesson::Block& block) {
  if (const auto* paragraph = std::get_if<lesson::Paragraph>(&block))
    return fmt::format("<p>{}</p>\n", html(paragraph->spans, true));
  std::string text;
  if (const auto* list = std::get_if<lesson::List>(&block)) {
    for (const auto& item : list->items) text += fmt::format("<li>{}</li>\n", html(item));
    return fmt::format("<ul>\n{}</ul>\n", text);
  }
  const auto& rows = std::get<lesson::Table>(block).rows;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::string cells;
    for (const auto& cell : rows[row])
      cells += fmt::format("<{0}>{1}</{0}>", row == 0 ? "th" : "td", html(cell));
    text += fmt::format("<tr>{}</tr>\n", cells);
  }
  return fmt::format("<table>\n{}</table>\n", text);
}

}  // namespace warplens::app
