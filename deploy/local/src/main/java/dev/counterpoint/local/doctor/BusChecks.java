package dev.counterpoint.local.doctor;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.access.BusAccount;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.kafka.UnfitTopicException;
import dev.counterpoint.bus.seal.SealException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;

/// Whether a service gets to its brokers, and whether the topics there keep what they are given.
public final class BusChecks {
    private static final int CONNECT_MILLIS = 2_000;
    private static final long ANSWER_SECONDS = 10;
    /// As of the gateway's defaults.
    private static final String DEADLINE = "PT10M";

    private static final String REPLAY_WINDOW = "PT1H";

    private BusChecks() {}

    public static List<Misconfiguration> look(DiagnosedService service) {
        var silent = silent(service);
        if (!silent.isEmpty()) {
            return silent;
        }
        try (var admin = BusAccount.clients(service.bus(), service.keys(), service.role())
                .admin()) {
            admin.describeCluster().nodes().get(ANSWER_SECONDS, TimeUnit.SECONDS);
            return service.role() == ServiceRole.GATEWAY ? topics(service, admin) : List.of();
        } catch (SealException missing) {
            return List.of(new Misconfiguration(
                    "bus-login-missing",
                    "" + missing.getMessage(),
                    "`ProvisionBus accounts FOLDER`, then `ProvisionBus apply …` (docs/operations.md, Keys)"));
        } catch (ExecutionException | TimeoutException | KafkaException failure) {
            return List.of(refused(service, failure));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static Misconfiguration refused(DiagnosedService service, Exception failure) {
        var cause = failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof AuthenticationException
                ? new Misconfiguration(
                        "bus-password",
                        "the broker does not know the %s, or by another password".formatted(service),
                        "`ProvisionBus apply BOOTSTRAP ADMIN.properties FOLDER` brings the folder's accounts there")
                : new Misconfiguration(
                        "bus-refused",
                        "the broker at %s does not answer the %s: %s"
                                .formatted(
                                        service.bus(), service, cause.getClass().getSimpleName()),
                        "compare security.protocol of the login with the broker's listener");
    }

    /// Where none of the brokers takes a connection.
    private static List<Misconfiguration> silent(DiagnosedService service) {
        var brokers = List.of(service.bus().split(","));
        return brokers.stream().anyMatch(BusChecks::connects)
                ? List.of()
                : List.of(new Misconfiguration(
                        "bus-unreachable",
                        "no broker of %s takes a connection of the %s".formatted(service.bus(), service),
                        "start the brokers, or set KAFKA_BOOTSTRAP_SERVERS to where they listen"));
    }

    private static boolean connects(String broker) {
        int colon = broker.lastIndexOf(':');
        try (var socket = new Socket()) {
            int port = Integer.parseInt(broker.substring(colon + 1).strip());
            socket.connect(
                    new InetSocketAddress(
                            broker.substring(0, Math.max(0, colon)).strip(), port),
                    CONNECT_MILLIS);
            return true;
        } catch (IOException | NumberFormatException no) {
            return false;
        }
    }

    private static List<Misconfiguration> topics(DiagnosedService gateway, Admin admin) {
        var kept = Topic.framesRetention(
                duration(gateway, "GATEWAY_STREAM_DEADLINE", DEADLINE),
                duration(gateway, "GATEWAY_STREAM_REPLAY_WINDOW", REPLAY_WINDOW));
        var found = new ArrayList<Misconfiguration>();
        for (var objection : new Topics(admin).objections(kept)) {
            found.add(new Misconfiguration(name(objection), "" + objection.getMessage(), remedy(objection)));
        }
        return List.copyOf(found);
    }

    private static String name(UnfitTopicException objection) {
        return switch (objection.reason()) {
            case MISSING -> "topic-missing";
            case COPIES -> "topic-copies";
            case TIMESTAMPS -> "topic-timestamps";
            case RETENTION -> "topic-retention";
        };
    }

    private static String remedy(UnfitTopicException objection) {
        return switch (objection.reason()) {
            case MISSING ->
                "start a worker or a gateway, which makes it; or make it by hand with the settings of `Topic`";
            case COPIES -> "reassign its partitions, or run `ProvisionBus apply`, as the message says";
            case TIMESTAMPS -> "`ProvisionBus apply BOOTSTRAP ADMIN.properties FOLDER`";
            case RETENTION ->
                "raise retention.ms of the topic, or lower the deadline or the replay window of the gateways";
        };
    }

    /// A duration as Quarkus reads it: `10m`, or ISO's.
    static Duration duration(DiagnosedService service, String variable, String otherwise) {
        var value = service.setting(variable).orElse(otherwise).strip();
        if (value.matches("\\d+")) {
            return Duration.ofSeconds(Long.parseLong(value));
        }
        if (value.matches("\\d+ms")) {
            return Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)));
        }
        return Duration.parse(value.startsWith("P") ? value : value.matches("\\d+d") ? "P" + value : "PT" + value);
    }
}
