package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.PromptCacheBreakpoint;
import org.jspecify.annotations.Nullable;

/// A part of a message's content. The prompt's cache may end behind a part that has a breakpoint.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ChatPart {
    @JsonTypeName("text")
    record Text(String text, @Nullable PromptCacheBreakpoint promptCacheBreakpoint) implements ChatPart {}

    @JsonTypeName("refusal")
    record Refusal(String refusal) implements ChatPart {}

    @JsonTypeName("image_url")
    record Image(ImageUrl imageUrl, @Nullable PromptCacheBreakpoint promptCacheBreakpoint) implements ChatPart {}

    @JsonTypeName("input_audio")
    record Audio(AudioData inputAudio, @Nullable PromptCacheBreakpoint promptCacheBreakpoint) implements ChatPart {}

    @JsonTypeName("file")
    record File(FileData file, @Nullable PromptCacheBreakpoint promptCacheBreakpoint) implements ChatPart {}

    /// A part of a kind that this library does not know: to be refused by its name.
    record Unsupported(@JsonValue ObjectNode raw) implements ChatPart {
        public String type() {
            return raw.path("type").asText();
        }
    }

    /// An image by its address, `data:` too; `detail` is `auto` (so null too), `low` or `high`.
    record ImageUrl(String url, @Nullable String detail) {}

    /// Base64 sound; `format` is `wav` or `mp3`.
    record AudioData(String data, String format) {}

    /// A file by its id, or in base64 with its name.
    record FileData(
            @Nullable String filename,
            @Nullable String fileData,
            @Nullable String fileId) {}
}
