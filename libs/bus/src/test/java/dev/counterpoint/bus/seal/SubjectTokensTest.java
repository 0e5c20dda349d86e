package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubjectTokensTest {
    @TempDir
    Path folder;

    private SubjectTokens gateway;

    @BeforeEach
    void load() throws IOException {
        GenerateKeys.into(folder);
        gateway = KeyRing.load(folder, ServiceRole.GATEWAY).subjectTokens();
    }

    @Test
    void gatewaysAndTheAuditServiceMakeTheSameToken() {
        var audit = KeyRing.load(folder, ServiceRole.AUDIT).subjectTokens();

        assertThat(gateway.of("tenant", "alice", "key_1")).hasSize(32).isEqualTo(audit.of("tenant", "alice", "key_2"));
    }

    @Test
    void namesAreComparedInNfcAndWithoutBlanksAroundThem() {
        assertThat(gateway.of("tenant", " Zoe\u0301\n", "key_1")).isEqualTo(gateway.of("tenant", "Zo\u00e9", "key_1"));
        assertThat(gateway.of("tenant", "Alice", "key_1")).isNotEqualTo(gateway.of("tenant", "alice", "key_1"));
    }

    @Test
    void withoutANameThePersonIsTheKey() {
        var ofKey = gateway.of("tenant", " ", "key_1");

        assertThat(ofKey).isEqualTo(gateway.of("tenant", "", "key_1"));
        assertThat(ofKey).isNotEqualTo(gateway.of("tenant", "", "key_2"));
        assertThat(ofKey).isNotEqualTo(gateway.of("tenant", "key_1", "key_1"));
    }

    @Test
    void eachTenantHasItsOwn() {
        assertThat(gateway.of("tenant", "alice", "key_1")).isNotEqualTo(gateway.of("tenant2", "alice", "key_1"));
    }

    @Test
    void otherServicesMakeNone() {
        var worker = KeyRing.load(folder, ServiceRole.WORKER);

        assertThatThrownBy(worker::subjectTokens).isInstanceOf(SealException.class);
    }
}
