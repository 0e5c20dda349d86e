package dev.counterpoint.worker.constraint;

import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.lark.GrammarRefusedException;
import dev.counterpoint.structured.lark.GrammarSyntax;
import dev.counterpoint.structured.regex.ByteSet;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.ValueForm;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One grammar over a whole turn of the assistant, from behind `<|start|>assistant` on: analysis and preambles are
/// free text, headers come in the spellings that models use, arguments and the answer follow their schemas, the
/// input of other tools their grammars, and control tokens stand only where Harmony has them.
///
/// Spellings: shared reference on structured output, section 5.2.
final class TurnGrammar {
    private static final String JSON_TYPE = "json";
    private static final String CODE_TYPE = "code";
    private static final int BLANKS_AROUND_MAX = 100;

    private final RegexPool pool;
    private final GrammarBuilder builder;
    private final Regex message;
    private final Regex freeText;
    /// The tokens between two messages.
    private final Regex nextMessage;

    private TurnGrammar(RegexPool pool) {
        this.pool = pool;
        builder = new GrammarBuilder(pool);
        message = token(SpecialTokens.MESSAGE);
        freeText = pool.star(pool.bytes(ByteSet.of(TokenVocabulary.SPECIAL).complement()));
        nextMessage = pool.concat(
                token(SpecialTokens.END), token(SpecialTokens.START), pool.literal(Role.ASSISTANT.wireName()));
    }

    /// What stands for a control token in grammars and in the vocabulary.
    static byte[] special(int token) {
        return TokenVocabulary.special(token - SpecialTokens.FIRST);
    }

    static int[] tokens(byte[] text) {
        var tokens = IntStream.builder();
        int begin = 0;
        for (int at = 0; at <= text.length; at++) {
            boolean special = at < text.length && (text[at] & 0xff) == TokenVocabulary.SPECIAL;
            if (special || at == text.length) {
                var plain = new String(text, begin, at - begin, StandardCharsets.UTF_8);
                IntStream.of(HarmonyTokenizer.shared().encode(plain)).forEach(tokens::add);
            }
            if (special) {
                tokens.add(SpecialTokens.FIRST + ((text[at + 1] & 0xff) << 8 | text[at + 2] & 0xff));
                at += 2;
                begin = at + 1;
            }
        }
        return tokens.build().toArray();
    }

    static Grammar of(TurnRules rules, RegexPool pool) {
        return new TurnGrammar(pool).build(rules);
    }

    /// A value alone, in any order of its properties and with blanks around it, as other writers have it.
    static Grammar ofValue(@Nullable String schema, RegexPool pool) {
        return new TurnGrammar(pool).buildValue(schema);
    }

    static Grammar ofInput(InputGrammar input, RegexPool pool) {
        var turn = new TurnGrammar(pool);
        var start = turn.builder.rule();
        turn.builder.add(start, turn.text(input));
        return turn.builder.build(start);
    }

    private Grammar buildValue(@Nullable String schema) {
        var start = builder.rule();
        var blanks = builder.terminal(pool.repeat(pool.bytes(ByteSet.of(' ', '\t', '\r', '\n')), 0, BLANKS_AROUND_MAX));
        var value = JsonSchemaCompiler.value(builder, schema, SchemaOptions.STRICT.withForm(ValueForm.ANY));
        builder.add(start, blanks, value, blanks);
        return builder.build(start);
    }

    private Regex token(int token) {
        return pool.literal(special(token));
    }

    private Grammar build(TurnRules rules) {
        var turn = builder.rule();
        // Otherwise a model that must call could reason endlessly instead.
        var next = rules.answers() ? turn : builder.rule();
        if (rules.reasons()) {
            builder.add(turn, plain(Channels.ANALYSIS), next);
        }
        if (rules.answers()) {
            builder.add(turn, plain(Channels.COMMENTARY), turn);
            addAnswer(turn, rules);
        } else {
            builder.add(turn, next);
        }
        // In analysis models call of their own accord alone.
        var channel = rules.answers()
                ? pool.or(channel(Channels.COMMENTARY), channel(Channels.ANALYSIS))
                : channel(Channels.COMMENTARY);
        for (var call : rules.calls()) {
            addCall(next, channel, call);
        }
        return builder.build(turn);
    }

    /// A message of free text that another one follows.
    private Symbol plain(String channel) {
        return builder.terminal(pool.concat(channel(channel), message, freeText, nextMessage));
    }

    private Regex channel(String channel) {
        return pool.concat(token(SpecialTokens.CHANNEL), pool.literal(channel));
    }

    private void addCall(Symbol.Rule turn, Regex channel, TurnRules.Call call) {
        var recipient = pool.literal(" to=" + call.recipient());
        var input = call.tool().input();
        // A model that has called its text JSON would write JSON.
        var type = input == null
                ? pool.or(type(JSON_TYPE), pool.literal(" " + CODE_TYPE), pool.literal(" "))
                : pool.or(type(CODE_TYPE), pool.literal(" "));
        var header = pool.or(pool.concat(channel, recipient), pool.concat(recipient, channel));
        builder.add(
                turn,
                builder.terminal(pool.concat(header, type, message)),
                input == null ? value(call.tool().parameters(), call.tool().strict()) : text(input),
                builder.terminal(token(SpecialTokens.CALL)));
    }

    private Symbol text(InputGrammar input) {
        var syntax = switch (input.syntax()) {
            case LARK -> GrammarSyntax.LARK;
            case REGEX -> GrammarSyntax.REGEX;
        };
        try {
            return syntax.into(builder, input.definition());
        } catch (GrammarRefusedException e) {
            throw new IllegalArgumentException("a tool's grammar that cannot be enforced", e);
        }
    }

    /// Nothing, the type behind a blank, or the type behind `<|constrain|>`.
    private Regex type(String type) {
        var constrained =
                pool.concat(pool.optional(pool.literal(" ")), token(SpecialTokens.CONSTRAIN), pool.literal(type));
        return pool.optional(pool.or(constrained, pool.literal(" " + type)));
    }

    private void addAnswer(Symbol.Rule turn, TurnRules rules) {
        var header = pool.concat(channel(Channels.FINAL), type(JSON_TYPE), message);
        var format = rules.format();
        if (format != null) {
            builder.add(
                    turn,
                    builder.terminal(header),
                    value(format.schema(), format.strict()),
                    builder.terminal(token(SpecialTokens.RETURN)));
            return;
        }
        builder.add(turn, builder.terminal(pool.concat(header, freeText, token(SpecialTokens.RETURN))));
        builder.add(turn, builder.terminal(pool.concat(header, freeText, nextMessage)), turn);
    }

    /// @param schema null for any object
    /// @param strict whether all of the schema must hold; else what can be enforced does
    private Symbol value(@Nullable String schema, boolean strict) {
        return JsonSchemaCompiler.value(builder, schema, strict ? SchemaOptions.STRICT : SchemaOptions.LENIENT);
    }
}
