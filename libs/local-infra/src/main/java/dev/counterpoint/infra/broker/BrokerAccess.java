package dev.counterpoint.infra.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Access rules of the broker. No client comes in without a password, and only [#ADMIN] may act without an access
/// rule (ACL) that allows it. Services authenticate by SCRAM; the broker keeps a password of an account for each of
/// its two mechanisms, so a new password can be in force beside the old one. The administrator has to come in
/// before the broker keeps any account, so this password is in the broker's own settings, and brokers use it among
/// themselves.
public final class BrokerAccess {
    /// The account that may do everything: brokers, and whoever makes the accounts of the services.
    static final String ADMIN = "admin";

    private static final String PROTOCOL = "SASL_PLAINTEXT";
    private static final List<String> SCRAM = List.of("SCRAM-SHA-256", "SCRAM-SHA-512");
    private static final int PASSWORD_LENGTH_MIN = 16;

    private BrokerAccess() {}

    /// The password in `file`.
    ///
    /// @throws IllegalArgumentException when the file cannot be read, or its password is short or has other
    ///     characters than letters, digits, `-` and `_`
    static String password(Path file) {
        try {
            var password = Files.readString(file, UTF_8).strip();
            if (password.length() < PASSWORD_LENGTH_MIN || !password.matches("[A-Za-z0-9_-]+")) {
                throw new IllegalArgumentException(
                        file + " holds no password: at least 16 letters, digits, - and _ are needed");
            }
            return password;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("--admin-password-file cannot be read: " + file, unreadable);
        }
    }

    /// Settings with which a client is the administrator.
    public static Map<String, String> administrator(String password) {
        return Map.of(
                "security.protocol", PROTOCOL, "sasl.mechanism", "PLAIN", "sasl.jaas.config", login(password) + ";");
    }

    private static String login(String password) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + ADMIN + "\" password=\""
                + password + "\"";
    }

    /// Kafka's settings for these listeners and the controllers'.
    public static Map<String, String> settings(String adminPassword, List<String> clientListeners) {
        var settings = new HashMap<String, String>();
        var login = login(adminPassword) + " user_" + ADMIN + "=\"" + adminPassword + "\";";
        var protocols = new StringBuilder(BrokerSettings.CONTROLLER + ":" + PROTOCOL);
        for (var listener : clientListeners) {
            protocols.append(',').append(listener).append(':').append(PROTOCOL);
            var prefix = "listener.name." + listener.toLowerCase(Locale.ROOT) + ".";
            settings.put(prefix + "sasl.enabled.mechanisms", String.join(",", SCRAM) + ",PLAIN");
            settings.put(prefix + "plain.sasl.jaas.config", login);
            for (var mechanism : SCRAM) {
                settings.put(
                        prefix + mechanism.toLowerCase(Locale.ROOT) + ".sasl.jaas.config",
                        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
            }
        }
        var controller = "listener.name." + BrokerSettings.CONTROLLER.toLowerCase(Locale.ROOT) + ".";
        settings.put(controller + "sasl.enabled.mechanisms", "PLAIN");
        settings.put(controller + "plain.sasl.jaas.config", login);
        settings.put("listener.security.protocol.map", protocols.toString());
        settings.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        settings.put("sasl.mechanism.controller.protocol", "PLAIN");
        settings.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        settings.put("super.users", "User:" + ADMIN);
        settings.put("allow.everyone.if.no.acl.found", "false");
        return settings;
    }
}
