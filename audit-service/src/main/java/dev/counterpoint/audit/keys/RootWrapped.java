package dev.counterpoint.audit.keys;

import java.util.Map;
import java.util.Optional;

/// What the root keys wrapped, in one place. [RootRewrap] wraps it anew when the root changes. Methods need an open
/// transaction.
public interface RootWrapped {
    /// Number of keys by the [KeyService.Version#header] of the version that wrapped them.
    Map<String, Long> versions();

    /// Wraps some of those anew that the current version did not wrap.
    ///
    /// @param after id of the last one that was looked at, empty at the start
    /// @return id of the last one that was looked at now; empty when there are no more
    Optional<String> wrapAnew(String after, int atMost);
}
