/// Traces of requests across the services, exported by OTLP. Off unless an endpoint is set.
@NullMarked
package dev.counterpoint.servicekit.tracing;

import org.jspecify.annotations.NullMarked;
