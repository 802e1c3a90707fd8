// Functions that call themselves, each in a way that a stack can get wrong. recursion_test.cpp computes the same on the host.
// recursion.ptx is made by: nvcc -std=c++17 -ptx -lineinfo -arch=compute_90 recursion.cu
// with the folders in the .file lines removed.
#define KERNEL extern "C" __global__ void

// Two calls, the second with the result of the first: other registers live behind each.
__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
KERNEL twice(int* out) { out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x % 5); }

// Through each other.
__device__ int is_odd(int n);
__device__ __noinline__ int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
__device__ __noinline__ int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
KERNEL mutual(int* out) { out[threadIdx.x] = is_even(threadIdx.x); }

// Each call has a variable of its own, which those that it calls write.
__device__ __noinline__ void moves(int n, int* count, int* callers) {
  int own = n;
  *callers += 1;
  if (n == 0) return;
  moves(n - 1, count, &own);
  *count += own - n;
  moves(n - 1, count, &own);
}
KERNEL variables(int* out) {
  int count = 0, own = 0;
  moves(threadIdx.x % 6, &count, &own);
  out[threadIdx.x] = count;
}

// Structures as arguments and results.
struct Sums {
  double all;
  int third[3];
  char count;
};
__device__ __noinline__ Sums sums(Sums so_far, int n) {
  if (n == 0) return so_far;
  Sums more = so_far;
  more.all += n * 0.5;
  more.third[n % 3] += n;
  ++more.count;
  return sums(more, n - 1);
}
KERNEL structures(int* out) {
  const Sums all = sums({}, threadIdx.x % 9);
  out[threadIdx.x] = static_cast<int>(all.all * 2) + 100 * all.third[1] + 10000 * all.count;
}

// Through a pointer, to itself.
__device__ int descend(int n, int which);
__device__ int ascend(int n, int) { return n; }
__device__ int (*steps[])(int, int) = {ascend, descend};
__device__ int descend(int n, int which) { return n + steps[n > 1 ? which : 0](n - 1, which); }
KERNEL pointers(int* out) { out[threadIdx.x] = steps[threadIdx.x % 2](threadIdx.x, 1); }

// Without an end.
__device__ __noinline__ int deeper(int n) {
  if (n == -1) return 0;
  const int below = deeper(n + 1);
  return below * below + n;
}
KERNEL endless(int* out) { out[threadIdx.x] = deeper(threadIdx.x); }
