package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.jspecify.annotations.Nullable;

/// Lets the model search the web; `searchContextSize` is `low`, `medium` or `high`.
public record WebSearchOptions(
        @Nullable UserLocation userLocation, @Nullable String searchContextSize) {
    /// Where the user is, about.
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonTypeName("approximate")
    public record UserLocation(Place approximate) {}

    /// `country` is a code of ISO 3166, `timezone` a name of IANA.
    public record Place(
            @Nullable String country,
            @Nullable String region,
            @Nullable String city,
            @Nullable String timezone) {}
}
