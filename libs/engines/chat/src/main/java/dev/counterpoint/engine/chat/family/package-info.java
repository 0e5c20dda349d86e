/// What is known of models that are not Harmony: the marks of their reasoning, who opens them, how thinking
/// is turned on and off, and the form of their call ids. All of it is data, in `families.json`, each row
/// with its source.
@NullMarked
package dev.counterpoint.engine.chat.family;

import org.jspecify.annotations.NullMarked;
