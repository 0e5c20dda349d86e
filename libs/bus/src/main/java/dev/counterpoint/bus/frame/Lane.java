package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.Numbered;

/// The lanes of frames: each says which services may open a frame's body.
public enum Lane implements Numbered {
    /// Decisions and signs of life; bodies hold no content.
    CONTROL(0),
    /// The text that the caller sees. Opened by gateways, workers and the summarizer.
    VISIBLE(1),
    /// Raw reasoning. Opened by workers and the summarizer; by the audit service and the gateway only when entitled.
    REASONING(2),
    /// Safe summaries, under the visible lane's key.
    SUMMARY(3);

    private final int number;

    Lane(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
