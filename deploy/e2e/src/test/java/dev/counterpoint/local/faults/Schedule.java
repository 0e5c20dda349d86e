package dev.counterpoint.local.faults;

import dev.counterpoint.local.faults.Fault.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/// Draws which faults come when: a pure function of seed, length and brokers. A process is left alone for a while after
/// each of its faults, so that it is hurt while it works and not while it starts. Both processes of a role are out at
/// once only now and then, and the only broker and the database never: a suite that is always away has nothing to lose.
/// Of several brokers one is out at a time, whatever becomes of the database, and long enough for another to lead. The
/// database hangs for all services once in one to two minutes, while these are struck too.
final class Schedule {
    private static final Duration CALM = Duration.ofSeconds(3);
    private static final long PAUSE_MIN_MILLIS = 800;
    private static final long PAUSE_MAX_MILLIS = 5_000;
    private static final long LASTS_MIN_MILLIS = 500;
    private static final long LASTS_MAX_MILLIS = 12_000;
    /// How long broker and database are frozen at most: all else waits meanwhile.
    private static final long SERVER_LASTS_MAX_MILLIS = 5_000;
    /// How long the database hangs for everybody: from less to more than a gateway waits for a row (30 s).
    private static final long HANG_MIN_MILLIS = 5_000;
    private static final long HANG_MAX_MILLIS = 45_000;
    private static final long FIRST_HANG_MIN_MILLIS = 15_000;
    private static final long FIRST_HANG_MAX_MILLIS = 30_000;
    private static final long HANGS_APART_MIN_MILLIS = 60_000;
    private static final long HANGS_APART_MAX_MILLIS = 120_000;
    /// A JVM is back after some ten seconds on a busy machine; one that stops in order may take as long before.
    private static final Duration REST_AFTER_DEATH = Duration.ofSeconds(25);

    private static final Duration REST = Duration.ofSeconds(8);
    private static final Duration REST_OF_SERVERS = Duration.ofSeconds(20);
    private static final int SERVERS_EVERY = 6;
    private static final int SERVERS_OF_A_CLUSTER_EVERY = 3;
    private static final int BOTH_OF_A_ROLE_EVERY = 8;
    private static final List<Kind> ANYWHERE = List.of(Kind.KILL, Kind.STOP, Kind.FREEZE);

    private final Random random;
    private final List<String> brokers;
    private final Map<String, Duration> restsUntil = new HashMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private Duration nextHang;

    private Schedule(long seed, List<String> brokers) {
        random = new Random(seed);
        this.brokers = brokers;
        nextHang = Duration.ofMillis(random(random, FIRST_HANG_MIN_MILLIS, FIRST_HANG_MAX_MILLIS));
    }

    /// @param length after which no fault begins or lasts
    /// @param brokers their names
    static List<Fault> of(long seed, Duration length, List<String> brokers) {
        var schedule = new Schedule(seed, brokers);
        var at = CALM;
        while (at.compareTo(length) < 0) {
            schedule.hang(at, length);
            schedule.draw(at, length);
            at = at.plusMillis(random(schedule.random, PAUSE_MIN_MILLIS, PAUSE_MAX_MILLIS));
        }
        return schedule.faults.stream().sorted(Comparator.comparing(Fault::at)).toList();
    }

    private static long random(Random random, long min, long max) {
        return min + random.nextLong(max - min + 1);
    }

    /// Services are struck meanwhile as ever.
    private void hang(Duration at, Duration length) {
        if (at.compareTo(nextHang) < 0 || !mayBeStruck(Cast.DATABASE, at, false)) {
            return;
        }
        long left = length.minus(at).toMillis();
        if (left >= HANG_MIN_MILLIS) {
            var lasts = Duration.ofMillis(random(random, HANG_MIN_MILLIS, Math.min(left, HANG_MAX_MILLIS)));
            var fault = new Fault(at, Kind.HANG_DATABASE, Cast.DATABASE, lasts);
            faults.add(fault);
            restsUntil.put(Cast.DATABASE, fault.end().plus(rest(fault)));
            nextHang = fault.end().plusMillis(random(random, HANGS_APART_MIN_MILLIS, HANGS_APART_MAX_MILLIS));
        }
    }

    private void draw(Duration at, Duration length) {
        boolean server = random.nextInt(isCluster() ? SERVERS_OF_A_CLUSTER_EVERY : SERVERS_EVERY) == 0;
        boolean both = random.nextInt(BOTH_OF_A_ROLE_EVERY) == 0;
        var targets = (server ? servers() : Cast.SERVICES)
                .stream().filter(name -> mayBeStruck(name, at, both)).toList();
        if (targets.isEmpty()) {
            return;
        }
        var target = targets.get(random.nextInt(targets.size()));
        var kinds = kinds(target);
        var kind = kinds.get(random.nextInt(kinds.size()));
        var fault = new Fault(at, kind, target, lasts(kind, target));
        if (fault.end().compareTo(length) <= 0) {
            faults.add(fault);
            restsUntil.put(target, fault.end().plus(rest(fault)));
        }
    }

    private boolean mayBeStruck(String name, Duration at, boolean both) {
        if (Cast.isService(name)) {
            return rested(name, at) && (both || rested(Cast.partner(name), at));
        }
        return notTogetherWith(name).stream().allMatch(other -> rested(other, at));
    }

    private List<String> notTogetherWith(String server) {
        if (!isCluster()) {
            return servers();
        }
        return brokers.contains(server) ? brokers : List.of(server);
    }

    private boolean isCluster() {
        return brokers.size() > 1;
    }

    private List<String> servers() {
        return Stream.concat(brokers.stream(), Stream.of(Cast.DATABASE)).toList();
    }

    private boolean rested(String name, Duration at) {
        return restsUntil.getOrDefault(name, Duration.ZERO).compareTo(at) <= 0;
    }

    private List<Kind> kinds(String target) {
        var kinds = new ArrayList<>(ANYWHERE);
        if (isCluster() && brokers.contains(target)) {
            kinds.add(Kind.KILL);
        }
        if (Cast.isService(target)) {
            kinds.addAll(List.of(Kind.KILL, Kind.CUT_BROKER, Kind.STALL_BROKER));
        }
        if (Cast.usesDatabase(target)) {
            kinds.addAll(List.of(Kind.CUT_DATABASE, Kind.STALL_DATABASE));
        }
        return kinds;
    }

    private Duration lasts(Kind kind, String target) {
        boolean allWait = target.equals(Cast.DATABASE) || !isCluster() && brokers.contains(target);
        return switch (kind) {
            case KILL, STOP -> Duration.ZERO;
            case FREEZE, CUT_BROKER, STALL_BROKER, CUT_DATABASE, STALL_DATABASE, HANG_DATABASE ->
                Duration.ofMillis(
                        random(random, LASTS_MIN_MILLIS, allWait ? SERVER_LASTS_MAX_MILLIS : LASTS_MAX_MILLIS));
        };
    }

    private Duration rest(Fault fault) {
        boolean server = !Cast.isService(fault.target()) && !isCluster();
        return switch (fault.kind()) {
            case KILL, STOP -> server ? REST_OF_SERVERS : REST_AFTER_DEATH;
            case FREEZE, CUT_BROKER, STALL_BROKER, CUT_DATABASE, STALL_DATABASE, HANG_DATABASE ->
                server ? REST_OF_SERVERS : REST;
        };
    }
}
