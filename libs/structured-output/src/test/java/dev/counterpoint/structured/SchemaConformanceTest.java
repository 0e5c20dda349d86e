package dev.counterpoint.structured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.testkit.ConformanceFiles;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Schemas that people use, with values that fit and values that do not: as MaskBench counts, a schema is right
/// when every token of each valid value is in the mask before it and none of the invalid ones gets to its end.
/// Stricter than MaskBench: a text may end exactly where its value is valid.
@Timeout(value = 300, threadMode = SEPARATE_THREAD)
class SchemaConformanceTest {
    /// Of the sample's 396, what must be right.
    private static final double SAMPLE_SHARE = 360 / 396.0;

    /// To become 0: what is not compiled as a whole is refused by name.
    private static final int VALID_REJECTED_MAX = 24;

    /// Of the official suite's 383 groups, what must be right; llguidance has 147.
    private static final double SUITE_SHARE = 148 / 383.0;

    @Test
    void enforcesTheSchemasThatPeopleUse() {
        var report = play("schemas/dev-sample.jsonl");
        report.write("");
        assertThat(report.validRejected()).as("valid values rejected").hasSizeLessThanOrEqualTo(VALID_REJECTED_MAX);
        check(report, SAMPLE_SHARE);
    }

    /// Some of its valid values are spelled as we never do: with members in another order, or an integer as 1.0.
    @Test
    void enforcesTheOfficialSuite() {
        var report = play("schemas/json-schema-test-suite-2020-12.jsonl");
        report.write("official_suite");
        check(report, SUITE_SHARE);
    }

    private static SchemaReport play(String path) {
        var file = ConformanceFiles.find(path);
        assumeTrue(file.isPresent(), "no " + path);
        var play = new SchemaPlay(ModelTokens.index(), SchemaOptions.STRICT.withDocuments(documents()));
        var cases = SchemaCase.read(file.orElseThrow());
        assertThat(cases).isNotEmpty();
        return new SchemaReport(cases.stream().map(play::play).toList());
    }

    /// What references of the official suite lead to.
    private static Map<String, JsonNode> documents() {
        var documents = new HashMap<String, JsonNode>();
        ConformanceFiles.find("schemas/json-schema-test-suite-2020-12-remotes.json")
                .map(SchemaCase::readJson)
                .ifPresent(json -> json.properties().forEach(one -> documents.put(one.getKey(), one.getValue())));
        return documents;
    }

    private static void check(SchemaReport report, double share) {
        assertThat(report.invalidAccepted()).as("invalid values accepted").isEmpty();
        assertThat(report.failures()).as("values that took too much work").isEmpty();
        assertThat((double) report.passed() / report.total())
                .as("share of schemas with all values right")
                .isGreaterThanOrEqualTo(share);
    }
}
