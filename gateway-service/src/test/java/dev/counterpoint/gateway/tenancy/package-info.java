@NullMarked
package dev.counterpoint.gateway.tenancy;

import org.jspecify.annotations.NullMarked;
