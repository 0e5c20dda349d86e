@NullMarked
package dev.counterpoint.gateway.api.admin;

import org.jspecify.annotations.NullMarked;
