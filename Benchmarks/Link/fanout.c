// Thousands of long-lived links to a server, and a publisher: over Posthorn's SDK link, or MQTT 3.1.1 (QoS 0 or 1).
//   fanout mqtt PORT LINKS MESSAGES --pid SERVER [--own] [--window W] [--qos 1]
//   fanout posthorn PORT LINKS MESSAGES --pid SERVER [--own] [--window W] [--batch N] --app KEY --auth BASE64 [--keep FILE]
//   fanout idle PORT LINKS WARM --pid SERVER --app KEY --auth BASE64 --keep FILE [--tls]
//   fanout storm PORT LINKS SECONDS --pid SERVER --app KEY --auth BASE64 --keep FILE
// Each of MESSAGES messages goes to every link; with --own, each goes to one link, MESSAGES to each. W messages are in flight at
// once, with --own W for every hundred links. Posthorn's are published through its REST API: one push per request, or with --own
// at most N, over as many connections as messages may be in flight, at most 64. Each link acknowledges like the module JPush: the
// first five of a burst at once, then once a second or after a hundred. --keep stores the identities of the links in a file, or
// reads them if it exists. With --tls, the links use TLS and trust any certificate. Loopback only.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONTENT = 200, READ = 1 << 17, PUBLISHERS = 64, STORED = 100, AT_ONCE = 5, MOST = 100 };
enum state { CONNECTING, SHAKING, UPGRADING, ENTERING, OPEN, CLOSED };

struct link {
  int fd;
  SSL *ssl;                  // null without TLS
  enum state state;
  long got;                  // messages
  long long position;        // of the last
  int owed, acknowledged;    // messages without acknowledgement, and acknowledgements since the last idle second
  char *rest;                // the beginning of an incomplete frame
  int rests;
  char id[40], secret[40];   // the identity at Posthorn; empty before registration
};

struct gathering { int link; double until; };

struct publisher { int fd, busy, rests; long read; char rest[8192]; };

static struct link *links;
static struct publisher publishers[PUBLISHERS];
static SSL_CTX *tls;
static int port, count, own, window = 1, batch = 1, qos, server, mqtt, epoll, opened, publisherCount;
static long messages, deliveries;
static struct gathering *gathered;   // a ring
static int first, gatherings;
static const char *app = "", *bundle = "com.example.app", *authorization = "", *keep;
static char input[READ + 1], output[1 << 20];

static void fail(const char *what) { fprintf(stderr, "%s: %s\n", what, strerror(errno)); exit(1); }
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }

// CPU seconds of the server, and its resident kilobytes.
static double spent(void) {
  char path[64], text[1024];
  unsigned long user = 0, kernel = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", server);
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  if (fgets(text, sizeof text, file)) sscanf(strrchr(text, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel);
  fclose(file);
  return (double)(user + kernel) / sysconf(_SC_CLK_TCK);
}

static long resident(void) {
  char path[64], text[256];
  long kilobytes = 0;
  snprintf(path, sizeof path, "/proc/%d/status", server);
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  while (fgets(text, sizeof text, file)) if (!strncmp(text, "VmRSS:", 6)) kilobytes = atol(text + 6);
  fclose(file);
  return kilobytes;
}

// Waits until the server has been idle for half a second; 20 seconds at most.
static void settle(void) {
  double before = spent();
  for (int i = 0; i < 40; i++) {
    usleep(500000);
    double after = spent();
    if (after - before < 0.005) return;
    before = after;
  }
}

static int dial(int nonblocking) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM | (nonblocking ? SOCK_NONBLOCK : 0), 0), one = 1;
  if (fd < 0) fail("socket");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS) fail("connect");
  return fd;
}

static void put(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno == EAGAIN) { usleep(50); continue; }
    if (n < 0) fail("write");
    bytes += n;
    size -= n;
  }
}

