package dev.counterpoint.gateway.api.webhooks;

import dev.counterpoint.gateway.request.RequestRules;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a project says of a webhook endpoint. An update leaves what it does not name.
record WebhookRequest(
        @Nullable List<String> eventTypes,
        @Nullable String name,
        @Nullable String url) {
    static final List<String> EVENT_TYPES =
            List.of("response.completed", "response.failed", "response.cancelled", "response.incomplete");
    private static final int NAME_MAX = 256;
    private static final int URL_MAX = 2048;

    /// The body of `…/test`.
    record Test(String eventType) {}

    /// @param before what the endpoint says so far; null for a new one
    /// @throws dev.counterpoint.openai.json.WireException that names the member at fault
    StoredWebhooks.Settings settings(StoredWebhooks.@Nullable Endpoint before, boolean plainHttp) {
        return new StoredWebhooks.Settings(
                named(given("name", name, before == null ? null : before.name())),
                checked(given("url", url, before == null ? null : before.url()), plainHttp),
                given("event_types", joined(), before == null ? null : before.eventTypes()));
    }

    private static String given(String param, @Nullable String value, @Nullable String before) {
        if (value != null) {
            return value;
        }
        if (before != null) {
            return before;
        }
        throw RequestRules.missing(param);
    }

    private @Nullable String joined() {
        if (eventTypes == null) {
            return null;
        }
        RequestRules.require(!eventTypes.isEmpty(), "event_types", "expected at least one.");
        for (int i = 0; i < eventTypes.size(); i++) {
            RequestRules.oneOf("event_types[" + i + "]", eventTypes.get(i), EVENT_TYPES);
        }
        return String.join(",", eventTypes.stream().distinct().toList());
    }

    private static String named(String name) {
        boolean fits = !name.isBlank() && name.length() <= NAME_MAX;
        RequestRules.require(fits, "name", "expected 1 to " + NAME_MAX + " characters.");
        return name;
    }

    private static String checked(String text, boolean plainHttp) {
        RequestRules.require(text.length() <= URL_MAX, "url", "expected at most " + URL_MAX + " characters.");
        try {
            var url = URI.create(text);
            boolean scheme = "https".equals(url.getScheme()) || plainHttp && "http".equals(url.getScheme());
            RequestRules.require(scheme, "url", "expected 'https://'.");
            boolean plain = url.getHost() != null && url.getRawUserInfo() == null && url.getRawFragment() == null;
            RequestRules.require(plain && url.getPort() < 65_536, "url", "expected a host, without user and fragment.");
            return url.toASCIIString();
        } catch (IllegalArgumentException e) {
            throw RequestRules.invalid("url", "it is no URL.");
        }
    }
}
