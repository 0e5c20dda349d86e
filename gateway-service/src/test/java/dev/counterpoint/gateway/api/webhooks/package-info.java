@NullMarked
package dev.counterpoint.gateway.api.webhooks;

import org.jspecify.annotations.NullMarked;