static void put_link(struct link *link, const char *bytes, size_t size) {
  if (!link->ssl) { put(link->fd, bytes, size); return; }
  for (int n; (n = SSL_write(link->ssl, bytes, size)) <= 0; usleep(50)) {
    int why = SSL_get_error(link->ssl, n);
    if (why != SSL_ERROR_WANT_WRITE && why != SSL_ERROR_WANT_READ) fail("TLS");
  }
}

// Writes a text frame (RFC 6455, section 5.2), or one of another kind, masked as required of clients.
static void say(struct link *link, int kind, const char *text, int size) {
  char frame[1024];
  static const unsigned char mask[4] = {0x37, 0xfa, 0x21, 0x3d};
  int n = 0;
  frame[n++] = 0x80 | kind;
  if (size < 126) frame[n++] = 0x80 | size; else { frame[n++] = 0x80 | 126; frame[n++] = size >> 8; frame[n++] = size; }
  memcpy(frame + n, mask, 4);
  n += 4;
  for (int i = 0; i < size; i++) frame[n++] = text[i] ^ mask[i & 3];
  put_link(link, frame, n);
}

static void watch(int fd, uint32_t events, uint64_t key, int operation) {
  struct epoll_event event = {.events = events, .data.u64 = key};
  if (epoll_ctl(epoll, operation, fd, &event)) fail("epoll_ctl");
}

static void begin(int i) {
  struct link *link = &links[i];
  link->fd = dial(1);
  link->state = CONNECTING;
  link->rests = 0;
  if (tls) {
    if (!(link->ssl = SSL_new(tls)) || !SSL_set_fd(link->ssl, link->fd)) fail("SSL_new");
    SSL_set_connect_state(link->ssl);
  }
  watch(link->fd, EPOLLOUT, i, EPOLL_CTL_ADD);
}

static void greet(int i) {
  struct link *link = &links[i];
  char text[512];
  int n = 0;
  if (mqtt) {
    char id[24], topic[24];
    int ids = sprintf(id, "c%d", i), topics = own ? sprintf(topic, "t/%07d", i) : sprintf(topic, "t");
    text[n++] = 0x10; text[n++] = 12 + ids;
    memcpy(text + n, "\0\4MQTT\4\2\0\0\0", 11);
    // At QoS 1 the broker keeps the session.
    if (qos) text[n + 7] = 0;
    n += 11;
    text[n++] = ids;
    memcpy(text + n, id, ids);
    n += ids;
    text[n++] = (char)0x82; text[n++] = 5 + topics; text[n++] = 0; text[n++] = 1; text[n++] = 0; text[n++] = topics;
    memcpy(text + n, topic, topics);
    n += topics;
    text[n++] = qos;
    link->state = ENTERING;
  } else {
    n = sprintf(text, "GET /link HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", port);
    link->state = UPGRADING;
  }
  put_link(link, text, n);
}

static void shake(int i) {
  struct link *link = &links[i];
  int n = SSL_do_handshake(link->ssl), why = SSL_get_error(link->ssl, n);
  if (n == 1) { greet(i); return; }
  if (why != SSL_ERROR_WANT_READ) { fprintf(stderr, "link %d: the handshake failed\n", i); exit(1); }
}

static void enter(int i) {
  struct link *link = &links[i];
  char text[512];
  int n = link->id[0]
    ? sprintf(text, "{\"type\":\"login\",\"app-key\":\"%s\",\"registration-id\":\"%s\",\"secret\":\"%s\",\"position\":%lld}",
        app, link->id, link->secret, link->position)
    : sprintf(text, "{\"type\":\"register\",\"app-key\":\"%s\",\"bundle-id\":\"%s\",\"environment\":\"production\","
        "\"system\":\"iOS 17.0\",\"installation\":\"fanout-%d\"}", app, bundle, i);
  link->state = ENTERING;
  say(link, 1, text, n);
}

static void field(const char *text, int size, const char *name, char *into, int room) {
  char *at = memmem(text, size, name, strlen(name));
  if (!at) return;
  at += strlen(name);
  for (int n = 0; n + 1 < room && *at != '"'; n++) { *into++ = *at++; *into = 0; }
}

