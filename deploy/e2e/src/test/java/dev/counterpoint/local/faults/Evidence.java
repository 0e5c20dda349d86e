package dev.counterpoint.local.faults;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All that is left after a run, and what is wrong with it.
///
/// @param heard what callers got
/// @param logs what the log says, by id of the response
record Evidence(Collection<HeardAnswer> heard, Map<String, Told> logs) {
    /// What log and callers show.
    List<Violation> checkLogs() {
        var violations = new ArrayList<Violation>();
        var asks = asks();
        for (var told : logs.values()) {
            violations.addAll(LogCheck.check(told));
            var ask = asks.get(told.request());
            if (ask != null && ask.question().words() > 0) {
                violations.addAll(LogCheck.checkRecital(told, ask.question()));
            }
        }
        violations.addAll(LogCheck.checkSameTokens(logs.values(), comparable()));
        var byRequest = new HashMap<Integer, Told>();
        for (var told : logs.values()) {
            var other = byRequest.put(told.request(), told);
            if (other != null && asks.containsKey(told.request())) {
                violations.add(new Violation("a request is accepted once", told.toString(), "so is " + other));
            }
        }
        heard.forEach(one ->
                violations.addAll(ClientCheck.check(one, byRequest.get(one.ask().number()))));
        return violations;
    }

    /// What a run without faults must show beside.
    List<Violation> checkCalm() {
        return logs.values().stream()
                .filter(told -> told.segments().size() > 1)
                .map(told -> new Violation("without a fault nothing is re-issued", told.toString(), "it was"))
                .toList();
    }

    /// What the tables show.
    List<Violation> checkTables(FinalTables tables) {
        var rows = tables.rows();
        var violations = new ArrayList<>(TableCheck.checkRows(rows, logs, asks()));
        var told = heard.stream().flatMap(one -> one.id().stream()).collect(Collectors.toSet());
        violations.addAll(TableCheck.checkOrphans(TableCheck.orphans(rows, logs), told));
        violations.addAll(TableCheck.checkTraces(tables.traces(), logs.values()));
        violations.addAll(TableCheck.checkShown(tables.shown(), logs.values()));
        return violations;
    }

    private Map<Integer, AskedQuestion> asks() {
        return byNumber(heard.stream());
    }

    private Map<Integer, AskedQuestion> comparable() {
        return byNumber(heard.stream().filter(one -> !one.mayLackReasoning()));
    }

    private static Map<Integer, AskedQuestion> byNumber(Stream<HeardAnswer> heard) {
        return heard.map(HeardAnswer::ask).collect(Collectors.toMap(AskedQuestion::number, ask -> ask));
    }

    /// How the accepted ones ended.
    Map<String, Long> endings() {
        return logs.values().stream()
                .collect(Collectors.groupingBy(
                        told -> told.status() == null
                                ? "running"
                                : told.status().word(),
                        TreeMap::new,
                        Collectors.counting()));
    }

    /// Each request with what became of it, for whoever follows up a violation.
    List<String> lines() {
        return heard.stream()
                .sorted(Comparator.comparing(one -> one.ask().number()))
                .map(one -> "%d %s: %s %d %s %d events"
                        .formatted(
                                one.ask().number(),
                                one.ask().kind(),
                                one.outcome(),
                                one.status(),
                                one.id().orElse("-"),
                                one.events().size()))
                .toList();
    }

    /// What the log says that the simulated engine said, for the same.
    List<String> answers() {
        return logs.values().stream()
                .map(told -> told + " "
                        + told.messages().stream().map(Told.Message::toString).collect(Collectors.joining(" ")))
                .map(line -> line.replace("\n", "\\n"))
                .sorted()
                .toList();
    }

    /// How many requests there were of each kind.
    Map<String, Long> kinds() {
        return heard.stream()
                .collect(Collectors.groupingBy(one -> one.ask().kind(), TreeMap::new, Collectors.counting()));
    }

    /// How callers fared.
    Map<HeardAnswer.Outcome, Long> outcomes() {
        return heard.stream().collect(Collectors.groupingBy(HeardAnswer::outcome, TreeMap::new, Collectors.counting()));
    }

    /// Attempts beyond the first.
    long reissues() {
        return logs.values().stream()
                .mapToLong(told -> Math.max(0, told.segments().size() - 1))
                .sum();
    }
}
