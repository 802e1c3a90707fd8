// Thrust: a sort, a sum and a scan.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <cstdio>

int main() {
  const int n = 20000;
  thrust::host_vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = (i * 7919) % 10007;
  thrust::device_vector<int> x = host;
  thrust::sort(x.begin(), x.end());
  const int sum = thrust::reduce(x.begin(), x.end());
  thrust::inclusive_scan(x.begin(), x.end(), x.begin());
  host = x;
  printf("%d %d %d\n", sum, host[100], host[n - 1]);
}
