typedef int MPI_Comm;
#pragma cll parallel MPI world procs = 1,2
struct Solver {
    MPI_Comm world;
    void step(MPI_Comm row, int n)
    {
#pragma cll sync step step[0] + step[1]*n*P
        n++;
#pragma cll end step
#pragma cll sync(row) line line[0] + line[1]*n
        n++;
#pragma cll end line
#pragma cll report step
    }
};
