package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.LazyList;
import dev.counterpoint.openai.Logprob;
import dev.counterpoint.openai.json.Others;
import java.util.List;

/// A part of an output item.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface OutputContent {
    /// Text the user sees.
    @JsonTypeName("output_text")
    record OutputText(String text, List<Annotation> annotations, List<Logprob> logprobs, Others others)
            implements OutputContent {
        public OutputText {
            annotations = List.copyOf(annotations);
            logprobs = LazyList.copyOf(logprobs);
        }

        public OutputText(String text, List<Annotation> annotations, List<Logprob> logprobs) {
            this(text, annotations, logprobs, Others.NONE);
        }

        /// Text without sources and without probabilities.
        public static OutputText of(String text) {
            return new OutputText(text, List.of(), List.of());
        }
    }

    /// The model declined; `refusal` says why.
    @JsonTypeName("refusal")
    record Refusal(String refusal, Others others) implements OutputContent {}

    /// Raw reasoning: only for callers that are entitled to it.
    @JsonTypeName("reasoning_text")
    record ReasoningText(String text, Others others) implements OutputContent {
        public ReasoningText(String text) {
            this(text, Others.NONE);
        }

        /// Raw reasoning stays out of logs.
        @Override
        public String toString() {
            return "ReasoningText[" + text.length() + " characters]";
        }
    }

    /// A part that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements OutputContent {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
