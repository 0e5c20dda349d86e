/// Envelope encryption: root keyset, tenant keys, data keys.
@NullMarked
package dev.counterpoint.audit.keys;

import org.jspecify.annotations.NullMarked;
