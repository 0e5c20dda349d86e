package dev.counterpoint.audit;

import dev.counterpoint.infra.LocalIssuer;
import dev.counterpoint.infra.LocalIssuer.Person;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;

/// A browser without scripts: it keeps cookies, follows redirects and sends forms. Its people are those of `up` and
/// some more.
public final class ConsoleBrowser {
    private static final String PASSWORD = "correct horse";
    private static final String SECRET = "0123456789012345678901234567890123456789";
    private static final Pattern TOKEN = Pattern.compile("name=\"form_token\" value=\"([^\"]+)\"");
    private static final int REDIRECTS_MAX = 10;
    private static final List<Person> MORE = List.of(
            new Person(
                    "Eve",
                    "does everything",
                    List.of(
                            "compliance.search",
                            "compliance.read",
                            "compliance.erase",
                            "compliance.approve",
                            "compliance.hold",
                            "auditor"),
                    ""),
            new Person(
                    "Ivan", "sees one tenant", List.of("compliance.search"), ",\"counterpoint_tenants\":[\"other\"]"));

    private final CookieManager cookies = new CookieManager();
    private final HttpClient client;
    private final URI root;
    private String formToken = "";

    /// @param status of the last answer
    /// @param first the first answer, before any redirect
    public record Page(int status, String text, URI address, HttpResponse<String> first) {}

    public ConsoleBrowser() {
        client = HttpClient.newBuilder()
                .cookieHandler(cookies)
                .connectTimeout(Duration.ofSeconds(10))
                .build();
        root = StaffClient.root(ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class));
    }

    static LocalIssuer issuer(byte[] key, URI console) {
        try {
            var rsa = (RSAPrivateCrtKey) KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key));
            var people =
                    Stream.concat(LocalIssuer.PEOPLE.stream(), MORE.stream()).toList();
            return LocalIssuer.start(0, new LocalIssuer.Settings(rsa, SECRET, PASSWORD, console, people));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static Map<String, String> settings(LocalIssuer issuer, int port) {
        return Map.of(
                "quarkus.http.test-port",
                Integer.toString(port),
                "audit.console-issuer",
                issuer.address(),
                "audit.console-client-secret",
                SECRET,
                "audit.console-secure-cookies",
                "false");
    }

    public static ConsoleBrowser signedIn(String person) {
        var browser = new ConsoleBrowser();
        var asks = browser.get("/console");
        var signedIn = browser.send(asks.address(), Map.of("person", person, "password", PASSWORD), "same-origin");
        if (signedIn.status() != 200) {
            throw new AssertionError(signedIn.status() + " " + signedIn.address() + "\n" + signedIn.text());
        }
        return browser;
    }

    public Page get(String path) {
        return follow(HttpRequest.newBuilder(root.resolve(path)).GET());
    }

    /// Sends a form as a page of the console does.
    ///
    /// @param fields names and values in turns
    public Page post(String path, String... fields) {
        return forge(formToken, "same-origin", path, fields);
    }

    /// Sends a form as another site would.
    ///
    /// @param site as browsers name where a form comes from
    public Page forge(String token, String site, String path, String... fields) {
        var form = Stream.iterate(0, i -> i < fields.length, i -> i + 2)
                .collect(Collectors.toMap(i -> fields[i], i -> fields[i + 1]));
        if (!token.isEmpty()) {
            form.put("form_token", token);
        }
        return send(root.resolve(path), form, site);
    }

    public String formToken() {
        return formToken;
    }

    public List<HttpCookie> cookies() {
        return cookies.getCookieStore().getCookies();
    }

    private Page send(URI address, Map<String, String> form, String site) {
        var body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return follow(HttpRequest.newBuilder(address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Sec-Fetch-Site", site)
                .POST(BodyPublishers.ofString(body)));
    }

    private Page follow(HttpRequest.Builder request) {
        try {
            var first = client.send(request.build(), BodyHandlers.ofString());
            var last = first;
            for (int i = 0;
                    i < REDIRECTS_MAX && last.headers().firstValue("Location").isPresent();
                    i++) {
                var next =
                        last.uri().resolve(last.headers().firstValue("Location").get());
                last = client.send(HttpRequest.newBuilder(next).build(), BodyHandlers.ofString());
            }
            var token = TOKEN.matcher(last.body());
            formToken = token.find() ? token.group(1) : formToken;
            return new Page(last.statusCode(), last.body(), last.uri(), first);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
