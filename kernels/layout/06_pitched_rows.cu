/*---
title   = "Pitched rows"
idea    = "Each row is padded until the next one begins at a multiple of 128 bytes. The distance between the beginnings of rows, in bytes, is the pitch; cudaMallocPitch chooses it."
watch   = "Every row is as well aligned as the first one: 4 sectors a load, for 23 unused floats a row."
source  = "V. Kindratenko, NCSA, Introduction to GPU programming, part III, memory alignment; CUDA C++ Programming Guide, cudaMallocPitch"
show    = "in"
[problem]
sizes   = { ROWS = 61, COLUMNS = 1001 }
buffers = [
  { name = "in", type = "float", shape = ["ROWS", "round_up(COLUMNS, PITCH)"] },
  { name = "out", type = "float", shape = ["ROWS", "round_up(COLUMNS, PITCH)"], fill = "zero" },
]
scalars = [{ name = "pitch", type = "int", value = "4 * round_up(COLUMNS, PITCH)" }]
check   = "out[row, column] == (column < COLUMNS ? in[row, column] + 1 : 0)"
[params]
PITCH = { default = 32, values = [1, 8, 16, 32, 64], meaning = "a row begins at a multiple of so many floats; 32 are 128 bytes" }
DEPTH = { default = 8, values = [1, 4, 8, 16], meaning = "rows that a thread goes through" }
BLOCK = { default = 128, values = [32, 64, 128, 256, 512], meaning = "threads in a block, along a row" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(COLUMNS, BLOCK)", "ceil_div(ROWS, DEPTH)"]
---*/

// 1 is added to each of ROWS x COLUMNS numbers. pitch: bytes from the beginning of a row to the next one.
extern "C" __global__ void kernel(const float* in, float* out, int pitch, int ROWS, int COLUMNS) {
  const int c = blockIdx.x * BLOCK + threadIdx.x, first = blockIdx.y * DEPTH;
  if (c >= COLUMNS) return;
#pragma unroll 1
  for (int r = first; r < min(first + DEPTH, ROWS); ++r) {
    const float* from = (const float*)((const char*)in + (size_t)r * pitch);
    float* to = (float*)((char*)out + (size_t)r * pitch);
    to[c] = from[c] + 1.0f;
  }
}
