// C functions that Swift cannot call: they are variadic, compare functions, or are GNU extensions.
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/prctl.h>

/// Makes the kernel kill this process as soon as the thread that started it ends. Returns 0, or -1 with `errno`.
static inline int die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }

/// Makes the kernel keep the exit status of this process's children, even if its parent set SIGCHLD to be ignored.
static inline void heed_children(void) {
    struct sigaction action;
    if (sigaction(SIGCHLD, NULL, &action) != 0) return;
    if (action.sa_handler == SIG_IGN) action.sa_handler = SIG_DFL;
    action.sa_flags &= ~SA_NOCLDWAIT;
    sigaction(SIGCHLD, &action, NULL);
}

/// Linux's function, which its header declares only with `_GNU_SOURCE`.
int pipe2(int descriptors[2], int flags);

/// In glibc since 2.34, declared only with `_GNU_SOURCE`: closes all descriptors from this one on in the new program.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// Makes standard output line-buffered, even if it is not a terminal.
static inline void write_line_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
