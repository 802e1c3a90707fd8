// Measures on a GPU of compute capability 9.0 what the model of time has of products of warp groups (wgmma), tensor copies
// (TMA), barriers in shared memory and clusters, each by a kernel of a few lines. The kernels are PTX text, made here and
// compiled by the driver, so that only the driver is needed where it runs:
//   g++ -O2 -std=c++20 -I/usr/local/cuda/include -o async_probe async_probe.cpp async_kernels.cpp -L/usr/local/cuda/lib64/stubs -lcuda
//   ./async_probe > DEVICE_async.csv        (--ptx FOLDER: only writes the kernels' texts there)
// A line each: what, its value, its unit. Cycles are the SM's own (clock64), so that they hold at any clock.
#include <cuda.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "async_kernels.hpp"

namespace {

const char* ptx_folder = nullptr;

void say(const std::string& what, double value, const char* unit) {
  std::printf("%s,%.5g,%s\n", what.c_str(), value, unit);
  std::fflush(stdout);
}
bool failed(CUresult result, const std::string& where) {
  if (result == CUDA_SUCCESS) return false;
  const char* why = nullptr;
  cuGetErrorString(result, &why);
  std::fprintf(stderr, "%s: %s\n", where.c_str(), why == nullptr ? "?" : why);
  if (result != CUDA_ERROR_INVALID_PTX && result != CUDA_ERROR_INVALID_VALUE)
    std::exit(1);  // the context is lost
  return true;
}

// ---- launches

struct Probe {
  CUfunction function = nullptr;
  CUmodule module = nullptr;
};
Probe load(const std::string& name, const std::string& ptx) {
  if (ptx_folder != nullptr) {
    std::ofstream(std::string(ptx_folder) + "/" + name + ".ptx") << ptx;
    return {};
  }
  Probe probe;
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  if (failed(cuModuleLoadDataEx(&probe.module, ptx.c_str(), 2, options, values), name)) {
    std::fprintf(stderr, "%s\n", log);
    return {};
  }
  failed(cuModuleGetFunction(&probe.function, probe.module, "probe"), name);
  failed(cuFuncSetAttribute(probe.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 * 1024),
         name);
  return probe;
}

struct Shape {
  int blocks = 1, threads = 128, shared = 1024, cluster = 1;
};
struct Numbers {
  CUdeviceptr map = 0, data = 0;
  std::uint32_t turns = 0, n0 = 0, n1 = 1, n2 = 0;
};
CUdeviceptr results = 0;

bool launch(const Probe& probe, const Shape& shape, Numbers numbers) {
  void* parameters[] = {&results,    &numbers.map, &numbers.data, &numbers.turns,
                        &numbers.n0, &numbers.n1,  &numbers.n2};
  CUlaunchConfig config{};
  config.gridDimX = static_cast<unsigned>(shape.blocks), config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = static_cast<unsigned>(shape.threads), config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = static_cast<unsigned>(shape.shared);
  CUlaunchAttribute cluster{};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {static_cast<unsigned>(shape.cluster), 1, 1};
  config.attrs = &cluster, config.numAttrs = 1;
  return !failed(cuLaunchKernelEx(&config, probe.function, parameters, nullptr), "launch");
}
// Cycles of each block of the second launch; the first one warms up.
std::vector<double> cycles_of(const Probe& probe, const Shape& shape, const Numbers& numbers, int place = 0,
                              bool warm = true) {
  if (probe.function == nullptr) return {};
  for (int i = warm ? 0 : 1; i < 2; ++i)
    if (!launch(probe, shape, numbers)) return {};
  failed(cuCtxSynchronize(), "run");
  std::vector<std::uint64_t> raw(8 * static_cast<std::size_t>(shape.blocks));
  failed(cuMemcpyDtoH(raw.data(), results, raw.size() * 8), "results");
  std::vector<double> cycles;
  for (int b = 0; b < shape.blocks; ++b)
    cycles.push_back(static_cast<double>(raw[static_cast<std::size_t>(8 * b + place)]));
  return cycles;
}
double mean(const std::vector<double>& all) {
  double sum = 0;
  for (const double each : all) sum += each;
  return all.empty() ? NAN : sum / static_cast<double>(all.size());
}

void probe_products() {
  const auto measure = [](const Type& type, int n, int batch, int pending, bool in_registers, int groups) {
    const std::string name = text("wgmma_%s_n%d_x%d_wait%d%s_groups%d", type.name, n, batch, pending,
                                  in_registers ? "_areg" : "", groups);
    const Probe probe = load(name, products_kernel(type, n, batch, pending, in_registers, groups, false));
    const auto cycles = cycles_of(probe, {1, 128 * groups, 128 * 1024, 1}, {.turns = 200});
    if (!cycles.empty()) say(name, mean(cycles) / 200, "cycles");
    if (probe.module != nullptr) cuModuleUnload(probe.module);
  };
  for (const Type& type : kTypes)
    for (const int n : {8, 16, 32, 64, 96, 128, 192, 256}) measure(type, n, 16, 0, false, 1);
  for (const int n : {8, 64, 128, 256})
    for (const int batch : {1, 2, 4, 8}) measure(kTypes[0], n, batch, 0, false, 1);
  for (const int n : {8, 32, 64, 128, 256}) measure(kTypes[0], n, 16, 0, true, 1);
  for (const int n : {64, 128, 256})
    for (const int groups : {2, 3, 4})
      if (n * groups <= 512)
        for (const int batch : {4, 16}) measure(kTypes[0], n, batch, 0, false, groups);
  for (const int n : {64, 128, 256}) measure(kTypes[0], n, 4, 1, false, 1);
}

struct Memory {
  CUdeviceptr matrix = 0, normal = 0, zero = 0;
  std::uint64_t rows = 0;
};
CUdeviceptr map_of(const Memory& memory, int rows) {
  if (ptx_folder != nullptr) return 0;
  CUtensorMap map;
  const cuuint64_t sizes[] = {64, memory.rows}, strides[] = {128};
  const cuuint32_t box[] = {64, static_cast<cuuint32_t>(rows)}, steps[] = {1, 1};
  failed(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2,
                                reinterpret_cast<void*>(memory.matrix), sizes, strides, box, steps,
                                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
         "map");
  CUdeviceptr on_device = 0;
  failed(cuMemAlloc(&on_device, 4096), "map");
  failed(cuMemcpyHtoD(on_device, &map, sizeof map), "map");
  return on_device;
}

void probe_loads(const Memory& memory, int sms) {
  struct Case {
    const char* name;
    int rows, depth, cluster, blocks;
    std::uint32_t turns, apart, wrap;  // rows from block to block; until it begins again
    bool warm;
  };
  std::vector<Case> cases;
  for (const int rows : {8, 16, 32, 64, 128, 256})
    cases.push_back({"latency_l2", rows, 1, 1, 1, 64, 0, 256, true});
  for (const int rows : {8, 64, 256})
    cases.push_back({"latency_memory", rows, 1, 1, 1, 64, 0, 1u << 20, false});
  for (const int rows : {16, 64, 128, 256})
    cases.push_back({"one_sm_l2", rows, std::min(8, 1024 / rows), 1, 1, 512, 0, 1024, true});
  for (const int depth : {2, 4, 16}) cases.push_back({"one_sm_l2", 64, depth, 1, 1, 512, 0, 1024, true});
  for (const int rows : {64, 128, 256})
    cases.push_back({"all_l2", rows, 1024 / rows, 1, sms, 1024, 1024, 1024, true});
  cases.push_back({"all_l2_quarter", 64, 16, 1, sms / 4, 1024, 1024, 1024, true});
  cases.push_back({"all_l2_half", 64, 16, 1, sms / 2, 1024, 1024, 1024, true});
  cases.push_back({"all_same_l2", 64, 16, 1, sms, 1024, 0, 1024, true});
  cases.push_back({"all_same_l2_wide", 64, 16, 1, sms, 2048, 0, 65536, true});
  cases.push_back({"all_l2_34MB", 64, 16, 1, sms, 1024, 2048, 2048, true});
  cases.push_back({"all_memory", 64, 16, 1, sms, 1024, 65536, 65536, false});
  cases.push_back({"all_memory", 256, 4, 1, sms, 256, 65536, 65536, false});
  for (const int cluster : {2, 4}) {
    cases.push_back({"multicast", 64, 8, cluster, sms / 4 * 4 / cluster * cluster, 1024, 1024, 1024, true});
    cases.push_back({"multicast", 256, 4, cluster, sms / 4 * 4 / cluster * cluster, 512, 1024, 1024, true});
    cases.push_back({"multicast_latency", 64, 1, cluster, cluster, 64, 1024, 256, true});
    cases.push_back({"multicast_one", 64, 8, cluster, cluster, 512, 1024, 1024, true});
  }
  for (const Case& each : cases) {
    const std::string name =
        text("tma_%s_rows%d_depth%d_cluster%d", each.name, each.rows, each.depth, each.cluster);
    const Probe probe = load(name, loads_kernel(each.rows, each.depth, each.cluster));
    if (probe.function == nullptr) continue;
    const CUdeviceptr map = map_of(memory, each.rows / each.cluster);
    if (!each.warm) failed(cuMemsetD8(memory.zero, 0, 256u << 20), "flush");
    const auto cycles =
        cycles_of(probe, {each.blocks, 32, 1024 + each.depth * each.rows * 128, each.cluster},
                  {.map = map, .turns = each.turns, .n0 = each.apart, .n1 = each.wrap}, 0, each.warm);
    say(name, mean(cycles) / each.turns, "cycles a box");
    say(name + "_bytes", each.rows * 128.0 * each.turns / mean(cycles), "bytes a cycle and SM");
    cuModuleUnload(probe.module);
  }
}

void probe_stores(const Memory& memory, int sms) {
  for (const int blocks : {1, sms})
    for (const int rows : {64, 256})
      for (const int together : {1, 4}) {
        const std::string name = text("tma_store_rows%d_x%d_blocks%d", rows, together, blocks);
        const Probe probe = load(name, stores_kernel(rows, together));
        if (probe.function == nullptr) continue;
        const CUdeviceptr map = map_of(memory, rows);
        const std::uint32_t turns = 64;
        const Shape shape{blocks, 32, 40 * 1024, 1};
        const Numbers numbers{.map = map, .turns = turns, .n0 = 1024, .n1 = 1024};
        const double read = mean(cycles_of(probe, shape, numbers)) / turns;
        say(name, read, "cycles a box until it is read");
        const Numbers once{.map = map, .turns = static_cast<std::uint32_t>(together), .n0 = 1024, .n1 = 1024};
        say(name + "_once_read", mean(cycles_of(probe, shape, once)), "cycles");
        say(name + "_once_written", mean(cycles_of(probe, shape, once, 1)), "cycles");
        cuModuleUnload(probe.module);
      }
}

void probe_barriers() {
  for (const bool remote : {false, true})
    for (const int lanes : {1, 32}) {
      const std::string name = text("ping_pong%s_lanes%d", remote ? "_remote" : "", lanes);
      const Probe probe = load(name, ping_pong_kernel(remote, lanes));
      if (probe.function == nullptr) continue;
      say(name, cycles_of(probe, {remote ? 2 : 1, 64, 1024, remote ? 2 : 1}, {.turns = 500})[0] / 500,
          "cycles to and fro");
    }
  struct Case {
    const char *name, *what, *before;
    int threads, cluster;
  };
  const Case cases[] = {
      {"arrive_lane", "@%p3 mbarrier.arrive.shared.b64 %rd20, [%r1];\n", "", 32, 1},
      {"arrive_lane", "@%p3 mbarrier.arrive.shared.b64 %rd20, [%r1];\n", "", 256, 1},
      {"arrive_warp", "mbarrier.arrive.shared.b64 %rd20, [%r1];\n", "", 32, 1},
      {"arrive_warp", "mbarrier.arrive.shared.b64 %rd20, [%r1];\n", "", 128, 1},
      {"arrive_warp", "mbarrier.arrive.shared.b64 %rd20, [%r1];\n", "", 256, 1},
      {"arrive_remote_lane", "@%p3 mbarrier.arrive.shared::cluster.b64 _, [%r20];\n",
       "mapa.shared::cluster.u32 %r20, %r1, 1;\n", 32, 2},
      {"expect_lane", "@%p3 mbarrier.arrive.expect_tx.shared.b64 %rd20, [%r1], 0;\n", "", 32, 1},
      {"try_wait_done", "mbarrier.try_wait.parity.shared.b64 %p7, [%r1+8], 1;\n@!%p7 bra L;\n", "", 32, 1},
      {"try_wait_done", "mbarrier.try_wait.parity.shared.b64 %p7, [%r1+8], 1;\n@!%p7 bra L;\n", "", 256, 1},
      {"test_wait_done", "mbarrier.test_wait.parity.shared.b64 %p7, [%r1+8], 1;\n@!%p7 bra L;\n", "", 32, 1},
      {"named_barrier_128", "bar.sync 1, 128;\n", "", 128, 1},
      {"named_barrier_256", "bar.sync 1, 256;\n", "", 256, 1},
      {"block_barrier_384", "bar.sync 0;\n", "", 384, 1},
      {"cluster_barrier_2", "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n", "", 128, 2},
      {"cluster_barrier_2", "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n", "", 384, 2},
      {"proxy_fence", "fence.proxy.async.shared::cta;\n", "", 128, 1},
      {"proxy_fence_after_store", "st.shared.u32 [%r1+256], %r10;\nfence.proxy.async.shared::cta;\n", "", 128,
       1},
  };
  for (const Case& each : cases) {
    const std::string name = text("%s_threads%d", each.name, each.threads);
    const Probe probe = load(name, repeat_kernel(each.what, each.threads, each.before));
    if (probe.function == nullptr) continue;
    say(name, cycles_of(probe, {each.cluster, each.threads, 1024, each.cluster}, {.turns = 64})[0] / (64 * 8),
        "cycles");
    cuModuleUnload(probe.module);
  }
}

void probe_roles(const Memory& memory, int sms) {
  struct Case {
    int n, consumers, stages, arriving, blocks = 1;
    std::uint32_t apart = 0;
  };
  std::vector<Case> cases;
  for (const int blocks : {1, sms})
    for (const Case& each : {Case{256, 2, 3, 1},
                             {256, 2, 4, 1},
                             {256, 2, 3, 128},
                             {128, 2, 4, 1},
                             {128, 1, 4, 1},
                             {256, 1, 3, 1},
                             {64, 1, 4, 1},
                             {64, 2, 4, 1}})
      cases.push_back({each.n, each.consumers, each.stages, each.arriving, blocks, 512});
  for (const Case& each : cases) {
    const std::string name = text("roles_n%d_consumers%d_stages%d_arriving%d_blocks%d", each.n,
                                  each.consumers, each.stages, each.arriving, each.blocks);
    const Probe probe = load(name, roles_kernel(each.n, each.consumers, each.stages, each.arriving));
    if (probe.function == nullptr) continue;
    const CUdeviceptr map = map_of(memory, 64);
    const int bytes = each.consumers * 8192 + each.n * 128;
    const auto cycles =
        cycles_of(probe, {each.blocks, 128 * (1 + each.consumers), 1024 + each.stages * bytes, 1},
                  {.map = map, .turns = 256, .n0 = each.apart, .n1 = 512});
    say(name, mean(cycles) / 256, "cycles a stage");
    cuModuleUnload(probe.module);
  }
}

double power_watts() {
  FILE* pipe =
      popen("nvidia-smi --query-gpu=power.draw.instant --format=csv,noheader,nounits 2>/dev/null", "r");
  double watts = NAN;
  if (pipe == nullptr) return watts;
  if (std::fscanf(pipe, "%lf", &watts) != 1) watts = NAN;
  pclose(pipe);
  return watts;
}

// The clock that the chip holds while all SMs do the same for three seconds, and what it draws.
void probe_power(const Memory& memory, int sms) {
  struct Case {
    std::string name;
    std::string ptx;
    Shape shape;
    Numbers numbers;
  };
  const CUdeviceptr map = map_of(memory, 64);
  std::vector<Case> cases;
  for (const bool normal : {false, true})
    for (const auto& [type, n, groups] :
         {std::tuple{0, 256, 2}, {0, 128, 2}, {0, 64, 2}, {0, 64, 4}, {3, 256, 2}, {5, 256, 2}, {2, 256, 2}})
      cases.push_back(
          {text("power_%s_n%d_groups%d_%s", kTypes[type].name, n, groups, normal ? "normal" : "zero"),
           products_kernel(kTypes[type], n, 16, 0, false, groups, true),
           {sms, 128 * groups, 128 * 1024, 1},
           {.data = normal ? memory.normal : memory.zero, .turns = 4000}});
  cases.push_back({"power_loads",
                   loads_kernel(64, 16, 1),
                   {sms, 32, 1024 + 16 * 8192, 1},
                   {.map = map, .turns = 50000, .n0 = 1024, .n1 = 1024}});
  cases.push_back({"power_roles_n256",
                   roles_kernel(256, 2, 3, 1),
                   {sms, 384, 1024 + 3 * 49152, 1},
                   {.map = map, .turns = 6000, .n0 = 512, .n1 = 512}});
  cases.push_back({"power_roles_n128",
                   roles_kernel(128, 2, 4, 1),
                   {sms, 384, 1024 + 4 * 32768, 1},
                   {.map = map, .turns = 6000, .n0 = 512, .n1 = 512}});
  for (const Case& each : cases) {
    const Probe probe = load(each.name, each.ptx);
    if (probe.function == nullptr) continue;
    CUevent begin, end;
    cuEventCreate(&begin, 0), cuEventCreate(&end, 0);
    double seconds = 0, clock = 0, watts = 0;
    for (double spent = 0; spent < 3;) {  // the last round counts
      cuEventRecord(begin, nullptr);
      const int launches = 150;
      for (int i = 0; i < launches; ++i) launch(probe, each.shape, each.numbers);
      cuEventRecord(end, nullptr);
      watts = power_watts();
      failed(cuEventSynchronize(end), each.name);
      float ms = 0;
      cuEventElapsedTime(&ms, begin, end);
      const auto cycles = cycles_of(probe, each.shape, each.numbers, 0, true);
      seconds = ms * 1e-3 / launches, clock = mean(cycles) / seconds * 1e-6;
      spent += std::max(ms * 1e-3, 0.05);
    }
    say(each.name + "_clock", clock, "MHz (cycles of a block over the time of a launch)");
    say(each.name + "_power", watts, "W");
    say(each.name + "_time", seconds * 1e6, "us a launch");
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    cuModuleUnload(probe.module);
  }
}

Memory memory_of_all() {
  Memory memory;
  memory.rows = 10u << 20;  // 1.25 GB
  failed(cuMemAlloc(&memory.matrix, memory.rows * 128), "memory");
  failed(cuMemAlloc(&memory.normal, 128 * 1024), "memory");
  failed(cuMemAlloc(&memory.zero, 256u << 20), "memory");
  failed(cuMemAlloc(&results, 1 << 20), "memory");
  failed(cuMemsetD8(memory.zero, 0, 256u << 20), "memory");
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<std::uint16_t> numbers(1 << 22);
  for (auto& each : numbers) {
    const float value = normal(random);
    std::uint32_t bits;
    std::memcpy(&bits, &value, 4);
    each = static_cast<std::uint16_t>(bits >> 16);
  }
  failed(cuMemcpyHtoD(memory.normal, numbers.data(), 128 * 1024), "memory");
  for (std::uint64_t at = 0; at + 2 * numbers.size() <= memory.rows * 128; at += 2 * numbers.size())
    failed(cuMemcpyHtoD(memory.matrix + at, numbers.data(), 2 * numbers.size()), "memory");
  return memory;
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && std::string(words[1]) == "--ptx") ptx_folder = words[2];
  int sms = 132;
  Memory memory;
  if (ptx_folder == nullptr) {
    CUdevice device;
    CUcontext context;
    failed(cuInit(0), "driver"), failed(cuDeviceGet(&device, 0), "device");
    failed(cuDevicePrimaryCtxRetain(&context, device), "context"),
        failed(cuCtxSetCurrent(context), "context");
    failed(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device), "device");
    char name[256];
    failed(cuDeviceGetName(name, sizeof name, device), "device");
    std::printf("%s,%d,multiprocessors\n", name, sms);
    memory = memory_of_all();
  }
  probe_products();
  probe_barriers();
  probe_loads(memory, sms);
  probe_roles(memory, sms);
  probe_power(memory, sms);
  probe_stores(memory, sms);  // last: it writes to the matrix
  return 0;
}
