package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.keys.KeyService;
import dev.counterpoint.audit.keys.RootWrapped;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The erasures, which the root seals in their topic and in the table `erasure`, with the tenants' keys in them.
/// Thread-safe.
@ApplicationScoped
class WrappedErasures implements RootWrapped {
    private final ErasureLog log;
    private final ErasureRepository rows;
    private final EnvelopeKeys keys;
    private final KeyService root;

    WrappedErasures(ErasureLog log, ErasureRepository rows, EnvelopeKeys keys, KeyService root) {
        this.log = log;
        this.rows = rows;
        this.keys = keys;
        this.root = root;
    }

    @Override
    public Map<String, Long> versions() {
        return Stream.of(
                        log.versions().values().stream(),
                        inTable().values().stream(),
                        log.entries().stream().flatMap(WrappedErasures::inside))
                .flatMap(Function.identity())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private Map<String, String> inTable() {
        var headers = new HashMap<String, String>();
        rows.stream("sealed is not null").forEach(row -> {
            var sealed = row.sealed;
            headers.put(row.id, sealed == null ? "" : KeyService.Version.header(sealed));
        });
        return headers;
    }

    private static Stream<String> inside(LoggedErasure entry) {
        var tenant = entry.tenantKeys();
        return tenant == null
                ? Stream.empty()
                : Stream.of(tenant.key(), tenant.searchKey()).map(KeyService.Version::header);
    }

    /// The old record stays in the topic; the new one behind it counts.
    @Override
    public Optional<String> wrapAnew(String after, int atMost) {
        log.requireCurrent();
        var roots = root.describe();
        var current = roots.current().header();
        var readable = roots.readable().stream().map(KeyService.Version::header).collect(Collectors.toSet());
        var table = inTable();
        var topic = log.versions();
        var others = log.entries().stream()
                .filter(entry -> entry.id().compareTo(after) > 0)
                .filter(entry -> !Stream.concat(
                                Stream.of(
                                        topic.getOrDefault(entry.id(), current),
                                        table.getOrDefault(entry.id(), current)),
                                inside(entry))
                        .allMatch(current::equals))
                .sorted(Comparator.comparing(LoggedErasure::id))
                .limit(atMost)
                .toList();
        for (var entry : others) {
            if (!inside(entry).allMatch(readable::contains)) {
                continue; // health names the root key that is missing
            }
            var tenant = entry.tenantKeys();
            var sealed = log.seal(tenant == null ? entry : entry.with(keys.wrappedAnew(entry.tenant(), tenant)));
            rows.update("sealed = ?1 where id = ?2", sealed, entry.id());
            log.append(entry.id(), sealed);
        }
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(others.getLast().id());
    }
}
