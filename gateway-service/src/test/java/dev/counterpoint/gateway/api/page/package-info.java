@NullMarked
package dev.counterpoint.gateway.api.page;

import org.jspecify.annotations.NullMarked;
