package dev.counterpoint.servicekit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.UnfitTopicException;
import dev.counterpoint.bus.seal.RefusalListener.Reason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Each misconfiguration of bus, database and keys has its code.
class MisconfigurationTest {
    private static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");

    private static List<String> codes(List<Misconfiguration> found) {
        assertThat(found).allSatisfy(each -> assertThat(each.text()).isNotBlank());
        return found.stream().map(Misconfiguration::code).toList();
    }

    static Stream<Arguments> failuresOfTheBus() {
        return Stream.of(
                Arguments.of("bus-unreachable", new TimeoutException("late"), false),
                Arguments.of("bus-refused", new TimeoutException("late"), true),
                Arguments.of("bus-password", new SaslAuthenticationException("no"), true));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failuresOfTheBus")
    void aBusThatDoesNotServeIsNamedUntilItServes(String code, KafkaException failure, boolean connects) {
        // Given
        var bus = new BusFault("a:1,b:2", broker -> connects && broker.equals("b:2"));
        // When
        bus.failed(failure);
        // Then
        assertThat(codes(bus.misconfigurations())).containsExactly(code);
        bus.passed();
        assertThat(bus.misconfigurations()).isEmpty();
    }

    @Test
    void aBrokerThatTakesAConnectionIsReachable() throws IOException {
        try (var broker = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            var bus = new BusFault("127.0.0.1:" + broker.getLocalPort());
            bus.failed(new TimeoutException("late"));

            assertThat(codes(bus.misconfigurations())).containsExactly("bus-refused");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MISSING, topic-missing",
        "COPIES, topic-copies",
        "TIMESTAMPS, topic-timestamps",
        "RETENTION, topic-retention"
    })
    void anUnfitTopicIsNamedWithItsText(UnfitTopicException.Reason reason, String code) {
        var bus = new BusFault("a:1", _ -> true);
        bus.failed(new UnfitTopicException(reason, "topic frames is unfit"));

        assertThat(bus.misconfigurations()).containsExactly(new Misconfiguration(code, "topic frames is unfit"));
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "3D000, database-missing",
        "28P01, database-login",
        "28000, database-login",
        "08001, database-unreachable"
    })
    void aDatabaseThatRefusesIsNamed(String sqlState, String code) {
        assertThat(DatabaseCheck.of(new SQLException("secret", sqlState)))
                .matches(each -> each.code().equals(code))
                .matches(each -> !each.text().contains("secret"));
    }

    @Test
    void aPoolWithoutAConnectionIsADatabaseThatDoesNotAnswer() {
        assertThat(DatabaseCheck.of(new SQLException("no connection in time")).code())
                .isEqualTo("database-unreachable");
    }

    static Stream<Arguments> answersOfADatabase() {
        return Stream.of(
                Arguments.of("", new DatabaseCheck.Answer("gateway", false, true, NOW.plusSeconds(2))),
                Arguments.of("database-role-strong", new DatabaseCheck.Answer("postgres", true, true, NOW)),
                Arguments.of("migration-missing", new DatabaseCheck.Answer("gateway", false, false, NOW)),
                Arguments.of("clock-apart", new DatabaseCheck.Answer("gateway", false, true, NOW.plusSeconds(30))),
                Arguments.of("clock-apart", new DatabaseCheck.Answer("gateway", false, true, NOW.minusSeconds(3))));
    }

    @ParameterizedTest(name = "code {0}")
    @MethodSource("answersOfADatabase")
    void aDatabaseThatAnswersIsJudged(String code, DatabaseCheck.Answer answer) {
        assertThat(codes(DatabaseCheck.of(answer, NOW))).isEqualTo(code.isEmpty() ? List.of() : List.of(code));
    }

    @ParameterizedTest
    @EnumSource
    void recordsThatNoKeyVerifiesAreKeysApart(Reason reason) {
        var refused = new RefusedRecords(new SimpleMeterRegistry());
        refused.refused(Topic.MODELS, reason);

        boolean apart = reason == Reason.SIGNATURE || reason == Reason.TAG;
        assertThat(codes(refused.misconfigurations())).isEqualTo(apart ? List.of("keys-apart") : List.of());
    }

    @Test
    void settingsFileUnreadable(@TempDir Path folder) throws IOException {
        var good = Files.writeString(folder.resolve("good.properties"), "a=b");
        var none = folder.resolve("none.properties").toString();

        var files = new SettingsFiles(Optional.of(List.of(good.toUri().toString(), none)));

        assertThat(codes(files.misconfigurations())).containsExactly("settings-file-unreadable");
        assertThat(files.misconfigurations().getFirst().text()).contains(none);
        assertThat(new SettingsFiles(Optional.empty()).misconfigurations()).isEmpty();
    }

    @Test
    void readinessDataHasEachByItsCodeAndStaysUp() {
        // Given
        MisconfigurationSource engine = () -> List.of(
                new Misconfiguration("engine-unfit", "http://a wants a key"),
                new Misconfiguration("engine-unfit", "http://b serves other"));
        MisconfigurationSource clock = () -> List.of(new Misconfiguration("clock-apart", "30 s"));
        // When
        var answer = new ConfigurationReadiness(List.of(engine, clock)).call();
        // Then
        assertThat(answer.getStatus()).isEqualTo(Status.UP);
        assertThat(answer.getName()).isEqualTo("configuration");
        assertThat(answer.getData().orElseThrow())
                .containsOnly(
                        Map.entry("engine-unfit", "http://a wants a key; http://b serves other"),
                        Map.entry("clock-apart", "30 s"));
    }
}
