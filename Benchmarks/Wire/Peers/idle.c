// Opens many HTTP/2 connections over TLS and leaves them idle.
//
//     idle PORT CONNECTIONS
//
// Each connection exchanges SETTINGS in both directions. The program then prints `OPEN` and waits for a line. Then it pings every
// connection and prints `RESULT n=N ok=N`: the number of connections, and of those that still answer. Exits with 0 if all do.
#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { SETTINGS = 4, PING = 6, GOAWAY = 7, ACK = 1, HEAD = 9 };

static bool send_bytes(SSL *tls, const void *bytes, int length) { return SSL_write(tls, bytes, length) == length; }

static bool receive_bytes(SSL *tls, uint8_t *bytes, int length) {
    while (length > 0) {
        int count = SSL_read(tls, bytes, length);
        if (count <= 0) return false;
        bytes += count;
        length -= count;
    }
    return true;
}

// Reads a frame and discards its content; returns false if the connection is closed.
static bool receive_frame(SSL *tls, uint8_t *type, uint8_t *flags) {
    uint8_t head[HEAD], content[1 << 14];
    if (!receive_bytes(tls, head, HEAD)) return false;
    int length = head[0] << 16 | head[1] << 8 | head[2];
    *type = head[3];
    *flags = head[4];
    return length <= (int)sizeof content && receive_bytes(tls, content, length) && *type != GOAWAY;
}

static bool greet(SSL *tls) {
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
    static const uint8_t acknowledgement[HEAD] = {0, 0, 0, SETTINGS, ACK};
    if (!send_bytes(tls, preface, sizeof preface - 1)) return false;
    for (bool has_theirs = false, has_answer = false; !has_theirs || !has_answer;) {
        uint8_t type, flags;
        if (!receive_frame(tls, &type, &flags)) return false;
        if (type != SETTINGS) continue;
        if (flags & ACK) {
            has_answer = true;
        } else {
            has_theirs = true;
            if (!send_bytes(tls, acknowledgement, HEAD)) return false;
        }
    }
    return true;
}

static bool ping(SSL *tls) {
    static const uint8_t frame[HEAD + 8] = {0, 0, 8, PING};
    if (!send_bytes(tls, frame, sizeof frame)) return false;
    for (;;) {
        uint8_t type, flags;
        if (!receive_frame(tls, &type, &flags)) return false;
        if (type == PING && flags & ACK) return true;
    }
}

static SSL *open_connection(SSL_CTX *context, int port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
    };
    struct timeval patience = {.tv_sec = 10};
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address)) return NULL;
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    SSL *tls = SSL_new(context);
    SSL_set_fd(tls, descriptor);
    return SSL_connect(tls) == 1 && greet(tls) ? tls : NULL;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: idle PORT CONNECTIONS\n");
        return 64;
    }
    int port = atoi(arguments[1]), wanted = atoi(arguments[2]), alive = 0;
    signal(SIGPIPE, SIG_IGN);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256");
    SSL_CTX_set_alpn_protos(context, (const unsigned char *)"\x02h2", 3);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL **all = calloc((size_t)wanted, sizeof *all);
    for (int place = 0; place < wanted; place++) {
        all[place] = open_connection(context, port);
        if (!all[place]) {
            fprintf(stderr, "idle: connection %d of %d could not be opened\n", place + 1, wanted);
            return 1;
        }
    }
    printf("OPEN\n");
    fflush(stdout);
    getchar();
    for (int place = 0; place < wanted; place++) alive += ping(all[place]);
    printf("RESULT n=%d ok=%d\n", wanted, alive);
    return alive == wanted ? 0 : 1;
}
