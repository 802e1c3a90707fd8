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

// ---- tensor cores

// Products of a warp, each with a sum of its own in `sums` of them, one after the other.
enum class Product { bf16, bf16_half_k, f16, tf32, s8, e4m3, f64 };
template <Product kind>
__device__ void multiply(unsigned (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#define SUMS "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define FACTORS "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define WIDE " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
  if (kind == Product::bf16) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32" WIDE : SUMS : FACTORS);
  if (kind == Product::e4m3) asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32" WIDE : SUMS : FACTORS);
  if (kind == Product::tf32) asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" WIDE : SUMS : FACTORS);
  if (kind == Product::s8) asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32" WIDE : SUMS : FACTORS);
  if (kind == Product::bf16_half_k)
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : SUMS : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  if (kind == Product::f16)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                 : "+r"(d[0]), "+r"(d[1]) : FACTORS);
  if (kind == Product::f64)  // zeros, whatever their type
    asm volatile("{.reg .f64 x, y, s, t; mov.b64 x, {%4,%5}; mov.b64 y, {%6,%7}; mov.b64 s, {%0,%1}; mov.b64 t, {%2,%3};\n"
                 "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {s,t}, {x}, {y}, {s,t};\n"
                 "mov.b64 {%0,%1}, s; mov.b64 {%2,%3}, t;}"
                 : SUMS : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
#undef SUMS
#undef FACTORS
#undef WIDE
}
template <Product kind, int sums>
__global__ void products(int steps, long long* cycles) {
  unsigned d[sums][4] = {}, a[2][4] = {}, b[4][2] = {};
  for (auto& each : a) for (unsigned& word : each) word = threadIdx.x >> 20;  // 0, which the compiler cannot know
  for (auto& each : b) for (unsigned& word : each) word = threadIdx.x >> 21;
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps / sums; ++i)
#pragma unroll
    for (int sum = 0; sum < sums; ++sum) multiply<kind>(d[sum], a[sum % 2], b[sum / 2 % 4]);
  __syncthreads();
  unsigned all = 0;
  for (const auto& each : d) all += each[0] + each[1] + each[2] + each[3];
  if (threadIdx.x == 0) *cycles = clock64() - begin + (all == 1);
}

// The word that a ldmatrix of four matrices reads is the address of its next one.
__global__ void chase_matrices(int steps, long long* cycles) {
  __shared__ __align__(128) std::uint32_t memory[128];
  std::uint32_t at = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)), more[3];
  for (int i = threadIdx.x; i < 128; i += 32) memory[i] = at;
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%0];"
                 : "+r"(at), "=r"(more[0]), "=r"(more[1]), "=r"(more[2]));
  if (threadIdx.x == 0) *cycles = clock64() - begin + (more[0] == 1);
}

// ldmatrix of four matrices again and again, their rows so many bytes apart.
__global__ void read_matrices(int steps, int pitch, int no_more, long long* cycles) {
  __shared__ __align__(128) char memory[32 * 144];
  std::uint32_t at = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)) + threadIdx.x % 32 * pitch;
  unsigned r[4], all = 0;
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
    all += r[0];
    at += no_more;
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin + (all == 1);
}

// A chain of loads by addresses of any kind, of shared memory.
__global__ void chase_generic(int steps, long long* cycles) {
  __shared__ const void* memory[1];
  const void* at = memory;
  memory[0] = at;
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) asm volatile("ld.u64 %0, [%0];" : "+l"(at));
  if (threadIdx.x == 0) *cycles = clock64() - begin + (at == nullptr);
}

