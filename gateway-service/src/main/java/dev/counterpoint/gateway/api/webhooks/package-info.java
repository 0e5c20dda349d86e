/// Webhooks: endpoints of projects, and the delivery of events to them.
@NullMarked
package dev.counterpoint.gateway.api.webhooks;

import org.jspecify.annotations.NullMarked;
