package dev.counterpoint.structured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.ValueForm;
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
    private static final String SAMPLE = "schemas/dev-sample.jsonl";

    /// Of the sample's 396, what must be right.
    private static final double SAMPLE_SHARE = 360 / 396.0;

    /// Of the official suite's 383 groups, what must be right; llguidance has 147.
    private static final double SUITE_SHARE = 148 / 383.0;

    @Test
    void enforcesTheSchemasThatPeopleUse() {
        var report = play(SAMPLE, ValueForm.ANY);
        report.write("");
        assertThat(report.validRejected()).as("valid values rejected").isEmpty();
        check(report, SAMPLE_SHARE);
    }

    /// As strict answers are written; values whose properties come in another order are none of them.
    @Test
    void enforcesTheirCanonicalForm() {
        var report = play(SAMPLE, ValueForm.CANONICAL);
        report.write("canonical");
        check(report, SAMPLE_SHARE);
    }

    /// What is rejected has a format that the suite takes for a remark, and that we enforce.
    @Test
    void enforcesTheOfficialSuite() {
        var report = play("schemas/json-schema-test-suite-2020-12.jsonl", ValueForm.ANY);
        report.write("official_suite");
        check(report, SUITE_SHARE);
    }

    private static SchemaReport play(String path, ValueForm form) {
        var file = ConformanceFiles.find(path);
        assumeTrue(file.isPresent(), "no " + path);
        var play = new SchemaPlay(
                ModelTokens.index(), SchemaOptions.STRICT.withForm(form).withDocuments(documents()));
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
