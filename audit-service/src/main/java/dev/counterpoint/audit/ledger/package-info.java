@NullMarked
package dev.counterpoint.audit.ledger;

import org.jspecify.annotations.NullMarked;
