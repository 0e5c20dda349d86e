package dev.counterpoint.gateway.api.page;

import dev.counterpoint.gateway.config.GatewayConfig;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Serves the page that asks the models and, if `gateway.console` is on, the pages of operators, to everybody: they
/// hold nothing, and the APIs want a key or the admin token.
@ApplicationScoped
class PageRoutes {
    private static final Pattern ASSET = Pattern.compile("(?:src|href)=\"(/assets/[\\w.-]+)\"");
    /// The names of assets hold their hash, so a file of that name never changes.
    private static final String FOR_EVER = "public, max-age=31536000, immutable";
    private static final String ASK_AGAIN = "no-cache";

    /// The chat page links to pages of operators where they are served.
    private static final String LINK_OFF = "data-console=\"off\"";

    private static final String LINK_ON = "data-console=\"on\"";

    private static final Map<String, String> ALWAYS = Map.of(
            "X-Content-Type-Options", "nosniff",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin");

    private final boolean console;

    PageRoutes(GatewayConfig config) {
        console = config.console();
    }

    void register(@Observes Router router) {
        var chat = PageFile.read("/index.html");
        serve(router, chat, console ? chat.with(LINK_OFF, LINK_ON) : chat, List.of("/"));
        if (console) {
            var page = PageFile.read("/console.html");
            // The page itself reads the rest of its address.
            serve(router, page, page, List.of("/console", "/console/*"));
        }
    }

    /// @param made the page as the build made it, which names its assets
    private static void serve(Router router, PageFile made, PageFile page, List<String> paths) {
        var scripts = new StringBuilder();
        ASSET.matcher(made.text()).results().map(match -> match.group(1)).forEach(path -> {
            var file = PageFile.read(path);
            if (path.endsWith(".js")) {
                scripts.append(" 'sha256-").append(file.hash()).append('\'');
            }
            route(router, path, file, with("Cache-Control", FOR_EVER));
        });
        var headers = with("Cache-Control", ASK_AGAIN);
        headers.put("Content-Security-Policy", policy(scripts.toString()));
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        paths.forEach(path -> route(router, path, page, headers));
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

    private static void route(Router router, String path, PageFile file, Map<String, String> headers) {
        router.route(path).method(HttpMethod.GET).method(HttpMethod.HEAD).handler(http -> file.send(http, headers));
    }
}
