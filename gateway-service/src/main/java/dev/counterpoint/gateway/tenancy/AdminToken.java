package dev.counterpoint.gateway.tenancy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.gateway.config.GatewayConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.MessageDigest;

/// The one secret that opens `/admin`; while none is configured, nothing does.
@ApplicationScoped
class AdminToken {
    private final byte[] expected;

    AdminToken(GatewayConfig config) {
        expected = config.adminToken().orElse("").getBytes(UTF_8);
    }

    boolean isConfigured() {
        return expected.length > 0;
    }

    /// Takes the same time wherever the first difference is.
    boolean is(String given) {
        return isConfigured() && MessageDigest.isEqual(expected, given.getBytes(UTF_8));
    }
}
