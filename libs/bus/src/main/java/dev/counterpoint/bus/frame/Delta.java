package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Body of a `DELTA`: tokens of one model message, as the engine sampled them, and the text they add to it.
///
/// The token ids of all valid deltas in log order are exactly what the model said: a resuming worker
/// continues from them. The text is the parser's reading of them, so that readers need no tokenizer.
///
/// @param header the message's header, on its first delta
/// @param tokens ids, control tokens included
/// @param text whole characters added to the message's content; empty when the tokens are header or half
///     a character
/// @param closed true when the message ends here
/// @param logprobs of the tokens that carry text, when asked for
public record Delta(@Nullable Header header, int[] tokens, String text, boolean closed, List<TokenLogprob> logprobs) {
    public Delta {
        logprobs = List.copyOf(logprobs);
    }

    /// The header of a message: its channel and the tool that it is addressed to.
    ///
    /// @param channel `analysis`, `commentary` or `final`
    /// @param recipient the tool it calls, such as `functions.get_weather`
    /// @param contentType such as `json`
    public record Header(
            String channel,
            @Nullable String recipient,
            @Nullable String contentType) {
        /// The content type of a visible message that is no text of the answer: one JSON object of what an
        /// envelope held beside it.
        public static final String EXTRA = "extra";
    }

    /// @param text the token's text, U+FFFD where it is no text
    /// @param bytes the token's bytes
    /// @param logprob natural logarithm of its probability
    /// @param top the likeliest tokens in its place; these have no `top` of their own
    public record TokenLogprob(String text, byte[] bytes, double logprob, List<TokenLogprob> top) {
        public TokenLogprob {
            top = List.copyOf(top);
            if (!top.stream().allMatch(likely -> likely.top().isEmpty())) {
                throw new IllegalArgumentException("likeliest tokens nest once");
            }
        }

        /// Tells no content: a delta may be reasoning.
        @Override
        public String toString() {
            return "TokenLogprob[top=%d]".formatted(top.size());
        }
    }

    /// Tells no content: a delta may be reasoning.
    @Override
    public String toString() {
        return "Delta[tokens=%d, characters=%d, closed=%s]".formatted(tokens.length, text.length(), closed);
    }

    public byte[] encode() {
        return new FieldWriter()
                .message(1, header, Delta::encode)
                .ids(2, tokens)
                .textIfAny(3, text)
                .flag(4, closed)
                .messages(5, logprobs, Delta::encode)
                .toBytes();
    }

    private static void encode(FieldWriter out, Header header) {
        out.text(1, header.channel).text(2, header.recipient).text(3, header.contentType);
    }

    private static void encode(FieldWriter out, TokenLogprob logprob) {
        out.text(1, logprob.text)
                .bytes(2, logprob.bytes)
                .real(3, logprob.logprob)
                .messages(4, logprob.top, Delta::encode);
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static Delta decode(byte[] bytes) {
        var in = new FieldReader(bytes);
        return new Delta(
                in.message(1, header -> new Header(header.text(1), header.textOrNull(2), header.textOrNull(3))),
                in.ids(2),
                in.text(3),
                in.flag(4),
                in.messages(5, outer -> logprob(outer, outer.messages(4, Delta::likely))));
    }

    /// One of the likeliest tokens, which has none of its own: so no message can make this recurse
    /// without bound.
    private static TokenLogprob likely(FieldReader in) {
        if (in.has(4)) {
            throw new MalformedMessageException("likeliest tokens nest once");
        }
        return logprob(in, List.of());
    }

    private static TokenLogprob logprob(FieldReader in, List<TokenLogprob> top) {
        return new TokenLogprob(in.text(1), in.bytes(2), in.real(3, 0), top);
    }
}
