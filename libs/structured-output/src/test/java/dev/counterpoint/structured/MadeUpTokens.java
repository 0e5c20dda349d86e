package dev.counterpoint.structured;

import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// A vocabulary of about 500 tokens: every byte, and pieces of texts as the test schemas make them, cut anywhere.
final class MadeUpTokens {
    private static final int PIECES = 250;
    private static final List<String> TEXTS = List.of(
            "{\"a\":1,\"b\":[true,false,null],\"ab\":{\"t\":\"x\",\"v\":\"red\"},\"c d\":\"green\",\"q\\\"\":-12}",
            "[[\"a\",\"ab\",\"abc\"],[],{},{\"t\":\"y\",\"n\":10,\"b\":true}," + "2.5,0.01,-3e5,1999,{\"é\":\"éü\"}]",
            "{\"t\":\"zz\",\"v\":[\"x1\",\"x9\",\"\",\"漢字\",\"😀\"]},"
                    + "\"a\\\"b\",\"\\\\\",\"nein\",\"\\n\\u00e9\",\"x_1\":[3]",
            "{\"a\": \"2024-02-29\", \"b\":  [1, 2],"
                    + "\n  \"c d\": {\"t\": \"12:30:00Z\"}}\n  \"a@b.de\" \"::1\" \"127.0.0.1\"");

    private MadeUpTokens() {}

    static LexemeIndex index(SchemaDice dice) {
        var tokens = new ArrayList<byte[]>();
        for (int value = 0; value < 256; value++) {
            tokens.add(new byte[] {(byte) value});
        }
        var texts = TEXTS.stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        for (int i = 0; i < PIECES; i++) {
            var text = dice.of(texts);
            int from = dice.below(text.length - 1);
            int to = Math.min(text.length, from + dice.between(2, dice.percent(80) ? 5 : 16));
            tokens.add(Arrays.copyOfRange(text, from, to));
        }
        tokens.add(new byte[0]);
        Stream.of("\"}", "\"]", "\",\"", "\":", "\":\"", "}}", "]}", ",\"")
                .forEach(text -> tokens.add(text.getBytes(StandardCharsets.UTF_8)));
        return new LexemeIndex(new TokenVocabulary(tokens.toArray(byte[][]::new)));
    }
}
