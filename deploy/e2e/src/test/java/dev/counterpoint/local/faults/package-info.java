/// The fault run: processes of the suite are killed, frozen and cut off under load, and what callers saw, the log and
/// the tables are checked against each other.
@NullMarked
package dev.counterpoint.local.faults;

import org.jspecify.annotations.NullMarked;
