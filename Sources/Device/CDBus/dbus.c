#include "CDBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

// Functions of the library, all set or none.
#define POINTER(type, name, parameters, arguments) type(*name) parameters;
#define POINTER_VOID(name, parameters, arguments) void(*name) parameters;
static struct {
    DBUS_FUNCTIONS(POINTER)
    DBUS_VOID_FUNCTIONS(POINTER_VOID)
} library;

static char problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *find(void *handle, const char *name) {
    void *address = dlsym(handle, name);
    if (!address && !problem[0]) snprintf(problem, sizeof problem, "libdbus-1.so.3 has no %s", name);
    return address;
}

static void load(void) {
    void *handle = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, sizeof problem, "%s", dlerror());
        return;
    }
#define FIND(type, name, parameters, arguments) *(void **)&library.name = find(handle, #name);
#define FIND_VOID(name, parameters, arguments) *(void **)&library.name = find(handle, #name);
    DBUS_FUNCTIONS(FIND)
    DBUS_VOID_FUNCTIONS(FIND_VOID)
    if (!problem[0]) library.dbus_threads_init_default();
}

const char *dbus_load(void) {
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

#define CALL(type, name, parameters, arguments) \
    type name parameters { return library.name arguments; }
#define CALL_VOID(name, parameters, arguments) \
    void name parameters { library.name arguments; }
DBUS_FUNCTIONS(CALL)
DBUS_VOID_FUNCTIONS(CALL_VOID)

unsigned int wait_for_three(int first, int second, int third) {
    struct pollfd descriptors[3] = {{first, POLLIN, 0}, {second, POLLIN, 0}, {third, POLLIN, 0}};
    while (poll(descriptors, 3, -1) < 0 && errno == EINTR) {
    }
    unsigned int ready = 0;
    for (int place = 0; place < 3; place++) {
        if (descriptors[place].revents) ready |= 1u << place;
    }
    return ready;
}

int event_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void event_announce(int descriptor) {
    uint64_t one = 1;
    // Fails only if so many are waiting that the descriptor can be read anyway.
    (void)!write(descriptor, &one, sizeof one);
}

void event_clear(int descriptor) {
    uint64_t count;
    (void)!read(descriptor, &count, sizeof count);
}

int alarm_create(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

void alarm_set(int descriptor, int64_t nanoseconds) {
    struct itimerspec time = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL);
}

void alarm_clear(int descriptor) {
    uint64_t count;
    // Fails with ECANCELED after the clock was set, which counts as a ring.
    (void)!read(descriptor, &count, sizeof count);
}
