package dev.counterpoint.harmony.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The bytes of every token, flat, and what finds tokens by their bytes. Immutable, about 9 MB.
///
/// Text ids are o200k_base's ranks, read from the file inside the jtokkit jar; control tokens follow them.
public final class Vocabulary {
    static final int SIZE = SpecialTokens.LAST + 1;
    public static final int NONE = TokenTable.NONE;

    private static final int TEXT_TOKENS = SpecialTokens.FIRST;
    private static final int UNKNOWN = SIZE;

    private final byte[] bytes;
    /// Token `i` is `bytes[starts[i] .. starts[i + 1])`; one more stands for all ids that there are not.
    private final int[] starts = new int[SIZE + 2];
    private final TokenTable table;
    private final int[] singles = new int[1 << 8];
    /// The token of each two bytes, by both: most questions while merging are about two bytes.
    private final int[] pairs = new int[1 << 16];

    private Vocabulary(byte[] file) {
        // Base64 is longer than what it encodes, by far more than the control tokens' names take.
        var buffer = new byte[file.length];
        int end = VocabularyFile.readRanks(file, buffer, starts);
        for (int id = TEXT_TOKENS; id < SIZE; id++) {
            end = append(SpecialTokens.text(id), buffer, end);
            starts[id + 1] = end;
        }
        end = append("\uFFFD", buffer, end);
        starts[UNKNOWN + 1] = end;
        bytes = Arrays.copyOf(buffer, end);
        table = new TokenTable(bytes, starts, TEXT_TOKENS);
        Arrays.fill(pairs, NONE);
        for (int id = 0; id < TEXT_TOKENS; id++) {
            int start = starts[id];
            if (starts[id + 1] - start == 1) {
                singles[bytes[start] & 0xFF] = id;
            } else if (starts[id + 1] - start == 2) {
                pairs[pair(bytes[start], bytes[start + 1])] = id;
            }
        }
    }

    private static int append(String name, byte[] buffer, int end) {
        var utf8 = name.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(utf8, 0, buffer, end, utf8.length);
        return end + utf8.length;
    }

    /// @throws IllegalStateException when the file is missing or not the one gpt-oss was trained with
    static Vocabulary load() {
        return new Vocabulary(VocabularyFile.read());
    }

    public static boolean contains(int id) {
        return id >= 0 && id < SIZE;
    }

    /// All tokens' bytes. Callers only read.
    public byte[] bytes() {
        return bytes;
    }

    public int start(int id) {
        return starts[id];
    }

    public int end(int id) {
        return starts[id + 1];
    }

    /// The text token with exactly these bytes, at least one, or {@link #NONE}.
    public int find(byte[] text, int from, int to) {
        return table.find(text, from, to);
    }

    /// The text token of one byte; every byte has one.
    public int find(byte only) {
        return singles[only & 0xFF];
    }

    /// The text token of two bytes, or {@link #NONE}.
    public int find(byte first, byte second) {
        return pairs[pair(first, second)];
    }

    private static int pair(byte first, byte second) {
        return (first & 0xFF) << 8 | second & 0xFF;
    }

    /// Any ids to text; unknown ids and malformed UTF-8 become U+FFFD.
    String decode(int[] tokens) {
        var text = new byte[tokens.length * 5 + 64];
        int at = 0;
        for (int token : tokens) {
            int id = contains(token) ? token : UNKNOWN;
            int from = starts[id];
            int length = starts[id + 1] - from;
            if (at + length + Long.BYTES > text.length) {
                text = Arrays.copyOf(text, text.length * 2 + length);
            }
            // Whole words, beyond the token's end too: the next token overwrites what is too much.
            int copied = 0;
            do {
                PackedBytes.put(text, at + copied, PackedBytes.at(bytes, from + copied));
                copied += Long.BYTES;
            } while (copied < length);
            at += length;
        }
        return Utf8.decode(text, 0, at);
    }
}
