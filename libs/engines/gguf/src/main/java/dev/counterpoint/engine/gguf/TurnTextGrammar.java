package dev.counterpoint.engine.gguf;

import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.engine.gguf.TurnStep.Form;
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
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The grammar of a turn, over the texts of the model's tokens; a token that ends the output stands at its end.
final class TurnTextGrammar {
    /// The number of all tokens that end an output.
    static final int END = 0;

    private static final String STRING = "{\"type\":\"string\"}";
    private static final int BLANKS_MAX = 8;

    private final RegexPool pool;
    private final GrammarBuilder builder;
    private final Regex freeText;

    private TurnTextGrammar(RegexPool pool) {
        this.pool = pool;
        builder = new GrammarBuilder(pool);
        freeText = pool.star(pool.bytes(ByteSet.of(TokenVocabulary.SPECIAL).complement()));
    }

    /// @throws IllegalArgumentException when a strict schema or a grammar cannot be enforced
    static Grammar of(TurnStep turn, RegexPool pool) {
        var grammar = new TurnTextGrammar(pool);
        var start = grammar.builder.rule();
        grammar.builder.add(start, grammar.symbol(turn, List.of()));
        return grammar.builder.build(start);
    }

    /// @param not texts that it does not begin with
    private Symbol symbol(TurnStep step, Collection<String> not) {
        return switch (step) {
            case TurnStep.Choice(var marks, var otherwise) -> {
                var choices = new ArrayList<Symbol>();
                marks.forEach(
                        (mark, next) -> choices.add(builder.sequence(builder.literal(mark), symbol(next, List.of()))));
                if (otherwise != null) {
                    choices.add(symbol(otherwise, firstWords(marks.keySet())));
                }
                yield builder.anyOf(choices);
            }
            case TurnStep.Until(var _, var mark, var next) ->
                builder.sequence(
                        builder.terminal(pool.concat(without(List.of(mark)), pool.literal(mark))),
                        symbol(next, List.of()));
            case TurnStep.Quoted(var _, var next) ->
                builder.sequence(
                        JsonSchemaCompiler.value(builder, STRING, SchemaOptions.STRICT), symbol(next, List.of()));
            case TurnStep.Blanks(var next) ->
                builder.sequence(
                        builder.terminal(pool.repeat(pool.bytes(ByteSet.of(' ', '\n')), 0, BLANKS_MAX)),
                        symbol(next, not));
            case TurnStep.Call(var _, var arguments) -> symbol(arguments, List.of());
            case TurnStep.End _ -> builder.terminal(end());
            case TurnStep.Rest(var _, Form.Text(var without), var suffix) ->
                builder.terminal(pool.concat(text(without, not), pool.literal(suffix), end()));
            case TurnStep.Rest(var _, var form, var suffix) ->
                builder.sequence(form(form), builder.terminal(pool.concat(pool.literal(suffix), end())));
        };
    }

    /// A text that begins as a mark does has to become one: a call that is spelled otherwise would pass for an answer.
    private static List<String> firstWords(Collection<String> marks) {
        return marks.stream().map(mark -> mark.split("\\s", 2)[0]).distinct().toList();
    }

    private Regex text(List<String> without, Collection<String> not) {
        var texts = without(without);
        return not.isEmpty() ? texts : pool.and(texts, pool.not(pool.concat(anyOf(not), pool.anything())));
    }

    /// Any text in which none of these is.
    private Regex without(List<String> marks) {
        return marks.isEmpty()
                ? freeText
                : pool.and(freeText, pool.not(pool.concat(pool.anything(), anyOf(marks), pool.anything())));
    }

    private Regex anyOf(Collection<String> texts) {
        return pool.or(texts.stream().map(pool::literal).toList());
    }

    private Regex end() {
        return pool.literal(TokenVocabulary.special(END));
    }

    private Symbol form(Form form) {
        return switch (form) {
            case Form.Text _ -> throw new IllegalStateException("text has no form");
            case Form.Value(var schema, var strict) ->
                JsonSchemaCompiler.value(builder, schema, strict ? SchemaOptions.STRICT : SchemaOptions.LENIENT);
            case Form.Input(var grammar) -> input(grammar);
        };
    }

    private Symbol input(InputGrammar input) {
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
}
