// The slice of a kernel accesses what the whole kernel accesses.
#include "engine/run/grid/address_slice.hpp"

#include <gtest/gtest.h>

#include <map>

#include "engine/run/derived/placed.hpp"
#include "engine/run/testing/random_sizes.hpp"

namespace warplens::run {
namespace {

struct Access {
  std::uint32_t pc = 0, active = 0;
  int width = 0;
  bool is_store = false;
  std::vector<std::uint64_t> addresses;
  bool operator==(const Access&) const = default;
};
using Accesses = std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<Access>>;  // by block and warp

// All but those to shared memory. For runs on one thread.
class Recorder : public emulator::Observer, public emulator::BlockObserver {
 public:
  explicit Recorder(std::vector<std::uint32_t> pcs = {}) : pcs_(std::move(pcs)) {}
  emulator::BlockObserver* begin_block(std::uint64_t block) override {
    block_ = block;
    return this;
  }
  void on_access(const emulator::AccessEvent& event) override {
    if (event.space == ptx::Space::shared || event.active == 0) return;
    Access access{pcs_.empty() ? event.pc : pcs_[event.pc],
                  event.active,
                  event.width,
                  event.kind == emulator::AccessKind::store,
                  {}};
    for (std::uint32_t lanes = event.active; lanes != 0; lanes &= lanes - 1)
      access.addresses.push_back(event.address(static_cast<std::uint32_t>(std::countr_zero(lanes))));
    accesses[{block_, event.warp}].push_back(std::move(access));
  }
  Accesses accesses;

 private:
  std::vector<std::uint32_t> pcs_;
  std::uint64_t block_ = 0;
};

Result<Accesses> accesses_of(const Job& job, const emulator::Kernel& kernel, Recorder recorder,
                             bool data_count) {
  constexpr std::uint64_t kBlocks = 5;
  auto placed = Placed::of(job.instance);
  if (!placed) return placed.error();
  const auto ran = placed->run(kernel, job.plan.launch,
                               {.observer = &recorder,
                                .blocks = sample_blocks(catalog::blocks_in_grid(job.plan.launch), kBlocks),
                                .threads = 1,
                                .instruction_budget = job.instruction_budget,
                                .data_count = data_count});
  if (!ran) return ran.error();
  if (ran->fault) return ran->fault->error;
  return std::move(recorder.accesses);
}

// Whether there is a slice to compare.
bool compare(const Job& job) {
  const auto kernel = prepare(job.build, h100());
  EXPECT_TRUE(kernel);
  const auto slice = address_slice(**kernel, h100());
  if (!slice) return false;
  const std::string name =
      job.plan.spec.id + " " + value_words(job.plan.parameters) + " " + value_words(job.plan.sizes);
  const auto whole = accesses_of(job, **kernel, Recorder(), true);
  const auto sliced = accesses_of(job, *slice->kernel, Recorder(slice->pcs), false);
  EXPECT_TRUE(whole) << name << ": " << to_line(whole.error());
  EXPECT_TRUE(sliced) << name << ": " << to_line(sliced.error());
  if (whole && sliced) {
    EXPECT_TRUE(*whole == *sliced) << name;
  }
  return true;
}

TEST(AddressSlice, AccessesWhatTheKernelDoesAtRandomSizesAndParameters) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  constexpr int kRounds = 3;
  int slices = 0, all = 0;
  for_random_sets(kRounds, [&](const auto& spec, const auto& values, const auto& sizes) {
    const auto job = job_of(spec, values, sizes);
    if (!job) return;  // a launch that the device refuses
    ++all, slices += compare(*job);
  });
  std::printf("%d slices of %d\n", slices, all);
  EXPECT_GE(slices, 80 * kRounds);
}

struct Statement {
  const char* text;
  bool has_slice;
};

TEST(AddressSlice, IsNothingWhereMemoryDecides) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const std::string head =
      "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n"
      "  __shared__ int places[128];\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  places[threadIdx.x] = 127 - threadIdx.x;\n  __syncthreads();\n  ";
  for (const Statement& one :
       {Statement{"out[i] = in[i] * in[i % 7] + places[5];", true},
        Statement{"out[__shfl_xor_sync(~0u, i, 1)] = sqrtf(in[i]);", true},
        Statement{"out[i] = __shfl_xor_sync(~0u, in[i], 1);", true},
        Statement{"for (int k = i; k < N; k += 64 * blockDim.x) out[k] += in[k];", true},
        Statement{"out[places[threadIdx.x]] = 1;", false}, Statement{"out[(int)in[i]] = 1;", false},
        Statement{"if (in[i] > 0) out[i] = 1;", false}, Statement{"if (clock() % 2 == 0) out[i] = 1;", false},
        Statement{"atomicAdd(&out[i], in[i]);", true},
        Statement{"out[(int)atomicAdd(&out[0], 1)] = 1;", false},
        Statement{"while (*(volatile int*)&out[0] == 0) {}", false}}) {
    const auto build = compiler().compile({head + one.text + "\n}\n", "k.cu", {}, 90, false});
    ASSERT_TRUE(build) << one.text << to_line(build.error());
    const auto kernel = prepare(*build, h100());
    ASSERT_TRUE(kernel);
    const auto slice = address_slice(**kernel, h100());
    EXPECT_EQ(slice.has_value(), one.has_slice) << one.text;
    if (slice) {
      EXPECT_LT(slice->kernel->function().code.size(), (*kernel)->function().code.size()) << one.text;
    }
  }
}

}  // namespace
}  // namespace warplens::run
