package dev.counterpoint.openai.responses;

import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// A warning about an imminent action of a computer; `code` names the kind, `message` explains it to people.
public record SafetyCheck(
        String id, @Nullable String code, @Nullable String message, Others others) {}
