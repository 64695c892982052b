/* Launches, templates of kernels, and code for the device that is left alone. */
#include <cstdio>
#include <cuda_runtime.h>

struct scale {
    float by;
    __host__ __device__ float operator()(float x) const { return x * by; }
};

template <int K, typename F> __global__ void apply(float *x, int n, F f)
{
    extern __shared__ float part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = f(x[i]) + K;
}

static __device__ __forceinline__ int twice(int n) { return n << 1 >> 1 << 1; }

static float run(float *x, int n, cudaStream_t stream)
{
    dim3 block(32, 8), grid((n + 255) / 256);
#pragma cll apply(grid := cll_launched.grid, sm := cll_launched.sm) CLOCK = apply[0]; DEVICE = apply[0] + apply[1]*ceil(grid/(sm*8))
    apply<3><<<grid, block, 0, stream>>>(x, n, scale{2});
    if (n > 7)
        apply<4, scale> <<<(n >> 8) + 1, 256>>>(x, n, {3});
#pragma cll end apply
    auto again = [&](int k) {
#pragma cll copies BYTES_OUT = copies[0]*n; TRANSFER = copies[1]*n
        for (int i = 0; i < k; i++)
            cudaMemcpyAsync(x, x, n * sizeof *x, cudaMemcpyDefault, stream);
#pragma cll end copies
    };
    again(3);
    return n < 3 ? n >>= 1 : twice < nullptr;
}

int main()
{
#pragma cll parallel CUDA
    run(nullptr, 100, 0);
#pragma cll report all
}
