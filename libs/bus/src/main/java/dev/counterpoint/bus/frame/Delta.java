package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Wire;
import java.util.Arrays;
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
        var out = BusProto.Delta.newBuilder().setTextBytes(Wire.text(text)).setClosed(Wire.flag(closed));
        if (header != null) {
            out.setHeader(encode(header));
        }
        for (int token : tokens) {
            out.addTokens(token);
        }
        logprobs.forEach(logprob -> out.addLogprobs(encode(logprob)));
        return out.build().toByteArray();
    }

    private static BusProto.Delta.Header encode(Header header) {
        var out = BusProto.Delta.Header.newBuilder().setChannelBytes(Wire.text(header.channel));
        if (header.recipient != null) {
            out.setRecipientBytes(Wire.text(header.recipient));
        }
        if (header.contentType != null) {
            out.setContentTypeBytes(Wire.text(header.contentType));
        }
        return out.build();
    }

    private static BusProto.Delta.TokenLogprob encode(TokenLogprob logprob) {
        return BusProto.Delta.TokenLogprob.newBuilder()
                .setTextBytes(Wire.text(logprob.text))
                .setBytes(Wire.bytes(logprob.bytes))
                .setLogprob(logprob.logprob)
                .addAllTop(logprob.top.stream().map(Delta::encode).toList())
                .build();
    }

    public static Delta decode(byte[] bytes) {
        var in = Wire.parse(BusProto.Delta.parser(), bytes);
        var tokens = new int[in.getTokensCount()];
        Arrays.setAll(tokens, in::getTokens);
        return new Delta(
                in.hasHeader() ? header(in.getHeader()) : null,
                tokens,
                in.getText(),
                in.getClosed() != 0,
                in.getLogprobsList().stream().map(Delta::logprob).toList());
    }

    private static Header header(BusProto.Delta.Header in) {
        return new Header(
                in.getChannel(),
                in.hasRecipient() ? in.getRecipient() : null,
                in.hasContentType() ? in.getContentType() : null);
    }

    private static TokenLogprob logprob(BusProto.Delta.TokenLogprob in) {
        var top = in.getTopList().stream().map(Delta::likely).toList();
        return new TokenLogprob(in.getText(), in.getBytes().toByteArray(), in.getLogprob(), top);
    }

    private static TokenLogprob likely(BusProto.Delta.TokenLogprob in) {
        if (in.getTopCount() > 0) {
            throw new MalformedMessageException("likeliest tokens nest once");
        }
        return logprob(in);
    }
}
