/// The suite measured from outside: an open-loop load over HTTP against a paced upstream, the suite and other gateways.
@NullMarked
package dev.counterpoint.bench;

import org.jspecify.annotations.NullMarked;
