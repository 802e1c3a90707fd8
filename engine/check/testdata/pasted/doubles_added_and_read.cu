__device__ double add(double* to, double v) {
  unsigned long long int* word = (unsigned long long int*)to;
  unsigned long long int old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void dot(const double* x, const double* y, double* out, int n) {
  double s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i] * y[i];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) {
    add(out, s);
    if (*out > 1000) *out = 1000;  // fault: race-global
  }
}
