package dev.counterpoint.harmony.model;

import java.util.List;

/// The channels the system message announces, and whether every message must name one.
public record ChannelConfig(List<String> validChannels, boolean channelRequired) {
    public ChannelConfig {
        validChannels = List.copyOf(validChannels);
    }

    /// analysis, commentary and final, required: what gpt-oss was trained with.
    public static ChannelConfig defaults() {
        return new ChannelConfig(Channels.ALL, true);
    }
}
