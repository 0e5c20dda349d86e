package dev.counterpoint.bus.wire;

/// Bytes on the bus that no version of ours wrote, or that a newer major version wrote. Every `decode` throws it for
/// bytes that are no message of its kind. The text holds no content.
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedMessageException(String message) {
        super(message);
    }
}
