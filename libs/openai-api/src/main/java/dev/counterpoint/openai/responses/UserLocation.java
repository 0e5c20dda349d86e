package dev.counterpoint.openai.responses;

import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// Roughly where the user is; `type` is `approximate`, `country` an ISO 3166 code, `timezone` one of the IANA.
public record UserLocation(
        @Nullable String type,
        @Nullable String country,
        @Nullable String region,
        @Nullable String city,
        @Nullable String timezone,
        Others others) {}
