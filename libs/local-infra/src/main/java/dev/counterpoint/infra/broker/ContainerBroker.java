package dev.counterpoint.infra.broker;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/// The settings of a broker in a container of its own: the same as [Broker] has, for the image `apache/kafka`.
public final class ContainerBroker {
    private static final int CLIENT_PORT = 9092;
    private static final int CONTROLLER_PORT = 9093;

    private ContainerBroker() {}

    /// The text of `server.properties`. It holds the administrator's password.
    ///
    /// @param host under which clients find the container
    /// @param data the folder of the records in it
    public static String file(String host, Path data, String adminPassword) {
        var settings = new BrokerSettings(
                data, CLIENT_PORT, CONTROLLER_PORT, adminPassword, null, List.of(), false, listeners(host));
        return text(settings.properties());
    }

    /// Clients come from other containers; the controller is spoken to by the broker in the same process alone.
    private static Map<String, String> listeners(String host) {
        return Map.of(
                "listeners",
                BrokerSettings.CLIENTS + "://:" + CLIENT_PORT + "," + BrokerSettings.CONTROLLER + "://"
                        + BrokerSettings.HOST + ":" + CONTROLLER_PORT,
                "advertised.listeners",
                BrokerSettings.CLIENTS + "://" + host + ":" + CLIENT_PORT);
    }

    /// Without the date that Java writes, so that the same settings are the same text.
    private static String text(Properties properties) {
        var text = new StringWriter();
        try {
            properties.store(text, null);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString().replaceFirst("(?m)^#.*\\R", "");
    }
}
