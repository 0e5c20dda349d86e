package dev.counterpoint.gateway.api.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.api.webhooks.WebhookSender.Attempt;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.testkit.TestConfig;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.JksOptions;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class WebhookSenderTest {
    private static final Attempt UNREACHABLE = new Attempt("unreachable", 0);
    private static final Attempt ADDRESS_NOT_ALLOWED = new Attempt("address_not_allowed", 0);
    private static final Attempt DELIVERED = new Attempt("delivered", 200);
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static Vertx vertx = Vertx.vertx();

    private final WebhookReceiver receiver = new WebhookReceiver();
    /// Addresses of the next look-ups of any name.
    private final Deque<String> answers = new ArrayDeque<>();

    @BeforeAll
    static void startVertx() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stopVertx() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @AfterEach
    void stopTheReceiver() {
        receiver.close();
    }

    @Test
    void theReceiverGetsTheEventAsItIs() throws Exception {
        // When
        var attempt = sender("10s").post(receiver.url(), Map.of("webhook-id", "evt_1"), "{}");
        // Then
        assertThat(attempt).isEqualTo(DELIVERED);
        var request = receiver.requests().getFirst();
        assertThat(request.line()).isEqualTo("POST /hook?token=secret-of-the-url HTTP/1.1");
        assertThat(request.body()).isEqualTo("{}");
        assertThat(request.headers())
                .containsEntry("host", "127.0.0.1:" + receiver.port())
                .containsEntry("content-type", "application/json")
                .containsEntry("webhook-id", "evt_1");
    }

    @Test
    void aNameThatChangesItsAddressIsConnectedToWhereItWasChecked() throws Exception {
        // Given a name that is allowed when it is looked at, and private from then on
        answers.addAll(List.of("127.0.0.1", "127.0.0.2"));
        var sender = sender("10s");
        var url = "http://rebinding.example:" + receiver.port() + "/";
        // When
        var first = sender.post(url, Map.of(), "{}");
        var second = sender.post(url, Map.of(), "{}");
        // Then
        assertThat(first).isEqualTo(DELIVERED);
        assertThat(receiver.requests().getFirst().headers())
                .containsEntry("host", "rebinding.example:" + receiver.port());
        assertThat(second).isEqualTo(ADDRESS_NOT_ALLOWED);
        assertThat(answers).as("one look-up an attempt").isEmpty();
        assertThat(receiver.requests()).hasSize(1);
    }

    @Test
    void oneAddressThatIsNotAllowedClosesTheName() throws Exception {
        answers.add("127.0.0.1 10.0.0.1");

        assertThat(sender("10s").post("http://both.example:" + receiver.port() + "/", Map.of(), "{}"))
                .isEqualTo(ADDRESS_NOT_ALLOWED);
        assertThat(receiver.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://[::1]/", "http://2130706434/", "http://169.254.169.254/latest", "http://localhost./"})
    void noSpellingOfAnAddressGetsAroundTheGuard(String url) throws Exception {
        var sender = new WebhookSender(
                InetAddress::getAllByName,
                vertx.createHttpClient(WebhookSender.options()),
                config("10s", "192.0.2.0/24"));

        assertThat(sender.post(url, Map.of(), "{}")).isIn(ADDRESS_NOT_ALLOWED, UNREACHABLE);
    }

    @Test
    void aNameThatIsNotThereIsUnreachable() throws Exception {
        assertThat(sender("10s").post("https://nowhere.example/", Map.of(), "{}"))
                .isEqualTo(UNREACHABLE);
    }

    @Test
    void aReceiverThatRefusesIsUnreachable() throws Exception {
        receiver.close();

        assertThat(sender("10s").post(receiver.url(), Map.of(), "{}")).isEqualTo(UNREACHABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {WebhookReceiver.SILENCE, "HTTP/1.1 ", "HTTP/1.1 200 OK\r\nX: a\r\n"})
    void aReceiverThatHangsIsUnreachable(String answer) throws Exception {
        receiver.answers(answer);

        assertThat(sender("300ms").post(receiver.url(), Map.of(), "{}")).isEqualTo(UNREACHABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {WebhookReceiver.NOTHING, "220 mail.example ESMTP\r\n"})
    void aReceiverThatDiesOrSpeaksNoHttpIsUnreachable(String answer) throws Exception {
        receiver.answers(answer);

        assertThat(sender("10s").post(receiver.url(), Map.of(), "{}")).isEqualTo(UNREACHABLE);
    }

    @ParameterizedTest
    @CsvSource({"204, delivered", "302, status", "307, status", "410, status", "500, status"})
    void onlyTheStatusCountsAndRedirectsAreNotFollowed(int status, String outcome) throws Exception {
        // Given
        try (var inside = new WebhookReceiver()) {
            receiver.answers("HTTP/1.1 %d X\r\nLocation: %s\r\nContent-Length: 9999999\r\n\r\nmore"
                    .formatted(status, inside.url()));
            // When
            var attempt = sender("10s").post(receiver.url(), Map.of(), "{}");
            // Then
            assertThat(attempt).isEqualTo(new Attempt(outcome, status));
            assertThat(inside.requests()).isEmpty();
        }
    }

    @Test
    void theCertificateMustBeThatOfTheName(@TempDir Path folder) throws Exception {
        // Given
        var store = keyStore(folder, "hooks.example");
        var trust = new JksOptions().setPath(store.toString()).setPassword(new String(PASSWORD));
        try (var secure = new WebhookReceiver(tls(store).getServerSocketFactory())) {
            var trusting = sender("10s", WebhookSender.options().setTrustOptions(trust));
            var usual = sender("10s", WebhookSender.options());
            for (int lookUp = 0; lookUp < 3; lookUp++) {
                answers.add("127.0.0.1");
            }
            // Then
            assertThat(trusting.post("https://hooks.example:" + secure.port() + "/", Map.of(), "{}"))
                    .isEqualTo(DELIVERED);
            assertThat(trusting.post("https://other.example:" + secure.port() + "/", Map.of(), "{}"))
                    .isEqualTo(UNREACHABLE);
            assertThat(usual.post("https://hooks.example:" + secure.port() + "/", Map.of(), "{}"))
                    .isEqualTo(UNREACHABLE);
            assertThat(secure.requests()).hasSize(1);
        }
    }

    private static Path keyStore(Path folder, String host) throws Exception {
        var store = folder.resolve("receiver.jks");
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var made = new ProcessBuilder((keytool + " -genkeypair -alias receiver -keyalg EC -storetype JKS -dname CN="
                                + host + " -ext san=dns:" + host + " -storepass changeit -keypass changeit -keystore "
                                + store)
                        .split(" "))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(made.waitFor()).isZero();
        return store;
    }

    private static SSLContext tls(Path store) throws Exception {
        var keys = KeyStore.getInstance("JKS");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private WebhookSender sender(String timeout) {
        return sender(timeout, WebhookSender.options());
    }

    private WebhookSender sender(String timeout, HttpClientOptions options) {
        return new WebhookSender(this::addresses, vertx.createHttpClient(options), config(timeout, "127.0.0.1/32"));
    }

    private static GatewayConfig config(String timeout, String allowed) {
        return TestConfig.of(
                GatewayConfig.class, Map.of("gateway.webhook-timeout", timeout, "gateway.webhook-addresses", allowed));
    }

    private InetAddress[] addresses(String host) throws UnknownHostException {
        if (!host.endsWith(".example")) {
            return InetAddress.getAllByName(host);
        }
        var next = answers.poll();
        if (next == null) {
            throw new UnknownHostException(host);
        }
        return List.of(next.split(" ")).stream().map(InetAddress::ofLiteral).toArray(InetAddress[]::new);
    }
}
