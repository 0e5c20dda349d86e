package dev.counterpoint.servicekit;

import dev.counterpoint.bus.kafka.UnfitTopicException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Why the bus does not serve this service: kept for its readiness data, and logged when it changes. Thread-safe.
public final class BusFault implements MisconfigurationSource {
    private static final Logger LOG = LoggerFactory.getLogger(BusFault.class);
    private static final int CONNECT_MILLIS = 1_000;

    private final String bootstrap;
    private final Predicate<String> connects;
    private final AtomicReference<@Nullable Misconfiguration> now = new AtomicReference<>();

    /// @param bootstrap addresses of brokers, as the setting has them
    public BusFault(String bootstrap) {
        this(bootstrap, BusFault::connects);
    }

    /// @param connects whether a broker takes a connection
    BusFault(String bootstrap, Predicate<String> connects) {
        this.bootstrap = bootstrap;
        this.connects = connects;
    }

    /// The bus did not serve.
    public void failed(KafkaException failure) {
        var found = of(failure);
        if (!found.equals(now.getAndSet(found))) {
            LOG.error("misconfigured code={} text=\"{}\"", found.code(), found.text());
        }
    }

    /// The bus served.
    public void passed() {
        now.set(null);
    }

    @Override
    public List<Misconfiguration> misconfigurations() {
        return Optional.ofNullable(now.get()).stream().toList();
    }

    private Misconfiguration of(KafkaException failure) {
        if (failure instanceof UnfitTopicException unfit) {
            return new Misconfiguration(unfit.reason().wireName(), String.valueOf(unfit.getMessage()));
        }
        if (failure instanceof AuthenticationException) {
            return new Misconfiguration(
                    "bus-password",
                    "the broker at " + bootstrap + " refuses this service's login; `ProvisionBus apply` brings the"
                            + " accounts of the key folder there");
        }
        return Arrays.stream(bootstrap.split(",")).map(String::strip).anyMatch(connects)
                ? new Misconfiguration(
                        "bus-refused",
                        "the broker at " + bootstrap + " does not serve this service ("
                                + failure.getClass().getSimpleName()
                                + "); compare security.protocol of the login with the broker's listener")
                : new Misconfiguration(
                        "bus-unreachable",
                        "no broker of " + bootstrap + " takes a connection; start the brokers, or set"
                                + " KAFKA_BOOTSTRAP_SERVERS");
    }

    private static boolean connects(String broker) {
        int colon = broker.lastIndexOf(':');
        try (var socket = new Socket()) {
            int port = Integer.parseInt(broker.substring(colon + 1));
            socket.connect(new InetSocketAddress(broker.substring(0, Math.max(0, colon)), port), CONNECT_MILLIS);
            return true;
        } catch (IOException | IllegalArgumentException refused) {
            return false;
        }
    }
}
