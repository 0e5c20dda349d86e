package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Body of a `DELTA`: tokens of one model message, as the engine sampled them, and the text they add to it.
///
/// The token ids of all valid deltas in log order are exactly what the model said: a resuming worker continues
/// from them. The text is the parser's reading of them, so that readers need no tokenizer.
///
/// @param header the message's header, on its first delta
/// @param tokens ids, control tokens included
/// @param text whole characters added to the message's content; empty when the tokens are header or half a character
/// @param closed whether the message ends here
/// @param logprobs of the tokens that carry text, when asked for
public record Delta(@Nullable Header header, int[] tokens, String text, boolean closed, List<TokenLogprob> logprobs) {
    public Delta {
        logprobs = List.copyOf(logprobs);
    }

    /// Where the model addressed the message.
    ///
    /// @param channel `analysis`, `commentary` or `final`
    /// @param recipient the tool it calls, such as `functions.get_weather`
    /// @param contentType such as `json`
    public record Header(
            String channel,
            @Nullable String recipient,
            @Nullable String contentType) {}

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
        var out = new Fields.Writer();
        if (header != null) {
            var head = header;
            out.message(
                    1,
                    inner -> inner.text(1, head.channel())
                            .text(2, head.recipient())
                            .text(3, head.contentType()));
        }
        out.ids(2, tokens).text(3, text.isEmpty() ? null : text).flag(4, closed);
        logprobs.forEach(logprob -> out.message(5, inner -> encode(inner, logprob)));
        return out.toBytes();
    }

    private static void encode(Fields.Writer out, TokenLogprob logprob) {
        out.text(1, logprob.text()).bytes(2, logprob.bytes()).real(3, logprob.logprob());
        logprob.top().forEach(top -> out.message(4, inner -> encode(inner, top)));
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static Delta decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        @Nullable Header header = null;
        int[] tokens = new int[0];
        var text = "";
        boolean closed = false;
        var logprobs = new ArrayList<TokenLogprob>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> header = decodeHeader(in.bytes());
                case 2 -> tokens = in.ids();
                case 3 -> text = in.text();
                case 4 -> closed = in.flag();
                case 5 -> logprobs.add(decodeLogprob(in.bytes(), true));
                default -> in.skip();
            }
        }
        return new Delta(header, tokens, text, closed, logprobs);
    }

    private static Header decodeHeader(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        var channel = "";
        @Nullable String recipient = null;
        @Nullable String contentType = null;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> channel = in.text();
                case 2 -> recipient = in.text();
                case 3 -> contentType = in.text();
                default -> in.skip();
            }
        }
        return new Header(channel, recipient, contentType);
    }

    /// Nests once, so that no message can make this recurse without bound.
    private static TokenLogprob decodeLogprob(byte[] bytes, boolean outer) {
        var in = new Fields.Reader(bytes);
        var text = "";
        byte[] raw = new byte[0];
        double logprob = 0;
        var top = new ArrayList<TokenLogprob>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> text = in.text();
                case 2 -> raw = in.bytes();
                case 3 -> logprob = in.real();
                case 4 -> {
                    if (!outer) {
                        throw new MalformedMessageException("likeliest tokens nest once");
                    }
                    top.add(decodeLogprob(in.bytes(), false));
                }
                default -> in.skip();
            }
        }
        return new TokenLogprob(text, raw, logprob, top);
    }
}
