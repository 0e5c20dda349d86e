package dev.counterpoint.engine.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.Spacing;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// Answers under schemas whose values are bounded, drawn by an engine that hands the grammar to its server.
///
/// @param valid that ended by themselves and follow their schema
/// @param cut that came to their limit of tokens
/// @param wrong that ended by themselves and do not follow it
public record SchemaAnswers(int valid, int cut, int wrong) {
    private static final int TOKENS_MAX = 200;
    private static final List<String> SCHEMAS =
            List.of("{'enum':['red','blue',3]}", "{'type':'string','maxLength':9}", """
            {'type':'object','properties':{'n':{'type':'integer','minimum':0,'maximum':99},'t':{'type':'array',
            'items':{'type':'boolean'},'maxItems':3}},'required':['n','t'],'additionalProperties':false}""");

    /// So many answers, one after the other, by turns under each schema.
    public static SchemaAnswers of(Engine engine, int answers) throws InterruptedException {
        int valid = 0;
        int cut = 0;
        for (int i = 0; i < answers; i++) {
            var grammar = grammar(SCHEMAS.get(i % SCHEMAS.size()));
            var pulled = GenerationPull.all(engine, request(grammar, i));
            if (pulled.reason() == StopReason.LENGTH) {
                cut++;
            } else if (pulled.reason() == StopReason.STOP_TOKEN
                    && fits(grammar, Arrays.copyOf(pulled.ids(), pulled.ids().length - 1))) {
                valid++;
            }
        }
        return new SchemaAnswers(valid, cut, answers - valid - cut);
    }

    private static Grammar grammar(String schema) {
        try {
            var json = new ObjectMapper().readTree(schema.replace('\'', '"'));
            var options = SchemaOptions.STRICT.withSpacing(Spacing.NONE);
            return JsonSchemaCompiler.compile(json, options, RegexPool.shared()).grammar();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static GenerationRequest request(Grammar grammar, int seed) {
        return new GenerationRequest(
                "test",
                IntStream.range(1000 + seed, 1020 + seed).toArray(),
                new int[0],
                Sampling.DEFAULT.withSeed(seed),
                TOKENS_MAX,
                Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT),
                new WrittenForm(grammar),
                "");
    }

    private static boolean fits(Grammar grammar, int[] tokens) {
        var matcher = new Constraint(grammar, WrittenForm.LEXEMES).start();
        var tokenizer = HarmonyTokenizer.shared();
        return Arrays.stream(tokens).allMatch(token -> matcher.accept(tokenizer.bytes(token))) && matcher.accepting();
    }
}