// Handles a frame from Posthorn. Returns 1 if it was a message.
static int hear(int i, int kind, const char *text, int size) {
  static const char message[] = "{\"type\":\"message\",\"position\":", in[] = "{\"type\":\"logged-in\"", given[] = "{\"type\":\"registered\"";
  struct link *link = &links[i];
  if (kind == 9) { say(link, 10, text, size); return 0; }
  if (kind == 10) return 0;
  if (kind != 1) { fprintf(stderr, "link %d: a frame of kind %d\n", i, kind); exit(1); }
  if (size > (int)sizeof message && !memcmp(text, message, sizeof message - 1)) {
    long long position = atoll(text + sizeof message - 1);
    if (position <= link->position) { fprintf(stderr, "link %d: position %lld after %lld\n", i, position, link->position); exit(1); }
    link->position = position;
    link->got++;
    return 1;
  }
  if (!memcmp(text, given, sizeof given - 1)) {
    field(text, size, "\"registration-id\":\"", link->id, sizeof link->id);
    field(text, size, "\"secret\":\"", link->secret, sizeof link->secret);
  } else if (!memcmp(text, in, sizeof in - 1)) {
    link->state = OPEN;
    opened++;
  } else {
    fprintf(stderr, "link %d: %.*s\n", i, size, text);
    exit(1);
  }
  return 0;
}

static void acknowledge(struct link *link) {
  char text[64];
  link->owed = 0;
  link->acknowledged++;
  say(link, 1, text, sprintf(text, "{\"type\":\"ack\",\"position\":%lld}", link->position));
}

// Handles the complete frames; returns their length.
static int take(int i, const char *bytes, int size) {
  struct link *link = &links[i];
  int done = 0, fresh = 0, acked = 0;
  char acks[4096];
  while (done < size) {
    const unsigned char *at = (const unsigned char *)bytes + done;
    int left = size - done;
    if (mqtt) {
      int length = 0, head = 1, shift = 0;
      do { if (head >= left) goto end; length |= (at[head] & 127) << shift; shift += 7; } while (at[head++] & 128);
      if (left < head + length) break;
      if (at[0] >> 4 == 3) {
        link->got++;
        deliveries++;
        if (at[0] >> 1 & 3) {
          const unsigned char *id = at + head + 2 + (at[head] << 8 | at[head + 1]);
          memcpy(acks + acked, (char[]){0x40, 2, id[0], id[1]}, 4);
          if ((acked += 4) == sizeof acks) { put_link(link, acks, acked); acked = 0; }
        }
      }
      if (at[0] >> 4 == 9) { link->state = OPEN; opened++; }
      done += head + length;
    } else if (link->state == UPGRADING) {
      char *end = memmem(at, left, "\r\n\r\n", 4);
      if (!end) break;
      if (memcmp(at, "HTTP/1.1 101", 12)) { fprintf(stderr, "link %d: %.*s\n", i, left, (const char *)at); exit(1); }
      done = end + 4 - bytes;
      enter(i);
    } else {
      int head = 2, length = left > 1 ? at[1] : 0;
      if (left < 2 || (length == 126 && left < 4)) break;
      if (length == 126) { length = at[2] << 8 | at[3]; head = 4; }
      if (left < head + length) break;
      fresh += hear(i, at[0] & 15, (const char *)at + head, length);
      done += head + length;
    }
  }
end:
  if (acked) put_link(link, acks, acked);
  if (fresh && !mqtt) {
    deliveries += fresh;
    link->owed += fresh;
    if (!link->acknowledged) gathered[(first + gatherings++) % count] = (struct gathering){i, now() + 1};
    if (link->acknowledged < AT_ONCE || link->owed >= MOST) acknowledge(link);
  }
  return done;
}

