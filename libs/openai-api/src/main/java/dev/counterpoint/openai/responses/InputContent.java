package dev.counterpoint.openai.responses;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.Logprob;
import dev.counterpoint.openai.PromptCacheBreakpoint;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.Typed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of an input message or of a tool's output.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface InputContent extends Typed {
    /// The default `detail` of an image.
    String AUTO = "auto";

    @JsonTypeName("input_text")
    record InputText(String text, @Nullable PromptCacheBreakpoint promptCacheBreakpoint, Others others)
            implements InputContent {}

    /// Text of an earlier answer; clients that keep nothing leave the sources and the probabilities out.
    @JsonTypeName("output_text")
    record OutputText(
            String text,
            @Nullable List<Annotation> annotations,
            @Nullable List<Logprob> logprobs,
            Others others) implements InputContent {
        public OutputText {
            annotations = annotations == null ? null : List.copyOf(annotations);
            logprobs = logprobs == null ? null : List.copyOf(logprobs);
        }
    }

    @JsonTypeName("refusal")
    record Refusal(String refusal, Others others) implements InputContent {}

    /// What is not text.
    sealed interface Media extends InputContent {}

    /// An image, by one of the two; `detail` is `low`, `high`, `original` or `auto`, which it is when it is left out.
    @JsonTypeName("input_image")
    record InputImage(
            @Nullable String imageUrl,
            @Nullable String fileId,
            @JsonProperty(defaultValue = AUTO) @Nullable String detail,
            @Nullable PromptCacheBreakpoint promptCacheBreakpoint,
            Others others)
            implements Media {
        public InputImage {
            detail = detail == null ? AUTO : detail;
        }
    }

    /// A file, by its id, by its address, or in Base64; `detail` is `low`, `high` or `auto`.
    @JsonTypeName("input_file")
    record InputFile(
            @Nullable String fileId,
            @Nullable String filename,
            @Nullable String fileData,
            @Nullable String fileUrl,
            @Nullable String detail,
            @Nullable PromptCacheBreakpoint promptCacheBreakpoint,
            Others others)
            implements Media {}

    /// A sound; newer contracts no longer have it in the Responses API, and clients still send it.
    @JsonTypeName("input_audio")
    record InputAudio(Audio inputAudio, Others others) implements Media {
        /// `data` is Base64, `format` is `mp3` or `wav`.
        public record Audio(String data, String format, Others others) {}
    }

    /// What a screen showed.
    @JsonTypeName("computer_screenshot")
    record ComputerScreenshot(
            @JsonInclude(ALWAYS) @Nullable String imageUrl,
            @JsonInclude(ALWAYS) @Nullable String fileId,
            @JsonProperty(defaultValue = AUTO) @Nullable String detail,
            @Nullable PromptCacheBreakpoint promptCacheBreakpoint,
            Others others)
            implements Media {
        public ComputerScreenshot {
            detail = detail == null ? AUTO : detail;
        }
    }

    /// A part that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements InputContent {
        @Override
        public String type() {
            return raw.path("type").asText();
        }
    }
}
