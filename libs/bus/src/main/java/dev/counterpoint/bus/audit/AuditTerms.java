package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;
import java.text.Normalizer;

/// The terms of the audit of a response, and the person whom its record is about. Sealed by the gateway to the audit
/// service, carried unopened by everybody else, because it names a person.
///
/// @param optIn id of the tenant's opt-in object that allows the record
/// @param subject the end user as the request names it (`safety_identifier`, else `user`); may be empty
/// @param conversation id of the conversation, as far as the server holds one; may be empty
public record AuditTerms(String optIn, String subject, String conversation) {
    private static final int VERSION = 1;

    public AuditTerms {
        subject = personName(subject);
    }

    /// A person's name as all services compare it: in NFC and without blanks around it.
    public static String personName(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFC).strip();
    }

    /// The context that sealed terms are bound to.
    public static String context(String tenant, ResponseId response) {
        return "audit-terms|" + tenant + "|" + response;
    }

    /// Names no person.
    @Override
    public String toString() {
        return "AuditTerms[optIn=%s, subject=%s]".formatted(optIn, subject.isEmpty() ? "none" : "named");
    }

    public byte[] encode() {
        return BusProto.AuditTerms.newBuilder()
                .setVersion(VERSION)
                .setOptInBytes(Wire.text(optIn))
                .setSubjectBytes(Wire.text(subject))
                .setConversationBytes(Wire.text(conversation))
                .build()
                .toByteArray();
    }

    public static AuditTerms decode(byte[] bytes) {
        var in = Wire.parse(BusProto.AuditTerms.parser(), bytes, VERSION);
        return new AuditTerms(in.getOptIn(), in.getSubject(), in.getConversation());
    }
}
