/*---
title   = "Rows end to end"
idea    = "A matrix whose rows follow each other without a gap, as in any C array. Its width of 1001 floats is no multiple of 8, so almost every row begins in the middle of a sector."
watch   = "The second row begins 4004 bytes after the first one, 4 bytes into a sector: a load of a warp needs 5 sectors, where the first row needs 4."
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
PITCH = { default = 1, values = [1, 8, 16, 32, 64], meaning = "a row begins at a multiple of so many floats; 32 are 128 bytes" }
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
