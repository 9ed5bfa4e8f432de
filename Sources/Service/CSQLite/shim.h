// What Swift cannot call: a function with a variable number of arguments.
#include <sqlite3.h>

// Leaves out the sums of allocated memory, which nobody reads: each allocation would lock them. Only before the first database is opened.
static inline int sqlite3_config_no_memory_status(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
