// Measures on a GPU what [time] of assets/devices.toml has with the mark [H200], each by a kernel of a few lines:
//   nvcc -O3 -std=c++17 -arch=sm_90 -o chip_probe chip_probe.cu && ./chip_probe > DEVICE.csv
// A line each: what, its value, its unit. Cycles are the SM's own (clock64), so that they hold at any clock.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

void say(const char* what, double value, const char* unit) { std::printf("%s,%.4g,%s\n", what, value, unit); }

template <class T>
T* on_device(std::size_t elements) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, elements * sizeof(T)));
  check(cudaMemset(memory, 0, elements * sizeof(T)));
  return memory;
}

// Median over launches, in seconds, of which the first few are not counted.
template <class Launch>
double seconds_of(Launch launch) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < 15; ++i) {
    check(cudaEventRecord(begin));
    launch();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    if (i >= 4) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2] * 1e-3;
}

enum class Way { l1, l2 };

// One thread follows pointers; cycles a step. Only block `sm` of the grid, so that another SM does it each time.
template <Way way>
__global__ void chase(void* const* first, int steps, int sm, long long* cycles) {
  if (blockIdx.x != sm) return;
  const void* at = first;
  for (int pass = 0; pass < 2; ++pass) {
    const long long begin = clock64();
    for (int i = 0; i < steps; ++i) {
      if (way == Way::l1) asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at));
      if (way == Way::l2) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
    }
    *cycles = clock64() - begin + (at == nullptr);
  }
}

// The same in shared memory, where the number read is the next address; words: that a load has.
template <int words>
__global__ void chase_shared(int steps, long long* cycles) {
  __shared__ uint4 memory[64];
  std::uint32_t at = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
  memory[threadIdx.x] = make_uint4(at, at, at, at);
  __syncthreads();
  std::uint32_t more[3] = {};
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) {
    if (words == 1) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    if (words == 2) asm volatile("ld.shared.v2.u32 {%0, %1}, [%0];" : "+r"(at), "=r"(more[0]));
    if (words == 4)
      asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%0];"
                   : "+r"(at), "=r"(more[0]), "=r"(more[1]), "=r"(more[2]));
  }
  if (threadIdx.x == 0) *cycles = clock64() - begin + (at + more[0] + more[1] + more[2] == 1);
}

__global__ void shuffle_chain(int steps, long long* cycles) {
  int value = threadIdx.x;
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) value = __shfl_xor_sync(~0u, value, 1);
  if (threadIdx.x == 0) *cycles = clock64() - begin + (value == -1);
}

// Each lane reads its own element, `distance` words from its neighbour's, again and again out of L1.
// no_more: 0, which the compiler cannot know, so that it loads each time.
__global__ void gather(const float* memory, int distance, int steps, int no_more, long long* cycles) {
  const float* at = memory + static_cast<std::size_t>(threadIdx.x % 32) * distance;
  float sum = 0, value;
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) {
    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(at));
    sum += value;
    at += no_more;
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin + (sum == 1);
}

// Every warp reads from L2, `lanes_apart` bytes from lane to lane, and begins elsewhere: two of an SM must not want the
// same at a time, which would come but once.
__global__ void read_l2(const char* memory, std::size_t bytes, int lanes_apart, int steps, float* out) {
  const std::size_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const std::size_t begin = warp * 2654435761u % bytes / 4096 * 4096;
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < steps; ++i) {
    const std::size_t at = (begin + (static_cast<std::size_t>(i) * 32 + lane) * lanes_apart) % bytes;
    float4 four = {};
    if (lanes_apart == 16)
      asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
                   : "l"(memory + at));
    else
      asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(four.x) : "l"(memory + at));
    sum += four.x + four.y + four.z + four.w;
  }
  if (sum == 1) *out = sum;
}

__global__ void nothing() {}

__global__ void begin_of_warps(long long* begins) {
  const long long now = clock64();
  if (threadIdx.x % 32 == 0) begins[threadIdx.x / 32] = now;
}

