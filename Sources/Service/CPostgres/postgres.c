#include "CPostgres.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>

typedef void (*NoticeReceiver)(void *, const PGresult *);

// Functions of the library, all set or none.
#define POINTER(type, name, parameters, arguments) type(*name) parameters;
#define POINTER_VOID(name, parameters, arguments) void(*name) parameters;
static struct {
    PQ_FUNCTIONS(POINTER)
    PQ_VOID_FUNCTIONS(POINTER_VOID)
    NoticeReceiver (*PQsetNoticeReceiver)(PGconn *, NoticeReceiver, void *);
} library;

static char problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *find(void *handle, const char *name) {
    void *address = dlsym(handle, name);
    if (!address && !problem[0]) {
        snprintf(problem, sizeof problem, "libpq.so.5 is older than PostgreSQL 14: it has no %s", name);
    }
    return address;
}

static void load(void) {
    void *handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, sizeof problem, "%s", dlerror());
        return;
    }
#define FIND(type, name, parameters, arguments) *(void **)&library.name = find(handle, #name);
#define FIND_VOID(name, parameters, arguments) *(void **)&library.name = find(handle, #name);
    PQ_FUNCTIONS(FIND)
    PQ_VOID_FUNCTIONS(FIND_VOID)
    *(void **)&library.PQsetNoticeReceiver = find(handle, "PQsetNoticeReceiver");
}

const char *pq_load(void) {
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

static void ignore(void *context, const PGresult *notice) {
    (void)context;
    (void)notice;
}

void pq_silence(PGconn *connection) { library.PQsetNoticeReceiver(connection, ignore, NULL); }

#define CALL(type, name, parameters, arguments) \
    type name parameters { return library.name arguments; }
#define CALL_VOID(name, parameters, arguments) \
    void name parameters { library.name arguments; }
PQ_FUNCTIONS(CALL)
PQ_VOID_FUNCTIONS(CALL_VOID)

int pq_wait(const PGconn *connection, int wantsWrite, int milliseconds) {
    struct pollfd wait = {.fd = PQsocket(connection), .events = POLLIN | (wantsWrite ? POLLOUT : 0)};
    if (wait.fd < 0) return PQ_WAIT_READABLE;
    if (poll(&wait, 1, milliseconds) <= 0) return PQ_WAIT_OVER;
    int isWritable = wait.revents & POLLOUT ? PQ_WAIT_WRITABLE : 0;
    return wait.revents & ~POLLOUT ? isWritable | PQ_WAIT_READABLE : isWritable;
}

void pq_cut(const PGconn *connection) {
    int socket = PQsocket(connection);
    if (socket >= 0) shutdown(socket, SHUT_RDWR);
}
