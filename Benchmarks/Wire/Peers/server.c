// A server that does the minimum for APNs, for comparison: libnghttp2 and OpenSSL, one thread, nothing stored.
//
//     server PORT CERTIFICATE KEY STREAMS [REFUSE_EVERY]
//
// It answers POST /3/device/<64 characters> with 200 and an apns-id (the request's own if it has one), and anything else, or
// every REFUSE_EVERYth request, with 410 and a reason. At SIGTERM it prints the number of accepted requests and of
// connections. `server --version` prints its libraries. For 127.0.0.1 only: it trusts its peers.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_SIZE = 64 * 1024, WRITE_SIZE = 64 * 1024, ID_LENGTH = 36, PATH_LENGTH = 10 + 64 };

struct connection {
    int descriptor;
    bool is_open; // the TLS handshake is done
    SSL *tls;
    nghttp2_session *session;
    uint8_t *unsent; // the data that the socket did not accept
    size_t unsent_length;
};

struct request {
    bool is_post, is_to_device, has_id;
    uint8_t id[ID_LENGTH];
};

static SSL_CTX *tls_context;
static nghttp2_session_callbacks *callbacks;
static nghttp2_option *options;
static long stream_limit, refuse_every, requests, accepted, connections;
static volatile sig_atomic_t is_ending;

static void die(const char *what) {
    perror(what);
    exit(1);
}

static bool equals(const uint8_t *bytes, size_t length, const char *text) {
    return length == strlen(text) && !memcmp(bytes, text, length);
}

static int began(nghttp2_session *session, const nghttp2_frame *frame, void *connection) {
    (void)connection;
    struct request *request = calloc(1, sizeof *request);
    if (!request) return NGHTTP2_ERR_CALLBACK_FAILURE;
    return nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, request);
}

static int field(
    nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_length, const uint8_t *value,
    size_t value_length, uint8_t flags, void *connection
) {
    (void)flags, (void)connection;
    struct request *request = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    if (!request) return 0;
    if (equals(name, name_length, ":method")) {
        request->is_post = equals(value, value_length, "POST");
    } else if (equals(name, name_length, ":path")) {
        request->is_to_device = value_length == PATH_LENGTH && !memcmp(value, "/3/device/", 10);
    } else if (equals(name, name_length, "apns-id") && value_length == ID_LENGTH) {
        memcpy(request->id, value, ID_LENGTH);
        request->has_id = true;
    }
    return 0;
}

static void make_id(uint8_t id[ID_LENGTH]) {
    uint64_t bits = (uint64_t)requests * 0x9E3779B97F4A7C15u;
    for (int place = 0; place < ID_LENGTH; place++) {
        bool is_dash = place == 8 || place == 13 || place == 18 || place == 23;
        id[place] = is_dash ? '-' : "0123456789abcdef"[bits & 15];
        bits = bits >> 4 | bits << 60;
    }
}

static ssize_t reason(
    nghttp2_session *session, int32_t stream, uint8_t *bytes, size_t room, uint32_t *flags, nghttp2_data_source *source,
    void *connection
) {
    (void)session, (void)stream, (void)source, (void)connection;
    static const char text[] = "{\"reason\":\"Unregistered\"}";
    if (room < sizeof text) return NGHTTP2_ERR_DEFERRED;
    memcpy(bytes, text, sizeof text - 1);
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    return sizeof text - 1;
}

static int answer(nghttp2_session *session, int32_t stream) {
    struct request *request = nghttp2_session_get_stream_user_data(session, stream);
    if (!request) return 0;
    requests++;
    if (!request->has_id) make_id(request->id);
    bool is_good = request->is_post && request->is_to_device && !(refuse_every && requests % refuse_every == 0);
    nghttp2_nv fields[] = {
        {(uint8_t *)":status", (uint8_t *)(is_good ? "200" : "410"), 7, 3, NGHTTP2_NV_FLAG_NONE},
        {(uint8_t *)"apns-id", request->id, 7, ID_LENGTH, NGHTTP2_NV_FLAG_NO_INDEX},
    };
    nghttp2_data_provider body = {.read_callback = reason};
    accepted += is_good;
    return nghttp2_submit_response(session, stream, fields, 2, is_good ? NULL : &body);
}

