package dev.counterpoint.servicekit;

/// Refuses a request: thrown anywhere, answered by the service's one mapper. No bug, so it carries no stack trace
/// and is not logged.
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient HttpProblem problem;

    public ProblemException(HttpProblem problem) {
        super(problem.message(), null, false, false);
        this.problem = problem;
    }

    public HttpProblem problem() {
        return problem;
    }
}
