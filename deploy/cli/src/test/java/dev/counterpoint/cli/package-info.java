@NullMarked
package dev.counterpoint.cli;

import org.jspecify.annotations.NullMarked;
