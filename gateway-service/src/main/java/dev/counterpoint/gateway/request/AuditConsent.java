package dev.counterpoint.gateway.request;

import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.gateway.tenancy.Caller;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A request's words about keeping its raw trace, and the person whom the trace is about.
///
/// @param asked `reasoning_encrypt`, or null
/// @param safetyIdentifier the end user, or null
/// @param user the end user by its older name, or null
public record AuditConsent(
        @Nullable Boolean asked,
        @Nullable String safetyIdentifier,
        @Nullable String user) {
    /// The member of a request.
    public static final String MEMBER = "reasoning_encrypt";

    private static final String NO_EFFECT = MEMBER + ": nothing of the reasoning is kept, because the tenant has not"
            + " agreed to it or the key's setting is 'never'.";

    /// The terms on which the trace is kept; null when tenant, key and request do not all agree.
    ///
    /// @param conversation that the server holds, or empty
    public @Nullable AuditTerms terms(Caller caller, String conversation) {
        return caller.auditedBy(asked)
                .map(optIn -> new AuditTerms(optIn, subject(), conversation))
                .orElse(null);
    }

    /// A warning for a caller who wants a trace kept that is not kept.
    public Optional<String> warning(Caller caller) {
        return hasNoEffect(asked, caller) ? Optional.of(NO_EFFECT) : Optional.empty();
    }

    /// True if the request asks that its trace be kept, and tenant or key do not agree.
    ///
    /// @param asked `reasoning_encrypt`, or null
    public static boolean hasNoEffect(@Nullable Boolean asked, Caller caller) {
        return Boolean.TRUE.equals(asked) && caller.auditedBy(asked).isEmpty();
    }

    /// The end user; empty where the request names none.
    public String subject() {
        if (safetyIdentifier != null) {
            return safetyIdentifier;
        }
        return user == null ? "" : user;
    }

    /// Names no person.
    @Override
    public String toString() {
        return "Consent[asked=" + asked + "]";
    }
}
