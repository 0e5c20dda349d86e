package dev.counterpoint.audit.console;

import dev.counterpoint.audit.config.AuditConfig;
import io.quarkus.oidc.Oidc;
import io.quarkus.oidc.OidcTenantConfig;
import io.quarkus.oidc.runtime.OidcTenantConfig.ApplicationType;
import io.quarkus.oidc.runtime.OidcTenantConfig.Authentication.CookieSameSite;
import io.quarkus.oidc.runtime.OidcTenantConfig.Roles.Source;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets people sign in to the console at the OIDC server that the settings name, beside the tokens of the API.
final class ConsoleLogin {
    static final String SIGNED_OUT = "/console/signed-out";
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleLogin.class);
    private static final int SECRET_CHARACTERS_MIN = 32;
    /// Longer than any token lives, so each page load asks the server for new tokens: who was signed out there is
    /// signed out here, on every replica, and an idle session has old tokens. Quarkus' own back-channel logout
    /// fails beside that (a NullPointerException in each session once one was received).
    private static final Duration REFRESH_BEFORE_END = Duration.ofDays(365);

    private ConsoleLogin() {}

    /// @param roles and
    /// @param name claims of the API's tokens; the console's have the same
    static void register(
            @Observes Oidc oidc,
            AuditConfig config,
            @ConfigProperty(name = "quarkus.oidc.roles.role-claim-path") List<String> roles,
            @ConfigProperty(name = "quarkus.oidc.token.principal-claim") String name) {
        if (config.consoleIssuer().isEmpty()) {
            return;
        }
        var secret = config.consoleClientSecret()
                .filter(given -> given.length() >= SECRET_CHARACTERS_MIN)
                .orElseThrow(() -> new IllegalStateException(
                        "audit.console-client-secret is missing or has less than 32 characters"));
        if (!config.consoleSecureCookies()) {
            LOG.warn("console cookies=plain: they also go over HTTP (audit.console-secure-cookies=false)");
        }
        oidc.create(OidcTenantConfig.authServerUrl(config.consoleIssuer().get())
                .tenantId("console")
                .tenantPaths("/console", "/console/*")
                .applicationType(ApplicationType.WEB_APP)
                .clientId(config.consoleClientId())
                .credentials(secret)
                .roles(Source.accesstoken, roles.toArray(String[]::new))
                .authentication()
                .pkceRequired()
                .nonceRequired()
                .redirectPath("/console/signed-in")
                .restorePathAfterRedirect()
                .cookiePath("/console")
                .cookieSameSite(CookieSameSite.LAX)
                .cookieForceSecure(config.consoleSecureCookies())
                .verifyAccessToken()
                .end()
                .token()
                .principalClaim(name)
                .age(config.consoleIdle())
                .refreshExpired()
                .refreshTokenTimeSkew(REFRESH_BEFORE_END)
                .end()
                .tokenStateManager()
                .encryptionRequired()
                .encryptionSecret(secret)
                .end()
                .logout()
                .path("/console/sign-out")
                .postLogoutPath(SIGNED_OUT)
                .end()
                .build());
    }
}
