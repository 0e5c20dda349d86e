package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.LogModel.Ending;
import dev.counterpoint.bus.frame.LogModel.Reading;
import dev.counterpoint.bus.frame.ResponseLog.Verdict;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A reader of one log with the classes that services read with. Not thread-safe.
final class LogView {
    private final String tenant;
    private final LogTrust trust;
    private final ResponseLog log;
    private final List<Frame> valid = new ArrayList<>();
    /// Those that this reader has a key to.
    private final List<Integer> tokens = new ArrayList<>();
    private final ServiceRole role;
    /// Whether any key to raw reasoning came to this reader.
    private boolean raw;

    LogView(Frame accepted, String tenant, KeyRing keys) {
        this.tenant = tenant;
        role = keys.self();
        trust = Objects.requireNonNull(LogTrust.of(accepted, keys));
        log = new ResponseLog(trust);
    }

    /// What a reader knows of a log.
    ///
    /// @param valid the frames that count, but for repeated signs of a holder
    record State(
            int attempt, @Nullable Long holder, boolean broken, boolean ended, int nextSummary, List<Frame> valid) {}

    Verdict accept(Frame frame) {
        var verdict = log.accept(frame);
        boolean sign = frame.kind() == FrameKind.PROGRESS || frame.kind() == FrameKind.HANDOVER;
        if (verdict == Verdict.VALID && !(sign && valid.contains(frame))) {
            valid.add(frame);
            if (frame.kind() == FrameKind.DELTA) {
                open(frame);
            }
        }
        return verdict;
    }

    private void open(Frame frame) {
        var keys = trust.keysOf(frame.nonce());
        var delta = keys.delta(tenant, frame);
        raw |= keys.reasoning() != null;
        if (delta != null) {
            tokens.add(delta.tokens()[0]);
        }
    }

    State state() {
        return new State(log.attempt(), log.holder(), log.broken(), log.ended(), log.nextSummary(), List.copyOf(valid));
    }

    /// What this reader sees that the model of the log does not say, or an empty string. The walk's own promises hold
    /// of
    /// the model: so they hold of every reader that reads the same.
    String differenceFrom(Reading model) {
        boolean opensRaw = role != ServiceRole.GATEWAY;
        var mine = opensRaw
                ? model.tokens()
                : model.tokens().stream().filter(token -> token > 0).toList();
        if (!tokens.equals(mine)) {
            return " shows " + tokens + " for " + mine;
        }
        if (raw && !opensRaw) {
            return " has a key that no gateway signed for";
        }
        var holder = log.holder();
        boolean same = log.attempt() == model.attempt()
                && (holder == null ? LogModel.NOBODY : holder.intValue()) == model.holder()
                && log.ended() == (model.ending() != Ending.NONE);
        return same ? "" : " reads another log than the model";
    }

    static List<ServiceRole> readers() {
        return List.of(ServiceRole.GATEWAY, ServiceRole.WORKER, ServiceRole.SUMMARIZER);
    }
}
