package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.MalformedMessageException;

/// Who may open a frame's body.
public enum Lane {
    /// Decisions and signs of life; bodies hold no content.
    CONTROL(0),
    /// What the caller sees. Opened by gateways, workers and the summarizer.
    VISIBLE(1),
    /// Raw reasoning. Opened by workers and the summarizer; by the audit service and the gateway only when entitled.
    REASONING(2),
    /// Safe summaries, under the visible lane's key.
    SUMMARY(3);

    private final int number;

    Lane(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    static Lane of(int number) {
        for (var lane : values()) {
            if (lane.number == number) {
                return lane;
            }
        }
        throw new MalformedMessageException("no lane has the number " + number);
    }
}
