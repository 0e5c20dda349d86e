package dev.counterpoint.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/// An OpenID Connect issuer for one machine: discovery, keys, authorization code with PKCE, refresh and logout,
/// for the people of its settings, who have one password. A deployment has an OIDC server
/// instead. Thread-safe.
public final class LocalIssuer implements AutoCloseable {
    /// The only client of the issuer.
    public static final String CLIENT = "counterpoint-console";

    /// Who works on one machine.
    public static final List<Person> PEOPLE = List.of(
            new Person(
                    "Olga",
                    "asks",
                    List.of("compliance.search", "compliance.read", "compliance.erase", "compliance.hold"),
                    ""),
            new Person("Amir", "approves", List.of("compliance.search", "compliance.approve"), ""),
            new Person("Ada", "audits", List.of("compliance.search", "auditor"), ""));

    private static final int SESSION_IDLE_SECONDS = 900;
    private static final int CODE_SECONDS = 60;
    private static final int BODY_BYTES_MAX = 16_384;
    private static final String JSON = "application/json";
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final HttpServer server;
    private final Settings settings;
    private final Map<String, Grant> grants = new ConcurrentHashMap<>();

    /// Somebody who may sign in.
    ///
    /// @param task what this one is there to try
    /// @param roles members of the claim `groups`
    /// @param claims further members of the access token, as in `,"name":"value"`
    public record Person(String name, String task, List<String> roles, String claims) {}

    /// @param key signs all tokens
    /// @param secret of the client
    /// @param password of all people
    /// @param console root of the client's addresses
    public record Settings(RSAPrivateCrtKey key, String secret, String password, URI console, List<Person> people) {
        @Override
        public String toString() {
            return "Settings[…]";
        }
    }

    /// What a code or a refresh token stands for.
    ///
    /// @param request that the session began with
    private record Grant(Person person, String session, Map<String, String> request, long until) {}

    private LocalIssuer(HttpServer server, Settings settings) {
        this.server = server;
        this.settings = settings;
    }

    /// @param port of the loopback interface; 0 takes a free one
    public static LocalIssuer start(int port, Settings settings) {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            var issuer = new LocalIssuer(server, settings);
            server.createContext("/", issuer::answer);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return issuer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange http) throws IOException {
        try (http) {
            var query = parameters(http.getRequestURI().getRawQuery() + "");
            var form = parameters(new String(http.getRequestBody().readNBytes(BODY_BYTES_MAX), UTF_8));
            switch (http.getRequestURI().getPath()) {
                case "/.well-known/openid-configuration" -> send(http, 200, JSON, discovery());
                case "/jwks" -> send(http, 200, JSON, keys());
                case "/authorize" -> authorize(http, query, form);
                case "/token" -> token(http, form);
                case "/logout" -> logout(http, query);
                default -> send(http, 404, "text/plain", "not found");
            }
        } catch (IllegalArgumentException refusal) {
            send(http, 400, JSON, "{\"error\":\"invalid_request\"}");
        }
    }

    private String discovery() {
        return """
        {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize","token_endpoint":"%1$s/token",\
        "jwks_uri":"%1$s/jwks","end_session_endpoint":"%1$s/logout",\
        "response_types_supported":["code"],"subject_types_supported":["public"],\
        "id_token_signing_alg_values_supported":["RS256"],"code_challenge_methods_supported":["S256"],\
        "grant_types_supported":["authorization_code","refresh_token"]}\
        """.formatted(address());
    }

    private String keys() {
        var modulus = settings.key.getModulus().toByteArray();
        var unsigned = Arrays.copyOfRange(modulus, modulus[0] == 0 ? 1 : 0, modulus.length);
        var exponent = settings.key.getPublicExponent().toByteArray();
        return ("{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\","
                        + "\"alg\":\"RS256\",\"kid\":\"local\",\"n\":\"%s\",\"e\":\"%s\"}]}")
                .formatted(BASE64.encodeToString(unsigned), BASE64.encodeToString(exponent));
    }

    /// Shows the sign-in page, or redirects a signed-in person back with a code.
    private void authorize(HttpExchange http, Map<String, String> query, Map<String, String> form) throws IOException {
        require(CLIENT.equals(query.get("client_id")) && "S256".equals(query.get("code_challenge_method")));
        require(query.getOrDefault("nonce", "").matches("[A-Za-z0-9_.-]*") && query.containsKey("code_challenge"));
        var uri = query.getOrDefault("redirect_uri", "");
        require(uri.startsWith(settings.console + "/"));
        var person = settings.people.stream()
                .filter(one -> one.name.equals(form.get("person")))
                .findFirst();
        if (person.isEmpty() || !isSame(form.getOrDefault("password", ""), settings.password)) {
            send(http, form.isEmpty() ? 200 : 403, "text/html; charset=utf-8", page());
            return;
        }
        var code = UUID.randomUUID().toString();
        grants.put(code, new Grant(person.get(), UUID.randomUUID().toString(), query, in(CODE_SECONDS)));
        var state = URLEncoder.encode(query.getOrDefault("state", ""), UTF_8);
        redirect(http, uri + "?code=" + code + "&state=" + state);
    }

