package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// C1: the requests of the review that ended workers, or held them up. Each has an answer, an end by its length
/// or a 400, by bounded work, and the suite answers the next one.
@Timeout(300)
@ExtendWith(SharedSuite.class)
class HostileSchemasIT {
    private static final int REFERENCES = 250;
    private static final int ARRAYS = 7;

    private static ApiClient caller;

    @BeforeAll
    static void start() {
        caller = SharedSuite.suite().client(RunningSuite.SUMMARY_KEY);
    }

    static Stream<Arguments> hostile() {
        return Stream.of(
                Arguments.of("minItems of two thousand million", format("""
                        {"type":"array","items":{"type":"string"},"minItems":2000000000}""")),
                Arguments.of("arrays in arrays", format(arrays(ARRAYS))),
                Arguments.of("references to itself", format("""
                        {"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[%s]}}}""".formatted(references()))),
                Arguments.of("blanks", "\"input\":\"" + " ".repeat(2_000) + "\""));
    }

    private static String arrays(int depth) {
        var inner = depth == 1 ? "{\"type\":\"string\"}" : arrays(depth - 1);
        return "{\"type\":\"array\",\"items\":%s,\"minItems\":10}".formatted(inner);
    }

    private static String references() {
        return "{\"$ref\":\"#/$defs/a\"}" + ",{\"$ref\":\"#/$defs/a\"}".repeat(REFERENCES - 1);
    }

    private static String format(String schema) {
        return "\"input\":\"Fill it.\",\"text\":{\"format\":{\"type\":\"json_schema\",\"name\":\"it\",\"schema\":%s}}"
                .formatted(schema);
    }

    @ParameterizedTest(name = "C1 {0}")
    @MethodSource("hostile")
    void c1WhatEndedWorkersIsAnsweredOrRefused(String name, String members) {
        // When
        var answer = caller.post(
                "/v1/responses",
                "{\"model\":\"%s\",\"max_output_tokens\":500,%s}".formatted(RunningSuite.MODEL, members));
        // Then
        assertThat(answer.status()).as("%s %s", name, answer.body()).isIn(200, 400);
        if (answer.status() == 200) {
            assertThat(answer.body().path("status").asText()).isIn("completed", "incomplete");
        }
        nextOneIsAnswered();
    }

    @Test
    void c1TheyDoNoMoreHarmSideBySide() {
        // When
        var statuses = hostile()
                .parallel()
                .map(each -> caller.post(
                        "/v1/responses",
                        "{\"model\":\"%s\",\"max_output_tokens\":500,%s}".formatted(RunningSuite.MODEL, each.get()[1])))
                .map(ApiClient.Answer::status);
        // Then
        assertThat(statuses).allMatch(status -> status == 200 || status == 400);
        nextOneIsAnswered();
    }

    private static void nextOneIsAnswered() {
        var next = caller.post(
                "/v1/responses", "{\"model\":\"%s\",\"input\":\"Say hello.\"}".formatted(RunningSuite.MODEL));
        assertThat(next.body().path("status").asText()).isEqualTo("completed");
    }
}
