@NullMarked
package dev.counterpoint.broker;

import org.jspecify.annotations.NullMarked;
