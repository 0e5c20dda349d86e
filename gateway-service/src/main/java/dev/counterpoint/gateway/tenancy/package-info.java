/// Tenants, API keys, scopes, quotas and usage.
@NullMarked
package dev.counterpoint.gateway.tenancy;

import org.jspecify.annotations.NullMarked;
