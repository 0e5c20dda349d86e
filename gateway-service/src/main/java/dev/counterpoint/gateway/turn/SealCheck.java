package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SealedReasoning;
import java.time.InstantSource;

/// Whether sealed reasoning is whole, of this tenant and model, and not expired.
@FunctionalInterface
public interface SealCheck {
    boolean valid(String blob);

    /// What the reasoning of a caller is bound to.
    static String context(String tenant, String model) {
        return tenant + "|" + model;
    }

    static SealCheck of(KeyRing keys, InstantSource clock, String context) {
        return blob -> {
            try {
                SealedReasoning.check(blob, context, clock.millis(), keys);
                return true;
            } catch (SealException e) {
                return false;
            }
        };
    }
}
