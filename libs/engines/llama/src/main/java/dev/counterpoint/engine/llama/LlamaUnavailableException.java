package dev.counterpoint.engine.llama;

/// llama.cpp cannot be used here; the message names the cause and a remedy.
public final class LlamaUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LlamaUnavailableException(String message) {
        super(message);
    }

    LlamaUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
