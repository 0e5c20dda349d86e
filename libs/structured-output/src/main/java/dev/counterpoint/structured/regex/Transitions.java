package dev.counterpoint.structured.regex;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where each byte leads from one state: bytes of one class lead to the same one.
public final class Transitions {
    static final int BYTES = 256;

    private final byte[] classes;
    private final @Nullable Regex[] targets;

    private final boolean isFinal;

    /// @param classes the class of each byte
    /// @param targets of each class; null where nothing matches
    Transitions(byte[] classes, @Nullable Regex[] targets) {
        this.classes = classes;
        this.targets = targets;
        isFinal = Arrays.stream(targets).allMatch(target -> target == null);
    }

    public @Nullable Regex step(int value) {
        return targets[classes[value] & 0xff];
    }

    byte[] classes() {
        return classes;
    }

    @Nullable
    Regex[] targets() {
        return targets;
    }

    /// True if no byte may follow.
    public boolean isFinal() {
        return isFinal;
    }
}
