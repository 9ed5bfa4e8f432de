// What Swift cannot call, for it takes any number of arguments.
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

/// Has the kernel kill this process as soon as the thread that started it ends. Returns 0, or -1 with `errno`.
static inline int die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }

/// Has standard output leave line by line, also where it is no terminal.
static inline void write_line_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
