/// Who may ask for what: tenants, API keys, scopes, quotas, and the endpoints that administer them.
@NullMarked
package dev.counterpoint.gateway.access;

import org.jspecify.annotations.NullMarked;
