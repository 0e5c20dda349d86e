package dev.counterpoint.audit.records;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.requests.RequestedAction;
import dev.counterpoint.audit.requests.RequestedAction.Erase;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.DurationConverter;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The classes of retention, from the settings; the service does not start when they make no sense. Thread-safe.
@Startup
@ApplicationScoped
public class RetentionClasses {
    private static final String NEWEST = "select r.key, max(r.acceptedAt) from RecordRow r where r.tenant = :tenant"
            + " and r.subjectToken is not null and (:whole = true or r.subjectToken = :token) group by r.key";

    private static final String CLASSES = "audit.retention-classes";
    private static final String NO_KEY = "";

    private final Map<String, RetentionClass> classes = new HashMap<>();
    private final Map<String, RetentionClass> tenants;
    private final Map<String, RetentionClass> keys;
    private final @Nullable RetentionClass usual;
    private final RecordRepository records;

    RetentionClasses(AuditConfig config, RecordRepository records) {
        this.records = records;
        for (var entry : config.retentionClasses().orElse(List.of())) {
            var one = RetentionClass.parse(entry);
            require(classes.put(one.name, one) == null, CLASSES, entry, "each name once");
        }
        usual = config.retentionDefault()
                .map(name -> named("audit.retention-default", name))
                .orElse(null);
        tenants = map("audit.retention-tenants", config.retentionTenants());
        keys = map("audit.retention-keys", config.retentionKeys());
    }

    /// @param min how long nobody erases a record after it was accepted
    /// @param max how long it stays
    record RetentionClass(String name, Duration min, Duration max) {
        private static final Pattern FORM = Pattern.compile("([^=]+)=(\\d{1,6}[smhd])\\.\\.(\\d{1,6}[smhd])");

        private static RetentionClass parse(String entry) {
            var form = FORM.matcher(entry.strip());
            require(form.matches(), CLASSES, entry, "name=min..max, such as standard=180d..3650d");
            var min = DurationConverter.parseDuration(form.group(2));
            var max = DurationConverter.parseDuration(form.group(3));
            require(max.isPositive() && min.compareTo(max) <= 0, CLASSES, entry, "a minimum up to its maximum");
            return new RetentionClass(form.group(1), min, max);
        }
    }

    private static void require(boolean fits, String setting, String value, String rule) {
        if (!fits) {
            throw new IllegalArgumentException("%s: '%s' is not %s".formatted(setting, value, rule));
        }
    }

    private RetentionClass named(String setting, String name) {
        var found = classes.get(name.strip());
        require(found != null, setting, name, "a class of " + CLASSES);
        return Objects.requireNonNull(found);
    }

    private Map<String, RetentionClass> map(String setting, Optional<List<String>> entries) {
        var mapped = new HashMap<String, RetentionClass>();
        for (var entry : entries.orElse(List.of())) {
            int at = entry.lastIndexOf('=');
            require(at > 0, setting, entry, "name=class");
            mapped.put(entry.substring(0, at).strip(), named(setting, entry.substring(at + 1)));
        }
        return mapped;
    }

    Optional<RetentionClass> of(String tenant, String key) {
        return Optional.ofNullable(keys.get(key))
                .or(() -> Optional.ofNullable(tenants.get(tenant)))
                .or(() -> Optional.ofNullable(usual));
    }

    /// Records of one class in a tenant.
    ///
    /// @param of whether these are the records of the keys, or all but those
    record Group(RetentionClass one, boolean of, Set<String> keys) {}

    List<Group> groups(String tenant) {
        var others = new HashSet<>(keys.keySet());
        others.add(NO_KEY);
        return Stream.concat(
                        new HashSet<>(keys.values()).stream().map(one -> new Group(one, true, keysOf(one))),
                        of(tenant, NO_KEY).stream().map(one -> new Group(one, false, others)))
                .toList();
    }

    private Set<String> keysOf(RetentionClass one) {
        return keys.keySet().stream().filter(key -> one.equals(keys.get(key))).collect(Collectors.toSet());
    }

    /// The shortest time that a record may stay; empty where all stay.
    Optional<Duration> shortest() {
        return classes.values().stream().map(RetentionClass::max).min(Duration::compareTo);
    }

    /// The time until which records stay that an action would erase, where that is still to come.
    public Optional<Instant> minimum(RequestedAction action) {
        if (classes.isEmpty()) {
            return Optional.empty();
        }
        var token = action instanceof Erase erase ? Objects.requireNonNull(erase.subjectToken()) : "";
        return records.getEntityManager()
                .createQuery(NEWEST, Object[].class)
                .setParameter("tenant", action.tenant())
                .setParameter("whole", token.isEmpty())
                .setParameter("token", HexFormat.of().parseHex(token))
                .getResultStream()
                .flatMap(row ->
                        of(action.tenant(), (String) row[0]).map(one -> ((Instant) row[1]).plus(one.min)).stream())
                .filter(Instant.now()::isBefore)
                .max(Instant::compareTo);
    }
}