// Sends the acknowledgements that are due. Returns the milliseconds until the next ones.
static int gather(void) {
  for (double at = now(); gatherings; first = (first + 1) % count, gatherings--) {
    struct gathering *next = &gathered[first];
    struct link *link = &links[next->link];
    if (next->until > at) return (next->until - at) * 1000 + 1;
    if (!link->owed || link->state != OPEN) { link->acknowledged = 0; continue; }
    acknowledge(link);
    gathered[(first + gatherings) % count] = (struct gathering){next->link, at + 1};
    gatherings++;
  }
  return 1000;
}

static void readable(int i) {
  struct link *link = &links[i];
  memcpy(input, link->rest, link->rests);
  ssize_t n;
  if (link->ssl) {
    n = SSL_read(link->ssl, input + link->rests, READ - link->rests);
    if (n <= 0 && SSL_get_error(link->ssl, n) == SSL_ERROR_WANT_READ) return;
  } else n = read(link->fd, input + link->rests, READ - link->rests);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) { fprintf(stderr, "link %d was dropped after %ld messages\n", i, link->got); exit(1); }
  int size = link->rests + n, done = take(i, input, size);
  link->rests = size - done;
  if (link->rests) { link->rest = realloc(link->rest, link->rests); memcpy(link->rest, input + done, link->rests); }
}

// Reads the response to a publisher's request to its end; only what fits the buffer is checked.
static void answered(struct publisher *publisher) {
  ssize_t n = read(publisher->fd, input, READ);
  if (n <= 0) fail("a publisher's connection ended");
  int kept = sizeof publisher->rest - publisher->rests;
  if (kept > n) kept = n;
  memcpy(publisher->rest + publisher->rests, input, kept);
  publisher->rests += kept;
  publisher->read += n;
  char *end = memmem(publisher->rest, publisher->rests, "\r\n\r\n", 4), *at = publisher->rest;
  if (!end) return;
  while (at < end && strncasecmp(at, "content-length:", 15)) at++;
  int error = !!memmem(end, publisher->rest + publisher->rests - end, "\"error\"", 7);
  if (at == end || error || memcmp(publisher->rest, "HTTP/1.1 200", 12)) {
    fprintf(stderr, "a push was answered with %.*s\n", publisher->rests, publisher->rest);
    exit(1);
  }
  if (publisher->read < end + 4 - publisher->rest + atol(at + 15)) return;
  publisher->busy = publisher->rests = publisher->read = 0;
}

static void event(struct epoll_event *event) {
  if (event->data.u64 >= (uint64_t)count) { answered(&publishers[event->data.u64 - count]); return; }
  int i = event->data.u64;
  if (links[i].state == CLOSED) return;
  if (links[i].state == SHAKING) { shake(i); return; }
  if (links[i].state != CONNECTING) {
    // Data that is already decrypted does not make the socket readable again.
    do readable(i); while (links[i].ssl && SSL_pending(links[i].ssl));
    return;
  }
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(links[i].fd, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error) { errno = error; fail("connect"); }
  watch(links[i].fd, EPOLLIN, i, EPOLL_CTL_MOD);
  if (tls) { links[i].state = SHAKING; shake(i); } else greet(i);
}

static int turn(int milliseconds) {
  struct epoll_event events[1024];
  int soon = gather(), n = epoll_wait(epoll, events, 1024, soon < milliseconds ? soon : milliseconds);
  for (int i = 0; i < n; i++) event(&events[i]);
  return n;
}

// Opens the links from `first` to `last`, `many` at a time; all at once if `many` is 0.
static void open_links(int first, int last, int many) {
  int begun = first, before = opened;
  double heard = now();
  while (opened - before < last - first) {
    while (begun < last && (!many || begun - first - (opened - before) < many)) begin(begun++);
    if (turn(1000)) heard = now();
    else if (now() - heard > 30) { fprintf(stderr, "only %d links opened\n", opened - before); exit(1); }
  }
}

static void close_links(int first, int last) {
  for (int i = first; i < last; i++) {
    SSL_free(links[i].ssl);
    links[i].ssl = 0;
    close(links[i].fd);
    links[i].state = CLOSED;
    opened--;
  }
}

