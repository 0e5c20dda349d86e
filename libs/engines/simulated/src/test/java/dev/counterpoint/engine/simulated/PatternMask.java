package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.text.EcmaPattern;
import dev.counterpoint.structured.text.Spelling;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A mask that allows what a regular expression over marked text, or a schema, can still become.
final class PatternMask implements TokenMask {
    private static final LexemeIndex LEXEMES = new LexemeIndex(vocabulary());

    private final Matcher matcher;
    private final TokenBits bits;

    PatternMask(String pattern) {
        this(new Constraint(grammar(pattern), LEXEMES).start());
    }

    private PatternMask(Matcher matcher) {
        this.matcher = matcher;
        bits = new TokenBits(HarmonyTokenizer.shared().vocabularySize());
    }

    /// Of an answer that is a value of the schema.
    static PatternMask ofSchema(String schema, SchemaOptions options) {
        var builder = new GrammarBuilder(RegexPool.shared());
        var start = builder.rule();
        var value = JsonSchemaCompiler.into(builder, Talk.json(schema), options).value();
        builder.add(
                start,
                mark(builder, HarmonyMarkup.CHANNEL),
                builder.literal("final"),
                mark(builder, HarmonyMarkup.MESSAGE),
                value,
                mark(builder, HarmonyMarkup.RETURN));
        return new PatternMask(new Constraint(builder.build(start), LEXEMES).start());
    }

    /// Marks stand between the expressions only, and no expression matches a control token.
    private static Grammar grammar(String pattern) {
        var builder = new GrammarBuilder(RegexPool.shared());
        var parts = new ArrayList<Symbol>();
        var text = new StringBuilder();
        for (char each : (pattern.replace("\uF8E0-\uF8E7", "\\uFFFF") + HarmonyMarkup.OTHER).toCharArray()) {
            if (!HarmonyMarkup.isMark(each)) {
                text.append(each);
                continue;
            }
            parts.add(builder.terminal(
                    EcmaPattern.parseWhole(text.toString()).toRegex(RegexPool.shared(), Spelling.PLAIN)));
            text.setLength(0);
            if (each != HarmonyMarkup.OTHER) {
                parts.add(mark(builder, each));
            }
        }
        var start = builder.rule();
        builder.add(start, parts);
        return builder.build(start);
    }

    private static Symbol mark(GrammarBuilder builder, char mark) {
        return builder.terminal(RegexPool.shared().literal(TokenVocabulary.special(mark - HarmonyMarkup.START)));
    }

    private static TokenVocabulary vocabulary() {
        var texts = new byte[HarmonyTokenizer.shared().vocabularySize()][];
        Arrays.setAll(texts, id -> {
            if (SpecialTokens.isSpecial(id)) {
                char mark = HarmonyMarkup.mark(id);
                return mark == HarmonyMarkup.OTHER ? new byte[0] : TokenVocabulary.special(mark - HarmonyMarkup.START);
            }
            var text = HarmonyTokenizer.shared().bytes(id);
            return (text[0] & 0xff) == TokenVocabulary.SPECIAL ? new byte[0] : text;
        });
        return new TokenVocabulary(texts);
    }

    @Override
    public long[] allowed() {
        matcher.mask(bits);
        return bits.words();
    }

    @Override
    public void accept(int token) {
        if (!matcher.accept(token)) {
            throw new IllegalArgumentException("token " + token + " is not allowed");
        }
    }

    @Override
    public int @Nullable [] ending() {
        var text = matcher.ending();
        if (text == null) {
            return null;
        }
        var marked = new ByteArrayOutputStream();
        for (int at = 0; at < text.length; at++) {
            if ((text[at] & 0xff) == TokenVocabulary.SPECIAL) {
                marked.writeBytes(String.valueOf((char) (HarmonyMarkup.START + text[at + 2]))
                        .getBytes(StandardCharsets.UTF_8));
                at += 2;
            } else {
                marked.write(text[at]);
            }
        }
        return HarmonyMarkup.encode(marked.toString(StandardCharsets.UTF_8));
    }
}
