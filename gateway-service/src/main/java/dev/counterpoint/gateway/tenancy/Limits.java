package dev.counterpoint.gateway.tenancy;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import org.jspecify.annotations.Nullable;

/// The limits of a tenant or a key; null is no limit. The limits of a tenant hold for all its keys together.
@Embeddable
public class Limits {
    @Column(name = "requests_per_minute")
    @Nullable
    public Integer requestsPerMinute;

    @Column(name = "tokens_per_minute")
    @Nullable
    public Long tokensPerMinute;

    @Column(name = "tokens_per_day")
    @Nullable
    public Long tokensPerDay;

    @Column(name = "concurrent_streams")
    @Nullable
    public Integer concurrentStreams;

    boolean any() {
        return requestsPerMinute != null
                || tokensPerMinute != null
                || tokensPerDay != null
                || concurrentStreams != null;
    }
}
