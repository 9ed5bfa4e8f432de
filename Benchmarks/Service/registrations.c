// Registers new devices with their tokens at a service over TLS, from many connections at once.
//
//     registrations kept|new|link PORT DEVICES CONNECTIONS --pid SERVER --app KEY --bundle ID
//
// kept: HTTP calls, all of a connection's one after the other on that connection.
// new: HTTP calls, each on a connection of its own, as devices make them.
// link: a link to each device, on which it registers, sends its token and leaves.
//
// Prints one RESULT line: registrations per second and the server's CPU microseconds for each. Trusts any certificate; loopback only.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct connection { int fd; SSL *ssl; char input[8192]; size_t held; };

static SSL_CTX *tls;
static int port, devices, connections, server;
static const char *how, *app = "", *bundle = "com.example.app";
static pthread_barrier_t connected;

static void fail(const char *what, const char *why) { fprintf(stderr, "%s: %s\n", what, why); exit(1); }
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }

// CPU seconds of the server.
static double spent(void) {
  char path[64], text[1024];
  unsigned long user = 0, kernel = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", server);
  FILE *file = fopen(path, "r");
  if (!file) fail(path, strerror(errno));
  if (fgets(text, sizeof text, file)) sscanf(strrchr(text, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel);
  fclose(file);
  return (double)(user + kernel) / sysconf(_SC_CLK_TCK);
}

static void dial(struct connection *to) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1;
  to->held = 0;
  if ((to->fd = socket(AF_INET, SOCK_STREAM, 0)) < 0) fail("socket", strerror(errno));
  setsockopt(to->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(to->fd, (struct sockaddr *)&address, sizeof address)) fail("connect", strerror(errno));
  if (!(to->ssl = SSL_new(tls)) || !SSL_set_fd(to->ssl, to->fd) || SSL_connect(to->ssl) != 1) fail("TLS", "the handshake failed");
}

static void hang_up(struct connection *to) {
  SSL_shutdown(to->ssl);
  SSL_free(to->ssl);
  close(to->fd);
}

static void put(struct connection *to, const char *bytes, int size) {
  if (SSL_write(to->ssl, bytes, size) != size) fail("TLS", "the server does not read");
}

// Reads until the input contains a text, which has to come before the text "error". Forgets what was read.
static void await(struct connection *to, const char *text) {
  for (;;) {
    if (memmem(to->input, to->held, text, strlen(text))) { to->held = 0; return; }
    if (memmem(to->input, to->held, "error", 5) || to->held == sizeof to->input) break;
    int n = SSL_read(to->ssl, to->input + to->held, sizeof to->input - to->held);
    if (n <= 0) break;
    to->held += n;
  }
  fprintf(stderr, "%s did not come: %.*s\n", text, (int)to->held, to->input);
  exit(1);
}

static void call(struct connection *to, int number) {
  char body[512], text[1024];
  int size = snprintf(body, sizeof body, "{\"app_key\":\"%s\",\"bundle_id\":\"%s\",\"environment\":\"production\",\"system\":\"iOS 17.0\","
    "\"installation\":\"%s-%d\",\"token\":\"%02x%062x\"}", app, bundle, how, number, *how, number);
  put(to, text, snprintf(text, sizeof text, "POST /posthorn/v1/registrations HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
    "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", port, size, body));
  // The last member of the answer.
  await(to, "\"user_id\":");
}

// Sends a text frame (RFC 6455, section 5.2), masked with zeros.
static void say(struct connection *to, const char *text) {
  char frame[1024] = {(char)0x81};
  int size = strlen(text), head = 2;
  if (size < 126) frame[1] = 0x80 | size; else { frame[1] = 0x80 | 126; frame[2] = size >> 8; frame[3] = size; head = 4; }
  memcpy(frame + head + 4, text, size);
  put(to, frame, head + 4 + size);
}

static void enter(struct connection *to, int number) {
  char text[512];
  put(to, text, snprintf(text, sizeof text, "GET /link HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", port));
  await(to, "\r\n\r\n");
  snprintf(text, sizeof text, "{\"type\":\"register\",\"app-key\":\"%s\",\"bundle-id\":\"%s\",\"environment\":\"production\","
    "\"system\":\"iOS 17.0\",\"installation\":\"%s-%d\"}", app, bundle, how, number);
  say(to, text);
  await(to, "\"logged-in\"");
  snprintf(text, sizeof text, "{\"type\":\"token\",\"number\":1,\"token\":\"%02x%062x\",\"environment\":\"production\"}",
    *how, number);
  say(to, text);
  await(to, "\"number\":1,\"code\":0");
}

static void *work(void *argument) {
  struct connection *to = argument;
  int first = to->fd, keeps = !strcmp(how, "kept");
  if (keeps) dial(to);
  pthread_barrier_wait(&connected);
  for (int number = first; number < devices; number += connections) {
    if (!keeps) dial(to);
    if (!strcmp(how, "link")) enter(to, number); else call(to, number);
    if (!keeps) hang_up(to);
  }
  if (keeps) hang_up(to);
  return 0;
}

int main(int arguments, char **argument) {
  if (arguments < 5 || arguments % 2 == 0) return 2;
  how = argument[1];
  if (strcmp(how, "kept") && strcmp(how, "new") && strcmp(how, "link")) return 2;
  port = atoi(argument[2]);
  devices = atoi(argument[3]);
  connections = atoi(argument[4]);
  for (int i = 5; i < arguments; i += 2) {
    if (!strcmp(argument[i], "--pid")) server = atoi(argument[i + 1]);
    else if (!strcmp(argument[i], "--app")) app = argument[i + 1];
    else if (!strcmp(argument[i], "--bundle")) bundle = argument[i + 1];
    else return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  if (!(tls = SSL_CTX_new(TLS_client_method()))) fail("TLS", "no context");
  pthread_barrier_init(&connected, 0, connections + 1);
  struct connection *all = calloc(connections, sizeof *all);
  pthread_t *threads = calloc(connections, sizeof *threads);
  for (int i = 0; i < connections; i++) {
    // Until it is connected, a connection has the number of its first device in place of a file.
    all[i].fd = i;
    if (pthread_create(&threads[i], 0, work, &all[i])) fail("pthread_create", strerror(errno));
  }
  // In the mode "kept" the connections are open before the measurement begins.
  double cpu = spent();
  pthread_barrier_wait(&connected);
  double started = now();
  if (!strcmp(how, "kept")) cpu = spent();
  for (int i = 0; i < connections; i++) pthread_join(threads[i], 0);
  double seconds = now() - started;
  printf("RESULT %s rate=%.1f cpu=%.2f\n", how, devices / seconds, (spent() - cpu) * 1e6 / devices);
  return 0;
}