static int arrived(nghttp2_session *session, const nghttp2_frame *frame, void *connection) {
    (void)connection;
    bool may_end = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    return may_end && frame->hd.flags & NGHTTP2_FLAG_END_STREAM ? answer(session, frame->hd.stream_id) : 0;
}

static int closed(nghttp2_session *session, int32_t stream, uint32_t code, void *connection) {
    (void)code, (void)connection;
    free(nghttp2_session_get_stream_user_data(session, stream));
    return 0;
}

static bool has_to_wait(SSL *tls, int result) {
    int problem = SSL_get_error(tls, result);
    return problem == SSL_ERROR_WANT_READ || problem == SSL_ERROR_WANT_WRITE;
}

// Returns the number of bytes that the socket accepted, or -1 if the connection is lost.
static ssize_t send_some(struct connection *connection, const uint8_t *bytes, size_t length) {
    size_t sent = 0;
    while (sent < length) {
        int result = SSL_write(connection->tls, bytes + sent, (int)(length - sent));
        if (result <= 0) return has_to_wait(connection->tls, result) ? (ssize_t)sent : -1;
        sent += (size_t)result;
    }
    return (ssize_t)sent;
}

static bool send_unsent(struct connection *connection) {
    if (!connection->unsent) return true;
    ssize_t sent = send_some(connection, connection->unsent, connection->unsent_length);
    if (sent < 0) return false;
    connection->unsent_length -= (size_t)sent;
    memmove(connection->unsent, connection->unsent + sent, connection->unsent_length);
    if (connection->unsent_length) return true;
    free(connection->unsent);
    connection->unsent = NULL;
    return true;
}

// Sends the session's pending data in large writes; returns false if the connection is lost.
static bool send_all(struct connection *connection) {
    static uint8_t gathered[2 * WRITE_SIZE];
    if (!send_unsent(connection)) return false;
    while (!connection->unsent) {
        size_t length = 0;
        while (length < WRITE_SIZE) {
            const uint8_t *frame;
            ssize_t count = nghttp2_session_mem_send(connection->session, &frame);
            if (count < 0 || (size_t)count > sizeof gathered - length) return false;
            if (count == 0) break;
            memcpy(gathered + length, frame, (size_t)count);
            length += (size_t)count;
        }
        if (!length) return true;
        ssize_t sent = send_some(connection, gathered, length);
        if (sent < 0) return false;
        if ((size_t)sent == length) continue;
        connection->unsent_length = length - (size_t)sent;
        connection->unsent = malloc(connection->unsent_length);
        if (!connection->unsent) die("malloc");
        memcpy(connection->unsent, gathered + sent, connection->unsent_length);
    }
    return true;
}

static bool receive_all(struct connection *connection) {
    static uint8_t bytes[READ_SIZE];
    for (;;) {
        int count = SSL_read(connection->tls, bytes, sizeof bytes);
        if (count <= 0) return has_to_wait(connection->tls, count);
        if (nghttp2_session_mem_recv(connection->session, bytes, (size_t)count) < 0) return false;
        if (!send_all(connection)) return false;
    }
}

static bool proceed(struct connection *connection) {
    if (!connection->is_open) {
        int result = SSL_accept(connection->tls);
        if (result != 1) return has_to_wait(connection->tls, result);
        connection->is_open = true;
        connections++;
    }
    return send_all(connection) && receive_all(connection);
}

static void forget(struct connection *connection) {
    nghttp2_session_del(connection->session);
    SSL_free(connection->tls);
    close(connection->descriptor);
    free(connection->unsent);
    free(connection);
}

