package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.counterpoint.openai.LazyList;
import dev.counterpoint.openai.Logprob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The probabilities of the tokens of the content or of the refusal.
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ChatLogprobs(
        @Nullable List<Token> content, @Nullable List<Token> refusal) {
    public ChatLogprobs {
        content = content == null ? null : LazyList.copyOf(content);
        refusal = refusal == null ? null : List.copyOf(refusal);
    }

    public static ChatLogprobs ofContent(List<Logprob> content) {
        return new ChatLogprobs(LazyList.map(content, Token::of), null);
    }

    /// As [Logprob]; here the contract lets `bytes` be null.
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Token(
            String token, double logprob, @Nullable List<Integer> bytes, List<Alternative> topLogprobs) {
        public Token {
            bytes = bytes == null ? null : List.copyOf(bytes);
            topLogprobs = List.copyOf(topLogprobs);
        }

        static Token of(Logprob logprob) {
            return new Token(
                    logprob.token(),
                    logprob.logprob(),
                    logprob.bytes(),
                    logprob.topLogprobs().stream()
                            .map(other -> new Alternative(other.token(), other.logprob(), other.bytes()))
                            .toList());
        }
    }

    /// One of the most likely tokens at the same place.
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Alternative(
            String token, double logprob, @Nullable List<Integer> bytes) {
        public Alternative {
            bytes = bytes == null ? null : List.copyOf(bytes);
        }
    }
}
