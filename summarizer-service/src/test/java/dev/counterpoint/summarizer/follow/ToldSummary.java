package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.frame.SummaryEnd;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.testkit.TestKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads a summary from a log as a gateway does. `0¶text` opens a part of message 0, `0+text` goes on, `0.` ends the
/// message, `0!` ends it as withheld.
final class ToldSummary {
    private @Nullable LogTrust trust;
    private @Nullable ResponseLog log;
    private final List<String> told = new ArrayList<>();
    private final List<SummaryTier> tiers = new ArrayList<>();

    /// The tiers of the parts.
    static List<SummaryTier> tiersOf(List<Frame> frames) {
        var summary = new ToldSummary();
        frames.forEach(summary::accept);
        return summary.tiers;
    }

    static List<String> of(List<Frame> frames) {
        var summary = new ToldSummary();
        frames.forEach(summary::accept);
        return summary.told();
    }

    void accept(Frame frame) {
        if (log == null) {
            trust = Objects.requireNonNull(LogTrust.of(frame, TestKeys.of(ServiceRole.GATEWAY)));
            log = new ResponseLog(trust);
        }
        if (log.accept(frame) == ResponseLog.Verdict.VOID) {
            return;
        }
        if (frame.kind() == FrameKind.SUMMARY) {
            var sentence = SummarySentence.decode(opened(frame));
            tiers.add(sentence.tier());
            told.add(frame.message() + (sentence.opensPart() ? "¶" : "+") + sentence.text());
        } else if (frame.kind() == FrameKind.SUMMARY_END) {
            told.add(frame.message() + (SummaryEnd.decode(opened(frame)).withheld() ? "!" : "."));
        }
    }

    private byte[] opened(Frame frame) {
        var visible = Objects.requireNonNull(trust).keysOf(frame.nonce()).visible();
        return Objects.requireNonNull(visible).open(ResponseLogWriter.TENANT, frame);
    }

    List<String> told() {
        return List.copyOf(told);
    }
}
