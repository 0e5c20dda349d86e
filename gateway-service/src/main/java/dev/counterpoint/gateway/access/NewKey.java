package dev.counterpoint.gateway.access;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a key is to be.
///
/// @param name for people
/// @param expiresAt null for never
record NewKey(
        String name,
        Set<Scope> scopes,
        AuditSetting audit,
        @Nullable Instant expiresAt) {}
