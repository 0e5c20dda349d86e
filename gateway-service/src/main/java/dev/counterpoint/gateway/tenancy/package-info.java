/// Tenants, API keys, scopes and quotas, and the endpoints that administer them.
@NullMarked
package dev.counterpoint.gateway.tenancy;

import org.jspecify.annotations.NullMarked;