// Writes one MQTT publication, or one HTTP request with pushes; returns its bytes, and the number of messages in *took.
static int publish_mqtt(char *to, long number) {
  char topic[24];
  int topics = own ? sprintf(topic, "t/%07d", (int)(number % count)) : sprintf(topic, "t"), rest = 2 + topics + CONTENT + 2 * qos, n = 0;
  to[n++] = 0x30 | qos << 1;
  do { int digit = rest % 128; rest /= 128; to[n++] = digit | (rest ? 128 : 0); } while (rest);
  to[n++] = 0;
  to[n++] = topics;
  memcpy(to + n, topic, topics);
  n += topics;
  // 0 is not a valid packet identifier.
  if (qos) { int packet = number % 65535 + 1; to[n++] = packet >> 8; to[n++] = packet; }
  memset(to + n, 'x', CONTENT);
  return n + CONTENT;
}

static int publish_posthorn(char *to, long number, int many) {
  static char body[1 << 19], content[CONTENT + 1];
  static long run;
  memset(content, 'x', CONTENT);
  if (!run) run = time(0);
  int n = 0;
  if (own && batch > 1) {
    n = sprintf(body, "{\"pushlist\":{");
    for (int i = 0; i < many; i++)
      n += sprintf(body + n, "%s\"%s-%08lx-0000-4000-8000-%012lx\":{\"platform\":\"ios\",\"target\":\"%s\",\"message\":{\"msg_content\":\"%s\"}}",
        i ? "," : "", app, run & 0xffffffff, number + i, links[(number + i) % count].id, content);
    n += sprintf(body + n, "}}");
  } else if (own) n = sprintf(body, "{\"platform\":\"ios\",\"audience\":{\"registration_id\":[\"%s\"]},\"message\":{\"msg_content\":\"%s\"}}", links[number % count].id, content);
  else n = sprintf(body, "{\"platform\":\"ios\",\"audience\":\"all\",\"message\":{\"msg_content\":\"%s\"}}", content);
  int head = sprintf(to, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
    own && batch > 1 ? "/v3/push/batch/regid/single" : "/v3/push", authorization, n);
  memcpy(to + head, body, n);
  return head + n;
}

static void connect_publishers(int many) {
  publisherCount = many;
  for (int i = 0; i < many; i++) {
    publishers[i].fd = dial(0);
    if (mqtt) {
      put(publishers[i].fd, "\x10\x0d\0\4MQTT\4\2\0\0\0\1p", 15);
      if (read(publishers[i].fd, input, 4) != 4) fail("the publisher is not let in");
    } else watch(publishers[i].fd, EPOLLIN, count + i, EPOLL_CTL_ADD);
    fcntl(publishers[i].fd, F_SETFL, O_NONBLOCK);
  }
}

static void publish(void) {
  long unit = own ? 1 : count, total = messages * count / unit, sent = 0;
  long ahead = own ? (long)window * count / 100 + 1 : window;
  if (batch > 1 && batch > ahead / 2) batch = ahead / 2;
  int many = ahead / batch;
  connect_publishers(mqtt ? 1 : many < 2 ? 2 : many > PUBLISHERS ? PUBLISHERS : many);
  settle();
  double started = now(), heard = started, cpu = spent();
  while (deliveries < messages * count) {
    long room = ahead - (sent - deliveries / unit);
    if (room > total - sent) room = total - sent;
    if (mqtt) {
      int n = 0;
      for (; room > 0 && n < 1 << 19; room--) n += publish_mqtt(output + n, sent++);
      if (n) put(publishers[0].fd, output, n);
      // The broker's acknowledgements.
      while (qos && read(publishers[0].fd, input, sizeof input) > 0) {}
    } else for (int i = 0; i < publisherCount && room > 0; i++) {
      if (publishers[i].busy) continue;
      // In batches, the publisher waits for a full batch as long as others are in flight.
      int taken = own ? batch : 1;
      if (taken > room && room < total - sent && room < ahead) break;
      if (taken > room) taken = room;
      put(publishers[i].fd, output, publish_posthorn(output, sent, taken));
      publishers[i].busy = 1;
      sent += taken;
      room -= taken;
    }
    if (turn(1000)) heard = now();
    else if (now() - heard > 15) { fprintf(stderr, "stalled at %ld of %ld deliveries\n", deliveries, messages * count); exit(1); }
  }
  if (!mqtt) for (int i = 0; i < count; i++) if (links[i].owed) acknowledge(&links[i]);
  double seconds = now() - started, used = spent() - cpu;
  for (int i = 0; i < count; i++) if (links[i].got != messages) { fprintf(stderr, "link %d had %ld messages of %ld\n", i, links[i].got, messages); exit(1); }
  printf("RESULT fanout deliveries=%ld seconds=%.4f rate=%.1f cpu=%.4f\n", deliveries, seconds, deliveries / seconds, used * 1e6 / deliveries);
}

