package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.counterpoint.openai.Logprob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The probabilities of the tokens of the content or of the refusal.
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ChatLogprobs(
        @Nullable List<Logprob> content, @Nullable List<Logprob> refusal) {
    public ChatLogprobs {
        content = content == null ? null : List.copyOf(content);
        refusal = refusal == null ? null : List.copyOf(refusal);
    }
}
