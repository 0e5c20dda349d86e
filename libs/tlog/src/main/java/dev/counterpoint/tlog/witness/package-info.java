/// Witnesses: they sign a checkpoint only if it extends the last one they signed, so a log cannot show two
/// histories.
/// [dev.counterpoint.tlog.witness.WitnessClient] asks one, [dev.counterpoint.tlog.witness.WitnessServer] is one.
@NullMarked
package dev.counterpoint.tlog.witness;

import org.jspecify.annotations.NullMarked;
