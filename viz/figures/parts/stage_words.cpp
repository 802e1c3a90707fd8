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
  constexpr std::string_view units[] = {"KiB", "MiB", "GiB", "kB", "MB", "GB", "TB", "ns", "us", "ms", "x"};
  if (std::ranges::find(units, token) != std::end(units)) return false;
  return token.size() > 1 && is_letter(token.front()) && std::ranges::count_if(token, is_of_word) > 1;
}

constexpr std::string_view kUnknown = "wavefront";

bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

// Whether it has the key of that word, in one of its forms.
bool has_key(std::string_view text) {
  constexpr std::string_view forms[] = {"1 pass", "(pass", "(a pass", "passes (wavefront"};
  return std::ranges::any_of(forms, [&](std::string_view form) { return has(text, form); });
}

void add_words(const scene::Group& group, Drawn& drawn) {
  for (const scene::Item& item : group.items) {
    if (const auto* inside = std::get_if<scene::Group>(&item.shape)) add_words(*inside, drawn);
    const auto* text = std::get_if<scene::TextShape>(&item.shape);
    if (text == nullptr) continue;
    drawn.words += word_count(text->text);
    drawn.says_wavefront |= has(text->text, kUnknown), drawn.has_key |= has_key(text->text);
  }
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

// The longest first. The key of a word that the picture has is worth more than what is said beside a comparison.
std::vector<Sentence> sentences_of(const AroundPicture& around) {
  const std::vector<std::string> own = around.reasons();
  std::vector<Sentence> sentences{{own.front(), around.more}};
  if (around.is_about_other() && has_key(around.more))
    for (const std::string& form : own) sentences.emplace_back(form, around.more);
  for (const std::string& form : own) sentences.emplace_back(form, "");
  return sentences;
}

// Whether the picture of the step that it is compared with says the same.
bool is_still(const AroundPicture& around) {
  return std::ranges::find(around.other_says, around.said.what) != around.other_says.end();
}
bool is_costly_still(const AroundPicture& around) {
  return around.is_of_access && is_still(around) && around.said.verdict == explain::Verdict::costly;
}

// The shortest form of the comparison is a headline.
std::string headline_of(const AroundPicture& around) {
  if (around.is_about_other()) return sentence(around.against.back());
  if (is_costly_still(around)) return sentence("still " + around.said.what);
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

// The key of the word "wavefront": sentences behind the others, the longest first.
constexpr std::string_view kKeys[] = {"Wavefront: 1 pass through shared memory.", "Wavefront: 1 pass."};

// "2.4 × fewer shared wavefronts (passes)": the key where a sentence of its own has no room.
AroundPicture explained_inside(AroundPicture around) {
  const auto explain = [](std::string& text) {
    const auto at = text.find(kUnknown);
    if (at == std::string::npos) return;
    const bool is_plural = text.substr(at + kUnknown.size()).starts_with('s');
    text.insert(at + kUnknown.size() + (is_plural ? 1 : 0), is_plural ? " (passes)" : " (a pass)");
  };
  for (std::string* text : {&around.said.why, &around.said.fix}) explain(*text);
  for (std::string& form : around.against) explain(form);
  return around;
}

bool is_explained(const StageText& text) { return has_key(text.headline + " " + text.sentence); }

// With what stands behind the sentence, and without; of a reason all, its first part or nothing.
enum class Reason { whole, first_part, none };
std::vector<AroundPicture> with_keys(AroundPicture around, Reason reason) {
  std::vector<AroundPicture> forms;
  const auto cut = [&](std::string& text) {
    if (reason != Reason::whole) text = reason == Reason::none ? "" : cut_to(text, 0);
  };
  for (std::string* text : {&around.said.why, &around.said.fix}) cut(*text);
  for (std::string& form : around.against) cut(form);
  const std::string more = around.more;
  for (const std::string_view key : kKeys)
    for (const std::string& rest : {more, std::string()}) {
      around.more = joined(std::string(key), " ", rest);
      forms.push_back(around);
    }
  around.more.clear();
  if (reason == Reason::whole) forms.push_back(explained_inside(around));
  return forms;
}

}  // namespace

bool AroundPicture::is_about_other() const {
  if (against.empty() || said.what.empty() || !is_of_access) return false;
  using explain::Verdict;
  if (is_still(*this) && names_cause) return true;
  if (is_point && said.verdict != Verdict::costly) return true;
  // What is not known to make a difference says less than the picture does.
  if (said.verdict == Verdict::costly || than_other != Verdict::good || !names_cause) return false;
  return said.verdict == Verdict::neutral ||
         std::ranges::any_of(other_says, [&](const std::string& one) { return are_alike(said.what, one); });
}

std::vector<std::string> AroundPicture::reasons() const {
  if (is_about_other()) {
    const std::string own = (is_costly_still(*this) ? "still " : "") + said.what;
    return {own, cut_to(own, 0), ""};  // all of it goes before anything of the comparison does
  }
  if ((said.verdict == explain::Verdict::good || is_costly_still(*this)) && !against.empty()) return against;
  if (!said.is_free) return {said.why.empty() ? said.fix : said.why};
  // What holds the kernel is worth more than of what it is a share.
  constexpr std::string_view of_the_time = " of the kernel's cycles";
  std::string in_short = said.fix;
  if (in_short.ends_with(of_the_time)) in_short.resize(in_short.size() - of_the_time.size());
  std::vector<std::string> forms{said.fix, in_short};
  if (said.why.empty()) return forms;
  const auto with_why = [&](const std::string& fix) { return said.why + ". " + sentence(fix); };
  return {with_why(said.fix), said.fix, in_short, with_why(cut_to(said.fix, 0)), cut_to(said.fix, 0)};
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

Drawn drawn_words(const scene::Scene& scene) {
  Drawn drawn;
  add_words(scene.root, drawn);
  return drawn;
}

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

StageText page_text(const AroundPicture& around) {
  return {around.title, headline_of(around), sentence(around.reasons().front())};
}

StageText stage_text(const AroundPicture& around, const Drawn& drawn) {
  const StageText plain = text_of(around, drawn.words);
  const bool says_it = drawn.says_wavefront || has(plain.headline + plain.sentence, kUnknown);
  if (!says_it || drawn.has_key || is_explained(plain)) return plain;
  for (const Reason reason : {Reason::whole, Reason::first_part, Reason::none})
    for (const bool keeps_place : {true, false})  // the ladder's name goes before a reason does
      for (const AroundPicture& form : with_keys(around, reason)) {
        const StageText text = text_of(form, drawn.words);
        if (is_explained(text) && text.headline == plain.headline &&
            (!keeps_place || text.place == plain.place))
          return text;
      }
  return plain;
}

}  // namespace warplens::figures
