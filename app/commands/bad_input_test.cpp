// Input that is wrong, each in its own way: one line that says what and where, exit code 2, within two
// seconds and a gigabyte. testdata/bad_input.txt has the cases, and says how they are written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/testing/limited_child.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string kind, name, text, said;
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

// Escapes for what no text file should hold: \e, \0, \n, \xff.
std::string unescaped(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = text[at] == '\\' && at + 1 < text.size() ? text[at + 1] : ' ';
    static constexpr std::array<std::pair<char, char>, 5> kSigns{
        {{'e', '\x1b'}, {'0', '\0'}, {'n', '\n'}, {'r', '\r'}, {'f', '\xff'}}};
    const auto sign =
        std::find_if(kSigns.begin(), kSigns.end(), [&](const auto& s) { return s.first == next; });
    if (text[at] != '\\' || sign == kSigns.end()) {
      result += text[at];
      continue;
    }
    result += sign->second;
    ++at;
  }
  return result;
}

// "{times:1000:ab}" is ab a thousand times.
std::string expanded(std::string text) {
  for (std::size_t at = text.find("{times:"); at != std::string::npos; at = text.find("{times:")) {
    const std::size_t colon = text.find(':', at + 7), end = text.find('}', colon);
    const int times = std::atoi(text.substr(at + 7, colon - at - 7).c_str());
    std::string whole;
    for (int i = 0; i < times; ++i) whole += text.substr(colon + 1, end - colon - 1);
    text.replace(at, end - at + 1, whole);
  }
  return text;
}

// As a shell takes them apart, with " and without anything else.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool in_quotes = false, open = false;
  for (const char c : line) {
    if (c == '"') {
      in_quotes = !in_quotes;
      if (!open) words.emplace_back();
      open = true;
    } else if (c == ' ' && !in_quotes) {
      open = false;
    } else {
      if (!open) words.emplace_back();
      open = true;
      words.back() += c;
    }
  }
  return words;
}

std::string cases_file() { return source_path() + "/app/testdata/bad_input.txt"; }

std::vector<Case> cases() {
  std::vector<Case> list;
  std::ifstream file(cases_file());
  std::string kind, line;
  bool in_text = false;
  while (std::getline(file, line)) {
    if (line.starts_with("== ")) {
      kind = line.substr(3), in_text = false;
    } else if (line.starts_with("-- ")) {
      list.push_back({kind, line.substr(3), "", ""}), in_text = true;
    } else if (line.starts_with("=> ")) {
      list.back().said = line.substr(3), in_text = false;
    } else if (in_text) {
      list.back().text += line + "\n";
    }
  }
  return list;
}

const std::string kCode =
    "__global__ void k(const float* in, float* out, int N) {\n  int i = blockIdx.x * 256 + threadIdx.x;\n"
    "  if (i < N) out[i] = in[i];\n}\n";
const std::string kFront =
    "/*---\ntitle = \"x\"\nproblem = \"copy\"\n[launch]\nblock = [256]\ngrid = [\"ceil_div(N, "
    "256)\"]\n---*/\n";

class BadInputCase : public testing::TestWithParam<Case> {
 protected:
  // Files that commands name.
  void SetUp() override {
    folder_.write("good.cu", kFront + kCode);
    folder_.write("plain.txt", "nothing of use\n");
    folder_.write("empty", "");
    folder_.write("binary", std::string("\x7f"
                                        "ELF\0\x01\xff\xfe",
                                        8));
    folder_.write("folder/inside.txt", "");
    fs::create_symlink("loop", folder_ / "loop");
    fs::create_symlink("loop.cu", folder_ / "loop.cu");
    folder_.write("closed.cu", kFront + kCode);
    ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
    ASSERT_EQ(mkfifo((folder_ / "fifo.cu").c_str(), 0600), 0);
  }

