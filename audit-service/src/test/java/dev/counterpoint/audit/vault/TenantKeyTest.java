package dev.counterpoint.audit.vault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TenantKeyTest {
    private static final TenantKey ACME = tenant(1);

    @Test
    void equalSubjectsHaveEqualTokensWithinATenantAndOthersElsewhere() {
        var alice = new Subject.EndUser("alice");

        assertThat(ACME.token(alice)).isEqualTo(ACME.token(new Subject.EndUser("alice")));
        assertThat(ACME.token(alice)).isNotEqualTo(ACME.token(new Subject.EndUser("Alice")));
        assertThat(ACME.token(alice)).isNotEqualTo(tenant(2).token(alice));
        assertThat(ACME.token(alice)).hasSize(32);
    }

    @Test
    void aUserWhoIsCalledLikeAKeyIsSomebodyElse() {
        assertThat(ACME.token(Subject.of("key_1", "key_2"))).isNotEqualTo(ACME.token(Subject.of("", "key_1")));
    }

    @Test
    void aSubjectIsNotPrinted() {
        assertThat(new Subject.EndUser("alice").toString()).doesNotContain("alice");
    }

    private static TenantKey tenant(int seed) {
        var search = new byte[32];
        Arrays.fill(search, (byte) seed);
        return new TenantKey(new byte[32], search);
    }
}
