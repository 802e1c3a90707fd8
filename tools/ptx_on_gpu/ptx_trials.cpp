// Writes the one-line PTX cases of ptx_cases_test and ptx_memory_test to a file, with the inputs and the
// words that the emulator gives: ptx_trials FILE. engine/gpu/ptx_on_gpu runs them on a GPU, where no
// GoogleTest is.
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/emulator/testing/ptx_trial.hpp"

namespace {

using nlohmann::json;

json bytes_of(const warplens::emulator::Words& words) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(words.data());
  return json::binary(std::vector<std::uint8_t>(begin, begin + words.size() * sizeof(words[0])));
}

class Writer final : public warplens::emulator::TrialListener {
 public:
  void on_trial(const std::string& ptx, const warplens::emulator::Words& in,
                const warplens::emulator::Trial& trial, const warplens::emulator::Words& out) override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    trials.push_back({{"test", std::string(test->test_suite_name()) + "." + test->name()},
                      {"ptx", ptx},
                      {"block", trial.block},
                      {"n", trial.n},
                      {"open", trial.open},
                      {"in", bytes_of(in)},
                      {"out", bytes_of(out)}});
  }
  json trials = json::array();
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "ptx_trials FILE\n");
    return 2;
  }
  Writer writer;
  warplens::emulator::trial_listener() = &writer;
  const int failed = RUN_ALL_TESTS();
  const auto bytes = json::to_cbor(writer.trials);
  std::ofstream file(argv[1], std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  std::printf("%zu trials\n", writer.trials.size());
  return failed != 0 || !file ? 1 : 0;
}
