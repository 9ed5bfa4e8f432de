// What Swift cannot call, for it takes any number of arguments, or compares functions, or is an extension of GNU's.
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/prctl.h>

/// Has the kernel kill this process as soon as the thread that started it ends. Returns 0, or -1 with `errno`.
static inline int die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }

/// Has the kernel keep the ends of this process's children for it, also where whoever started it ignored such news.
static inline void heed_children(void) {
    struct sigaction action;
    if (sigaction(SIGCHLD, NULL, &action) != 0) return;
    if (action.sa_handler == SIG_IGN) action.sa_handler = SIG_DFL;
    action.sa_flags &= ~SA_NOCLDWAIT;
    sigaction(SIGCHLD, &action, NULL);
}

/// As Linux has it; its header shows it to C with `_GNU_SOURCE` alone.
int pipe2(int descriptors[2], int flags);

/// As glibc has it since 2.34, for C with `_GNU_SOURCE` alone: the program that is started has no file from this one on.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// Has standard output leave line by line, also where it is no terminal.
static inline void write_line_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
