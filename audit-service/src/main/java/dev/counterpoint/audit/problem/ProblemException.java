package dev.counterpoint.audit.problem;

/// Refuses a request: thrown anywhere, answered by the one mapper. No bug, so it carries no stack trace.
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.message(), null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
