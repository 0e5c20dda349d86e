package dev.counterpoint.worker.engine.simulated;

/// Single steps of a worked solution, such as `17 + 25 = 42.`
final class Steps {
    private Steps() {}

    /// What a step comes to: what stands behind its last `=`, else all of it.
    static String result(String step) {
        int equals = step.lastIndexOf('=');
        return (equals < 0 ? step : step.substring(equals + 1)).strip().replaceFirst("\\.$", "");
    }
}
