package dev.counterpoint.openai;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Log probabilities of many tokens, each in one piece of memory: about 20 bytes for a token and for each
/// of its alternatives, a tenth of what their objects take.
///
/// @see Logprob
public final class PackedLogprobs extends LazyList<Logprob> {
    private static final int HEAD_BYTES = Double.BYTES + 2 * Integer.BYTES;
    /// In the place of a length: the bytes are the text's UTF-8.
    private static final int OF_TEXT = -1;

    private final byte[][] tokens;

    private PackedLogprobs(byte[][] tokens) {
        this.tokens = tokens;
    }

    /// Collects the tokens of a text. Not thread-safe.
    public static final class Builder {
        private final List<byte[]> tokens = new ArrayList<>();

        public void addAll(List<Logprob> more) {
            more.forEach(token -> tokens.add(pack(token)));
        }

        /// All so far; later ones do not change it.
        public List<Logprob> list() {
            return tokens.isEmpty() ? List.of() : new PackedLogprobs(tokens.toArray(new byte[0][]));
        }
    }

    @Override
    public Logprob get(int index) {
        var in = ByteBuffer.wrap(tokens[index]);
        var token = read(in);
        var top = new ArrayList<Logprob.Alternative>();
        while (in.hasRemaining()) {
            top.add(read(in));
        }
        return new Logprob(token.token(), token.logprob(), token.bytes(), top);
    }

    @Override
    public int size() {
        return tokens.length;
    }

    /// The memory that the tokens take, in bytes, without what holds them together.
    int bytes() {
        return Arrays.stream(tokens).mapToInt(token -> token.length).sum();
    }

    private static byte[] pack(Logprob token) {
        var entries = new ArrayList<Logprob.Alternative>();
        entries.add(new Logprob.Alternative(token.token(), token.logprob(), token.bytes()));
        entries.addAll(token.topLogprobs());
        var texts = entries.stream().map(entry -> entry.token().getBytes(UTF_8)).toList();
        var raws = entries.stream().map(entry -> raw(entry.bytes())).toList();
        int size = 0;
        for (int i = 0; i < texts.size(); i++) {
            boolean same = Arrays.equals(texts.get(i), raws.get(i));
            size += HEAD_BYTES + texts.get(i).length + (same ? 0 : raws.get(i).length);
        }
        var out = ByteBuffer.allocate(size);
        for (int i = 0; i < texts.size(); i++) {
            boolean same = Arrays.equals(texts.get(i), raws.get(i));
            out.putDouble(entries.get(i).logprob());
            out.putInt(texts.get(i).length).putInt(same ? OF_TEXT : raws.get(i).length);
            out.put(texts.get(i)).put(same ? new byte[0] : raws.get(i));
        }
        return out.array();
    }

    private static byte[] raw(List<Integer> unsigned) {
        var bytes = new byte[unsigned.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = unsigned.get(i).byteValue();
        }
        return bytes;
    }

    private static Logprob.Alternative read(ByteBuffer in) {
        double logprob = in.getDouble();
        var text = new byte[in.getInt()];
        int length = in.getInt();
        in.get(text);
        var raw = text;
        if (length != OF_TEXT) {
            raw = new byte[length];
            in.get(raw);
        }
        var unsigned = new ArrayList<Integer>(raw.length);
        for (byte b : raw) {
            unsigned.add(Byte.toUnsignedInt(b));
        }
        return new Logprob.Alternative(new String(text, UTF_8), logprob, unsigned);
    }
}
