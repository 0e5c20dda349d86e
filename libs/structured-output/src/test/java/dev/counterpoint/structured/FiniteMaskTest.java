package dev.counterpoint.structured;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.SchemaRefusedException;
import dev.counterpoint.structured.schema.Spacing;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Schemas that allow a few values: all their texts are listed without the compiler, and then a token is in the
/// mask exactly when one of them goes on with it, over the whole vocabulary and wherever chance leads.
///
/// System properties: `scale` for more of them (20 each night), `seed`, and `schema.number` for only one.
@Tag("random")
class FiniteMaskTest {
    private static final SchemaOptions OPTIONS = SchemaOptions.STRICT.withSpacing(Spacing.NONE);
    private static final int WALKS = 6;
    private static final int SHOWN = 20;

    private final int scale = Integer.getInteger("scale", 1);
    private final long seed = Long.getLong("seed", 1);
    private final int only = Integer.getInteger("schema.number", -1);
    private final List<String> wrong = new ArrayList<>();
    private final TreeMap<String, Integer> refused = new TreeMap<>();
    private int compared;
    private int impossible;
    private int masks;

    @Test
    void aTokenIsAllowedExactlyWhenSomeTextGoesOnWithIt() {
        var index = MadeUpTokens.index(new SchemaDice(seed, 0));
        int wanted = 100 * scale;
        int number = only < 0 ? 1 : only;
        do {
            check(number, index);
            number++;
        } while (only < 0 && compared < wanted);
        System.out.printf(
                "finite schemas: %d compared in %d masks, %d impossible, of %d made; refused: %s%n",
                compared, masks, impossible, number, refused);
        assertThat(wrong).isEmpty();
        assertThat(refused.values().stream().mapToInt(Integer::intValue).sum())
                .as("refused schemas")
                .isLessThan(wanted / 2);
    }

    /// Fewer of them, since every mask is compared over 201,088 tokens.
    @Test
    void soItIsWithTheModelsTokens() {
        int wanted = 3 * scale;
        for (int number = 1; compared < wanted; number++) {
            check(number, ModelTokens.index());
        }
        assertThat(wrong).isEmpty();
    }

    private void check(int number, LexemeIndex index) {
        var dice = new SchemaDice(seed, number);
        var schema = RandomSchema.of(dice, true);
        var values = FiniteValues.of(schema);
        if (values.isEmpty()) {
            return;
        }
        var texts = new FiniteTexts(values.get().stream()
                .flatMap(one -> CompactTexts.of(one).stream())
                .toList());
        try {
            var compiled = JsonSchemaCompiler.compile(schema, OPTIONS, RegexPool.shared());
            compared++;
            compare(number, schema, new MaskCheck(new Constraint(compiled.grammar(), index), texts, dice));
        } catch (SchemaRefusedException e) {
            note(number, schema, texts, e);
        }
    }

    private void note(int number, JsonNode schema, FiniteTexts texts, SchemaRefusedException refusal) {
        if (texts.size() == 0) {
            impossible++;
        } else if (refusal.keyword().isEmpty()) {
            add(number, schema, "refused though " + texts.size() + " texts fit: " + refusal.getMessage());
        } else {
            refused.merge(refusal.keyword(), 1, Integer::sum);
        }
    }

    private void compare(int number, JsonNode schema, MaskCheck check) {
        for (int i = 0; i < WALKS; i++) {
            var difference = check.walk();
            if (difference != null) {
                add(number, schema, difference);
                break;
            }
        }
        masks += check.masks();
    }

    private void add(int number, JsonNode schema, String difference) {
        if (wrong.size() < SHOWN) {
            wrong.add("schema " + number + ": " + difference + "\n  " + schema);
        }
    }
}
