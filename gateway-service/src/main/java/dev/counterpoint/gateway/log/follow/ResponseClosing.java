package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.audit.Closing;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.gateway.generation.ModelOutput;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Collects the [Closing] of an opted-in response from its outputs, so every owner of the log closes it alike. The
/// client does not wait for it: a next owner reads the log from frame 0 of each response that is not closed. Confined
/// to the following loop, but for [#keep].
public final class ResponseClosing {
    private static final int SUMMARY_CHARACTERS_MAX = 1 << 16;
    /// The gravest last.
    private static final List<String> VERDICTS = List.of("none", "described", "written", "withheld", "abandoned");

    private final Accepted accepted;
    private final MessageDigest answer;
    private final StringBuilder summary = new StringBuilder();
    private String verdict = "none";
    private boolean rawShown;
    private @Nullable String endedBy;
    private long endedAtMillis;
    private byte[] answerHash = new byte[0];
    private volatile boolean kept;

    ResponseClosing(Accepted accepted) {
        this.accepted = accepted;
        try {
            answer = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// Takes the next output.
    void accept(ModelOutput output) {
        switch (output) {
            case ModelOutput.Passage passage when passage.reasoning() -> rawShown = true;
            case ModelOutput.Passage passage ->
                answer.update(passage.delta().text().getBytes(StandardCharsets.UTF_8));
            case ModelOutput.SummarySentence sentence -> {
                atLeast(sentence.tier() == SummaryTier.WRITTEN ? "written" : "described");
                if (summary.length() < SUMMARY_CHARACTERS_MAX) {
                    summary.append(sentence.text());
                }
            }
            case ModelOutput.SummaryEnded ended -> atLeast(ended.withheld() ? "withheld" : "none");
            case ModelOutput.SummaryAbandoned _ -> atLeast("abandoned");
            case ModelOutput.Finished finished ->
                end(finished.end().finish(), finished.end().endedAtMillis());
            case ModelOutput.Stopped stopped -> end(stopped.reason(), 0);
            case ModelOutput.Hidden _, ModelOutput.SealedReasoning _, ModelOutput.Steered _ -> {}
        }
    }

    private void atLeast(String found) {
        verdict = VERDICTS.indexOf(found) > VERDICTS.indexOf(verdict) ? found : verdict;
    }

    private void end(Enum<?> how, long atMillis) {
        endedBy = how.name();
        endedAtMillis = atMillis;
        answerHash = answer.digest();
    }

    /// The closing once it is due; empty before the last output, and when the bus has it.
    public Optional<Closing> due(long nowMillis) {
        return Optional.ofNullable(kept ? null : endedBy)
                .map(how -> new Closing(
                        accepted.sealed().auditTerms(),
                        accepted.model(),
                        how,
                        endedAtMillis == 0 ? nowMillis : endedAtMillis,
                        answerHash,
                        verdict,
                        summary.toString(),
                        rawShown));
    }

    /// The bus has it. Any thread.
    public void keep() {
        kept = true;
    }

    boolean kept() {
        return kept;
    }
}
