package dev.counterpoint.cli;

/// Ends a command with one line for the user. The line holds no key.
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Exit code of a request that the suite refused, or could not answer.
    static final int REFUSED = 1;
    /// Exit code of a command that could not ask.
    static final int NOT_ASKED = 2;

    private final int exitCode;

    private CommandFailure(int exitCode, String line) {
        super(line);
        this.exitCode = exitCode;
    }

    static CommandFailure refused(String line) {
        return new CommandFailure(REFUSED, line);
    }

    static CommandFailure notAsked(String line) {
        return new CommandFailure(NOT_ASKED, line);
    }

    int exitCode() {
        return exitCode;
    }
}
