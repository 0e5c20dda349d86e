package dev.counterpoint.servicekit;

import java.util.List;

/// A bean that knows misconfigurations of this service.
public interface MisconfigurationSource {
    /// Those that hold now. Called with each question after this service's readiness.
    List<Misconfiguration> misconfigurations();
}
