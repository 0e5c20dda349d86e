/// What a model may say next: masks over tokens.
@NullMarked
package dev.counterpoint.worker.constraint;

import org.jspecify.annotations.NullMarked;
