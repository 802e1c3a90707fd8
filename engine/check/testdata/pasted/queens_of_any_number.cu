// right, not checked
// Counts the solutions of n queens: a thread for each placement of the first two rows, the rest by recursion on a stack.
__global__ void nqueen_kernel(int n, unsigned long long* solutions) {
  int first = blockIdx.x, second = threadIdx.x;
  if (first >= n || second >= n) return;
  if (first == second || first - second == 1 || second - first == 1) return;
  int stack[16], row = 2;
  stack[0] = first;
  stack[1] = second;
  stack[2] = -1;
  unsigned long long count = 0;
  while (row >= 2) {
    bool placed = false;
    for (int c = stack[row] + 1; c < n; ++c) {
      bool ok = true;
      for (int r = 0; r < row; ++r)
        if (stack[r] == c || stack[r] - c == row - r || c - stack[r] == row - r) ok = false;
      if (ok) {
        stack[row] = c;
        placed = true;
        break;
      }
    }
    if (!placed) {
      --row;
    } else if (row == n - 1) {
      ++count;
    } else {
      ++row;
      stack[row] = -1;
    }
  }
  atomicAdd(solutions, count);
}

