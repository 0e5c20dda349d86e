package dev.counterpoint.gateway.tenancy;

import org.jspecify.annotations.Nullable;

/// The rule by which responses to a key keep their raw trace for compliance staff, once the tenant agreed to it.
public enum AuditSetting {
    NEVER,
    /// When the request says so.
    ASK,
    /// Unless the request says otherwise.
    ALWAYS;

    boolean keeps(@Nullable Boolean asked) {
        return switch (this) {
            case NEVER -> false;
            case ASK -> Boolean.TRUE.equals(asked);
            case ALWAYS -> !Boolean.FALSE.equals(asked);
        };
    }
}
