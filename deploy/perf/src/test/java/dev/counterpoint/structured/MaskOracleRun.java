package dev.counterpoint.structured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.SchemaRefusedException;
import dev.counterpoint.testkit.ConformanceFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Where llguidance takes a schema, its masks and ours are compared after random starts of valid values; every
/// difference has a name, and wherever the value decides, a validator agrees with us.
///
/// System properties: `seed`, `oracle.schemas` (how many), `oracle.schema` (only the one of this id), and `oracle`,
/// which as `required` fails where llguidance cannot be installed instead of skipping.
class MaskOracleRun {
    private static final int PLACES = 4;

    private final long seed = Long.getLong("seed", 1);
    private final int schemas = Integer.getInteger("oracle.schemas", 1000);
    private final String only = System.getProperty("oracle.schema", "");
    private final SchemaPlay play = new SchemaPlay(ModelTokens.index(), SchemaOptions.STRICT);
    private final List<String> withoutJudge = new ArrayList<>();
    private int compared;

    @Test
    void allowsTheTokensThatLlguidanceAllows() throws IOException {
        try (var llguidance = new LlGuidance(installation())) {
            var differences = new MaskDifferences(llguidance);
            for (var schema : sample()) {
                if (llguidance.compile(schema.schema())) {
                    compare(schema, differences);
                }
            }
            System.out.println("oracle: " + compared + " schemas; " + differences.summary());
            System.out.println("oracle: the validator misreads " + withoutJudge.size() + " more: " + withoutJudge);
            assertThat(differences.wrong()).isEmpty();
        }
    }

    private void compare(SchemaCase schema, MaskDifferences differences) throws IOException {
        var dice = new SchemaDice(seed, schema.id().hashCode());
        Constraint constraint;
        try {
            constraint = play.compile(schema.schema());
        } catch (SchemaRefusedException | TooComplexException e) {
            return;
        }
        var judge = SchemaValidator.agreeingWith(schema);
        if (judge.isEmpty()) {
            withoutJudge.add(schema.id());
            return;
        }
        compared++;
        var validator = judge.get();
        for (var instance : schema.instances()) {
            if (instance.valid()) {
                compare(
                        new MaskDifferences.Place(schema, validator, constraint, ModelTokens.encode(instance.text())),
                        differences,
                        dice);
            }
        }
    }

    private static void compare(MaskDifferences.Place whole, MaskDifferences differences, SchemaDice dice)
            throws IOException {
        for (int i = 0; i < PLACES; i++) {
            int length = i == 0 ? 0 : dice.below(whole.tokens().length + 1);
            var tokens = Arrays.copyOf(whole.tokens(), length);
            var matcher = whole.constraint().start();
            if (Arrays.stream(tokens).allMatch(matcher::accept)) {
                var place = new MaskDifferences.Place(whole.schema(), whole.validator(), whole.constraint(), tokens);
                differences.compare(place, matcher, dice);
            }
        }
    }

    private List<SchemaCase> sample() {
        var file = ConformanceFiles.find("schemas/dev-sample.jsonl");
        if (file.isEmpty()) {
            return abort("no schemas");
        }
        var all = new ArrayList<>(SchemaCase.read(file.get()));
        all.removeIf(schema -> !only.isEmpty() && !schema.id().equals(only));
        return new SchemaDice(seed, 0).draw(all, schemas);
    }

    private static PeerInstallation installation() {
        try {
            return PeerInstallation.of(PeerInstallation.LLGUIDANCE);
        } catch (IOException e) {
            var line = "oracle: llguidance cannot be installed: " + e.getMessage();
            if ("required".equals(System.getProperty("oracle"))) {
                throw new IllegalStateException(line, e);
            }
            System.out.println("skipped " + line);
            return abort(line);
        }
    }
}
