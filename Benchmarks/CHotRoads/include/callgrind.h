#ifndef CALLGRIND_H
#define CALLGRIND_H

#include <stdbool.h>

// Orders from a program to the valgrind that runs it. Outside valgrind they do nothing.

/// Whether the program runs under valgrind.
bool callgrind_is_running(void);

/// Begins to count. Before that, the program runs several times faster.
void callgrind_start(void);

/// Sets all counts to zero, of all threads.
void callgrind_zero(void);

/// Writes the counts into a file of their own and sets them to zero.
///
/// * `name`: stands in the file.
void callgrind_dump(const char *name);

#endif
