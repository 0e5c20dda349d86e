package dev.counterpoint.gateway.api.page;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// Serves the page that asks the models, to everybody: it holds nothing, and the API wants a key.
@ApplicationScoped
class PageRoutes {
    private static final Pattern ASSET = Pattern.compile("(?:src|href)=\"(/assets/[\\w.-]+)\"");
    /// The names of assets hold their hash, so a file of that name never changes.
    private static final String FOR_EVER = "public, max-age=31536000, immutable";
    private static final String ASK_AGAIN = "no-cache";

    private static final Map<String, String> ALWAYS = Map.of(
            "X-Content-Type-Options", "nosniff",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin");

    void register(@Observes Router router) {
        var page = PageFile.read("/index.html");
        var scripts = new StringBuilder();
        ASSET.matcher(page.text()).results().map(match -> match.group(1)).forEach(path -> {
            var file = PageFile.read(path);
            if (path.endsWith(".js")) {
                scripts.append(" 'sha256-").append(file.hash()).append('\'');
            }
            serve(router, path, file, with("Cache-Control", FOR_EVER));
        });
        var headers = with("Cache-Control", ASK_AGAIN);
        headers.put("Content-Security-Policy", policy(scripts.toString()));
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        serve(router, "/", page, headers);
    }

    /// No text becomes a script, and nothing goes to another host.
    private static String policy(String scripts) {
        return "default-src 'none'; script-src" + scripts + "; style-src 'self'; img-src 'self'; connect-src 'self';"
                + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                + " require-trusted-types-for 'script'; trusted-types 'none'";
    }

    private static Map<String, String> with(String name, String value) {
        var headers = new LinkedHashMap<>(ALWAYS);
        headers.put(name, value);
        return headers;
    }

    private static void serve(Router router, String path, PageFile file, Map<String, String> headers) {
        router.route(path).method(HttpMethod.GET).method(HttpMethod.HEAD).handler(http -> file.send(http, headers));
    }
}
