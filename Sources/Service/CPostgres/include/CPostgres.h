// The part of libpq's interface that PostgresClient uses, with the library found when the process runs rather than when it is built.
//
// The declarations follow libpq-fe.h of PostgreSQL 14, the first version with pipelines. Each function of the lists below has the name
// of libpq's, and calls it. They are hidden, so that the library finds its own functions and not these.
#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <stddef.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;

typedef struct pgNotify {
    char *relname;
    int be_pid;
    char *extra;
    struct pgNotify *next;
} PGnotify;

// ConnStatusType
enum { PQ_CONNECTION_OK = 0 };
// ExecStatusType
enum {
    PQ_COMMAND_OK = 1,
    PQ_TUPLES_OK = 2,
    PQ_COPY_IN = 4,
    PQ_FATAL_ERROR = 7,
    PQ_PIPELINE_SYNC = 10,
    PQ_PIPELINE_ABORTED = 11,
};
// PGTransactionStatusType
enum { PQ_TRANSACTION_NONE = 0, PQ_TRANSACTION_FAILED = 3 };
// Fields of an error: PG_DIAG_SQLSTATE and others.
enum { PQ_SQLSTATE = 'C', PQ_MESSAGE = 'M', PQ_DETAIL = 'D' };

// Loads the library. Returns NULL, or the reason why there is none; the text is constant from then on. Safe in any thread.
const char *pq_load(void);

// What a wait for a socket has found.
enum { PQ_WAIT_OVER = 0, PQ_WAIT_READABLE = 1, PQ_WAIT_WRITABLE = 2 };

// Waits until the connection's socket is readable, or writable if that is wanted, or failed (then it is readable), or until a time in
// milliseconds has passed. Returns a combination of the values above; PQ_WAIT_OVER also after a signal.
int pq_wait(const PGconn *connection, int wantsWrite, int milliseconds);

// Ends both directions of the connection's socket at once, so that nothing waits for the server any more.
void pq_cut(const PGconn *connection);

// Stops libpq from writing the server's notices to standard error.
void pq_silence(PGconn *connection);

#define PQ_FUNCTIONS(X) \
    X(PGconn *, PQconnectdb, (const char *info), (info)) \
    X(int, PQstatus, (const PGconn *connection), (connection)) \
    X(int, PQtransactionStatus, (const PGconn *connection), (connection)) \
    X(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
    X(int, PQserverVersion, (const PGconn *connection), (connection)) \
    X(int, PQsocket, (const PGconn *connection), (connection)) \
    X(int, PQbackendPID, (const PGconn *connection), (connection)) \
    X(int, PQsetnonblocking, (PGconn *connection, int isOn), (connection, isOn)) \
    X(int, PQflush, (PGconn *connection), (connection)) \
    X(int, PQisBusy, (PGconn *connection), (connection)) \
    X(int, PQsendQuery, (PGconn *connection, const char *sql), (connection, sql)) \
    X(int, PQsendPrepare, (PGconn *connection, const char *name, const char *sql, int count, const Oid *types), \
      (connection, name, sql, count, types)) \
    X(int, PQsendQueryPrepared, \
      (PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats, \
       int format), \
      (connection, name, count, values, lengths, formats, format)) \
    X(int, PQenterPipelineMode, (PGconn *connection), (connection)) \
    X(int, PQexitPipelineMode, (PGconn *connection), (connection)) \
    X(int, PQpipelineSync, (PGconn *connection), (connection)) \
    X(PGresult *, PQgetResult, (PGconn *connection), (connection)) \
    X(int, PQputCopyData, (PGconn *connection, const char *bytes, int count), (connection, bytes, count)) \
    X(int, PQputCopyEnd, (PGconn *connection, const char *error), (connection, error)) \
    X(int, PQconsumeInput, (PGconn *connection), (connection)) \
    X(PGnotify *, PQnotifies, (PGconn *connection), (connection)) \
    X(int, PQresultStatus, (const PGresult *result), (result)) \
    X(char *, PQresultErrorMessage, (const PGresult *result), (result)) \
    X(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
    X(int, PQntuples, (const PGresult *result), (result)) \
    X(int, PQnfields, (const PGresult *result), (result)) \
    X(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
    X(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
    X(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
    X(char *, PQcmdTuples, (PGresult *result), (result))

#define PQ_VOID_FUNCTIONS(X) \
    X(PQfinish, (PGconn *connection), (connection)) \
    X(PQclear, (PGresult *result), (result)) \
    X(PQfreemem, (void *memory), (memory))

#define PQ_HIDDEN __attribute__((visibility("hidden")))
#define PQ_DECLARE(type, name, parameters, arguments) PQ_HIDDEN type name parameters;
#define PQ_DECLARE_VOID(name, parameters, arguments) PQ_HIDDEN void name parameters;
PQ_FUNCTIONS(PQ_DECLARE)
PQ_VOID_FUNCTIONS(PQ_DECLARE_VOID)

#endif
