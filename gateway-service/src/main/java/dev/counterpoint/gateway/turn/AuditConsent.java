package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.gateway.tenancy.Caller;
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
    /// The terms on which the trace is kept; null when tenant, key and request do not all agree.
    ///
    /// @param conversation that the server holds, or empty
    public @Nullable AuditTerms terms(Caller caller, String conversation) {
        return caller.auditedBy(asked)
                .map(optIn -> new AuditTerms(optIn, subject(), conversation))
                .orElse(null);
    }

    private String subject() {
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
