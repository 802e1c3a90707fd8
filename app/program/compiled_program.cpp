#include "app/program/compiled_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "engine/base/process.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/compile/diagnostics.hpp"
#include "engine/program/nvcc/link_advice.hpp"

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

// Lines and files of what is compiled are those of the original. A copy that says the same stays as old as it is.
Result<fs::path> copy_with_values(const fs::path& original, const program::SourceValues& values,
                                  const fs::path& folder) {
  const auto text = read_whole_file(original);
  if (!text) return text.error();
  const fs::path copy = folder / original.filename();
  const std::string wanted =
      fmt::format("#line 1 \"{}\"\n{}", original.string(), program::with_values(*text, values));
  if (const auto now = read_whole_file(copy); now && *now == wanted) return copy;
  if (const Status written = write_whole_file(copy, wanted); !written) return written.error();
  return copy;
}

// Without a terminal: the first that it says.
Error first_error(const std::string& source, const std::string& said) {
  compile::Request request;
  request.file_name = source;
  return compile::compile_errors(request, said, "").front();
}

// On a terminal nvcc's words stand above.
Error does_not_compile(const std::string& source, const std::string& said) {
  fmt::print(stderr, "{}", said);
  return {source + " does not compile; what nvcc says stands above",
          "for libraries and headers of others add --nvcc OPTION"};
}

// nvcc leaves the host's code as slow as it is written, where it is not told otherwise: and there are the loops that compute what
// kernels are compared with. Twice told it refuses.
bool says_how_quick(const std::string& option) {
  return option.starts_with("-O") || option.starts_with("--optimize") || option == "-g" || option == "-G";
}

Status run_nvcc(const Compilation& compilation, const std::vector<std::string>& words) {
  const bool is_quiet = compilation.cancel != nullptr;
  const Descriptor said = memory_file();
  auto compiler =
      Process::start({.words = words,
                      .descriptors = {{0, Process::kNull}, {1, said.number()}, {2, said.number()}},
                      .own_session = is_quiet});
  if (!compiler)
    return Error{compilation.nvcc.program.string() + " does not start: " + compiler.error().message, ""};
  constexpr double kLook = 0.05;  // seconds
  while (!compiler->wait(is_quiet ? std::optional(kLook) : std::nullopt)) {
    if (!*compilation.cancel) continue;
    compiler->end_session();
    return Error{"compiling was stopped", ""};
  }
  const std::string source = compilation.source.string(), text = said.text();
  if (compiler->exit_code() == 0) {
    if (!is_quiet) fmt::print(stderr, "{}", text);  // warnings
    return Done{};
  }
  if (auto advice = program::link_advice(source, text)) return *advice;
  return is_quiet ? first_error(source, text) : does_not_compile(source, text);
}

}  // namespace

Result<fs::path> compiled_program(const Compilation& compilation) {
  std::error_code error;
  const fs::path whole = fs::absolute(compilation.source, error);
  if (!fs::is_regular_file(whole, error))
    return Error{"there is no file " + compilation.source.string(), "check its path"};
  std::vector<std::string> words = {whole.string()};
  words.insert(words.end(), compilation.options.begin(), compilation.options.end());
  if (std::ranges::none_of(compilation.options, says_how_quick)) words.emplace_back("-O2");
  words = program::nvcc_words(compilation.nvcc, words, compilation.compute_capability);
  std::string all = fmt::format("{}", fmt::join(words, "\n"));
  for (const auto& [key, value] : compilation.values) all += fmt::format("\n{}={}", key, value);
  const fs::path own = compilation.folder / fingerprint(all);
  const fs::path program = own / whole.stem(), dependencies = own / "made_of";
  fs::create_directories(own, error);
  if (error)
    return Error{fmt::format("{} cannot be written", own.string()), "choose another folder with --cache DIR"};
  if (!compilation.values.empty()) {
    const auto copy = copy_with_values(whole, compilation.values, own);
    if (!copy) return copy.error();
    std::ranges::replace(words, whole.string(), copy->string());
    words.insert(words.end(), {"-I", whole.parent_path().string()});
  }
  if (is_fresh(program, dependencies)) return program;
  const fs::path part = own / fmt::format("part.{}", getpid());
  words.insert(words.end(), {"-MD", "-MF", dependencies.string(), "-o", part.string()});
  if (const Status ran = run_nvcc(compilation, words); !ran) return ran.error();
  fs::rename(part, program, error);
  if (error) return Error{fmt::format("{} cannot be written", program.string()), ""};
  return program;
}

}  // namespace warplens::app