__global__ void meet(unsigned* counter, int steps) {
  for (int i = 0; i < steps; ++i) atomicAdd(counter, threadIdx.x);
}

// Which SM a block runs on, and when it begins there; each takes about as long.
__global__ void where(unsigned* sm, long long* begin, long long cycles) {
  extern __shared__ char room[];  // so that few blocks fit on an SM
  if (threadIdx.x != 0) return;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm[blockIdx.x]));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin[blockIdx.x]));
  const long long until = clock64() + cycles + (blockIdx.x * 7919 % 64) * 8;
  while (clock64() < until) room[0] = 1;
}

template <class Launch>
double cycles_of(Launch launch, int steps) {
  static long long* const cycles = on_device<long long>(1);
  launch(cycles);
  long long found = 0;
  check(cudaMemcpy(&found, cycles, sizeof found, cudaMemcpyDeviceToHost));
  return static_cast<double>(found) / steps;
}

// A ring of pointers through so many places, so many bytes apart, in an order that no prefetcher follows.
void** ring(std::size_t places, std::size_t apart) {
  char* const memory = on_device<char>(places * apart);
  std::vector<std::size_t> order(places);
  for (std::size_t i = 0; i < places; ++i) order[i] = i;
  std::uint64_t state = 1;
  for (std::size_t i = places - 1; i > 0; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i], order[(state >> 33) % i]);
  }
  std::vector<char> host(places * apart);
  for (std::size_t i = 0; i < places; ++i)
    *reinterpret_cast<void**>(&host[i * apart]) = memory + order[i] * apart;
  check(cudaMemcpy(memory, host.data(), host.size(), cudaMemcpyHostToDevice));
  return reinterpret_cast<void**>(memory);
}

void latencies(int sms) {
  constexpr int kSteps = 4096;
  say("shared latency of 4 bytes", cycles_of([](long long* c) { chase_shared<1><<<1, 32>>>(kSteps, c); }, kSteps), "cycles");
  say("shared latency of 8 bytes", cycles_of([](long long* c) { chase_shared<2><<<1, 32>>>(kSteps, c); }, kSteps), "cycles");
  say("shared latency of 16 bytes", cycles_of([](long long* c) { chase_shared<4><<<1, 32>>>(kSteps, c); }, kSteps), "cycles");
  say("shuffle latency", cycles_of([](long long* c) { shuffle_chain<<<1, 32>>>(kSteps, c); }, kSteps), "cycles");
  void** const small = ring(64, 128);
  say("L1 latency", cycles_of([&](long long* c) { chase<Way::l1><<<1, 1>>>(small, kSteps, 0, c); }, kSteps), "cycles");
  std::vector<double> of_sms;
  for (int sm = 0; sm < sms; ++sm)
    of_sms.push_back(cycles_of([&](long long* c) { chase<Way::l2><<<sms, 1>>>(small, kSteps, sm, c); }, kSteps));
  std::sort(of_sms.begin(), of_sms.end());
  say("L2 latency of the nearest SM", of_sms.front(), "cycles");
  say("L2 latency of the median SM", of_sms[of_sms.size() / 2], "cycles");
  say("L2 latency of the farthest SM", of_sms.back(), "cycles");
  void** const large = ring(1 << 15, 16384);  // 512 MB: both passes touch lines that L2 does not have
  say("memory latency of a lone chain", cycles_of([&](long long* c) { chase<Way::l2><<<1, 1>>>(large, kSteps * 2, 0, c); }, kSteps * 2), "cycles");
}

void gathers() {
  constexpr int kSteps = 2048, kWarps = 16;
  float* const memory = on_device<float>(32 * 1024);
  for (const int distance : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 34, 36, 40, 48, 63, 64, 65, 1032}) {
    char what[64];
    std::snprintf(what, sizeof what, "turns of a gather %d words apart", distance);
    say(what, cycles_of([&](long long* c) { gather<<<1, 32 * kWarps>>>(memory, distance, kSteps, 0, c); }, kSteps * kWarps), "cycles");
  }
}

