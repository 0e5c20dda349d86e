@NullMarked
package dev.counterpoint.testkit.contract;

import org.jspecify.annotations.NullMarked;
