/// The contract between the services: what they say to each other, and who may open it.
@NullMarked
package dev.counterpoint.bus;

import org.jspecify.annotations.NullMarked;
