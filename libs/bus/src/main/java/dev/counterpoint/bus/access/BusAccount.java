package dev.counterpoint.bus.access;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.PrivateFile;
import dev.counterpoint.bus.seal.SealException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ScramMechanism;

/// The account of a service on the broker. Its login is a file of Kafka's client settings, `<role>.bus.properties`,
/// beside the sealing keys and like them readable by its owner only. [#generate] writes logins by SCRAM-SHA-256
/// without TLS; an operator may put any others there: TLS (`ssl.*`), OAuth, or `security.protocol=PLAINTEXT` for a
/// broker without accounts.
///
/// @param name what access rules call it
/// @param password proves it; never in a message
/// @param mechanism by which it does. A broker keeps one password of an account for each mechanism, so that a new one
///     by the other can be in force beside the old one
public record BusAccount(String name, String password, ScramMechanism mechanism) {
    private static final int PASSWORD_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern CREDENTIALS = Pattern.compile("username=\"([^\"]+)\" password=\"([^\"]+)\"");

    /// The clients of a service, whose login is in the folder of its keys.
    ///
    /// @throws SealException when the file is missing or others may read it
    public static KafkaClients clients(String bootstrap, Path keys, ServiceRole role) {
        return new KafkaClients(bootstrap, login(keys, role));
    }

    /// The settings with which a service of `role` connects.
    ///
    /// @throws SealException when the file is missing or others may read it
    static Map<String, String> login(Path keys, ServiceRole role) {
        var file = file(keys, role);
        if (!Files.exists(file)) {
            throw new SealException("the bus login of this service is missing: " + file
                    + "; `ProvisionBus accounts` makes one (docs/operations.md)");
        }
        return settings(PrivateFile.read(file));
    }

    /// The settings in a text of the form of Java properties.
    static Map<String, String> settings(String text) {
        var properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException e) {
            throw new SealException("a bus login is no list of settings");
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty));
    }

    /// The account in a login that [#generate] or [#rotate] wrote.
    ///
    /// @throws SealException for a login of another kind
    static BusAccount of(Path keys, ServiceRole role) {
        var login = login(keys, role);
        var credentials = CREDENTIALS.matcher(login.getOrDefault("sasl.jaas.config", ""));
        if (!credentials.find()) {
            throw new SealException(file(keys, role) + " names no user and password");
        }
        var mechanism = ScramMechanism.fromMechanismName(login.getOrDefault("sasl.mechanism", ""));
        return new BusAccount(
                credentials.group(1),
                credentials.group(2),
                mechanism == ScramMechanism.UNKNOWN ? ScramMechanism.SCRAM_SHA_256 : mechanism);
    }

    /// The mechanism that this login does not name.
    ScramMechanism otherMechanism() {
        return mechanism == ScramMechanism.SCRAM_SHA_256 ? ScramMechanism.SCRAM_SHA_512 : ScramMechanism.SCRAM_SHA_256;
    }

    /// Writes the login of `role` unless there is one.
    static void generate(Path keys, ServiceRole role) throws IOException {
        if (!Files.exists(file(keys, role))) {
            write(keys, role, random());
        }
    }

    /// Writes the login of `role` anew: another password, by the other mechanism.
    ///
    /// @throws SealException for a login of another kind
    static void rotate(Path keys, ServiceRole role) throws IOException {
        write(keys, role, random(), of(keys, role).otherMechanism());
    }

    private static String random() {
        var password = new byte[PASSWORD_BYTES];
        RANDOM.nextBytes(password);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(password);
    }

    /// Writes the login of `role` with this password.
    static void write(Path keys, ServiceRole role, String password) throws IOException {
        write(keys, role, password, ScramMechanism.SCRAM_SHA_256);
    }

    private static void write(Path keys, ServiceRole role, String password, ScramMechanism mechanism)
            throws IOException {
        PrivateFile.write(file(keys, role), """
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=%s
                sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \
                username="counterpoint-%s" password="%s";
                """.formatted(mechanism.mechanismName(), role.wireName(), password));
    }

    /// Where the login of a service lies.
    ///
    /// @param keys the folder of its keys
    public static Path file(Path keys, ServiceRole role) {
        return keys.resolve(role.wireName() + ".bus.properties");
    }

    @Override
    public String toString() {
        return "BusAccount[" + name + "]";
    }
}