static void take(int listener, int poll) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) die("calloc");
    connection->descriptor = descriptor;
    connection->tls = SSL_new(tls_context);
    SSL_set_fd(connection->tls, descriptor);
    nghttp2_session_server_new2(&connection->session, callbacks, connection, options);
    nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, (uint32_t)stream_limit},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20},
    };
    nghttp2_submit_settings(connection->session, NGHTTP2_FLAG_NONE, settings, 2);
    nghttp2_session_set_local_window_size(connection->session, NGHTTP2_FLAG_NONE, 0, 1 << 24);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = connection};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event)) die("epoll_ctl");
}

static int choose_protocol(
    SSL *tls, const unsigned char **chosen, unsigned char *chosen_length, const unsigned char *offered,
    unsigned offered_length, void *unused
) {
    (void)tls, (void)unused;
    int result = SSL_select_next_proto(
        (unsigned char **)chosen, chosen_length, (const unsigned char *)"\x02h2", 3, offered, offered_length
    );
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static void prepare_tls(const char *certificate, const char *key) {
    tls_context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_min_proto_version(tls_context, TLS1_3_VERSION);
    // Only one cipher, so that no client is measured with a more expensive one.
    SSL_CTX_set_ciphersuites(tls_context, "TLS_AES_128_GCM_SHA256");
    SSL_CTX_set_mode(
        tls_context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
    );
    SSL_CTX_set_read_ahead(tls_context, 1);
    SSL_CTX_set_default_read_buffer_len(tls_context, READ_SIZE);
    SSL_CTX_set_alpn_select_cb(tls_context, choose_protocol, NULL);
    if (SSL_CTX_use_certificate_chain_file(tls_context, certificate) != 1 ||
        SSL_CTX_use_PrivateKey_file(tls_context, key, SSL_FILETYPE_PEM) != 1) {
        fprintf(stderr, "server: '%s' and '%s' are not a certificate and its key in PEM\n", certificate, key);
        exit(1);
    }
}

static void prepare_http(void) {
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, began);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, field);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, arrived);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, closed);
    nghttp2_option_new(&options);
    nghttp2_option_set_no_closed_streams(options, 1);
}

static int listen_on(int port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
    };
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) die("listen");
    return listener;
}

static void end(int signal) {
    (void)signal;
    is_ending = true;
}

int main(int count, char **arguments) {
    if (count == 2 && !strcmp(arguments[1], "--version")) {
        printf("libnghttp2 %s, %s\n", nghttp2_version(0)->version_str, OpenSSL_version(OPENSSL_VERSION));
        return 0;
    }
    if (count < 5) {
        fprintf(stderr, "usage: server PORT CERTIFICATE KEY STREAMS [REFUSE_EVERY]\n");
        return 64;
    }
    stream_limit = atol(arguments[4]);
    refuse_every = count > 5 ? atol(arguments[5]) : 0;
    signal(SIGPIPE, SIG_IGN);
    // SIGTERM is delivered only while the server waits.
    sigset_t ending, none;
    sigemptyset(&none);
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigprocmask(SIG_BLOCK, &ending, NULL);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = end}, NULL);
    prepare_tls(arguments[2], arguments[3]);
    prepare_http();
    int listener = listen_on(atoi(arguments[1])), poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[256];
    if (epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event)) die("epoll_ctl");
    while (!is_ending) {
        int ready = epoll_pwait(poll, events, 256, -1, &none);
        if (ready < 0 && errno != EINTR) die("epoll_pwait");
        for (int place = 0; place < ready; place++) {
            struct connection *connection = events[place].data.ptr;
            if (!connection) {
                take(listener, poll);
            } else if (!proceed(connection)) {
                forget(connection);
            }
        }
    }
    printf("ACCEPTED %ld CONNECTIONS %ld\n", accepted, connections);
}
