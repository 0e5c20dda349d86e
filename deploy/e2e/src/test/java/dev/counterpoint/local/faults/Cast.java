package dev.counterpoint.local.faults;

import java.util.List;
import java.util.stream.IntStream;

/// The processes that faults can strike, by name as the launcher knows them.
final class Cast {
    private static final String BROKER = "kafka";
    static final String DATABASE = "postgres";
    static final List<String> GATEWAYS = List.of("gateway-1", "gateway-2");
    static final List<String> WORKERS = List.of("worker-1", "worker-2");
    static final List<String> SUMMARIZERS = List.of("summarizer", "summarizer-2");
    static final List<String> AUDITS = List.of("audit", "audit-2");
    /// Two of each.
    static final List<List<String>> ROLES = List.of(GATEWAYS, WORKERS, SUMMARIZERS, AUDITS);

    static final List<String> SERVICES = ROLES.stream().flatMap(List::stream).toList();

    private Cast() {}

    /// One broker, or several that keep copies of each other's records.
    static List<String> brokers(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> number == 1 ? BROKER : BROKER + "-" + number)
                .toList();
    }

    static boolean isService(String name) {
        return SERVICES.contains(name);
    }

    /// Whether it keeps something in the database.
    static boolean usesDatabase(String name) {
        return GATEWAYS.contains(name) || AUDITS.contains(name);
    }

    /// The other one of its role; itself where it is alone.
    static String partner(String name) {
        return ROLES.stream()
                .filter(role -> role.contains(name))
                .flatMap(List::stream)
                .filter(other -> !other.equals(name))
                .findFirst()
                .orElse(name);
    }
}
