package dev.counterpoint.gateway.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ApiKeyTest {
    @Test
    void newKeysHave256RandomBitsBehindTheirName() {
        assertThat(ApiKey.create().secret()).matches("cp-[A-Za-z0-9_-]{43}");
        assertThat(ApiKey.create()).isNotEqualTo(ApiKey.create());
    }

    @Test
    void isNeverPrintedWhole() {
        var key = ApiKey.create();

        assertThat(key.toString()).doesNotContain(key.secret()).contains(key.prefix());
        assertThat(key.prefix()).hasSize(7);
    }

    @Test
    void whatCannotBeAKeyIsNone() {
        assertThat(ApiKey.parse("")).isEmpty();
        assertThat(ApiKey.parse("short")).isEmpty();
        assertThat(ApiKey.parse("x".repeat(200))).isEmpty();
        assertThat(ApiKey.parse("cp-' or 1=1 --" + "x".repeat(32))).isEmpty();
    }
}
