/// Processes of one machine: programs, PostgreSQL, ports.
@NullMarked
package dev.counterpoint.infra;

import org.jspecify.annotations.NullMarked;
