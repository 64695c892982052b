__global__ void kernel(float *x, int n)
{
#pragma cll inner inner[0]*n
    x[0] += n;
#pragma cll end inner
}

struct both {
    __host__ __device__ int operator()(int n) const
    {
#pragma cll both both[0]*n
        n++;
#pragma cll end both
        return n;
    }
};

__device__ static int counted(int n)
{
#pragma cll for (n = 1; n < 10; n++)
    n += 0;
#pragma cll end for
    return n;
}

int main()
{
    int n = 3;
#pragma cll host host[0]*n
    kernel<<<1, 1>>>(nullptr, n);
#pragma cll end host
    return 0;
}
