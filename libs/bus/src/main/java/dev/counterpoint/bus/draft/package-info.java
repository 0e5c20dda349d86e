/// Drafts: small texts that a service asks a model for, beside the jobs of callers.
@NullMarked
package dev.counterpoint.bus.draft;

import org.jspecify.annotations.NullMarked;
