@NullMarked
package dev.counterpoint.infra.broker;

import org.jspecify.annotations.NullMarked;
