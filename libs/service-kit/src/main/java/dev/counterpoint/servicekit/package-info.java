/// What every service does alike.
@NullMarked
package dev.counterpoint.servicekit;

import org.jspecify.annotations.NullMarked;
