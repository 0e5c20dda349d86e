package dev.counterpoint.engine.llama;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.IntStream;

/// The tokens of the model of a file, as llama.cpp has them. Immutable, thread-safe; of use while its engine is open.
public final class ModelVocabulary {
    /// The id where there is no token.
    public static final int NONE = -1;

    private static final int UNUSED = 1 << 1;
    private static final int NORMAL = 1 << 2;
    private static final int CONTROL = 1 << 3;
    private static final int USER_DEFINED = 1 << 4;
    private static final int BYTE_VALUES = 256;
    private static final int SENTENCE_PIECE = 1;
    /// No vocabulary has it inside a longer token, so the text behind it is split as if nothing came before.
    private static final String SEPARATOR = "\u0001";
    /// Characters of byte-level BPE that are split at once: the patterns go as deep as a word is long, and in words of
    /// some thousand letters the stack ends, and the process with it.
    private static final int PIECE_MAX = 512;

    private final LlamaModel model;
    private final MemorySegment handle;
    private final boolean sentencePiece;
    private final int[] attributes;
    private final byte[][] texts;
    private final String[] names;
    private final int[] byteTokens;
    private final Set<Integer> ends;
    private final int beginToken;
    private final int endToken;
    private final boolean addsBegin;

    /// @throws UnusableModelException when it is SentencePiece and cannot write every byte
    ModelVocabulary(LlamaModel model) {
        this.model = model;
        var api = model.api;
        int size = model.vocabularySize();
        this.attributes = new int[size];
        this.texts = new byte[size][];
        this.names = new String[size];
        var ending = new LinkedHashSet<Integer>();
        try (var arena = Arena.ofConfined()) {
            this.handle = (MemorySegment) api.modelVocabulary.invokeExact(model.handle);
            this.sentencePiece = (int) api.vocabularyType.invokeExact(handle) == SENTENCE_PIECE;
            var buffer = arena.allocate(LlamaApi.TEXT_BYTES_MAX);
            for (int token = 0; token < size; token++) {
                attributes[token] = (int) api.tokenAttributes.invokeExact(handle, token);
                texts[token] = text(token, buffer);
                names[token] = LlamaApi.string((MemorySegment) api.tokenName.invokeExact(handle, token));
                if ((boolean) api.isEndToken.invokeExact(handle, token)) {
                    ending.add(token);
                }
            }
            this.beginToken = (int) api.beginToken.invokeExact(handle);
            this.endToken = (int) api.endToken.invokeExact(handle);
            this.addsBegin = (boolean) api.addsBegin.invokeExact(handle);
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_vocab", e);
        }
        this.ends = Set.copyOf(ending);
        this.byteTokens = byteTokens();
        // Without them llama.cpp throws, which would end the process.
        if (sentencePiece && Arrays.stream(byteTokens).anyMatch(id -> id == NONE)) {
            throw new UnusableModelException(
                    model.file().path(), "has a SentencePiece vocabulary without byte fallback");
        }
    }

    private byte[] text(int token, MemorySegment buffer) throws Throwable {
        int capacity = (int) buffer.byteSize();
        int length = (int) model.api.tokenText.invokeExact(handle, token, buffer, capacity, 0, false);
        boolean comes = length > 0 && (attributes[token] & UNUSED) == 0; // a longer one than this is none
        return comes ? buffer.asSlice(0, length).toArray(JAVA_BYTE) : new byte[0];
    }

    private int[] byteTokens() {
        var ids = new int[BYTE_VALUES];
        Arrays.fill(ids, NONE);
        for (int token = 0; token < texts.length; token++) {
            boolean single = texts[token].length == 1 && !isMark(token);
            // What the model writes itself rather than SentencePiece's fallback.
            if (single && (ids[texts[token][0] & 0xFF] == NONE || (attributes[token] & NORMAL) != 0)) {
                ids[texts[token][0] & 0xFF] = token;
            }
        }
        return ids;
    }

    public int size() {
        return texts.length;
    }

    /// The ids of a text that begins a sequence, split as llama.cpp does it: with a blank before it where the file
    /// asks for one. No begin-of-text token is added; bytes that the vocabulary lacks are left out.
    ///
    /// @param special whether control tokens that the text spells become themselves
    public int[] tokenize(String text, boolean special) {
        var ids = IntStream.builder();
        for (int from = 0; from < text.length(); ) {
            int end = sentencePiece ? text.length() : cut(text, from);
            var piece = text.substring(from, end);
            Arrays.stream(model.whileOpen("llama_tokenize", () -> split(piece, special)))
                    .forEach(ids);
            from = end;
        }
        return ids.build().toArray();
    }

