// C functions that Swift's headers do not declare: GNU extensions, one of Swift's own runtime, and a signal handler around another.
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

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

/// A signal handler: lets Swift's own print its backtrace, which sets the default action for the time after it, and then writes the text.
/// With the number 0 it takes the text, and the place of Swift's handler. (Swift compiles no variables of a header, but those of functions.)
static inline void repeat_after_swifts(int number, siginfo_t *info, void *context) {
    static const char *text;
    static struct sigaction formers[2];
    if (number == 0) {
        const int numbers[] = {SIGILL, SIGTRAP};
        text = (const char *)context;
        for (int at = 0; at < 2; at++) {
            struct sigaction action;
            if (sigaction(numbers[at], NULL, &formers[at]) != 0) return;
            action = formers[at];
            action.sa_sigaction = repeat_after_swifts;
            if (!(action.sa_flags & SA_SIGINFO)) action.sa_flags = SA_SIGINFO | SA_RESETHAND;
            sigaction(numbers[at], &action, NULL);
        }
        return;
    }
    const struct sigaction *former = &formers[number == SIGTRAP];
    if (former->sa_flags & SA_SIGINFO) former->sa_sigaction(number, info, context);
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

/// Writes a text to standard error after the backtrace of the trap that follows, which has some hundred lines.
static inline void repeat_after_backtrace(const char *text) { repeat_after_swifts(0, NULL, strdup(text)); }
