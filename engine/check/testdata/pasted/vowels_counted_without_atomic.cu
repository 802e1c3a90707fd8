#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void countVowels(const char *text, int length, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        char c = text[i];
        if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u')
            (*count)++;  // fault: wrong-at-odd-size
    }
}

int main()
{
    const char *text = "the quick brown fox jumps over the lazy dog and runs away from it again and again";
    int length = strlen(text), zero = 0, result;
    char *d_text;
    int *d_count;
    cudaMalloc(&d_text, length);
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(d_text, text, length, cudaMemcpyHostToDevice);
    cudaMemcpy(d_count, &zero, sizeof(int), cudaMemcpyHostToDevice);
    countVowels<<<(length + 31) / 32, 32>>>(d_text, length, d_count);
    cudaMemcpy(&result, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d vowels\n", result);
}
