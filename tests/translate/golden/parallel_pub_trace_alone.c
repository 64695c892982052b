#pragma cll parallel PUB trace
void work(int n);
