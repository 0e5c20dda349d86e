package dev.counterpoint.harmony.tokenizer;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// UTF-8 that arrives in parts: gives out whole characters and keeps an unfinished one until its rest comes.
/// Malformed sequences become U+FFFD, one for each maximal part.
public final class Utf8Stream {
    private static final byte[] NONE = {};

    /// The references mend one error per token and hold back what follows it until the next token.
    private final boolean oneErrorAtATime;

    private byte[] pending = NONE;

    public Utf8Stream(boolean oneErrorAtATime) {
        this.oneErrorAtATime = oneErrorAtATime;
    }

    /// The characters that are complete now; may be empty.
    public String append(byte[] bytes, int from, int to) {
        if (pending.length > 0) {
            var joined = Arrays.copyOf(pending, pending.length + to - from);
            System.arraycopy(bytes, from, joined, pending.length, to - from);
            pending = NONE;
            return complete(joined, 0, joined.length);
        }
        return complete(bytes, from, to);
    }

    /// The bytes of a character whose rest has not come.
    public byte[] unfinished() {
        return pending.clone();
    }

    /// The end: what is still unfinished becomes U+FFFD.
    public String flush() {
        var rest = Utf8.decode(pending, 0, pending.length);
        pending = NONE;
        return rest;
    }

    private String complete(byte[] bytes, int from, int to) {
        if (oneErrorAtATime) {
            return upToFirstError(bytes, from, to);
        }
        int end = to - unfinished(bytes, from, to);
        if (end < to) {
            pending = Arrays.copyOfRange(bytes, end, to);
        }
        return Utf8.decode(bytes, from, end);
    }

    private String upToFirstError(byte[] bytes, int from, int to) {
        var text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') < 0) {
            return text;
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        var in = ByteBuffer.wrap(Utf8.withoutSurrogates(bytes, from, to));
        var out = CharBuffer.allocate(to - from + 1);
        CoderResult result = decoder.decode(in, out, false);
        if (result.isError()) {
            out.put('\uFFFD');
            in.position(in.position() + result.length());
        }
        pending = Arrays.copyOfRange(bytes, from + in.position(), to);
        return out.flip().toString();
    }

    /// How many bytes at the end may still become a character: at most 3.
    private static int unfinished(byte[] bytes, int from, int to) {
        for (int back = 1; back <= 3 && to - back >= from; back++) {
            int b = bytes[to - back] & 0xFF;
            if (b < 0x80) {
                return 0;
            }
            if (b >= 0xC0) {
                boolean open = width(b) > back && (back == 1 || mayFollow(b, bytes[to - back + 1] & 0xFF));
                return open ? back : 0;
            }
        }
        return 0;
    }

    private static int width(int lead) {
        if (lead < 0xC2 || lead > 0xF4) {
            return 1;
        }
        return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    }

    private static boolean mayFollow(int lead, int second) {
        return switch (lead) {
            case 0xE0 -> second >= 0xA0;
            case 0xED -> second < 0xA0;
            case 0xF0 -> second >= 0x90;
            case 0xF4 -> second < 0x90;
            default -> true;
        };
    }
}
