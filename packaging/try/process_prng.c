/* The library that Wine before 9 lacks, of which Rust's programs need one function. For tests alone:
   x86_64-w64-mingw32-gcc -shared -o bcryptprimitives.dll process_prng.c, beside the program. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL ProcessPrng(PBYTE bytes, SIZE_T length)
{
    return RtlGenRandom(bytes, (ULONG)length);
}
