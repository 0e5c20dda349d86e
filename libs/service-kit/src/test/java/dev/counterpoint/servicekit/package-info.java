@NullMarked
package dev.counterpoint.servicekit;

import org.jspecify.annotations.NullMarked;
