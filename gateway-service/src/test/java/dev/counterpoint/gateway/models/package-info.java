@NullMarked
package dev.counterpoint.gateway.models;

import org.jspecify.annotations.NullMarked;
