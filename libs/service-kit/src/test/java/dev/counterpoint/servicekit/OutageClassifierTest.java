package dev.counterpoint.servicekit;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutageClassifierTest {
    private static final class Away extends OutageException {
        private static final long serialVersionUID = 1;

        private Away() {
            super("away");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"08006", "53300", "57P01", "25006"})
    void aDatabaseThatTakesNoConnectionOrNoWriteIsAway(String sqlState) {
        assertThat(OutageClassifier.DATABASE.isOutage(new SQLException("no", sqlState)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "40001", "55P03", "57014", "42601"})
    void aDatabaseThatSaysNoIsThere(String sqlState) {
        assertThat(OutageClassifier.DATABASE.isOutage(new SQLException("no", sqlState)))
                .isFalse();
    }

    static Stream<Throwable> wrapped() {
        var away = new SQLTransientConnectionException("away", "08001");
        var suppressing = new IllegalStateException("rolled back");
        suppressing.addSuppressed(away);
        return Stream.of(
                new IllegalStateException(new RuntimeException(away)),
                new RuntimeException(suppressing),
                new SQLException("no connection came free in time"));
    }

    @ParameterizedTest
    @MethodSource("wrapped")
    void anOutageIsFoundBehindWhatWrapsIt(Throwable thrown) {
        assertThat(OutageClassifier.DATABASE.isOutage(thrown)).isTrue();
    }

    @Test
    void aServiceMayTakeMoreForAnOutage() {
        var more = OutageClassifier.DATABASE.orSqlStates("40").orParts();

        assertThat(more.isOutage(new SQLException("deadlock", "40P01"))).isTrue();
        assertThat(more.isOutage(new RuntimeException(new Away()))).isTrue();
        assertThat(OutageClassifier.DATABASE.isOutage(new Away())).isFalse();
    }
}
