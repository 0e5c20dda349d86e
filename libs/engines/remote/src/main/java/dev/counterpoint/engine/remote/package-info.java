/// Models that run in servers of their own: vLLM, SGLang and llama-server, token ids over HTTP.
///
/// One virtual thread ([RemoteRun]) sends as many requests as an output takes. A [ServerDialect] is the wire format of
/// one kind of server.
@NullMarked
package dev.counterpoint.engine.remote;

import org.jspecify.annotations.NullMarked;
