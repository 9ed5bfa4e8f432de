// A registry of devices as a careful programmer would build it on SQLite's C interface: one row per device, indexes on
// registration id and alias, and a table that joins devices and tags. Prints RESULT lines as `PosthornBench registry` does.
//
//     registry FILE DEVICES
//
// The devices are the same as there, derived from their numbers by splitmix64.

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TAGS = 3, BATCH = 5000, ROUNDS = 5, ALIASES = 1000 };

static sqlite3 *database;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t mix(uint64_t number) {
    uint64_t mixed = number + 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

static void check(int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    fprintf(stderr, "%s\n", sqlite3_errmsg(database));
    exit(1);
}

static void run(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
    return statement;
}

static void insert(long devices) {
    sqlite3_stmt *device = prepare("INSERT INTO device VALUES (?, ?, ?, ?)");
    sqlite3_stmt *tag = prepare("INSERT INTO device_tag VALUES (?, ?)");
    double start = seconds();
    for (long number = 0; number < devices; number++) {
        if (number % BATCH == 0) run(number ? "COMMIT; BEGIN" : "BEGIN");
        char id[17], alias[32];
        snprintf(id, sizeof id, "%016lx", (unsigned long)mix((uint64_t)number ^ 0x5555555555555555u));
        int length = snprintf(alias, sizeof alias, "alias%ld", number);
        uint64_t words[4];
        for (int place = 0; place < 4; place++) words[place] = __builtin_bswap64(mix((uint64_t)number * 4 + place));
        check(sqlite3_bind_int64(device, 1, number + 1));
        check(sqlite3_bind_text(device, 2, id, 16, SQLITE_STATIC));
        check(sqlite3_bind_blob(device, 3, words, sizeof words, SQLITE_STATIC));
        check(sqlite3_bind_text(device, 4, alias, length, SQLITE_STATIC));
        check(sqlite3_step(device));
        check(sqlite3_reset(device));
        uint64_t mixed = mix((uint64_t)number + 77);
        int tags[TAGS] = {1 + (int)(mixed % 10), 11 + (int)((mixed >> 8) % 10), 21 + (int)((mixed >> 16) % 1000)};
        for (int place = 0; place < TAGS; place++) {
            check(sqlite3_bind_int(tag, 1, tags[place]));
            check(sqlite3_bind_int64(tag, 2, number + 1));
            check(sqlite3_step(tag));
            check(sqlite3_reset(tag));
        }
    }
    run("COMMIT");
    printf("RESULT register n=%ld seconds=%f\n", devices, seconds() - start);
    sqlite3_finalize(device);
    sqlite3_finalize(tag);
}

static void ask(const char *name, const char *sql, const char *argument) {
    double best = 1e9;
    long count = 0;
    uint64_t sum = 0;
    double begin = seconds();
    for (int round = 0; round < ROUNDS || seconds() - begin < 1; round++) {
        double start = seconds();
        sqlite3_stmt *statement = prepare(sql);
        if (argument) check(sqlite3_bind_text(statement, 1, argument, -1, SQLITE_STATIC));
        count = 0;
        sum = 0;
        int code;
        while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
            sum ^= *(const uint64_t *)sqlite3_column_blob(statement, 0);
            count++;
        }
        check(code);
        sqlite3_finalize(statement);
        double spent = seconds() - start;
        if (spent < best) best = spent;
    }
    printf("RESULT %s n=%ld seconds=%f sum=%lu\n", name, count, best, (unsigned long)__builtin_bswap64(sum));
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: registry FILE DEVICES\n");
        return 2;
    }
    long devices = atol(arguments[2]);
    check(sqlite3_open(arguments[1], &database));
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -262144; PRAGMA mmap_size = 2147483648");
    run("CREATE TABLE device (id INTEGER PRIMARY KEY, rid TEXT NOT NULL, token BLOB NOT NULL, alias TEXT);"
        "CREATE UNIQUE INDEX device_rid ON device (rid); CREATE INDEX device_alias ON device (alias);"
        "CREATE TABLE device_tag (tag INTEGER NOT NULL, device INTEGER NOT NULL, PRIMARY KEY (tag, device)) WITHOUT ROWID");
    insert(devices);
    ask("all", "SELECT token FROM device", NULL);
    ask("tag", "SELECT token FROM device_tag JOIN device ON id = device WHERE tag = 1", NULL);
    ask("tag_and",
        "SELECT token FROM device_tag one JOIN device_tag other ON other.device = one.device AND other.tag = 11 "
        "JOIN device ON id = one.device WHERE one.tag = 1", NULL);
    ask("tag_not",
        "SELECT token FROM device WHERE NOT EXISTS (SELECT 1 FROM device_tag WHERE tag = 1 AND device = id)", NULL);
    char *aliases = malloc(ALIASES * 32);
    if (!aliases) return 1;
    int length = 0;
    for (uint64_t place = 0; place < ALIASES; place++)
        length += sprintf(aliases + length, "%c\"alias%ld\"", place ? ',' : '[', (long)(mix(place) % (uint64_t)devices));
    sprintf(aliases + length, "]");
    ask("alias", "SELECT token FROM device WHERE alias IN (SELECT value FROM json_each(?))", aliases);
    free(aliases);
    sqlite3_close(database);
    return 0;
}
