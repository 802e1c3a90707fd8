/*---
title   = "Sums that are never set"
idea    = "The product is added to whatever the registers hold."
[problem]
sizes   = { N = 256 }
buffers = [{ name = "A", type = "half", count = "256", fill = "i % 3" },
           { name = "B", type = "half", count = "256", fill = "i % 5" },
           { name = "C", type = "float", count = "256" }]
none    = "only what the checkers find is asked for"
[launch]
block   = ["32"]
grid    = ["1"]
---*/

#include <mma.h>
using namespace nvcuda::wmma;

// C = A B, 16 x 16.
extern "C" __global__ void kernel(const half* A, const half* B, float* C) {
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, row_major> b;
  fragment<accumulator, 16, 16, 16, float> sums;
  load_matrix_sync(a, A, 16);
  load_matrix_sync(b, B, 16);
  mma_sync(sums, a, b, sums);  // fault: uninitialized-register
  store_matrix_sync(C, sums, 16, mem_row_major);
}
