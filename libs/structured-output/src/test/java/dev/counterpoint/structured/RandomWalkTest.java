package dev.counterpoint.structured;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.SchemaRefusedException;
import dev.counterpoint.structured.schema.ValueForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Texts written by chance under the masks of random schemas never come to a place where nothing may follow, and
/// those that end are values that another's validator accepts.
///
/// System properties: `scale` for more of them (20 each night), `seed`, and `schema.number` for only one
/// schema.
@Tag("random")
class RandomWalkTest {
    private static final int SHOWN = 20;
    private static final int WALKS = 50;

    private final int scale = Integer.getInteger("scale", 1);
    private final long seed = Long.getLong("seed", 1);
    private final int only = Integer.getInteger("schema.number", -1);
    private final List<String> wrong = new ArrayList<>();
    private final TreeMap<String, Integer> refused = new TreeMap<>();
    private int compiled;
    private int finished;
    private int endless;

    @Test
    void noWalkComesToADeadEndAndAllThatEndAreValid() {
        var index = MadeUpTokens.index(new SchemaDice(seed, 0));
        int wanted = 60 * scale;
        int number = only < 0 ? 1 : only;
        do {
            check(number, index);
            number++;
        } while (only < 0 && compiled < wanted);
        System.out.printf(
                "random walks: %d schemas of %d made, %d texts ended, %d became too long; refused: %s%n",
                compiled, number, finished, endless, refused);
        assertThat(wrong).isEmpty();
        // Where any order will do, chance may write other properties for long before one that is required.
        assertThat(endless).as("texts that did not end").isLessThan(1 + finished / 4);
        assertThat(refused.values().stream().mapToInt(Integer::intValue).sum())
                .as("refused schemas")
                .isLessThan(1 + wanted);
    }

    private void check(int number, LexemeIndex index) {
        var dice = new SchemaDice(seed, number);
        var schema = RandomSchema.of(dice, false);
        try {
            var form = ValueForm.values()[number % ValueForm.values().length];
            var grammar = JsonSchemaCompiler.compile(schema, SchemaOptions.STRICT.withForm(form), RegexPool.shared())
                    .grammar();
            compiled++;
            walk(number, schema, new MaskWalk(new Constraint(grammar, index), dice));
        } catch (SchemaRefusedException e) {
            refused.merge(e.keyword(), 1, Integer::sum);
        }
    }

    private void walk(int number, JsonNode schema, MaskWalk walk) {
        var validator = new SchemaValidator(schema);
        for (int i = 0; i < WALKS; i++) {
            var complaint = complaint(walk, validator);
            if (complaint.isPresent()) {
                if (wrong.size() < SHOWN) {
                    wrong.add("schema " + number + ": " + complaint.get() + "\n  " + schema);
                }
                return;
            }
        }
    }

    private Optional<String> complaint(MaskWalk walk, SchemaValidator validator) {
        try {
            var written = walk.walk();
            if (written.isEmpty()) {
                endless++;
                return Optional.empty();
            }
            finished++;
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(written.get()))
                    .toString();
            var complaints = validator.complaints(SchemaCase.JSON.readTree(text));
            return complaints.isEmpty() ? Optional.empty() : Optional.of(text + " is not valid: " + complaints);
        } catch (MaskWalk.DeadEndException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (CharacterCodingException e) {
            return Optional.of("a text that is not UTF-8");
        } catch (IOException e) {
            return Optional.of("a text that is no JSON: " + e.getMessage());
        }
    }
}