// As the machine's wmma.load by such addresses: four lanes side by side in a row, eight rows so many bytes apart.
enum class Space { generic, shared, global };
template <Space space>
__device__ void read_fragments(const char* memory, int pitch, int steps, int no_more, long long* cycles) {
  const char* at = memory + threadIdx.x % 32 / 4 * static_cast<std::size_t>(pitch) + threadIdx.x % 4 * 4;
  std::uint32_t in_shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
  unsigned all = 0, word;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 4
  for (int i = 0; i < steps; ++i) {
    if (space == Space::generic) asm volatile("ld.u32 %0, [%1];" : "=r"(word) : "l"(at));
    if (space == Space::global) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(word) : "l"(at));
    if (space == Space::shared) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(in_shared));
    all += word;
    at += no_more, in_shared += no_more;
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin + (all == 1);
}
template <Space space>
__global__ void fragments_of_shared(int pitch, int steps, int no_more, long long* cycles) {
  __shared__ __align__(128) char memory[8 * 144];
  for (int i = threadIdx.x; i < 8 * 36; i += blockDim.x) reinterpret_cast<unsigned*>(memory)[i] = 0;
  read_fragments<space>(memory, pitch, steps, no_more, cycles);
}
template <Space space>
__global__ void fragments_of_global(const char* memory, int pitch, int steps, int no_more, long long* cycles) {
  read_fragments<space>(memory, pitch, steps, no_more, cycles);
}
// The same of stores of 8 bytes, as wmma.store makes of sums.
template <Space space>
__global__ void store_sums(int pitch, int steps, int no_more, long long* cycles) {
  __shared__ __align__(128) char memory[8 * 160];
  char* at = memory + threadIdx.x % 32 / 4 * pitch + threadIdx.x % 4 * 8;
  std::uint32_t in_shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 4
  for (int i = 0; i < steps; ++i) {
    if (space == Space::generic) asm volatile("st.v2.u32 [%0], {%1, %1};" : : "l"(at), "r"(i));
    if (space == Space::shared) asm volatile("st.shared.v2.u32 [%0], {%1, %1};" : : "r"(in_shared), "r"(i));
    at += no_more, in_shared += no_more;
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
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

template <Product kind>
void products_of(const char* name) {
  constexpr int kSteps = 4096, kSums = 8, kParts = 4;
  char what[96];
  std::snprintf(what, sizeof what, "latency of a product of %s", name);
  say(what, cycles_of([](long long* c) { products<kind, 1><<<1, 32>>>(kSteps, c); }, kSteps), "cycles");
  for (const int warps : {1, 2, 4}) {  // of a part
    std::snprintf(what, sizeof what, "between two products of %s, warps of a part: %d", name, warps);
    say(what, cycles_of([=](long long* c) { products<kind, kSums><<<1, 32 * kParts * warps>>>(kSteps, c); }, kSteps * warps), "cycles");
  }
}

void tensor_cores() {
  products_of<Product::bf16>("16 x 8 x 16 bf16");
  products_of<Product::bf16_half_k>("16 x 8 x 8 bf16");
  products_of<Product::f16>("16 x 8 x 16 f16 to f16");
  products_of<Product::tf32>("16 x 8 x 8 tf32");
  products_of<Product::s8>("16 x 8 x 32 s8");
  products_of<Product::e4m3>("16 x 8 x 32 e4m3");
  products_of<Product::f64>("8 x 8 x 4 f64");
}

void fragments() {
  constexpr int kSteps = 2048, kWarps = 16;
  const auto each = [](auto launch) { return cycles_of(launch, kSteps * kWarps); };
  say("latency of ldmatrix of four", cycles_of([](long long* c) { chase_matrices<<<1, 32>>>(kSteps, c); }, kSteps), "cycles");
  say("shared latency by an address of any kind", cycles_of([](long long* c) { chase_generic<<<1, 1>>>(kSteps, c); }, kSteps), "cycles");
  for (const int pitch : {128, 144, 16}) {
    char what[96];
    const auto row = [&](const char* of) { std::snprintf(what, sizeof what, "turns of %s, rows %d bytes apart", of, pitch); return what; };
    say(row("ldmatrix of four"), each([=](long long* c) { read_matrices<<<1, 32 * kWarps>>>(kSteps, pitch, 0, c); }), "cycles");
    say(row("a fragment's word in shared memory"), each([=](long long* c) { fragments_of_shared<Space::shared><<<1, 32 * kWarps>>>(pitch, kSteps, 0, c); }), "cycles");
    say(row("the same by an address of any kind"), each([=](long long* c) { fragments_of_shared<Space::generic><<<1, 32 * kWarps>>>(pitch, kSteps, 0, c); }), "cycles");
  }
  for (const int pitch : {64, 128, 160}) {
    char what[96];
    const auto row = [&](const char* of) { std::snprintf(what, sizeof what, "turns of %s, rows %d bytes apart", of, pitch); return what; };
    say(row("a store of two sums"), each([=](long long* c) { store_sums<Space::shared><<<1, 32 * kWarps>>>(pitch, kSteps, 0, c); }), "cycles");
    say(row("the same by an address of any kind"), each([=](long long* c) { store_sums<Space::generic><<<1, 32 * kWarps>>>(pitch, kSteps, 0, c); }), "cycles");
  }
  char* const memory = on_device<char>(1 << 18);
  for (const int pitch : {32, 64, 128, 144, 512, 1024, 2000, 2048, 4096, 8192, 8256, 16384}) {
    char what[96];
    const auto row = [&](const char* of) { std::snprintf(what, sizeof what, "turns of a fragment's word in L1%s, rows %d bytes apart", of, pitch); return what; };
    say(row(""), each([=](long long* c) { fragments_of_global<Space::global><<<1, 32 * kWarps>>>(memory, pitch, kSteps, 0, c); }), "cycles");
    say(row(" by an address of any kind"), each([=](long long* c) { fragments_of_global<Space::generic><<<1, 32 * kWarps>>>(memory, pitch, kSteps, 0, c); }), "cycles");
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
  tensor_cores();
  fragments();
  way_to_l2(of.multiProcessorCount);
  blocks_and_warps();
  atomics(of.multiProcessorCount);
  places_of_blocks(of.multiProcessorCount);
  check(cudaDeviceSynchronize());
}
