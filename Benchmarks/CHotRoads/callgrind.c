#include "callgrind.h"
#include <stdint.h>

// An order is a sequence of instructions without effect, which valgrind recognises. valgrind.h has the same sequences; they are
// repeated here so that the package builds where valgrind is not installed.
//
// Source: Valgrind 3.19, include/valgrind.h and callgrind/callgrind.h.

static uintptr_t order(uintptr_t number, uintptr_t argument) {
    volatile uintptr_t order[6] = {number, argument, 0, 0, 0, 0};
#if defined(__x86_64__) && defined(__linux__)
    uintptr_t result = 0;
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "=d"(result)
                     : "a"(&order[0]), "0"(result)
                     : "cc", "memory");
    return result;
#elif defined(__aarch64__) && defined(__linux__)
    uintptr_t result;
    __asm__ volatile("mov x3, #0; mov x4, %1; ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61; "
                     "orr x10, x10, x10; mov %0, x3"
                     : "=r"(result)
                     : "r"(&order[0])
                     : "cc", "memory", "x3", "x4");
    return result;
#else
    (void)order;
    return 0;
#endif
}

enum {
    running_on_valgrind = 0x1001,
    callgrind = 'C' << 24 | 'T' << 16,
    zero_stats = callgrind + 1,
    dump_stats_at = callgrind + 3,
    start_instrumentation = callgrind + 4,
};

bool callgrind_is_running(void) { return order(running_on_valgrind, 0) != 0; }
void callgrind_start(void) { order(start_instrumentation, 0); }
void callgrind_zero(void) { order(zero_stats, 0); }
void callgrind_dump(const char *name) { order(dump_stats_at, (uintptr_t)name); }
