package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonValue;

/// `function_call` of requests from before tools: `auto` or `none`, or one function.
public sealed interface LegacyFunctionChoice {
    record Mode(@JsonValue String mode) implements LegacyFunctionChoice {}

    record Named(String name) implements LegacyFunctionChoice {}
}
