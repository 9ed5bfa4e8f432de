// The functions of libcurl that FoundationNetworking names, for a static build: libcurl.so.4 is opened when one is called first. The
// command itself makes its requests with NIO, so that a machine without libcurl can run everything; only URLSession needs the library.

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) { library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL); }

static void *function(const char *name) {
    pthread_once(&once, open_library);
    void *found = library ? dlsym(library, name) : NULL;
    if (!found) {
        fprintf(stderr, "posthorn: URLSession needs %s of libcurl.so.4, which is not there; install the package libcurl4.\n", name);
        exit(69);
    }
    return found;
}

#define FORWARD(type, name, parameters, arguments) \
    type name parameters { \
        static type(*volatile target) parameters; \
        if (!target) target = (type(*) parameters)function(#name); \
        return target arguments; \
    }

FORWARD(int, curl_global_init, (long flags), (flags))
FORWARD(void *, curl_easy_init, (void), ())
FORWARD(void, curl_easy_cleanup, (void *handle), (handle))
FORWARD(int, curl_easy_pause, (void *handle, int mask), (handle, mask))
FORWARD(const char *, curl_easy_strerror, (int code), (code))
FORWARD(void, curl_free, (void *memory), (memory))
FORWARD(void *, curl_multi_init, (void), ())
FORWARD(int, curl_multi_cleanup, (void *multi), (multi))
FORWARD(int, curl_multi_add_handle, (void *multi, void *handle), (multi, handle))
FORWARD(int, curl_multi_remove_handle, (void *multi, void *handle), (multi, handle))
FORWARD(int, curl_multi_assign, (void *multi, int descriptor, void *value), (multi, descriptor, value))
FORWARD(void *, curl_multi_info_read, (void *multi, int *left), (multi, left))
FORWARD(int, curl_multi_socket_action, (void *multi, int descriptor, int events, int *running), (multi, descriptor, events, running))
FORWARD(void *, curl_slist_append, (void *list, const char *text), (list, text))
FORWARD(void, curl_slist_free_all, (void *list), (list))
FORWARD(void *, curl_url, (void), ())
FORWARD(void, curl_url_cleanup, (void *url), (url))
FORWARD(int, curl_url_get, (const void *url, int part, char **text, unsigned flags), (url, part, text, flags))
FORWARD(int, curl_url_set, (void *url, int part, const char *text, unsigned flags), (url, part, text, flags))
FORWARD(char *, curl_version, (void), ())
FORWARD(void *, curl_version_info, (int age), (age))

// Each option has one value of a register's size: a long, a pointer or an offset. So one pointer carries any of them.
#define FORWARD_VARIADIC(name) \
    int name(void *handle, int option, ...) { \
        static int (*volatile target)(void *, int, ...); \
        if (!target) target = (int (*)(void *, int, ...))function(#name); \
        va_list values; \
        va_start(values, option); \
        void *value = va_arg(values, void *); \
        va_end(values); \
        return target(handle, option, value); \
    }

FORWARD_VARIADIC(curl_easy_setopt)
FORWARD_VARIADIC(curl_easy_getinfo)
FORWARD_VARIADIC(curl_multi_setopt)
