package dev.counterpoint.bus.wire;

/// Bytes on the bus are no message of the expected kind, or one of a newer major version. Every `decode` throws it. The
/// text holds no content.
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedMessageException(String message) {
        super(message);
    }
}
