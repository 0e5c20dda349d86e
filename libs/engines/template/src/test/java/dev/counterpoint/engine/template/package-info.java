@NullMarked
package dev.counterpoint.engine.template;

import org.jspecify.annotations.NullMarked;
