/// The command `counterpoint`, for operators and auditors. [dev.counterpoint.cli.Counterpoint] runs it.
@NullMarked
package dev.counterpoint.cli;

import org.jspecify.annotations.NullMarked;
