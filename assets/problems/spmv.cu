/*---
title = "Sparse matrix times vector"
what = "y = A x, A in rows of values and columns (CSR), E a row on average"
multiply_adds = true
[problem]
sizes   = { M = { value = 4096, also = ["rows", "num_rows", "n_rows", "m", "n", "N", "dim"] }, E = 16 }
buffers = [{ name = "rows", count = "M + 1", fill = "floor(i * E - (i % 2) * E / 2)", gaps = "floor(i / 2) * 2 * E", also = ["row_ptr", "rowptr", "row_offsets", "ptr", "rowPtr", "row_ptrs", "Ap", "csrRowPtr"] },
           { name = "columns", count = "(M + 1) * E", fill = "random(0, M)", also = ["col_idx", "cols", "indices", "col_ind", "colIdx", "col_index", "Aj", "csrColInd", "col_indices"] },
           { name = "values", count = "(M + 1) * E", also = ["vals", "data", "val", "Ax", "csrVal", "A"] },
           { name = "x", count = "M", also = ["X", "vec", "in", "v"] }, { name = "y", count = "M", also = ["Y", "out", "result", "output"] }]
check   = "y[i] == sum(k, rows[i], rows[i + 1], values[k] * x[columns[k]])"
operations = "2 * M * E"
[launch]
block = [256]
grid  = ["ceil_div(M, 256)"]
---*/
extern "C" __global__ void spmv(int M, const int* rows, const int* columns, const float* values, const float* x, float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  float sum = 0;
  for (int k = rows[row]; k < rows[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}
