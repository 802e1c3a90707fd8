// The texts of async_probe's kernels: PTX that is put together here, each of a few lines.
#pragma once

#include <string>

std::string text(const char* format, ...);

struct Type {
  const char *name, *ptx, *sum;
  int k;
  int registers_of(int n) const { return sum[1] == '1' ? n / 4 : n / 2; }
  const char* register_type() const { return sum[0] == 's' ? "b32" : sum[1] == '1' ? "b32" : "f32"; }
};
constexpr Type kTypes[] = {{"bf16", "bf16.bf16", "f32", 16},     {"f16", "f16.f16", "f16", 16},
                           {"tf32", "tf32.tf32", "f32", 8},      {"e4m3", "e4m3.e4m3", "f32", 32},
                           {"e4m3_f16", "e4m3.e4m3", "f16", 32}, {"s8", "s8.s8", "s32", 32}};

// `batch` products, then a wait until only `pending` groups are under way, and again.
std::string products_kernel(const Type& type, int n, int batch, int pending, bool a_in_registers, int groups,
                            bool filled);
// One thread loads boxes of 64 columns of 2 bytes and `rows` rows to a ring of `depth` places, `per_stage` boxes with one
// barrier. n0: first row of a block's; n1: rows until it begins again (a power of two); n2: 1: columns 0 only.
// cluster > 1: each block brings its part of each box to all blocks, and hears that all have it before it goes on.
std::string loads_kernel(int rows, int depth, int cluster);
// One thread stores boxes of 64 x rows, one after the other; out: cycles until they are read, and until they are written.
std::string stores_kernel(int rows, int together);
// Two warps hand a phase to and fro. remote: each in its own block of a cluster. lanes: that arrive.
std::string ping_pong_kernel(bool remote, int lanes);
// One instruction again and again by all warps; the whole block's cycles.
std::string repeat_kernel(const std::string& what, int threads, const std::string& before = "");
// As a matrix product with roles: warp group 0 loads boxes of A (64 rows for each consumer) and B (n rows) to a ring, the
// others multiply. n0, n1: rows of the map from block to block, and until it begins again.
std::string roles_kernel(int n, int consumers, int stages, int arriving);
