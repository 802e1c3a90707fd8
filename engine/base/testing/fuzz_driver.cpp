// A fuzzer's main() for compilers without libFuzzer: g++, which compiles what clang 14 does not. Inputs of
// the corpus are changed at random; those that reach code which none has reached, or how often none has, join
// it.
//
//   NAME_fuzz CORPUS [SEEDS ...] [-max_total_time=S] [-timeout=S] [-rss_limit_mb=N] [-artifact_prefix=PATH]
//
// New inputs are written to CORPUS, one that fails to PATH and what went wrong. With a file instead of a
// folder that input alone is run.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#define NOT_COUNTED __attribute__((no_sanitize_coverage))

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" void __sanitizer_set_death_callback(void (*callback)());

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPlaces = 1 << 16, kMostBytes = 1 << 15;
// Plain arrays: what is called for each count must not be counted itself.
std::uint8_t counts[kPlaces];               // of this input, by where it was
std::uint8_t seen[kPlaces];                 // how often some input was there, a bit each
std::string input, artifact_prefix = "./";  // what runs now
unsigned timeout_seconds = 10;

NOT_COUNTED void keep_input(const char* what) {
  const std::string path = artifact_prefix + what;
  if (std::FILE* file = std::fopen(path.c_str(), "wb")) {
    std::fwrite(input.data(), 1, input.size(), file);
    std::fclose(file);
  }
  std::fprintf(stderr, "the input is in %s\n", path.c_str());
}
NOT_COUNTED void keep_crash() { keep_input("crash"); }
NOT_COUNTED void on_signal(int number) {
  keep_input(number == SIGALRM ? "timeout" : "crash");
  _exit(77);
}

NOT_COUNTED std::uint8_t bucket(std::uint8_t count) {
  return count == 0   ? 0
         : count < 4  ? static_cast<std::uint8_t>(1 << (count - 1))
         : count < 16 ? 8
         : count < 64 ? 16
                      : 32;
}

// Whether it was somewhere new.
NOT_COUNTED bool run() {
  std::memset(counts, 0, sizeof counts);
  alarm(timeout_seconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  alarm(0);
  bool is_new = false;
  for (std::size_t at = 0; at < kPlaces; ++at) {
    const std::uint8_t bit = bucket(counts[at]);
    if ((seen[at] | bit) != seen[at]) is_new = true, seen[at] |= bit;
  }
  return is_new;
}

class Mutation {
 public:
  explicit Mutation(const std::vector<std::string>& corpus) : corpus_(corpus) {}

  std::string next() {
    std::string text = any();
    for (std::size_t times = std::size_t{1} << below(4); times > 0; --times) change(text);
    if (text.size() > kMostBytes) text.resize(kMostBytes);
    return text;
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }
  const std::string& any() { return corpus_[below(corpus_.size())]; }
  // A piece of some input: a word, a line, or anything.
  std::string piece() {
    const std::string& text = any();
    if (text.empty()) return "\n";
    const std::size_t kind = below(3), at = below(text.size());
    if (kind == 2) return text.substr(at, 1 + below(64));
    const char* const ends = kind == 0 ? " \t\n=,()[]" : "\n";
    const std::size_t before = text.find_last_of(ends, at);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return text.substr(begin, std::min(text.find_first_of(ends, at), text.size()) - begin + 1);
  }

  void change(std::string& text) {
    static constexpr std::array kOdd = {"0",
                                        "-1",
                                        "18446744073709551616",
                                        "9223372036854775807",
                                        "1e309",
                                        "nan",
                                        "inf",
                                        "\"",
                                        "'''",
                                        "[[",
                                        "]]",
                                        "{",
                                        "}",
                                        "((((((((",
                                        "))))",
                                        "\\u0000",
                                        "\xff",
                                        "\r\n",
                                        "0x",
                                        "..",
                                        "//",
                                        "```",
                                        "##",
                                        "**",
                                        "|",
                                        "=",
                                        "+-",
                                        "#",
                                        ","};
    const std::size_t at = below(text.size() + 1), length = std::min(below(32) + 1, text.size() - at);
    switch (below(9)) {
      case 0:
        return void(text.insert(at, 1, static_cast<char>(below(256))));
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        return;
      case 2:
        return void(text.erase(at, length));
      case 3:
        return void(text.insert(at, text.substr(at, length)));
      case 4:
        return void(text.insert(at, kOdd[below(kOdd.size())]));
      case 5:
        return void(text.replace(at, length, kOdd[below(kOdd.size())]));
      case 6: {
        const std::string& other = any();
        return void(text.replace(at, text.size() - at, other.substr(below(other.size() + 1))));
      }
      case 7:
        return void(text.replace(at, length, piece()));
      default:
        return void(text.insert(at, piece()));
    }
  }

  const std::vector<std::string>& corpus_;
  std::mt19937_64 random_{std::random_device{}()};
};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  return text.size() > kMostBytes ? text.substr(0, kMostBytes) : text;
}

long megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

struct Options {
  std::vector<fs::path> places;
  double seconds = 60;
  long most_megabytes = 2048;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (const std::string_view word : std::vector<std::string_view>(argv + 1, argv + argc)) {
    const auto value = std::string(word.substr(std::min(word.find('=') + 1, word.size())));
    if (word.starts_with("-max_total_time="))
      options.seconds = std::atof(value.c_str());
    else if (word.starts_with("-timeout="))
      timeout_seconds = static_cast<unsigned>(std::atoi(value.c_str()));
    else if (word.starts_with("-rss_limit_mb="))
      options.most_megabytes = std::atol(value.c_str());
    else if (word.starts_with("-artifact_prefix="))
      artifact_prefix = value;
    else if (!word.starts_with("-"))
      options.places.emplace_back(word);
  }
  return options;
}

std::vector<std::string> read_corpus(const std::vector<fs::path>& places) {
  std::vector<std::string> corpus;
  for (const fs::path& place : places) {
    if (fs::is_regular_file(place)) corpus.push_back(text_of(place));
    if (!fs::is_directory(place)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(place))
      if (entry.is_regular_file()) corpus.push_back(text_of(entry.path()));
  }
  return corpus;
}

}  // namespace

// Called by instrumented code wherever a path may part.
extern "C" NOT_COUNTED void __sanitizer_cov_trace_pc() {
  const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  std::uint8_t& count = counts[(place ^ place >> 16) % kPlaces];
  if (count != 0xff) ++count;
}

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  __sanitizer_set_death_callback(keep_crash);
  for (const int number : {SIGALRM, SIGABRT}) signal(number, on_signal);
  std::vector<std::string> corpus = read_corpus(options.places);
  if (corpus.empty()) corpus.emplace_back("\n");
  const std::size_t seeds = corpus.size();
  for (const std::string& seed : corpus) input = seed, run();
  if (!options.places.empty() && fs::is_regular_file(options.places.front())) return 0;
  Mutation mutation(corpus);
  const auto start = Clock::now();
  std::uint64_t runs = 0;
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  for (; seconds() < options.seconds; ++runs) {
    input = mutation.next();
    if (!run()) continue;
    corpus.push_back(input);
    const fs::path folder = options.places.empty() ? fs::path() : options.places.front();
    if (fs::is_directory(folder))
      std::ofstream(folder / std::to_string(std::hash<std::string>()(input)), std::ios::binary) << input;
    if (megabytes() > options.most_megabytes) {
      keep_input("memory");
      return 77;
    }
  }
  std::fprintf(stderr, "%llu runs in %.0f s from %zu seeds, %zu inputs more, %ld MB\n",
               static_cast<unsigned long long>(runs), seconds(), seeds, corpus.size() - seeds, megabytes());
  return 0;
}
