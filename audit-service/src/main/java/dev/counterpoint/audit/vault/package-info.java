@NullMarked
package dev.counterpoint.audit.vault;

import org.jspecify.annotations.NullMarked;
