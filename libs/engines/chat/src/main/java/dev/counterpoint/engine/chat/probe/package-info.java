/// Getting to know the model behind a server: what the server tells of itself, what the model does when it
/// is tried, and what follows for its text.
@NullMarked
package dev.counterpoint.engine.chat.probe;

import org.jspecify.annotations.NullMarked;
