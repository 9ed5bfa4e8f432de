// What glibc's own module leaves out.
#include <malloc.h>

// The bytes of freed memory that the allocator keeps. Swift takes `mallinfo2()` for an empty value of the structure of that name.
static inline size_t malloc_freed_bytes(void) { return mallinfo2().fordblks; }
