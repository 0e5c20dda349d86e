/// Models that run in servers of their own: vLLM, SGLang and llama-server, token ids over HTTP.
///
/// A [RemoteGeneration] is what the worker pulls; behind it one virtual thread ([RemoteRun]) sends as
/// many requests as the output takes. What differs between servers is a [Dialect]; which of several
/// servers gets a request is said by [Replicas].
@NullMarked
package dev.counterpoint.worker.engine.remote;

import org.jspecify.annotations.NullMarked;
