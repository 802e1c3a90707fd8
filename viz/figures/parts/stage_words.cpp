#include "viz/figures/parts/stage_words.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "engine/base/text.hpp"

namespace warplens::figures {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
// No-break spaces and Greek letters are more than a byte: they belong to no word.
bool is_of_word(char c) {
  return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

bool is_word(std::string_view token) {
  constexpr std::string_view units[] = {"kB", "MB", "GB", "TB", "ns", "us", "ms", "x"};
  if (std::ranges::find(units, token) != std::end(units)) return false;
  return token.size() > 1 && is_letter(token.front()) && std::ranges::count_if(token, is_of_word) > 1;
}

int words_in(const scene::Group& group) {
  int count = 0;
  for (const scene::Item& item : group.items) {
    if (const auto* inside = std::get_if<scene::Group>(&item.shape)) count += words_in(*inside);
    if (const auto* text = std::get_if<scene::TextShape>(&item.shape)) count += word_count(text->text);
  }
  return count;
}

constexpr int kOfTheStop = 1;  // the "of" of "4 of 10"

std::string joined(const std::string& first, std::string_view mark, const std::string& rest) {
  return first.empty() || rest.empty() ? first + rest : first + std::string(mark) + rest;
}

// The longest first. What follows the colon of a title explains it: "K2: a strip of c in shared memory".
std::vector<std::string> places_of(const AroundPicture& around, bool says_title) {
  const std::string title = says_title ? around.title : "";
  const std::string brief = title.substr(0, title.find(": "));
  std::vector<std::string> places{joined(joined(around.ladder, ": ", title), "; ", around.unit)};
  if (brief != title) places.push_back(joined(joined(around.ladder, ": ", brief), "; ", around.unit));
  if (!title.empty()) places.push_back(joined(title, "; ", around.unit));
  if (brief != title) places.push_back(joined(brief, "; ", around.unit));
  return places;
}

// The sentence and what stands behind it, cut; one sentence alone has no full stop.
class Sentence {
 public:
  Sentence(const std::string& own, const std::string& more) : own_(sentence(own)) {
    all_ = joined(own_, own_.ends_with('.') ? " " : ". ", more);
  }
  std::string all() const { return cut(word_count(all_)); }
  std::string cut(int most_words) const {
    std::string text = cut_to(all_, most_words);
    const bool is_alone = text.size() <= own_.size() + 1 && !own_.ends_with('.');
    if (is_alone && text.ends_with('.')) text.pop_back();
    return text;
  }

 private:
  std::string own_, all_;
};

// The longest first.
std::vector<Sentence> sentences_of(const AroundPicture& around) {
  const std::vector<std::string> own = around.reasons();
  std::vector<Sentence> sentences{{own.front(), around.more}};
  for (const std::string& form : own) sentences.emplace_back(form, "");
  return sentences;
}

// The shortest form of the comparison is a headline.
std::string headline_of(const AroundPicture& around) {
  if (around.is_about_other()) return sentence(around.against.back());
  return around.said.what.empty() ? around.title : sentence(around.said.what);
}

StageText text_of(const AroundPicture& around, int drawn) {
  const std::string whole = headline_of(around);
  const std::vector<Sentence> said = sentences_of(around);
  const std::vector<std::string> places = places_of(around, !around.said.what.empty());
  const int room = kMostStageWords - kOfTheStop - drawn;
  StageText text{places.front(), whole, said.front().cut(0)};
  if (room <= 0) return text;  // a listing, which nobody reads whole
  for (const Sentence& form : said)
    for (const std::string& place : places) {
      const int left = room - word_count(place) - word_count(whole);
      if (word_count(form.all()) <= left) return {place, whole, form.all()};
    }
  for (const std::string& headline : {whole, cut_to(whole, 0)})
    for (const std::string& place : places) {
      const int left = room - word_count(place) - word_count(headline);
      text = {place, headline, said.front().cut(left)};
      if (word_count(text.sentence) <= left) return text;
    }
  text.sentence.clear();  // what the step is called is worth more than a part of a reason
  return text;
}

// Whether two sentences differ in nothing but their numbers.
bool are_alike(std::string_view one, std::string_view other) {
  const auto without_numbers = [](std::string_view text) {
    std::string rest(text);
    std::erase_if(rest, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
    return rest;
  };
  return without_numbers(one) == without_numbers(other);
}

bool is_still(const AroundPicture& around) {
  return std::ranges::find(around.other_says, around.said.what) != around.other_says.end();
}

constexpr std::string_view kWavefront = "Wavefront: one pass through shared memory.",
                           kWavefrontBrief = "Wavefront: one pass.";

}  // namespace

bool AroundPicture::is_about_other() const {
  if (against.empty() || said.what.empty() || !is_of_access) return false;
  using explain::Verdict;
  if (is_still(*this)) return true;
  if (said.verdict == Verdict::costly) return false;
  // It is slower than what it praises, or quicker for another reason, or praises what is not new.
  return than_other == Verdict::costly || (than_other == Verdict::good && said.verdict == Verdict::neutral) ||
         std::ranges::any_of(other_says, [&](const std::string& one) { return are_alike(said.what, one); });
}

std::vector<std::string> AroundPicture::reasons() const {
  if (is_about_other()) {
    const bool is_costly_still = is_still(*this) && said.verdict == explain::Verdict::costly;
    const std::string own = (is_costly_still ? "still " : "") + said.what;
    return {own, cut_to(own, 0), ""};  // all of it goes before anything of the comparison does
  }
  if (said.verdict == explain::Verdict::good && !against.empty()) return against;
  return {said.why.empty() ? said.fix : said.why};
}

int word_count(std::string_view text) {
  int count = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    count += is_word(text.substr(at, end - at)) ? 1 : 0;
    at = std::max(end, at + 1);
  }
  return count;
}

int word_count(const scene::Scene& scene) { return words_in(scene.root); }

std::string cut_to(std::string_view sentence, int most_words) {
  const bool has_stop = sentence.ends_with('.');
  std::string_view kept = sentence;
  for (const std::string_view mark : {"; ", ". ", ", ", ": "})
    while (word_count(kept) > most_words) {
      const auto at = kept.rfind(mark);
      if (at == std::string_view::npos || at == 0) break;
      kept = kept.substr(0, at);
    }
  return std::string(kept) + (has_stop && !kept.ends_with('.') ? "." : "");
}

StageText stage_text(const AroundPicture& around, int drawn) {
  const StageText plain = text_of(around, drawn);
  if ((plain.headline + plain.sentence).find("wavefront") == std::string::npos) return plain;
  for (const bool cuts_reason : {false, true})
    for (const std::string_view meaning : {kWavefront, kWavefrontBrief})
      for (const std::string& rest : {around.more, std::string()}) {
        AroundPicture with = around;
        with.more = joined(std::string(meaning), " ", rest);
        if (cuts_reason) with.said.why = cut_to(with.said.why, 0);
        const StageText text = text_of(with, drawn);
        if (text.place == plain.place && text.sentence.find(meaning) != std::string::npos) return text;
      }
  return plain;
}

}  // namespace warplens::figures
