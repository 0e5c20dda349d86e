package dev.counterpoint.audit.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TenantKeysTest {
    private static final TenantKeys ACME = tenant(1);

    @Test
    void equalSubjectsHaveEqualTokensWithinATenantAndOthersElsewhere() {
        var alice = new DataSubject.EndUser("alice");

        assertThat(ACME.token(alice)).isEqualTo(ACME.token(new DataSubject.EndUser("alice")));
        assertThat(ACME.token(alice)).isNotEqualTo(ACME.token(new DataSubject.EndUser("Alice")));
        assertThat(ACME.token(alice)).isNotEqualTo(tenant(2).token(alice));
        assertThat(ACME.token(alice)).hasSize(32);
    }

    @Test
    void aUserWhoIsCalledLikeAKeyIsSomebodyElse() {
        assertThat(ACME.token(DataSubject.of("key_1", "key_2"))).isNotEqualTo(ACME.token(DataSubject.of("", "key_1")));
    }

    @Test
    void aSubjectIsNotPrinted() {
        assertThat(new DataSubject.EndUser("alice").toString()).doesNotContain("alice");
    }

    private static TenantKeys tenant(int seed) {
        var search = new byte[32];
        Arrays.fill(search, (byte) seed);
        return new TenantKeys(new byte[32], search);
    }
}
