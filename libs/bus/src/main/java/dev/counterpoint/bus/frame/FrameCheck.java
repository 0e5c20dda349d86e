package dev.counterpoint.bus.frame;

/// Separates genuine frames, by permitted writers, from all others. A [ResponseLog] asks it about each frame before
/// any rule sees the frame, in log order; so what anybody else appends is void for every reader alike.
@FunctionalInterface
public interface FrameCheck {
    /// True when the frame belongs to this log, is signed or tagged by who may write frames of its kind, and can be
    /// read.
    boolean genuine(Frame frame);
}
