// Bytes of PTX text a second, over each file of the test data.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "engine/ptx/parser.hpp"

namespace {

void parse_file(benchmark::State& state, const std::filesystem::path& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (auto _ : state) {
    const warplens::ptx::Parsed parsed = warplens::ptx::parse(text);
    if (!parsed.errors.empty()) state.SkipWithError(to_line(parsed.errors[0]).c_str());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = std::filesystem::path(WARPLENS_SOURCE_DIR) / "engine/ptx/testdata";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ptx")
      benchmark::RegisterBenchmark(entry.path().stem().c_str(), parse_file, entry.path());
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