    private String page() {
        return settings.people.stream()
                .map(one -> "<p><label><input type=radio name=person required value=%1$s> %1$s, %2$s</label>"
                        .formatted(one.name, one.task))
                .collect(Collectors.joining("\n", """
                <!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">
                <title>Sign in</title><h1>Sign in to Counterpoint</h1><form method=post>
                """, """
                <p><label>Password <input type=password name=password required></label>
                <button>Sign in</button></form>"""));
    }

    private void token(HttpExchange http, Map<String, String> form) throws IOException {
        var basic = Base64.getEncoder().encodeToString((CLIENT + ":" + settings.secret).getBytes(UTF_8));
        require(isSame(http.getRequestHeaders().getFirst("Authorization") + "", "Basic " + basic));
        var code = form.get("code");
        var grant = grants.remove(code == null ? form.getOrDefault("refresh_token", "") : code);
        if (grant == null || grant.until < in(0)) {
            throw new IllegalArgumentException("no such grant");
        }
        if (code != null) {
            require(hash(form.getOrDefault("code_verifier", "")).equals(grant.request.get("code_challenge")));
            require(form.getOrDefault("redirect_uri", "").equals(grant.request.get("redirect_uri")));
        }
        var refresh = UUID.randomUUID().toString();
        grants.put(refresh, new Grant(grant.person, grant.session, grant.request, in(SESSION_IDLE_SECONDS)));
        var roles = String.join("\",\"", grant.person.roles);
        send(http, 200, JSON, """
        {"token_type":"Bearer","expires_in":%d,"id_token":"%s","access_token":"%s","refresh_token":"%s"}\
        """.formatted(
                        SESSION_IDLE_SECONDS,
                        signed(grant, CLIENT, ",\"nonce\":\"" + grant.request.getOrDefault("nonce", "") + '"'),
                        signed(grant, "counterpoint-audit", ",\"groups\":[\"" + roles + "\"]" + grant.person.claims),
                        refresh));
    }

    private static long in(int seconds) {
        return Instant.now().getEpochSecond() + seconds;
    }

    private String signed(Grant grant, String audience, String claims) {
        var body =
                "{\"iss\":\"%s\",\"aud\":\"%s\",\"sub\":\"%s\",\"sid\":\"%s\",\"jti\":\"%s\",\"iat\":%d,\"exp\":%d%s}";
        var text = body.formatted(
                address(),
                audience,
                grant.person.name.toLowerCase(Locale.ROOT),
                grant.session,
                UUID.randomUUID(),
                in(0),
                in(SESSION_IDLE_SECONDS),
                claims);
        var content = BASE64.encodeToString("{\"alg\":\"RS256\",\"kid\":\"local\",\"typ\":\"JWT\"}".getBytes(UTF_8))
                + "." + BASE64.encodeToString(text.getBytes(UTF_8));
        try {
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(settings.key);
            signature.update(content.getBytes(UTF_8));
            return content + "." + BASE64.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java signs with RSA", e);
        }
    }

    /// Ends the session of the person that signs out.
    private void logout(HttpExchange http, Map<String, String> query) throws IOException {
        var idToken = query.getOrDefault("id_token_hint", "..").split("\\.", -1);
        var claims = new String(Base64.getUrlDecoder().decode(idToken[1]), UTF_8);
        grants.values().removeIf(grant -> claims.contains("\"sid\":\"" + grant.session + '"'));
        var uri = query.getOrDefault("post_logout_redirect_uri", settings.console + "/");
        require(uri.startsWith(settings.console + "/"));
        redirect(http, uri);
    }

    /// Ends all sessions of a person.
    public void signOut(String name) {
        grants.values().removeIf(grant -> grant.person.name.equals(name));
    }

    private static Map<String, String> parameters(String text) {
        return Arrays.stream(text.split("&"))
                .map(pair -> pair.split("=", 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8), (one, _) -> one));
    }

    private static String hash(String verifier) {
        try {
            return BASE64.encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static boolean isSame(String given, String secret) {
        return MessageDigest.isEqual(given.getBytes(UTF_8), secret.getBytes(UTF_8));
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("invalid request");
        }
    }

    private static void redirect(HttpExchange http, String uri) throws IOException {
        http.getResponseHeaders().set("Location", uri);
        send(http, 303, "text/plain", "");
    }

    private static void send(HttpExchange http, int status, String type, String body) throws IOException {
        var bytes = body.getBytes(UTF_8);
        http.getResponseHeaders().set("Content-Type", type);
        http.getResponseHeaders().set("Cache-Control", "no-store");
        http.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        http.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
