/// The reasoning that a request asks for and gets.
@NullMarked
package dev.counterpoint.gateway.reasoning;

import org.jspecify.annotations.NullMarked;
