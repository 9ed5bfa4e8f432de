// C functions that Swift's headers do not declare: GNU extensions, and one of Swift's own runtime.
#include <stddef.h>
#include <stdint.h>

/// What `dladdr` finds: the file that contains an address, and where it is loaded.
struct code_place {
    const char *file;
    const char *base;
    const char *symbol;
    const void *address;
};

/// Linux's `dladdr`, which its header declares only with `_GNU_SOURCE`. Returns 0 for an address of no file.
int find_place(const void *address, struct code_place *place) __asm__("dladdr");

/// Linux's `memmem`, which its header declares only with `_GNU_SOURCE`.
const void *find_bytes(const void *text, size_t length, const void *part, size_t part_length) __asm__("memmem");

/// The demangler of Swift's runtime. The result belongs to the caller, who frees it; NULL for a name that is not Swift's.
char *swift_demangle(const char *mangled, size_t length, char *output, size_t *output_size, uint32_t flags);
