package dev.counterpoint.servicekit;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SafeStackTraceTest {
    private static final String SECRET = "what the client sent";
    private static final Throwable FAILURE = new IllegalStateException(SECRET, new SQLException(SECRET, "23505"));

    @Test
    void tellsWhereAndWhatButNoMessage() {
        assertThat(SafeStackTrace.of(FAILURE))
                .contains(
                        "IllegalStateException",
                        "SQLException sqlState=23505",
                        "    at " + getClass().getName())
                .doesNotContain(SECRET);
    }

    @Test
    void namesTheDatabasesFailure() {
        assertThat(SafeStackTrace.name(FAILURE)).isEqualTo("SQLException sqlState=23505");
        assertThat(SafeStackTrace.name(new IllegalStateException(SECRET))).isEqualTo("java.lang.IllegalStateException");
    }
}