static void recall(void) {
  FILE *file = keep ? fopen(keep, "r") : 0;
  if (!file) return;
  for (int i = 0; i < count && fscanf(file, "%39s %39s %lld", links[i].id, links[i].secret, &links[i].position) == 3; i++) {}
  fclose(file);
}

static void remember(void) {
  FILE *file = keep ? fopen(keep, "w") : 0;
  if (!file) return;
  for (int i = 0; i < count; i++) fprintf(file, "%s %s %lld\n", links[i].id, links[i].secret, links[i].position);
  fclose(file);
}

int main(int arguments, char **argument) {
  if (arguments < 5) return 2;
  const char *what = argument[1];
  port = atoi(argument[2]);
  count = atoi(argument[3]);
  messages = atol(argument[4]);
  for (int i = 5; i < arguments; i++) {
    if (!strcmp(argument[i], "--own")) { own = 1; continue; }
    if (!strcmp(argument[i], "--tls")) {
      if (!(tls = SSL_CTX_new(TLS_client_method()))) fail("SSL_CTX_new");
      SSL_CTX_set_mode(tls, SSL_MODE_RELEASE_BUFFERS);
      continue;
    }
    if (i + 1 == arguments) return 2;
    const char *name = argument[i], *value = argument[++i];
    if (!strcmp(name, "--window")) window = atoi(value);
    else if (!strcmp(name, "--batch")) batch = atoi(value);
    else if (!strcmp(name, "--qos")) qos = atoi(value);
    else if (!strcmp(name, "--pid")) server = atoi(value);
    else if (!strcmp(name, "--app")) app = value;
    else if (!strcmp(name, "--auth")) authorization = value;
    else if (!strcmp(name, "--bundle")) bundle = value;
    else if (!strcmp(name, "--keep")) keep = value;
    else return 2;
  }
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  signal(SIGPIPE, SIG_IGN);
  setvbuf(stdout, 0, _IOLBF, 0);
  mqtt = !strcmp(what, "mqtt");
  epoll = epoll_create1(0);
  links = calloc(count, sizeof *links);
  gathered = calloc(count, sizeof *gathered);
  recall();
  if (!strcmp(what, "idle")) {
    // Shared memory such as caches, allocated with the first links, is not part of a link's memory.
    open_links(0, messages, STORED);
    settle();
    close_links(0, messages);
    settle();
    long before = resident();
    double cpu = spent();
    open_links(0, count, STORED);
    cpu = spent() - cpu;
    settle();
    printf("RESULT idle kilobytes=%.3f cpu=%.2f\n", (double)(resident() - before) / count, cpu * 1e6 / count);
    return 0;
  }
  open_links(0, count, STORED);
  if (!strcmp(what, "storm")) {
    printf("READY\n");
    // The parent process says when.
    if (!fgets(input, READ, stdin)) return 1;
    double started = now(), cpu = spent();
    close_links(0, count);
    open_links(0, count, 0);
    printf("RESULT storm seconds=%.3f cpu=%.3f\n", now() - started, spent() - cpu);
    for (double end = now() + messages; now() < end;) turn(100);
    return 0;
  }
  remember();
  publish();
  remember();
  return 0;
}
