/*---
title   = "32 x 16 threads on tiles of 32 x 32"
problem = "sgemm"
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
[params]
TURNED = { default = 0, values = [0, 1] }
[launch]
block   = [32, 16]
grid    = ["N / 32", "M / 32"]
---*/

constexpr int TILE = 32;

// The lecture prints the two lines of the inner loop and their machine code: a load of B, two multiply-adds, and, with
// rows of Bs as they come, an addition for each row, which its compiler could not fold into the address as today's
// does. Turned and padded there is none.
__device__ float of_row(unsigned& at) {
  float value;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(at));
  asm volatile("add.u32 %0, %0, 128;" : "+r"(at));
  return value;
}

extern "C" __global__ void kernel(const float* A, const float* B, float* C, int n, int, int) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE + TURNED];
  float Csub1 = 0.0f, Csub2 = 0.0f;
  for (int b = 0; b < n / TILE; b++) {
    for (int r = ty; r < TILE; r += 16) {
      As[r][tx] = A[(r + by * TILE) * n + b * TILE + tx];
      (TURNED ? Bs[tx][r] : Bs[r][tx]) = B[(r + b * TILE) * n + bx * TILE + tx];
    }
    __syncthreads();
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&Bs[0][tx]));
    for (int k = 0; k < TILE; k++) {
      const float of_b = TURNED ? Bs[tx][k] : of_row(at);
      Csub1 += As[ty][k] * of_b;
      Csub2 += As[ty + 16][k] * of_b;
    }
    __syncthreads();
  }
  C[(ty + by * TILE) * n + bx * TILE + tx] = Csub1;
  C[(ty + 16 + by * TILE) * n + bx * TILE + tx] = Csub2;
}
