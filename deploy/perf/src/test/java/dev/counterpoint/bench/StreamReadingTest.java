package dev.counterpoint.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamReadingTest {
    private final List<Long> transits = new ArrayList<>();
    private final StreamReading reading = new StreamReading(transits::add);

    private static String chunk(String content) {
        return "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\""
                + content + "\"},\"finish_reason\":null}]}";
    }

    private static String delta(String text) {
        return "data: {\"type\":\"response.output_text.delta\",\"sequence_number\":4,\"delta\":\"" + text + "\"}";
    }

    @Test
    void eachTokensWayIsFromWhenItWasSent() {
        reading.line(chunk(SentTime.token(1000)), 1500);
        reading.line(chunk(SentTime.token(2000)), 2700);
        assertThat(transits).containsExactly(500L, 700L);
        assertThat(reading.firstText()).isEqualTo(1500);
        assertThat(reading.tokens()).isEqualTo(2);
    }

    @Test
    void aTokenInPiecesCountsWhenItsLastPieceComes() {
        var token = SentTime.token(123_456_789);
        reading.line(chunk(token.substring(0, 2)), 123_456_800);
        reading.line(chunk(token.substring(2)), 123_456_900);
        assertThat(transits).containsExactly(111L);
        assertThat(reading.firstText()).isEqualTo(123_456_800);
    }

    @Test
    void tokensInOneEventCountEach() {
        reading.line(delta(SentTime.token(1000) + SentTime.token(2000)), 3000);
        assertThat(transits).containsExactly(2000L, 1000L);
    }

    @Test
    void aBlankAfterTheColonAndAnEmptyOrAbsentContentAreRead() {
        reading.line(
                "data: {\"object\": \"chat.completion.chunk\", \"choices\": [{\"delta\": {\"content\": \"\"}}]}", 1);
        reading.line(
                "data: {\"object\": \"chat.completion.chunk\", \"choices\": [{\"delta\": {\"content\": null}}]}", 1);
        assertThat(reading.firstText()).isZero();
        reading.line(
                "data: {\"object\": \"chat.completion.chunk\", \"choices\": [{\"delta\": {\"content\": \""
                        + SentTime.token(10) + "\"}}]}",
                15);
        assertThat(transits).containsExactly(5L);
    }

    @Test
    void chatEndsWithDone() {
        reading.line(chunk(SentTime.token(1)), 2);
        assertThat(reading.ended()).isFalse();
        reading.line("data: [DONE]", 3);
        assertThat(reading.ended()).isTrue();
        assertThat(reading.broken()).isFalse();
    }

    @Test
    void responsesBeginWithCreatedAndEndWithCompleted() {
        reading.line("event: response.created", 7);
        reading.line("data: {\"type\":\"response.created\",\"response\":{\"output\":[]}}", 7);
        reading.line(delta(SentTime.token(1)), 9);
        reading.line("data: {\"type\":\"response.completed\",\"response\":{\"content\":\"x\"}}", 11);
        assertThat(reading.created()).isEqualTo(7);
        assertThat(reading.ended()).isTrue();
        assertThat(reading.broken()).isFalse();
    }

    @Test
    void failuresAndForeignTextAreBroken() {
        reading.line(chunk("I am sorry "), 5);
        assertThat(reading.broken()).isTrue();
        var failed = new StreamReading(_ -> {});
        failed.line("data: {\"type\":\"response.failed\",\"response\":{}}", 5);
        assertThat(failed.broken()).isTrue();
        var refused = new StreamReading(_ -> {});
        refused.line("data: {\"error\":{\"message\":\"no\"}}", 5);
        assertThat(refused.broken()).isTrue();
    }
}
