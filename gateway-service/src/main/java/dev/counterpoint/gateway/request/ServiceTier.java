package dev.counterpoint.gateway.request;

import dev.counterpoint.bus.kafka.Topic;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The urgency that a request asks for by `service_tier`. Open to every key: the workers' shares keep an urgent
/// tier from starving the others.
public enum ServiceTier {
    DEFAULT(Topic.Band.NORMAL),
    FLEX(Topic.Band.LOW),
    SCALE(Topic.Band.HIGH),
    PRIORITY(Topic.Band.HIGH);

    private static final String AUTO = "auto";
    /// By which requests ask for a tier.
    public static final List<String> WORDS = List.of(AUTO, "default", "flex", "scale", "priority");

    private final Topic.Band band;

    ServiceTier(Topic.Band band) {
        this.band = band;
    }

    /// The tier that serves a request with this word of [#WORDS].
    ///
    /// @param asked null and `auto` leave it to us
    public static ServiceTier of(@Nullable String asked) {
        return asked == null || asked.equals(AUTO) ? DEFAULT : valueOf(asked.toUpperCase(Locale.ROOT));
    }

    public Topic.Band band() {
        return band;
    }

    /// As in requests and responses.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
