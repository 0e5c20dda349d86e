/// Examines the model behind a server: the facts that the server reports, the behaviour of the model in a trial,
/// and the resulting treatment of its text.
@NullMarked
package dev.counterpoint.engine.chat.probe;

import org.jspecify.annotations.NullMarked;
