/// Moderation that a request asks for and an answer reports.
@NullMarked
package dev.counterpoint.openai.moderation;

import org.jspecify.annotations.NullMarked;
