package dev.counterpoint.bus.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("f8, f10: topics that somebody made otherwise")
class ExistingTopicTest {
    private static final Duration KEPT = Topic.FRAMES_RETENTION;

    @ParameterizedTest
    @CsvSource({"1,1,1", "2,2,1", "3,3,2", "5,3,2", "5,5,3"})
    void areFitWhereOneBrokerMayBeLost(int brokers, int replicas, String inSync) {
        assertThatCode(() -> topic(replicas, inSync).requireFit(brokers, KEPT)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"3,1,1,copies", "3,2,1,copies", "3,3,1,only one broker", "3,3,3,no record", "2,2,2,no record"})
    void areRefusedWhereItMayNot(int brokers, int replicas, String inSync, String why) {
        assertThatThrownBy(() -> topic(replicas, inSync).requireFit(brokers, KEPT))
                .isInstanceOf(UnfitTopicException.class)
                .hasMessageContaining("topic audit")
                .hasMessageContaining(why);
    }

    @Test
    void areRepairedByWhatCanBeSet() {
        assertThat(topic(3, "1").repairs()).isEqualTo(Map.of("min.insync.replicas", "2"));
        assertThat(topic(2, "2").repairs()).isEqualTo(Map.of("min.insync.replicas", "1"));
        assertThat(topic(5, "3").repairs()).isEmpty();
        assertThat(topic(1, "1").repairs()).as("copies are not").isEmpty();
    }

    @Test
    void framesAreKeptForAsLongAsAnyoneMayReadThem() {
        assertThat(KEPT).as("with the usual settings").isEqualTo(Duration.ofMinutes(90));
        assertThatCode(() -> frames("-1").requireFit(1, KEPT)).doesNotThrowAnyException();
        assertThatThrownBy(() -> frames("5399999").requireFit(1, KEPT))
                .isInstanceOf(UnfitTopicException.class)
                .hasMessageContaining("gateway.stream.deadline")
                .hasMessageContaining("retention.ms to 5400000");
    }

    /// The misconfigurations that a gateway names, one row each.
    static Stream<Arguments> misconfigurations() {
        return Stream.of(
                Arguments.of("topic-missing", thrownBy(() -> Topics.requireAll(Set.of(Topic.FRAMES)))),
                Arguments.of("topic-copies", thrownBy(() -> topic(1, "1").requireFit(3, KEPT))),
                Arguments.of(
                        "topic-timestamps",
                        thrownBy(() -> new ExistingTopic(Topic.FRAMES, 1, Map.of()).requireFit(1, KEPT))),
                Arguments.of("topic-retention", thrownBy(() -> frames("1").requireFit(1, KEPT))));
    }

    private static UnfitTopicException thrownBy(ThrowingCallable check) {
        return catchThrowableOfType(UnfitTopicException.class, check);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("misconfigurations")
    void eachHasItsCode(String code, UnfitTopicException unfit) {
        assertThat(unfit.reason().wireName()).isEqualTo(code);
        assertThat(unfit).hasMessageStartingWith("topic ");
    }

    @Test
    void noneIsMissingWhereAllAreThere() {
        var all = Topic.shared(1).map(Topic::name).collect(Collectors.toSet());

        assertThatCode(() -> Topics.requireAll(all)).doesNotThrowAnyException();
    }

    private static ExistingTopic topic(int replicas, String inSync) {
        return new ExistingTopic(Topic.AUDIT, replicas, Map.of("min.insync.replicas", inSync));
    }

    private static ExistingTopic frames(String retention) {
        return new ExistingTopic(
                Topic.FRAMES, 1, Map.of("message.timestamp.type", "LogAppendTime", "retention.ms", retention));
    }
}
