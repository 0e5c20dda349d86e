package dev.counterpoint.local;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaffIssuerTest {
    @TempDir
    Path folder;

    @Test
    void signsWhatThePublicKeyChecks() throws Exception {
        // Given
        var issuer = StaffIssuer.of(state());
        // When
        var token = issuer.token("jane", List.of("auditor", "compliance.read"), Duration.ofMinutes(5));
        // Then
        var parts = token.split("\\.");
        var key = Base64.getDecoder().decode(issuer.publicKey());
        var signature = Signature.getInstance("SHA256withRSA");
        signature.initVerify(KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(key)));
        signature.update((parts[0] + "." + parts[1]).getBytes(US_ASCII));
        assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
        assertThat(decoded(parts[0])).isEqualTo("{\"alg\":\"RS256\",\"typ\":\"JWT\"}");
        assertThat(decoded(parts[1]))
                .contains("\"iss\":\"counterpoint-local\"")
                .contains("\"aud\":\"counterpoint-audit\"")
                .contains("\"sub\":\"jane\"")
                .contains("\"groups\":[\"auditor\",\"compliance.read\"]");
        long issued = number(decoded(parts[1]), "iat");
        assertThat(number(decoded(parts[1]), "exp")).isEqualTo(issued + 300);
    }

    @Test
    void keepsItsKeyForItselfAndFromStartToStart() throws Exception {
        // When
        var first = StaffIssuer.of(state());
        // Then
        assertThat(StaffIssuer.of(state()).publicKey()).isEqualTo(first.publicKey());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state().staffPrivateKey())))
                .isEqualTo("rw-------");
    }

    @Test
    void refusesASubjectThatWouldBreakOutOfTheClaims() {
        var issuer = StaffIssuer.of(state());

        assertThatThrownBy(() -> issuer.token("jane\",\"groups\":[\"x\"]", List.of("auditor"), Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private StateFolder state() {
        return StateFolder.in(folder.resolve(".state"));
    }

    private static String decoded(String part) {
        return new String(Base64.getUrlDecoder().decode(part), UTF_8);
    }

    private static long number(String claims, String name) {
        return Long.parseLong(claims.replaceAll(".*\"" + name + "\":([0-9]+).*", "$1"));
    }
}
