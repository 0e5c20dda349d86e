/// Streaming over HTTP for engines whose model runs in servers of its own.
///
/// A [StreamedGeneration] is the worker's end of one output. One virtual thread makes the output through an
/// [UpstreamClient], which sends requests, reads each answer as an [EventStream], and tries another server after a
/// failure. [LoadBalancer] decides which server gets a request.
@NullMarked
package dev.counterpoint.engine.http;

import org.jspecify.annotations.NullMarked;
