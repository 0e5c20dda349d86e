/// Drafts: small texts that a summarizer asks the model for, written while enough slots are free.
@NullMarked
package dev.counterpoint.worker.draft;

import org.jspecify.annotations.NullMarked;