void way_to_l2(int sms) {
  constexpr std::size_t kBytes = 16 << 20;
  constexpr int kSteps = 256, kWarps = 32;
  char* const memory = on_device<char>(kBytes);
  float* const out = on_device<float>(1);
  const auto rate = [&](int blocks, int apart, double each) {
    const double seconds = seconds_of([&] { read_l2<<<blocks, 32 * kWarps>>>(memory, kBytes, apart, kSteps, out); });
    return blocks * static_cast<double>(kWarps) * kSteps * each / seconds;
  };
  say("packets to L2 of all SMs", rate(sms * 2, 128, 32) * 1e-9, "billion a second");
  say("sectors from L2 of all SMs", rate(sms * 2, 16, 16) * 1e-9, "billion a second");
  say("sectors from L2 of one SM", rate(1, 16, 16) * 1e-9, "billion a second");
}

void blocks_and_warps() {
  const auto empty = [](int blocks) { return seconds_of([=] { nothing<<<blocks, 32>>>(); }); };
  constexpr int kFew = 1 << 18, kMany = 1 << 21;
  say("between two blocks of all SMs", (empty(kMany) - empty(kFew)) / (kMany - kFew) * 1e9, "ns");
  long long* const begins = on_device<long long>(32);
  for (int i = 0; i < 2; ++i) begin_of_warps<<<1, 1024>>>(begins);
  std::vector<long long> found(32);
  check(cudaMemcpy(found.data(), begins, 32 * sizeof(long long), cudaMemcpyDeviceToHost));
  const auto [first, last] = std::minmax_element(found.begin(), found.end());
  say("between two warps of a block", (*last - *first) / 31.0, "cycles");
}

// The blocks that some SMs get, in the order in which they begin: of the first wave and of the next two.
void places_of_blocks(int sms) {
  constexpr int kHeld = 4, kWaves = 3;
  constexpr int kRoom = 50 << 10;
  const int blocks = sms * kHeld * kWaves;
  unsigned* const sm = on_device<unsigned>(blocks);
  long long* const begin = on_device<long long>(blocks);
  check(cudaFuncSetAttribute(where, cudaFuncAttributeMaxDynamicSharedMemorySize, kRoom));
  where<<<blocks, 128, kRoom>>>(sm, begin, 100'000);
  std::vector<unsigned> of(blocks);
  std::vector<long long> when(blocks);
  check(cudaMemcpy(of.data(), sm, blocks * sizeof of[0], cudaMemcpyDeviceToHost));
  check(cudaMemcpy(when.data(), begin, blocks * sizeof when[0], cudaMemcpyDeviceToHost));
  for (const unsigned one : {0u, 1u, 2u, 37u, 70u, 101u, 131u}) {
    std::vector<int> its;
    for (int b = 0; b < blocks; ++b)
      if (of[b] == one) its.push_back(b);
    std::sort(its.begin(), its.end(), [&](int a, int b) { return when[a] < when[b]; });
    std::printf("# blocks of SM %u:", one);
    for (const int b : its) std::printf(" %d", b);
    std::printf("\n");
  }
}

void atomics(int sms) {
  constexpr int kSteps = 64;
  unsigned* const counter = on_device<unsigned>(1);
  const double seconds = seconds_of([&] { meet<<<sms * 8, 32>>>(counter, kSteps); });
  say("between two warps' atomics at one address", seconds / (sms * 8.0 * kSteps) * 1e9, "ns");
}

}  // namespace

int main() {
  cudaDeviceProp of{};
  check(cudaGetDeviceProperties(&of, 0));
  std::printf("# %s, %d SMs, CUDA %d\nwhat,value,unit\n", of.name, of.multiProcessorCount, CUDART_VERSION);
  latencies(of.multiProcessorCount);
  gathers();
  way_to_l2(of.multiProcessorCount);
  blocks_and_warps();
  atomics(of.multiProcessorCount);
  places_of_blocks(of.multiProcessorCount);
  check(cudaDeviceSynchronize());
}
