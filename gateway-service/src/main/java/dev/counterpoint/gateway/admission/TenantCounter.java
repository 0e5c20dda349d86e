package dev.counterpoint.gateway.admission;

import java.util.HashMap;
import java.util.Map;

/// Counts something of all tenants and of each. Not thread-safe.
final class TenantCounter {
    private final Map<String, Integer> byTenant = new HashMap<>();
    private int all;

    void add(String tenant) {
        all++;
        byTenant.merge(tenant, 1, Integer::sum);
    }

    void remove(String tenant) {
        all--;
        byTenant.computeIfPresent(tenant, (_, count) -> count == 1 ? null : count - 1);
    }

    int all() {
        return all;
    }

    int of(String tenant) {
        return byTenant.getOrDefault(tenant, 0);
    }
}
