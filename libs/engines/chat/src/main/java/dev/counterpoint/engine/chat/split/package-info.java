/// Tells reasoning from answer in the text of models that are not Harmony, and takes Harmony apart that a
/// server left in its text. Pure but for its memory: however the text is cut, the same comes out.
@NullMarked
package dev.counterpoint.engine.chat.split;

import org.jspecify.annotations.NullMarked;
