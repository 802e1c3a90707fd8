#include "engine/explain/glossary/glossary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/run/quantities/quantities.hpp"

namespace warplens::explain {
namespace {

// Sources: CUDA C++ Programming Guide; the glossary of Nsight Compute.
constexpr std::array kConcepts = {
    Term{"Warp", "32 threads that execute each instruction together", "warp,warps"},
    Term{"Lane", "one of the 32 threads of a warp", "lane,lanes"},
    Term{"Block", "threads that run on one multiprocessor and have shared memory in common",
         "thread block,thread blocks"},
    Term{"Multiprocessor", "one of the processors of a GPU (SM); it holds several blocks at a time",
         "multiprocessor,multiprocessors,sm,sms"},
    Term{"Request", "one access of one warp: a memory instruction with an address for each lane",
         "request,requests"},
    Term{"Sector", "32 bytes of global memory: the least that a load brings", "sector,sectors"},
    Term{"Coalesced", "lanes ask for bytes side by side, so that few sectors bring them",
         "coalesced,coalescing,uncoalesced"},
    Term{"Bank",
         "one of 32 slices of shared memory (16 on the first devices); each gives one word of 4 bytes at a "
         "time",
         "bank,banks"},
    Term{"Wavefront", "one turn of shared memory; lanes that want other words of one bank need more turns",
         "wavefront,wavefronts"},
    Term{"Bank conflict", "lanes that want different words of one bank, which gives them one after the other",
         "bank conflict,bank conflicts,conflict,conflicts"},
    Term{"Broadcast", "one word that goes to several lanes in one turn", "broadcast,broadcasts"},
    Term{"Ideal", "the fewest sectors or wavefronts that could bring the bytes asked for", "ideal"},
    Term{"Occupancy", "warps that a multiprocessor holds at once, of those that it has room for",
         "occupancy"},
    Term{"Spill", "a value that does not fit into a thread’s registers and is kept in memory instead",
         "spill,spills,spilled"},
    Term{"Divergence", "lanes of one warp that go different ways, so that the others wait",
         "divergence,diverge,diverges,divergent"},
    Term{"Tail", "the time at the end in which some multiprocessors have no block left", "tail"},
    Term{"PTX instruction",
         "an instruction of the text between source and machine code; the machine may need several for it",
         "ptx instruction,ptx instructions"},
    Term{"Arithmetic intensity", "operations that a kernel makes for each byte that it moves",
         "arithmetic intensity"},
    Term{"Roofline",
         "the most speed that memory and arithmetic of a device allow, by how much is computed for "
         "each byte",
         "roofline,roof"},
    Term{"Recorded", "measured earlier on a real GPU and kept in a file; marked with a dot", "recorded"},
    Term{"Measured here", "measured on the GPU of this computer; marked with a diamond", "measured here"},
    Term{"Predicted", "what the model of time says, without a GPU; marked with a hollow square", "predicted"},
    Term{"Emulated",
         "counted while the kernel ran on this computer’s processor, step by step; marked with a ring",
         "emulated"},
};

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// Where the form stands as whole words; npos where it does not. text: in small letters.
std::size_t find_words(std::string_view text, std::string_view form) {
  for (std::size_t at = text.find(form); at != std::string_view::npos; at = text.find(form, at + 1)) {
    const std::size_t end = at + form.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return at;
  }
  return std::string_view::npos;
}

// The first place of any form; the longest one where several begin there.
TermPlace place_of(std::string_view text, const Term& term) {
  TermPlace first{std::string_view::npos, 0, &term};
  for (std::string_view left = term.forms; !left.empty();) {
    const std::size_t end = std::min(left.find(','), left.size());
    const std::string_view form = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    const std::size_t at = find_words(text, form);
    if (at < first.at || (at == first.at && form.size() > first.length))
      first.at = at, first.length = form.size();
  }
  return first;
}

}  // namespace

std::span<const Term> glossary() {
  static const std::vector<Term> all = [] {
    std::vector<Term> terms(kConcepts.begin(), kConcepts.end());
    for (const run::Quantity& row : run::quantities())
      if (!row.forms.empty()) terms.push_back({row.title, row.meaning, row.forms});
    return terms;
  }();
  return all;
}

const Term& term(std::string_view word) { return *std::ranges::find(glossary(), word, &Term::word); }

std::string sentence_of(const Term& term) { return fmt::format("{}: {}", term.word, term.meaning); }

std::vector<TermPlace> terms_in(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<TermPlace> places;
  for (const Term& each : glossary())
    if (const TermPlace place = place_of(small, each); place.at != std::string_view::npos)
      places.push_back(place);
  std::ranges::sort(places, [](const TermPlace& a, const TermPlace& b) {
    return a.at != b.at ? a.at < b.at : a.length > b.length;
  });
  // "bank" within "bank conflict" is not said twice.
  std::vector<TermPlace> apart;
  for (const TermPlace& place : places)
    if (apart.empty() || place.at >= apart.back().at + apart.back().length) apart.push_back(place);
  return apart;
}

}  // namespace warplens::explain
