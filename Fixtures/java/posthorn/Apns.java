package posthorn;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An APNs for one test: pushes, faults and time. It is {@code posthorn gateway}, the program of the variable POSTHORN or of the PATH
 * ({@link #start}), or the image of a release ({@code PosthornContainer}).
 *
 * <p>A test sees only its own pushes, and its faults and the keys that it has made end with it: close it in a {@code try}. Java 17 or later, without dependencies.
 */
public final class Apns implements AutoCloseable {
    /** What a test waited for did not happen, or posthorn has refused something. The message says what happened instead. */
    public static final class PosthornError extends AssertionError {
        PosthornError(String message) { super(message); }
    }

    /** A request that arrived, with its answer. {@code status} is null if a fault ended it without one. */
    public record Push(
        long number, String at, String environment, String path, String token, String apnsId, Map<String, String> headers, Object payload,
        Integer status, String reason, String meaning, String remedy
    ) {}

    /** A signing key: its p8 file as from Apple, and its ids. */
    public record Key(Path file, String id, String teamId) {}

    /**
     * Signing keys of each kind that Apple's site makes: for one environment alone, for {@link #topic} alone in production and its
     * related key, tokens of both of which may be used on one connection, and of another team, whose only app is {@code secondTeamTopic}.
     */
    public record Keys(Key development, Key production, Key topic, Key related, Key secondTeam, String secondTeamTopic) {}

    // The reason that APNs gives with a status, for tests that only name the status.
    private static final Map<Integer, String> REASONS = Map.of(
        400, "BadDeviceToken", 403, "ExpiredProviderToken", 404, "BadPath", 405, "MethodNotAllowed", 410, "Unregistered",
        413, "PayloadTooLarge", 429, "TooManyRequests", 500, "InternalServerError", 503, "ServiceUnavailable"
    );
    // The most that the control endpoint waits for in one request.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** The name in the server's certificate. */
    public final String host = "localhost";
    /** The ports for production and development. */
    public final int port, developmentPort;
    /** The authority that a client has to trust, in PEM, and the signing key, a p8 file as from Apple. */
    public final Path ca, keyFile;
    public final String keyId, teamId, topic;
    public final Keys keys;
    private final String control, bearer;
    private final Process process;
    private final List<Map<String, Object>> faults = new ArrayList<>();
    private final List<String> madeKeys = new ArrayList<>();
    private long after;

    /** {@code folder} has the files of {@code --hand-out}; {@code bearer} is the token of the control endpoint, or null. */
    Apns(Path folder, int port, int developmentPort, String control, String bearer, Process process) {
        this.port = port;
        this.developmentPort = developmentPort;
        this.control = control;
        this.bearer = bearer;
        this.process = process;
        ca = folder.resolve("ca.pem");
        keyFile = folder.resolve("key.p8");
        keyId = read(folder.resolve("keyID"));
        teamId = read(folder.resolve("teamID"));
        topic = read(folder.resolve("topic"));
        keys = new Keys(
            key(folder, "development", teamId), key(folder, "production", teamId), key(folder, "topic", teamId),
            key(folder, "related", teamId), key(folder, "secondTeam", read(folder.resolve("secondTeamID"))),
            read(folder.resolve("secondTeamTopic"))
        );
        // Those that earlier tests have signed.
        call("DELETE", "provider-tokens", null);
        after = list("limit=1").stream().mapToLong(Push::number).findFirst().orElse(0);
    }

    /** Starts the program. It ends with {@link #close}, and when this process does. */
    public static Apns start(String... options) {
        try {
            var folder = Files.createTempDirectory("posthorn-");
            var file = System.getenv().getOrDefault("POSTHORN", "posthorn");
            var words = new ArrayList<>(List.of(
                file, "gateway", "--json", "--until-eof", "--data", folder + "/data", "--hand-out", folder + "/out", "--tokens", "1",
                "--development-port", "0", "--production-port", "0", "--courier-port", "0", "--control-port", "0"
            ));
            words.addAll(List.of(options));
            var log = folder.resolve("log");
            var process = new ProcessBuilder(words).redirectError(log.toFile()).start();
            var line = process.inputReader().readLine();
            if (line == null) throw new PosthornError("posthorn has ended. Its last words:\n" + Files.readString(log));
            var facts = Json.object(Json.parse(line));
            return new Apns(
                folder.resolve("out"), ((Number) facts.get("productionPort")).intValue(), ((Number) facts.get("developmentPort")).intValue(),
                (String) facts.get("control"), null, process
            );
        } catch (IOException problem) {
            throw new PosthornError("posthorn does not start: " + problem.getMessage() + ". Put bin/posthorn of its tarball on the PATH.");
        }
    }

    /** Ends the faults, and the program if this has started it. */
    @Override public void close() {
        if (process == null) {
            endFaults();
            madeKeys.forEach(id -> call("DELETE", "keys/" + id, null));
        } else {
            process.destroy();
        }
    }

    private static Key key(Path folder, String name, String teamId) {
        return new Key(folder.resolve(name + "Key.p8"), read(folder.resolve(name + "KeyID")), teamId);
    }

    /** Makes a key of {@link #teamId} as Apple's site does, until the end of this test, for both environments and all topics. */
    public Key makeKey() { return makeKey(List.of("development", "production"), List.of(), null); }

    /**
     * Makes a key for these environments and topics, all if there are none. {@code relatedTo} is the key for certain topics that it is
     * related to, or null.
     */
    public Key makeKey(List<String> environments, List<String> topics, Key relatedTo) {
        var order = new LinkedHashMap<String, Object>(Map.of("team", teamId, "environments", environments));
        if (!topics.isEmpty()) order.put("topics", topics);
        if (relatedTo != null) order.put("relatedTo", relatedTo.id());
        var made = Json.object(call("POST", "keys", order));
        var id = (String) made.get("id");
        madeKeys.add(id);
        try {
            var file = Files.createTempFile("AuthKey_" + id + "-", ".p8");
            file.toFile().deleteOnExit();
            return new Key(Files.writeString(file, (String) made.get("p8")), id, (String) made.get("team"));
        } catch (IOException problem) {
            throw new PosthornError("the key cannot be written: " + problem.getMessage());
        }
    }

    /**
     * Revokes a key: pushes with it get 403 Forbidden from now on. One of the APNs' own stays revoked: the next test needs another APNs.
     */
    public void revokeKey(Key key) { call("DELETE", "keys/" + key.id(), null); }

    /** Issues a device token for production. It belongs to no device; pushes to it are judged and stored. */
    public String token() { return token(topic, "production"); }

    public String token(String topic, String environment) {
        var issued = call("POST", "tokens", Map.of("topic", topic, "environment", environment));
        return (String) Json.array(Json.object(issued).get("tokens")).get(0);
    }

    /** Lets the app be removed: pushes to the token get 410 Unregistered from now on. */
    public void unregister(String token) { call("PUT", "tokens/" + token, Map.of("state", "unregistered")); }

    /** Lets the token expire: pushes to it get 410 ExpiredToken from now on. */
    public void expire(String token) { call("PUT", "tokens/" + token, Map.of("state", "expired")); }

    /** The pushes of this test so far, refused ones too. Conditions are pairs such as {@code "token", token, "status", 410}. */
    public List<Push> pushes(Object... conditions) { return list("limit=1000" + query(conditions)); }

    /** Waits until so many pushes of this test meet the conditions, and returns them. */
    public List<Push> wait(int count, Duration within, Object... conditions) {
        var deadline = Instant.now().plus(within);
        while (true) {
            var rest = Duration.between(Instant.now(), deadline);
            if (rest.isNegative()) rest = Duration.ZERO;
            if (rest.compareTo(LONGEST_WAIT) > 0) rest = LONGEST_WAIT;
            var found = list("limit=1000&count=" + count + "&wait=" + rest.toMillis() / 1000.0 + query(conditions));
            if (found.size() >= count) return found;
            if (Instant.now().isAfter(deadline)) {
                throw new PosthornError(
                    "waited " + within.toMillis() + " ms for " + count + " pushes" + query(conditions) + "; found " + found.size() + ".\n" + story()
                );
            }
        }
    }

    /** What became of a push after its answer: "waiting", "delivered", "expired" … */
    public String state(Push push) { return (String) Json.object(call("GET", "pushes/" + push.apnsId(), null)).get("state"); }

    public void waitState(Push push, String state, Duration within) {
        var deadline = Instant.now().plus(within);
        for (var found = state(push); !found.equals(state); found = state(push)) {
            if (Instant.now().isAfter(deadline)) {
                throw new PosthornError("waited for push #" + push.number() + " to be " + state + "; it is " + found + ".\n" + story());
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException interruption) {
                throw new PosthornError("interrupted");
            }
        }
    }

    /** Answers the next pushes with a status such as 410 and its usual reason, and does not accept them. */
    public long failNext(int status, int count) {
        if (!REASONS.containsKey(status)) throw new PosthornError("status " + status + " has no usual reason; give one of Apple's reasons");
        return failNext(REASONS.get(status), count);
    }

    /** Answers the next pushes with one of Apple's reasons, such as "TooManyRequests". */
    public long failNext(String reason, int count) { return fault("answer", Map.of("reason", reason, "next", count)); }

    /** Processes the next pushes so much later. */
    public long delay(Duration time, int count) { return fault("latency", Map.of("seconds", time.toMillis() / 1000.0, "next", count)); }

    /** Sends GOAWAY with the next pushes: last is "this" if the push is still answered, "before" if not. */
    public long goAway(int count, String last) {
        return fault("goAway", Map.of("reason", "Shutdown", "lastStreamID", last, "next", count));
    }

    /** Resets the streams of the next pushes, which are not accepted. */
    public long reset(int count) { return fault("reset", Map.of("next", count)); }

    /** Closes the connection at the next pushes, which are not accepted. */
    public long close(int count) { return fault("close", Map.of("next", count)); }

    /** Sets any fault of the control endpoint, until the end of this test. Returns its number. */
    public long fault(String kind, Map<String, Object> keys) {
        var body = new LinkedHashMap<String, Object>(keys);
        body.put("kind", kind);
        var fault = Json.object(call("POST", "faults", body));
        faults.add(fault);
        return ((Number) fault.get("id")).longValue();
    }

    /** How often a fault of this test has occurred. */
    public long times(long fault) {
        return Json.array(Json.object(call("GET", "log", null)).get("entries")).stream()
            .filter(entry -> ((Number) Json.object(entry).get("fault")).longValue() == fault).count();
    }

    /** Ends all faults before the test does. */
    public void endFaults() { call("DELETE", "faults", null); }

    /** The APNs' time. */
    public Instant now() {
        var seconds = (Number) Json.object(call("GET", "clock", null)).get("seconds");
        return Instant.ofEpochMilli(Math.round(seconds.doubleValue() * 1000));
    }

    /** Advances the clock. It stays advanced: the next test needs another APNs. */
    public void turnClock(Duration by) { call("POST", "clock", Map.of("turn", by.toSeconds())); }

    /** What happened in this test, for people. */
    public String story() {
        var pushes = pushes();
        var lines = new StringBuilder(pushes.isEmpty() ? "No push of this test has arrived." : "Pushes of this test:");
        for (var push : pushes) lines.append("\n").append(push);
        for (var fault : faults) {
            lines.append("\nFault ").append(fault).append(": ").append(times(((Number) fault.get("id")).longValue())).append(" times so far.");
        }
        return lines.toString();
    }

    private static String query(Object... conditions) {
        var query = new StringBuilder();
        for (int index = 0; index + 1 < conditions.length; index += 2) {
            var value = URLEncoder.encode(conditions[index + 1].toString(), StandardCharsets.UTF_8).replace("+", "%20");
            query.append("&").append(conditions[index]).append("=").append(value);
        }
        return query.toString();
    }

    private List<Push> list(String query) {
        var listed = Json.array(Json.object(call("GET", "pushes?after=" + after + "&" + query, null)).get("pushes"));
        return listed.stream().map(Json::object).map(push -> {
            var headers = new LinkedHashMap<String, String>();
            for (var pair : Json.array(push.get("headers"))) headers.put((String) Json.array(pair).get(0), (String) Json.array(pair).get(1));
            var status = (Number) push.get("status");
            return new Push(
                ((Number) push.get("number")).longValue(), (String) push.get("at"), (String) push.get("environment"), (String) push.get("path"),
                (String) push.get("token"), (String) push.get("apns-id"), headers, push.get("payload"),
                status == null ? null : Integer.valueOf(status.intValue()), (String) push.get("reason"), (String) push.get("meaning"),
                (String) push.get("remedy")
            );
        }).toList();
    }

    private Object call(String method, String resource, Object body) {
        var text = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(Json.text(body));
        var request = HttpRequest.newBuilder(URI.create(control + "/" + resource)).method(method, text)
            .header("Content-Type", "application/json").timeout(LONGEST_WAIT.plusSeconds(30));
        if (bearer != null) request.header("Authorization", "Bearer " + bearer);
        try {
            var answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) throw new PosthornError(method + " " + resource + ": " + answer.statusCode() + " " + answer.body());
            return answer.body().isEmpty() ? null : Json.parse(answer.body());
        } catch (IOException | InterruptedException problem) {
            throw new PosthornError(method + " " + resource + ": " + problem);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException problem) {
            throw new PosthornError("posthorn has handed out no " + file + ": " + problem.getMessage());
        }
    }

    /** As much of JSON as the control endpoint speaks: objects are maps, arrays lists. */
    private static final class Json {
        private final String text;
        private int at;

        private Json(String text) { this.text = text; }

        static Object parse(String text) { return new Json(text).value(); }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(Object value) { return (Map<String, Object>) value; }

        @SuppressWarnings("unchecked")
        static List<Object> array(Object value) { return (List<Object>) value; }

        static String text(Object value) {
            if (value instanceof Map<?, ?> map) {
                return "{" + String.join(",", map.entrySet().stream().map(it -> text(it.getKey()) + ":" + text(it.getValue())).toList()) + "}";
            }
            if (value instanceof List<?> list) return "[" + String.join(",", list.stream().map(Json::text).toList()) + "]";
            if (!(value instanceof String string)) return String.valueOf(value);
            var quoted = new StringBuilder("\"");
            for (char unit : string.toCharArray()) {
                if (unit == '"' || unit == '\\') quoted.append('\\').append(unit);
                else if (unit < ' ') quoted.append(String.format("\\u%04x", (int) unit));
                else quoted.append(unit);
            }
            return quoted.append('"').toString();
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private Object value() {
            switch (next()) {
                case '{' -> {
                    var map = new LinkedHashMap<String, Object>();
                    for (at++; next() != '}'; ) {
                        if (next() == ',') at++;
                        next();
                        var key = string();
                        next();
                        at++;
                        map.put(key, value());
                    }
                    at++;
                    return map;
                }
                case '[' -> {
                    var list = new ArrayList<Object>();
                    for (at++; next() != ']'; ) {
                        if (next() == ',') at++;
                        list.add(value());
                    }
                    at++;
                    return list;
                }
                case '"' -> { return string(); }
                default -> {
                    int start = at;
                    while (at < text.length() && ",]} \n".indexOf(text.charAt(at)) < 0) at++;
                    var word = text.substring(start, at);
                    return switch (word) {
                        case "null" -> null;
                        case "true" -> true;
                        case "false" -> false;
                        default -> Double.valueOf(word);
                    };
                }
            }
        }

        private String string() {
            var found = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) != '\\') {
                    found.append(text.charAt(at));
                    continue;
                }
                char escaped = text.charAt(++at);
                int plain = "bfnrt".indexOf(escaped);
                if (escaped == 'u') {
                    found.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    found.append(plain < 0 ? escaped : "\b\f\n\r\t".charAt(plain));
                }
            }
            at++;
            return found.toString();
        }
    }
}
