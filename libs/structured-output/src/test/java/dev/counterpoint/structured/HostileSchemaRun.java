package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.SchemaRefusedException;
import dev.counterpoint.structured.vocabulary.TokenBits;
import java.util.concurrent.TimeUnit;

/// Compiles hostile schemas in a process of its own, whose memory is small, and tells of each in a line:
/// `number milliseconds outcome`. One that takes far too long ends the process.
final class HostileSchemaRun {
    private static final int WATCHED_SECONDS = 60;
    private static final TokenBits MASK = new TokenBits(ModelTokens.SIZE);

    private HostileSchemaRun() {}

    /// @param args the number of the first schema
    static void main(String[] args) {
        for (int i = 0; i < 20; i++) {
            compile(SchemaCase.parsed(
                    "{\"type\":\"object\",\"properties\":{\"a\":{\"pattern\":\"^a+b{" + i + "}$\"}}}"));
        }
        var schemas = HostileSchemas.all();
        for (int number = Integer.parseInt(args[0]); number < schemas.size(); number++) {
            var watch = watch();
            long start = System.nanoTime();
            var outcome = compile(schemas.get(number).schema());
            long millis = (System.nanoTime() - start) / 1_000_000;
            watch.interrupt();
            System.out.println(number + " " + millis + " " + outcome.replace('\n', ' '));
        }
    }

    private static Thread watch() {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                TimeUnit.SECONDS.sleep(WATCHED_SECONDS);
                Runtime.getRuntime().halt(1);
            } catch (InterruptedException _) {
                // It ended in time.
            }
        });
    }

    private static String compile(JsonNode schema) {
        try {
            var compiled = JsonSchemaCompiler.compile(schema, SchemaOptions.STRICT, new RegexPool());
            new Constraint(compiled.grammar(), ModelTokens.index()).start().mask(MASK);
            return "compiled: " + MASK.cardinality() + " tokens may come first";
        } catch (SchemaRefusedException e) {
            return "refused: " + e.keyword() + ": " + e.getMessage();
        } catch (TooComplexException e) {
            return "refused: first mask: " + e.getMessage();
        } catch (RuntimeException | Error e) {
            return "broken: " + e;
        }
    }
}
