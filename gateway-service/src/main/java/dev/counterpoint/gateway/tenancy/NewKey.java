package dev.counterpoint.gateway.tenancy;

import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The properties of a key that is about to be created.
///
/// @param name for people
/// @param project one word; [Owner#DEFAULT_PROJECT] for tenants that have only one
/// @param expiresAt null for never
/// @param limits sets those that it is to have, beside its tenant's
public record NewKey(
        String name,
        String project,
        Set<Scope> scopes,
        AuditSetting audit,
        @Nullable Instant expiresAt,
        Consumer<Limits> limits) {}
