// For tests and benchmarks: the kernels of engine/emulator/testdata/ladder.ptx, run with any observer.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "engine/base/testing/places.hpp"
#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::trace {

struct LadderKernel {
  const char* name;
  std::uint32_t tile_x,
      tile_y;  // elements of the result a block computes; 0: a block takes `block` elements of a line
  std::array<std::uint32_t, 3> block;
  std::uint32_t dynamic_shared_bytes;
};

inline const std::vector<LadderKernel>& ladder() {
  static const std::vector<LadderKernel> kernels{
      {"k_naive", 32, 32, {32, 32, 1}, 0}, {"k_coal", 32, 32, {32, 32, 1}, 0},
      {"k_smem", 32, 32, {32, 32, 1}, 0},  {"k_smemBt", 32, 32, {32, 32, 1}, 0},
      {"k_2d", 64, 64, {64, 1, 1}, 0},     {"k_vec", 64, 64, {64, 1, 1}, 0},
      {"k_tr", 32, 32, {32, 8, 1}, 0},     {"k_trp", 32, 32, {32, 8, 1}, 0},
      {"k_f3", 0, 3, {256, 1, 1}, 0},      {"k_red", 0, 1, {256, 1, 1}, 1024}};
  return kernels;
}

// One kernel on n x n matrices.
class LadderRun {
 public:
  LadderRun(const LadderKernel& kernel, std::uint32_t n)
      : bench_(emulator::read_file(source_path("engine/emulator/testdata/ladder.ptx")), kernel.name), n_(n) {
    std::mt19937 generator(1);
    std::uniform_real_distribution<float> uniform(-0.5f, 0.5f);
    std::vector<float> values(std::size_t{n} * n);
    for (float& value : values) value = uniform(generator);
    const auto a = bench_.buffer("A", values), b = bench_.buffer("B", values);
    c_ = bench_.buffer("C", std::vector<float>(std::size_t{n} * n, NAN));
    launch_.block = kernel.block;
    launch_.grid = kernel.tile_x != 0
                       ? std::array<std::uint32_t, 3>{n / kernel.tile_x, n / kernel.tile_y, 1}
                       : std::array<std::uint32_t, 3>{n * n / kernel.tile_y / kernel.block[0], 1, 1};
    launch_.dynamic_shared_bytes = kernel.dynamic_shared_bytes;
    launch_.arguments = emulator::ArgumentList().add(a).add(b).add(c_).add(n).bytes();
  }
  emulator::Outcome run(emulator::Observer* observer, int threads,
                        emulator::Isa isa = emulator::Isa::automatic) {
    launch_.observer = observer;
    launch_.threads = threads;
    launch_.isa = isa;
    auto outcome = bench_.run(launch_);
    return outcome ? *std::move(outcome) : emulator::Outcome{};
  }
  std::vector<std::uint32_t> output() { return bench_.read<std::uint32_t>(c_, std::size_t{n_} * n_); }
  emulator::Bench& bench() { return bench_; }
  emulator::Launch& launch() { return launch_; }

 private:
  emulator::Bench bench_;
  std::uint32_t n_ = 0;
  std::uint64_t c_ = 0;
  emulator::Launch launch_;
};

}  // namespace warplens::trace
