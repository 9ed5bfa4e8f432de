// The part of libdbus-1's interface that SystemPortDesktop uses, with the library found when the process runs rather than when it is
// built, and the kernel's timer and event descriptors, whose headers Swift's module for the C library leaves out.
//
// The declarations follow dbus/dbus.h of D-Bus 1.12. Each function of the lists below has the name of libdbus's, and calls it. They
// are hidden, so that the library finds its own functions and not these.
#ifndef CDBUS_H
#define CDBUS_H

#include <stdint.h>

typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;
typedef uint32_t dbus_uint32_t;
typedef uint32_t dbus_bool_t;

typedef struct DBusError {
    const char *name;
    const char *message;
    unsigned int flags;
    void *padding;
} DBusError;

// The library's own has 14 members of at most a pointer's size.
typedef struct DBusMessageIter {
    void *members[16];
} DBusMessageIter;

// DBusBusType
enum { DBUS_SESSION_BUS = 0 };
// Types of messages.
enum { DBUS_CALL = 1, DBUS_RETURN = 2, DBUS_ERROR_MESSAGE = 3, DBUS_SIGNAL = 4 };
// Loads the library. Returns NULL, or the reason why there is none; the text is constant from then on. Safe in any thread.
const char *dbus_load(void);

#define DBUS_FUNCTIONS(X) \
    X(dbus_bool_t, dbus_threads_init_default, (void), ()) \
    X(DBusConnection *, dbus_bus_get_private, (int bus, DBusError *error), (bus, error)) \
    X(DBusConnection *, dbus_connection_open_private, (const char *address, DBusError *error), (address, error)) \
    X(dbus_bool_t, dbus_bus_register, (DBusConnection *connection, DBusError *error), (connection, error)) \
    X(dbus_bool_t, dbus_connection_get_is_connected, (DBusConnection *connection), (connection)) \
    X(dbus_bool_t, dbus_connection_get_unix_fd, (DBusConnection *connection, int *descriptor), (connection, descriptor)) \
    X(dbus_bool_t, dbus_connection_read_write, (DBusConnection *connection, int milliseconds), (connection, milliseconds)) \
    X(dbus_bool_t, dbus_connection_send, (DBusConnection *connection, DBusMessage *message, dbus_uint32_t *serial), \
      (connection, message, serial)) \
    X(DBusMessage *, dbus_connection_pop_message, (DBusConnection *connection), (connection)) \
    X(DBusMessage *, dbus_message_new_method_call, \
      (const char *destination, const char *path, const char *interface, const char *method), \
      (destination, path, interface, method)) \
    X(DBusMessage *, dbus_message_new_signal, (const char *path, const char *interface, const char *name), \
      (path, interface, name)) \
    X(DBusMessage *, dbus_message_new_method_return, (DBusMessage *call), (call)) \
    X(DBusMessage *, dbus_message_new_error, (DBusMessage *call, const char *name, const char *text), (call, name, text)) \
    X(dbus_bool_t, dbus_message_set_destination, (DBusMessage *message, const char *name), (message, name)) \
    X(int, dbus_message_get_type, (DBusMessage *message), (message)) \
    X(const char *, dbus_message_get_path, (DBusMessage *message), (message)) \
    X(const char *, dbus_message_get_interface, (DBusMessage *message), (message)) \
    X(const char *, dbus_message_get_member, (DBusMessage *message), (message)) \
    X(const char *, dbus_message_get_sender, (DBusMessage *message), (message)) \
    X(const char *, dbus_message_get_error_name, (DBusMessage *message), (message)) \
    X(dbus_uint32_t, dbus_message_get_reply_serial, (DBusMessage *message), (message)) \
    X(dbus_bool_t, dbus_message_iter_init, (DBusMessage *message, DBusMessageIter *iterator), (message, iterator)) \
    X(int, dbus_message_iter_get_arg_type, (DBusMessageIter *iterator), (iterator)) \
    X(int, dbus_message_iter_get_element_type, (DBusMessageIter *iterator), (iterator)) \
    X(dbus_bool_t, dbus_message_iter_next, (DBusMessageIter *iterator), (iterator)) \
    X(dbus_bool_t, dbus_message_iter_append_basic, (DBusMessageIter *iterator, int type, const void *value), \
      (iterator, type, value)) \
    X(dbus_bool_t, dbus_message_iter_open_container, \
      (DBusMessageIter *iterator, int type, const char *signature, DBusMessageIter *inner), (iterator, type, signature, inner)) \
    X(dbus_bool_t, dbus_message_iter_close_container, (DBusMessageIter *iterator, DBusMessageIter *inner), (iterator, inner))

#define DBUS_VOID_FUNCTIONS(X) \
    X(dbus_error_init, (DBusError *error), (error)) \
    X(dbus_error_free, (DBusError *error), (error)) \
    X(dbus_bus_add_match, (DBusConnection *connection, const char *rule, DBusError *error), (connection, rule, error)) \
    X(dbus_connection_set_exit_on_disconnect, (DBusConnection *connection, dbus_bool_t exits), (connection, exits)) \
    X(dbus_connection_flush, (DBusConnection *connection), (connection)) \
    X(dbus_connection_close, (DBusConnection *connection), (connection)) \
    X(dbus_connection_unref, (DBusConnection *connection), (connection)) \
    X(dbus_message_unref, (DBusMessage *message), (message)) \
    X(dbus_message_set_auto_start, (DBusMessage *message, dbus_bool_t starts), (message, starts)) \
    X(dbus_message_iter_init_append, (DBusMessage *message, DBusMessageIter *iterator), (message, iterator)) \
    X(dbus_message_iter_get_basic, (DBusMessageIter *iterator, void *value), (iterator, value)) \
    X(dbus_message_iter_recurse, (DBusMessageIter *iterator, DBusMessageIter *inner), (iterator, inner))

#define DBUS_HIDDEN __attribute__((visibility("hidden")))
#define DBUS_DECLARE(type, name, parameters, arguments) DBUS_HIDDEN type name parameters;
#define DBUS_DECLARE_VOID(name, parameters, arguments) DBUS_HIDDEN void name parameters;
DBUS_FUNCTIONS(DBUS_DECLARE)
DBUS_VOID_FUNCTIONS(DBUS_DECLARE_VOID)

// Waits until one of three descriptors can be read, without a limit. Returns a bit for each that can: 1, 2 and 4. A negative descriptor
// is left out.
DBUS_HIDDEN unsigned int wait_for_three(int first, int second, int third);

// Returns a descriptor that can be read after event_announce until event_clear, or -1 with errno.
DBUS_HIDDEN int event_create(void);
DBUS_HIDDEN void event_announce(int descriptor);
DBUS_HIDDEN void event_clear(int descriptor);

// Returns a descriptor that can be read when the machine's clock reaches the set date, also after a suspension, and when the clock is set;
// or -1 with errno.
DBUS_HIDDEN int alarm_create(void);
// Sets the date, in nanoseconds since 1970; 0 for none.
DBUS_HIDDEN void alarm_set(int descriptor, int64_t nanoseconds);
DBUS_HIDDEN void alarm_clear(int descriptor);

#endif
