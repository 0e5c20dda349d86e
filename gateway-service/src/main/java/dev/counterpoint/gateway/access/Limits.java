package dev.counterpoint.gateway.access;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a tenant or a key may use; null for as much as it likes. The limits of a tenant hold for all its keys together.
@Embeddable
class Limits {
    private static final String REQUESTS = "requests_per_minute";
    private static final String MINUTE = "tokens_per_minute";
    private static final String DAY = "tokens_per_day";
    private static final String STREAMS = "concurrent_streams";

    /// Their names in the admin API.
    static final Set<String> MEMBERS = Set.of(REQUESTS, MINUTE, DAY, STREAMS);

    @Column(name = REQUESTS)
    @Nullable
    Integer requestsPerMinute;

    @Column(name = MINUTE)
    @Nullable
    Long tokensPerMinute;

    @Column(name = DAY)
    @Nullable
    Long tokensPerDay;

    @Column(name = STREAMS)
    @Nullable
    Integer concurrentStreams;

    boolean any() {
        return requestsPerMinute != null
                || tokensPerMinute != null
                || tokensPerDay != null
                || concurrentStreams != null;
    }

    /// Reads what a request wants changed: what it does not name stays, null takes a limit away.
    ///
    /// @throws dev.counterpoint.openai.json.WireException that names the member
    static Consumer<Limits> wanted(Members members) {
        var requests = members.positive(REQUESTS, Integer.MAX_VALUE);
        var minute = members.positive(MINUTE, Long.MAX_VALUE);
        var day = members.positive(DAY, Long.MAX_VALUE);
        var streams = members.positive(STREAMS, Integer.MAX_VALUE);
        return limits -> {
            if (members.has(REQUESTS)) {
                limits.requestsPerMinute = orNull(requests);
            }
            if (members.has(MINUTE)) {
                limits.tokensPerMinute = minute;
            }
            if (members.has(DAY)) {
                limits.tokensPerDay = day;
            }
            if (members.has(STREAMS)) {
                limits.concurrentStreams = orNull(streams);
            }
        };
    }

    /// With the limits, all that a body may hold.
    static Set<String> and(Set<String> others) {
        var all = new HashSet<>(MEMBERS);
        all.addAll(others);
        return Set.copyOf(all);
    }

    private static @Nullable Integer orNull(@Nullable Long number) {
        return number == null ? null : Math.toIntExact(number);
    }
}
