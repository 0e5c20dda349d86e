@NullMarked
package dev.counterpoint.local.doctor;

import org.jspecify.annotations.NullMarked;
