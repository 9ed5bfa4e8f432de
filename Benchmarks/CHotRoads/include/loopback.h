#ifndef LOOPBACK_H
#define LOOPBACK_H

#include <stdbool.h>

/// Returns when everything that this thread has sent over the loopback before has arrived at its sockets.
///
/// On a machine under load the system carries packets on a moment later. Then it would be chance how much of it one turn of an event
/// loop reads. Packets that one processor has sent arrive in their order, so an octet that is sent last arrives last.
///
/// - Returns: false if there is no connection.
bool loopback_settle(void);

#endif
