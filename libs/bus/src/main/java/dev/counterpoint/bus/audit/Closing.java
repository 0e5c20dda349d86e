package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;

/// What the owning gateway attests of an opted-in response once its log has ended: the second half of the evidence,
/// beside the worker's [Trace]. Sealed to the audit service within an [AccessEntry], which names tenant, response and
/// API key. Every owner of the log attests the same; the first closing counts.
///
/// @param terms an [AuditTerms] as frame 0 carries it, sealed to the audit service
/// @param model that was asked for
/// @param endedBy an [dev.counterpoint.bus.frame.End.Finish] or [dev.counterpoint.bus.frame.OwnerEnd.Reason]
/// @param endedAtMillis milliseconds since 1970
/// @param answerHash SHA-256 of the texts of the visible lane, in order, in UTF-8
/// @param verdict what became of the summary: `none`, `described`, `written`, `withheld` or `abandoned`
/// @param summary as the caller gets it
/// @param rawShown whether the caller gets raw reasoning
public record Closing(
        byte[] terms,
        String model,
        String endedBy,
        long endedAtMillis,
        byte[] answerHash,
        String verdict,
        String summary,
        boolean rawShown) {
    private static final int VERSION = 1;

    /// The context that a sealed closing is bound to.
    public static String context(String tenant, ResponseId response) {
        return "audit-closing|" + tenant + "|" + response;
    }

    /// Shows no content.
    @Override
    public String toString() {
        return "Closing[endedBy=%s, verdict=%s]".formatted(endedBy, verdict);
    }

    public byte[] encode() {
        return BusProto.Closing.newBuilder()
                .setVersion(VERSION)
                .setTerms(Wire.bytes(terms))
                .setModelBytes(Wire.text(model))
                .setEndedByBytes(Wire.text(endedBy))
                .setEndedAtMillis(endedAtMillis)
                .setAnswerHash(Wire.bytes(answerHash))
                .setVerdictBytes(Wire.text(verdict))
                .setSummaryBytes(Wire.text(summary))
                .setRawShown(Wire.flag(rawShown))
                .build()
                .toByteArray();
    }

    public static Closing decode(byte[] bytes) {
        var in = Wire.parse(BusProto.Closing.parser(), bytes, VERSION);
        return new Closing(
                in.getTerms().toByteArray(),
                in.getModel(),
                in.getEndedBy(),
                in.getEndedAtMillis(),
                in.getAnswerHash().toByteArray(),
                in.getVerdict(),
                in.getSummary(),
                in.getRawShown() != 0);
    }
}
