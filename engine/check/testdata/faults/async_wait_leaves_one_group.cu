/*---
title   = "A wait that leaves the newest group under way"
problem = "sgemm"
idea    = "There is one group a tile and the wait allows one to be under way, which is the very tile that is multiplied next."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 32,32,64
__device__ void copy4_async(float* to, const float* from, bool inside) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const int bytes = inside ? 4 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"  // fault: race-async
               ::"r"(at), "l"(from), "r"(bytes) : "memory");  // fault: race-async
}

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    const bool a = row < M && k0 + tx < K, b = col < N && k0 + ty < K;
    copy4_async(&As[ty][tx], a ? &A[row * K + k0 + tx] : A, a);
    copy4_async(&Bs[ty][tx], b ? &B[(k0 + ty) * N + col] : B, b);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");  // fault: race-async
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];  // fault: race-async
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
