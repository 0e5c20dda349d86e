package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.Numbered;

/// The lanes of frames: each says which services may open a frame's body.
public enum Lane implements Numbered {
    /// Decisions and signs of life; bodies hold no content.
    CONTROL,
    /// The text that the caller sees. Opened by gateways, workers and the summarizer.
    VISIBLE,
    /// Raw reasoning. Opened by workers and the summarizer; by the audit service and the gateway only when entitled.
    REASONING,
    /// Safe summaries, under the visible lane's key.
    SUMMARY
}
