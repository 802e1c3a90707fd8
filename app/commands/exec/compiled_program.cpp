#include "app/commands/exec/compiled_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "engine/base/process.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

// Whether it is there and younger than all that the compiler read for it: a rule of make lists that.
bool is_fresh(const fs::path& program, const fs::path& dependencies) {
  std::error_code error;
  const auto made = fs::last_write_time(program, error);
  const auto rule = error ? Result<std::string>(Error{}) : read_whole_file(dependencies);
  if (!rule) return false;
  std::istringstream words(rule->substr(std::min(rule->find(':'), rule->size() - 1) + 1));
  bool any = false;
  for (std::string word; words >> word;) {
    if (word == "\\") continue;
    const auto changed = fs::last_write_time(word, error);
    if (error || changed > made) return false;
    any = true;
  }
  return any;
}

}  // namespace

Result<fs::path> compiled_program(const program::Nvcc& nvcc, const fs::path& source,
                                  const std::vector<std::string>& options, int compute_capability,
                                  const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::absolute(source, error);
  if (!fs::is_regular_file(whole, error))
    return Error{"there is no file " + source.string(), "check its path"};
  std::vector<std::string> words = {whole.string()};
  words.insert(words.end(), options.begin(), options.end());
  words = program::nvcc_words(nvcc, words, compute_capability);
  const fs::path own = folder / fingerprint(fmt::format("{}", fmt::join(words, "\n")));
  const fs::path program = own / source.stem(), dependencies = own / "made_of";
  if (is_fresh(program, dependencies)) return program;
  fs::create_directories(own, error);
  if (error)
    return Error{fmt::format("{} cannot be written", own.string()), "choose another folder with --cache DIR"};
  const fs::path part = own / fmt::format("part.{}", getpid());
  words.insert(words.end(), {"-MD", "-MF", dependencies.string(), "-o", part.string()});
  auto compiler = Process::start({.words = words, .descriptors = {{0, Process::kNull}, {1, 2}, {2, 2}}});
  if (!compiler) return Error{nvcc.program.string() + " does not start: " + compiler.error().message, ""};
  compiler->wait();
  if (compiler->exit_code() != 0)
    return Error{source.string() + " does not compile; what nvcc says stands above",
                 "for libraries and headers of others add --nvcc OPTION"};
  fs::rename(part, program, error);
  if (error) return Error{fmt::format("{} cannot be written", program.string()), ""};
  return program;
}

}  // namespace warplens::app
