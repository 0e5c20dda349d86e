package dev.counterpoint.bus.seal;

import dev.counterpoint.bus.ServiceRole;

/// Seals content so that only services of one role open it.
@FunctionalInterface
public interface ContentSealer {
    /// @param context where it opens, and nowhere else
    byte[] sealFor(ServiceRole reader, byte[] content, String context);
}
