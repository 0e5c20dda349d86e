package dev.counterpoint.engine;

/// Every slot of the engine is taken.
public final class EngineBusyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public EngineBusyException(int slots) {
        super("all " + slots + " slots are taken");
    }
}
