package dev.counterpoint.openai.responses;

import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// What a screen shows, by one of the two; `type` is `computer_screenshot`.
public record Screenshot(
        String type, @Nullable String imageUrl, @Nullable String fileId, Others others) {}
