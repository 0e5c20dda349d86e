/// Requests, items, tools, responses and stream events of the Responses API.
@NullMarked
package dev.counterpoint.openai.responses;

import org.jspecify.annotations.NullMarked;
