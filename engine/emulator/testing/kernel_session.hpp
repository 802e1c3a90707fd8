// For tests: a kernel of testdata/user_kernels.cu in one PTX dialect, instruction set and number of threads.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "engine/base/testing/places.hpp"
#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::emulator {

struct Config {
  int dialect;
  Isa isa;
  int threads;
};

inline std::string text_of(int dialect) {
  return read_file(source_path("engine/emulator/testdata/user_kernels_") + std::to_string(dialect) + ".ptx");
}

// One kernel in one configuration. Everything it writes goes into a digest.
class Session {
 public:
  Session(const char* kernel, const Config& config)
      : config_(config), bench_(text_of(config.dialect), kernel) {}

  template <class T>
  std::uint64_t buffer(const std::string& name, const std::vector<T>& contents) {
    return bench_.buffer(name, contents);
  }
  template <class T>
  std::vector<T> read(std::uint64_t address, std::size_t count) {
    auto values = bench_.read<T>(address, count);
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (std::size_t i = 0; i < count * sizeof(T); ++i) digest_ = (digest_ ^ bytes[i]) * 0x100000001b3ull;
    return values;
  }
  Result<Outcome> try_run(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block,
                          const ArgumentList& arguments, std::uint32_t shared = 0) {
    if (!bench_.error().empty()) return Error{bench_.error(), ""};
    Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.dynamic_shared_bytes = shared;
    launch.arguments = arguments.bytes();
    launch.isa = config_.isa;
    launch.threads = config_.threads;
    return bench_.run(launch);
  }
  std::string run(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block,
                  const ArgumentList& arguments, std::uint32_t shared = 0) {
    const auto outcome = try_run(grid, block, arguments, shared);
    if (!outcome) {
      ADD_FAILURE() << to_line(outcome.error());
      return "";
    }
    EXPECT_FALSE(outcome->fault) << to_line(outcome->fault->error);
    return outcome->printed;
  }
  std::uint64_t digest() const { return digest_; }
  const Config& config() const { return config_; }

 private:
  Config config_;
  Bench bench_;
  std::uint64_t digest_ = 0xcbf29ce484222325ull;
};

template <class T, class Make>
std::vector<T> filled(std::size_t n, unsigned seed, Make make) {
  std::mt19937 random(seed);
  std::vector<T> values(n);
  for (T& value : values) value = static_cast<T>(make(random));
  return values;
}
inline std::vector<int> integers(std::size_t n, unsigned seed, int low, int high) {
  return filled<int>(n, seed, std::uniform_int_distribution<int>(low, high));
}
inline std::vector<float> floats(std::size_t n, unsigned seed, float low = -1, float high = 1) {
  return filled<float>(n, seed, std::uniform_real_distribution<float>(low, high));
}

}  // namespace warplens::emulator
