/// Exports: records with their proofs, encrypted to recipients.
@NullMarked
package dev.counterpoint.audit.export;

import org.jspecify.annotations.NullMarked;
