// Bytes of PTX text a second: over each file of the test data, and over texts of growing length, whose bytes
// a second must not fall.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "engine/base/testing/places.hpp"
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

// A text with as many labels, scopes, branches and source lines as copies.
std::string text_of(std::int64_t copies) {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry kernel() {\n.reg .b32 %r<1000000>;";
  for (std::int64_t i = 0; i < copies; ++i) {
    const std::string n = std::to_string(i);
    text += "{ .reg .pred p; bra L1; bra END; L1: mov.u32 %r" + n + ", 1; .param .b32 param0; }\nX" + n +
            ": .loc 1 " + n + " 2\n";
  }
  return text + "END: ret;\n}\n";
}

void parse_copies(benchmark::State& state) {
  const std::string text = text_of(state.range(0));
  for (auto _ : state) {
    const warplens::ptx::Parsed parsed = warplens::ptx::parse(text);
    if (!parsed.errors.empty()) state.SkipWithError(to_line(parsed.errors[0]).c_str());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(parse_copies)->RangeMultiplier(10)->Range(400, 40000);

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = std::filesystem::path(warplens::source_path()) / "engine/ptx/testdata";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ptx")
      benchmark::RegisterBenchmark(entry.path().stem().c_str(), parse_file, entry.path());
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
