/* Shifts the wall clock of a process, for LD_PRELOAD: the file named by CLOCK_OFFSET holds the offset, an int64 of nanoseconds.
   The file is mapped, so a new offset takes effect at once, as after a step of the machine's clock. Clocks of elapsed time are left
   alone. Waits until a time of the wall clock are shifted back, because the kernel knows only the true one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;

__attribute__((constructor)) static void begin(void) {
    static const int64_t none = 0;
    const char *path = getenv("CLOCK_OFFSET");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    offset = page == MAP_FAILED ? &none : page;
    if (file >= 0) close(file);
}

static struct timespec shifted(struct timespec time, int64_t by) {
    int64_t whole = time.tv_sec * 1000000000LL + time.tv_nsec + by;
    return (struct timespec){whole / 1000000000, whole % 1000000000};
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) *time = shifted(*time, *offset);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

/* A time of the wall clock is beyond the year 2001; no time since boot is. */
static struct timespec true_time(const struct timespec *until) {
    return until->tv_sec > 1000000000 && offset ? shifted(*until, -*offset) : *until;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!real) real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    if (!real) real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    struct timespec then = true_time(until);
    return real(condition, mutex, &then);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
    static int (*real)(sem_t *, const struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec then = true_time(until);
    return real(semaphore, &then);
}

int timerfd_settime(int timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
    struct itimerspec then = *new;
    if (flags & TFD_TIMER_ABSTIME) then.it_value = true_time(&new->it_value);
    return (int)syscall(SYS_timerfd_settime, timer, flags, &then, old);
}
