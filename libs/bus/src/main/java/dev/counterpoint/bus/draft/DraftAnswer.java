package dev.counterpoint.bus.draft;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Numbered;
import dev.counterpoint.bus.wire.Wire;
import java.nio.charset.StandardCharsets;

/// One record of [Topic#DRAFT_ANSWERS], signed by a worker: what became of a [DraftRequest]. A request may be
/// answered twice, when its worker seemed to be dead; the first answer counts.
///
/// @param id of the request
/// @param sealedText the text, sealed to summarizers and bound to the request's id and response; empty unless
///     written
/// @param promptTokens tokens of the prompt
/// @param sampledTokens tokens that the model wrote, also where nothing came of them
public record DraftAnswer(DraftId id, Outcome outcome, byte[] sealedText, int promptTokens, int sampledTokens) {
    private static final int VERSION = 1;

    /// What became of a draft. Positions are on the wire and never change.
    public enum Outcome implements Numbered {
        /// The model came to its end, and the text fits the schema.
        WRITTEN,
        /// There is no text, and none will come.
        FAILED;

        @Override
        public int number() {
            return ordinal() + 1;
        }
    }

    /// A text that a model wrote.
    @SuppressWarnings("checkstyle:ParameterNumber")
    public static DraftAnswer written(
            DraftRequest request, String text, int promptTokens, int sampledTokens, KeyRing worker) {
        var sealed = worker.sealFor(
                ServiceRole.SUMMARIZER,
                text.getBytes(StandardCharsets.UTF_8),
                request.id().textContext(request.response()));
        return new DraftAnswer(request.id(), Outcome.WRITTEN, sealed, promptTokens, sampledTokens);
    }

    public static DraftAnswer failed(DraftRequest request, int promptTokens, int sampledTokens) {
        return new DraftAnswer(request.id(), Outcome.FAILED, new byte[0], promptTokens, sampledTokens);
    }

    /// The text that was written.
    ///
    /// @param request that this answers
    /// @throws SealException when it was sealed for another request or reader, or was altered, or nothing was
    ///     written
    public String open(DraftRequest request, KeyRing summarizer) {
        return new String(
                summarizer.open(sealedText, request.id().textContext(request.response())), StandardCharsets.UTF_8);
    }

    /// This answer as the record of its topic.
    public byte[] signed(KeyRing worker) {
        return worker.signatures().sign(SignedRecord.DRAFT_ANSWER, Topic.DRAFT_ANSWERS, encode());
    }

    /// Reads a record.
    ///
    /// @throws SealException when no worker signed it; this is counted
    /// @throws MalformedMessageException when it is no answer
    public static DraftAnswer verified(byte[] record, KeyRing keys) {
        return decode(keys.signatures().verified(SignedRecord.DRAFT_ANSWER, Topic.DRAFT_ANSWERS, record));
    }

    public byte[] encode() {
        return BusProto.DraftAnswer.newBuilder()
                .setVersion(VERSION)
                .setIdHigh(id.high())
                .setIdLow(id.low())
                .setOutcome(outcome.number())
                .setSealedText(Wire.bytes(sealedText))
                .setPromptTokens(promptTokens)
                .setSampledTokens(sampledTokens)
                .build()
                .toByteArray();
    }

    /// An outcome of a newer version means that there is no text.
    public static DraftAnswer decode(byte[] bytes) {
        var in = Wire.parse(BusProto.DraftAnswer.parser(), bytes, VERSION);
        return new DraftAnswer(
                DraftId.of(in.getIdHigh(), in.getIdLow()),
                Wire.constant(in.getOutcome(), Outcome.values(), Outcome.FAILED),
                in.getSealedText().toByteArray(),
                Wire.small(in.getPromptTokens()),
                Wire.small(in.getSampledTokens()));
    }
}
