package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.LogModel.Ending;
import dev.counterpoint.bus.frame.LogModel.Event;
import dev.counterpoint.bus.frame.LogModel.Reading;
import dev.counterpoint.bus.seal.KeyRing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A service's keys in wrong hands, in a log that workers and owners go on with.
final class Intrusion {
    private final ServiceRole service;
    private final SealedEvents sealed;
    private final Map<ServiceRole, KeyRing> keys;
    private int forgedTexts;
    private int forgedEnds;

    /// @param sealed writes what is forged with the keys of `service`
    /// @param keys of the readers
    Intrusion(ServiceRole service, SealedEvents sealed, Map<ServiceRole, KeyRing> keys) {
        this.service = service;
        this.sealed = sealed;
        this.keys = keys;
    }

    /// Logs that show text which no model said.
    int forgedTexts() {
        return forgedTexts;
    }

    /// Logs that ended by what was forged.
    int forgedEnds() {
        return forgedEnds;
    }

    List<Event> events(String log, Reading view) {
        var kinds = switch (service) {
            case GATEWAY -> List.of(FrameKind.REISSUE, FrameKind.OWNER_END, FrameKind.DELTA, FrameKind.END);
            case WORKER -> List.of(FrameKind.FENCE, FrameKind.DELTA, FrameKind.END);
            case SUMMARIZER -> List.of(FrameKind.DELTA, FrameKind.END);
            case AUDIT -> List.<FrameKind>of();
        };
        return kinds.stream()
                .filter(kind -> view.holder() != LogModel.NOBODY || !ofHolder(kind))
                .flatMap(kind -> Forgeries.events(kind, view.attempt(), view.holder()).stream())
                .toList();
    }

    private static boolean ofHolder(FrameKind kind) {
        return kind == FrameKind.DELTA || kind == FrameKind.END;
    }

    String violation(String log) {
        var model = LogModel.readWithResponseLog(log);
        forgedTexts += model.tokens().contains(SealedEvents.FORGED) ? 1 : 0;
        var frames = sealed.of(log);
        List<LogView.State> states = new ArrayList<>();
        for (var role : LogView.readers()) {
            var view = new LogView(frames.getFirst(), sealed.tenant(), Objects.requireNonNull(keys.get(role)));
            frames.forEach(view::accept);
            states.add(view.state());
            var wrong = view.differenceFrom(model);
            if (!wrong.isEmpty()) {
                return role + wrong;
            }
        }
        if (!states.stream().allMatch(states.getFirst()::equals)) {
            return "readers see different logs";
        }
        var others = LogModel.violationOfAnyWriters(log, LogModel::readWithResponseLog);
        return others.isEmpty() ? violationOfDecisions(log, model) : others;
    }

    /// What the service may not decide is as if it had written nothing.
    private String violationOfDecisions(String log, Reading now) {
        var honest = new StringBuilder();
        boolean forgedEnd = false;
        for (int i = 0; i < log.length(); i++) {
            var event = Event.of(log.charAt(i));
            boolean forged = event.position() == SealedEvents.FORGED;
            forgedEnd |= forged && (event.kind() == FrameKind.END || event.kind() == FrameKind.OWNER_END);
            honest.append(forged ? "" : String.valueOf(log.charAt(i)));
        }
        boolean ended = forgedEnd && now.ending() != Ending.NONE;
        forgedEnds += ended ? 1 : 0;
        var without = LogModel.readWithResponseLog(honest.toString());
        if (ended || now.ending() != without.ending()) {
            return "";
        }
        return switch (service) {
            case SUMMARIZER, AUDIT ->
                now.attempt() == without.attempt() && now.holder() == without.holder()
                        ? ""
                        : "a summarizer moves an attempt";
            case WORKER -> now.attempt() == without.attempt() ? "" : "a worker opens an attempt";
            case GATEWAY -> now.holder() != SealedEvents.INTRUDER ? "" : "a gateway holds an attempt";
        };
    }
}
