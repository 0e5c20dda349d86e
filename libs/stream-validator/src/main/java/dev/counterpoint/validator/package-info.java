/// Judges whether a stream of the Responses API or of Chat Completions is right: its framing, each event's schema,
/// their order, and that the pieces add up to the whole. [dev.counterpoint.validator.StreamValidator] is the way in.
@NullMarked
package dev.counterpoint.validator;

import org.jspecify.annotations.NullMarked;