  LimitedResult run(const Case& one) {
    const std::string text = unescaped(expanded(one.text));
    std::map<std::string, std::string> variables{{"WARPLENS_HOME", source_path()},
                                                 {"XDG_CACHE_HOME", (folder_ / "cache").string()},
                                                 {"XDG_CONFIG_HOME", (folder_ / "config").string()},
                                                 {"DISPLAY", ""},
                                                 {"WAYLAND_DISPLAY", ""}};
    std::vector<std::string> words;
    const auto with_file = [&](const std::string& name, const std::string& content,
                               const std::string& command) {
      folder_.write(name, content);
      words = words_of(command);
    };
    if (one.kind == "front") with_file("x.cu", "/*---\n" + text + "---*/\n" + kCode, "run x.cu");
    if (one.kind == "kernel") with_file("x.cu", kFront + text, "run x.cu --size 1000");
    if (one.kind == "file") with_file("x.cu", text.substr(0, text.size() - 1), "run x.cu");
    if (one.kind == "state") with_file("x.toml", text, "screenshot x.toml -o x.png");
    if (one.kind == "csv") with_file("x.csv", text, "access --space global --csv x.csv");
    if (one.kind == "lesson") with_file("x.md", text, "lesson check x.md");
    if (one.kind == "recordings")
      with_file("x.json", text,
                "bench memory/01_coalesced --engine emulator --sizes 100 --passes 1 --save x.json");
    if (one.kind == "devices") {
      with_file("home/assets/devices.toml", text, "occupancy --threads 32 --registers 8 --home home");
      fs::create_directory_symlink(source_path() + "/kernels", folder_ / "home/kernels");
    }
    if (one.kind == "command" || one.kind == "environment") {
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        if (one.kind == "command" || words_of(line).front().find('=') == std::string::npos) {
          words = words_of(line);
          continue;
        }
        const std::size_t equals = line.find('=');
        variables[line.substr(0, equals)] = line.substr(equals + 1);
      }
    }
    for (std::string& word : words) word = replaced(word, "HERE", folder_.string());
    words.insert(words.begin(), program_path("warplens"));
    return run_limited(words, variables, folder_.string(), 20);
  }

  std::string without_paths(const std::string& text) const {
    return replaced(replaced(text, folder_.string(), "HERE"), source_path(), "HOME");
  }

  // The front matter that is shown of a file without one.
  static std::string without_guess(const std::string& text) {
    const std::size_t end = text.find("\n---*/\n"),
                      begin = text.rfind('\n', text.find("one was guessed: the head"));
    if (end == std::string::npos) return text;
    return (begin == std::string::npos ? "" : text.substr(0, begin + 1)) + text.substr(end + 7);
  }

  const TestFolder folder_;
};

TEST_P(BadInputCase, IsOneLine) {
  const LimitedResult result = run(GetParam());
  const std::string said = without_guess(without_paths(result.err));
  const bool is_lesson = GetParam().kind == "lesson";  // whose mistakes are listed, all of them
  EXPECT_EQ(result.exit_code, is_lesson ? 1 : 2) << said;
  EXPECT_FALSE(result.ran_too_long);
  EXPECT_LE(result.processor_seconds, 2);
  EXPECT_LE(result.most_bytes, 1e9);
  if (!is_lesson) {
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }
  EXPECT_LE(said.size(), 2048u);
  for (const char c : said)
    EXPECT_TRUE(static_cast<unsigned char>(c) >= ' ' || c == '\n') << "a control character in the message";
  EXPECT_THAT(said, testing::HasSubstr(GetParam().said));
  EXPECT_NE(GetParam().said, "");
  if (const char* path = std::getenv("WARPLENS_KEEP_ANSWERS");
      path != nullptr)  // to be looked at, and written into the cases
    std::ofstream(path, std::ios::app)
        << GetParam().kind << "/" << GetParam().name << "\t" << result.exit_code << "\t"
        << result.processor_seconds << "\t" << result.most_bytes / 1e6 << "\t" << said.substr(0, 600)
        << (said.ends_with("\n") ? "" : "\n");
}

INSTANTIATE_TEST_SUITE_P(All, BadInputCase, testing::ValuesIn(cases()), [](const auto& one) {
  std::string name = one.param.kind + "_" + one.param.name + "_" + std::to_string(one.index);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

TEST(BadInputCases, AreMany) { EXPECT_GE(cases().size(), 400u); }

}  // namespace
}  // namespace warplens::app
