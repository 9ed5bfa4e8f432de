import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import posthorn.Apns;

/** A backend that pushes with the JDK's client, against an APNs that each test controls. */
class BackendTest {
    private final Apns apns = Apns.start();
    private Backend backend;

    /** The code under test: it tries again when the service is unavailable. */
    record Backend(HttpClient client, String url, String topic, String authorization) {
        String notify(String token, String text) throws Exception {
            for (int attempt = 1; ; attempt++) {
                var request = HttpRequest.newBuilder(URI.create(url + "/3/device/" + token)).header("apns-topic", topic)
                    .header("authorization", authorization).header("apns-push-type", "alert")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"aps\":{\"alert\":\"" + text + "\"}}")).build();
                var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 503 || attempt == 3) return (answer.statusCode() + " " + answer.body()).strip();
            }
        }
    }

    private static String encoded(byte[] bytes) { return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes); }

    /** A provider token, and a client that trusts the APNs. */
    @BeforeEach void makeBackend() throws Exception { backend = backend(new Apns.Key(apns.keyFile, apns.keyId, apns.teamId)); }

    private Backend backend(Apns.Key signing) throws Exception {
        var key = Files.readString(signing.file()).replaceAll("-----.*?-----|\\s", "");
        var signer = Signature.getInstance("SHA256withECDSAinP1363Format");
        signer.initSign(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))));
        var claims = "{\"iss\":\"" + signing.teamId() + "\",\"iat\":" + apns.now().getEpochSecond() + "}";
        var head = encoded(("{\"alg\":\"ES256\",\"kid\":\"" + signing.id() + "\"}").getBytes()) + "." + encoded(claims.getBytes());
        signer.update(head.getBytes());

        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null);
        store.setCertificateEntry("posthorn", CertificateFactory.getInstance("X.509").generateCertificate(Files.newInputStream(apns.ca)));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        var client = HttpClient.newBuilder().sslContext(context).build();
        return new Backend(client, "https://" + apns.host + ":" + apns.port, apns.topic, "bearer " + head + "." + encoded(signer.sign()));
    }

    private static String reason(String reason) { return "{\"reason\":\"" + reason + "\"}"; }

    @AfterEach void end() { apns.close(); }

    @Test void aPushArrives() throws Exception {
        var token = apns.token();
        assertEquals("200", backend.notify(token, "Lunch is ready"));
        var push = apns.wait(1, Duration.ofSeconds(5), "token", token).get(0);
        assertEquals("{aps={alert=Lunch is ready}}", push.payload().toString());
        assertEquals(apns.topic, push.headers().get("apns-topic"));
    }

    @Test void aDeadTokenIsReported() throws Exception {
        var token = apns.token();
        apns.unregister(token);
        assertEquals("410", backend.notify(token, "Lunch is ready").substring(0, 3));
        assertEquals("Unregistered", apns.pushes("token", token).get(0).reason());
    }

    @Test void anUnavailableServiceIsTriedAgain() throws Exception {
        var token = apns.token();
        var fault = apns.failNext(503, 2);
        assertEquals("200", backend.notify(token, "Lunch is ready"));
        assertEquals(List.of(503, 503, 200), apns.wait(3, Duration.ofSeconds(5)).stream().map(Apns.Push::status).toList());
        assertEquals(2, apns.times(fault));
    }

    @Test void anOldProviderTokenIsRefused() throws Exception {
        apns.turnClock(Duration.ofMinutes(61));
        assertEquals("403 {\"reason\":\"ExpiredProviderToken\"}", backend.notify(apns.token(), "Lunch is ready"));
    }

    @Test void aKeyIsRotatedWithoutALostPush() throws Exception {
        var old = apns.makeKey();
        var next = apns.makeKey();
        assertEquals("200", backend(old).notify(apns.token(), "Breakfast is ready"));
        apns.revokeKey(old);
        assertEquals("200", backend(next).notify(apns.token(), "Lunch is ready"));
        assertEquals("403 " + reason("Forbidden"), backend(old).notify(apns.token(), "Dinner is ready"));
    }

    @Test void environmentsThatAreMixedUpAreNoticed() throws Exception {
        var keys = apns.keys;
        assertEquals("200", backend(keys.production()).notify(apns.token(), "Lunch is ready"));
        assertEquals("403 " + reason("BadEnvironmentKeyInToken"), backend(keys.development()).notify(apns.token(), "Lunch is ready"));
        assertEquals("200", backend(keys.topic()).notify(apns.token(), "Lunch is ready"));
        assertEquals("400 " + reason("TopicDisallowed"), backend(keys.secondTeam()).notify(apns.token(), "Lunch is ready"));
    }
}