    /// Before a word, where all vocabularies cut; in a longer word anywhere but in a character or a mark.
    private int cut(String text, int from) {
        int end = from + PIECE_MAX;
        if (end >= text.length()) {
            return text.length();
        }
        int at = end;
        while (at > from && !beginsWord(text, at)) {
            at--;
        }
        at = at > from ? at : end;
        while (at > from + 1 && (Character.isLowSurrogate(text.charAt(at)) || isInMark(text, at))) {
            at--;
        }
        return at;
    }

    private static boolean beginsWord(String text, int at) {
        return text.charAt(at) == ' '
                && at + 1 < text.length()
                && !Character.isWhitespace(text.charAt(at - 1))
                && !Character.isWhitespace(text.charAt(at + 1));
    }

    private boolean isInMark(String text, int at) {
        return IntStream.range(0, names.length)
                .filter(this::isMark)
                .anyMatch(mark -> IntStream.range(1, names[mark].length())
                        .anyMatch(before -> before <= at && text.startsWith(names[mark], at - before)));
    }

    /// The ids of a text that follows other tokens: exactly its bytes, whatever it spells. Bytes that the vocabulary
    /// lacks are left out.
    public int[] continuation(String text) {
        var ids = IntStream.builder();
        continueWith(text, ids);
        return ids.build().toArray();
    }

    /// llama.cpp may add a blank, take some away beside marks, or read a character for another one. Where the ids
    /// say something else than the text, the half of it with the difference is looked for, down to one character.
    private void continueWith(String text, IntStream.Builder ids) {
        if (text.isEmpty()) {
            return;
        }
        byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
        int[] found = sentencePiece ? afterSeparator(text) : tokenize(text, false);
        if (Arrays.equals(bytes(found), wanted)) {
            Arrays.stream(found).forEach(ids);
        } else if (text.codePointCount(0, text.length()) == 1) {
            for (byte each : wanted) {
                if (byteToken(each & 0xFF) != NONE) {
                    ids.add(byteToken(each & 0xFF));
                }
            }
        } else {
            int half = text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2);
            continueWith(text.substring(0, half), ids);
            continueWith(text.substring(half), ids);
        }
    }

    /// @return nothing when the separator does not stand alone
    private int[] afterSeparator(String text) {
        int[] alone = tokenize(SEPARATOR, false);
        int[] all = tokenize(SEPARATOR + text, false);
        boolean begins = all.length >= alone.length && Arrays.equals(alone, Arrays.copyOf(all, alone.length));
        return begins ? Arrays.copyOfRange(all, alone.length, all.length) : new int[0];
    }

    private int[] split(String text, boolean special) throws Throwable {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (var arena = Arena.ofConfined()) {
            var source = arena.allocateFrom(JAVA_BYTE, bytes);
            int capacity = bytes.length + 1;
            while (true) {
                var ids = arena.allocate(JAVA_INT, capacity);
                int count = (int)
                        model.api.tokenize.invokeExact(handle, source, bytes.length, ids, capacity, false, special);
                if (count >= 0) {
                    return ids.asSlice(0, (long) count * Integer.BYTES).toArray(JAVA_INT);
                }
                capacity = Math.negateExact(count);
            }
        }
    }

    /// The bytes that tokens write.
    public byte[] bytes(int... tokens) {
        var bytes = new ByteArrayOutputStream();
        for (int token : tokens) {
            bytes.writeBytes(texts[token]);
        }
        return bytes.toByteArray();
    }

    /// The id of a single byte; [#NONE] where there is none.
    public int byteToken(int value) {
        return byteTokens[value];
    }

    /// The bytes that each token writes; empty for control tokens, and for what never comes. Callers only read.
    public byte[][] texts() {
        return texts;
    }

    public boolean isControl(int token) {
        return (attributes[token] & CONTROL) != 0;
    }

    /// True of a token that means something by itself, such as `<|im_end|>` (a control token) or `<think>` (often one
    /// of the model's own that has a text).
    public boolean isMark(int token) {
        return (attributes[token] & (CONTROL | USER_DEFINED)) != 0;
    }

    /// The token's own spelling, such as `<|im_end|>`; of ordinary ones in the alphabet of the vocabulary.
    public String name(int token) {
        return names[token];
    }

    /// The tokens that end an output.
    public Set<Integer> ends() {
        return ends;
    }

    /// The begin-of-text token; [#NONE] where there is none.
    public int beginToken() {
        return beginToken;
    }

    /// The begin-of-text token spelled, `bos_token` in templates; empty where there is none.
    public String beginText() {
        return beginToken == NONE ? "" : names[beginToken];
    }

    /// The end-of-text token spelled, `eos_token` in templates; empty where there is none.
    public String endText() {
        return endToken == NONE ? "" : names[endToken];
    }

    /// Whether the file asks for a begin-of-text token before every prompt.
    public boolean addsBegin() {
        return addsBegin;
    }
}
