package dev.counterpoint.local;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.PrivateFile;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.infra.broker.ContainerBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One folder for each container, with the secrets that it needs and no others: `gateway`, `worker`, `summarizer`,
/// `audit`, `kafka` and `postgres`. A volume is mounted at each, and goes to its container alone.
///
/// @param folder where the volumes are mounted
/// @param state whose secrets are dealt out
record RoleFolders(Path folder, StateFolder state) {
    private static final String PRIVATE = ".private.json";
    private static final String LOST = """
            The owner's folder lacks secrets of this suite: %s.
            Nothing was made, nothing was changed. Bring the folder back from a backup:
                ./restore --keys FOLDER
            Copies that the roles' volumes still have: %s.
            A new suite begins on empty volumes: ./compose down -v deletes all data of this one.""";
    private static final Path BROKER_DATA = Path.of("/var/lib/kafka/data");

    /// Refuses where secrets were dealt out before that the owner's folder lacks: new ones would open nothing, and
    /// would overwrite the last copies.
    ///
    /// @throws IllegalStateException that names them
    void requireOwner() {
        var dealtOut = dealtOut();
        if (dealtOut.isEmpty()) {
            return;
        }
        var lost = Stream.concat(
                        LocalSecrets.missing(state).stream().map(Path::getFileName),
                        dealtOut.stream()
                                .map(Path::getFileName)
                                .filter(name -> name.toString().endsWith(PRIVATE))
                                .filter(name ->
                                        !Files.exists(state.sealingKeys().resolve(name))))
                .map(Path::toString)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!lost.isEmpty()) {
            var copies = dealtOut.stream()
                    .filter(file -> lost.contains(file.getFileName().toString()))
                    .map(file -> folder.relativize(file).toString())
                    .toList();
            throw new IllegalStateException(LOST.formatted(String.join(", ", lost), String.join(", ", copies)));
        }
    }

    private List<Path> dealtOut() {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> !file.startsWith(state.folder()))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void write(LocalSecrets secrets, StaffIssuer issuer) {
        try {
            for (var role : ServiceRole.values()) {
                for (var file : keyFiles(role)) {
                    copy(file, folder.resolve(role.wireName()));
                }
            }
            copy(state.bootstrapKeys(), folder.resolve("gateway"));
            copy(state.auditRootKeyset(), folder.resolve("audit"));
            copy(state.auditRootPassphrase(), folder.resolve("audit"));
            settings("gateway", gateway(secrets));
            settings("audit", audit(secrets, issuer));
            settings("worker", Map.of());
            settings("summarizer", Map.of());
            broker();
            PrivateFile.write(folder.resolve("postgres").resolve("password"), secrets.postgresPassword() + "\n");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The public keys of all, and what is the role's own.
    private List<Path> keyFiles(ServiceRole role) throws IOException {
        var own = List.of(
                role.wireName() + PRIVATE, role.wireName() + "-signing" + PRIVATE, role.wireName() + ".bus.properties");
        var shared = switch (role) {
            case GATEWAY -> List.of("reasoning-mac.private.json", "subject-tokens.private.json");
            case WORKER -> List.of("reasoning-mac.private.json", "reasoning.private.json");
            case AUDIT -> List.of("subject-tokens.private.json");
            case SUMMARIZER -> List.<String>of();
        };
        var wanted = new ArrayList<Path>();
        try (var files = Files.newDirectoryStream(state.sealingKeys())) {
            files.forEach(file -> {
                var name = file.getFileName().toString();
                if (name.endsWith(".public.json") || own.contains(name) || shared.contains(name)) {
                    wanted.add(file);
                }
            });
        }
        return wanted;
    }

    private static Map<String, String> gateway(LocalSecrets secrets) {
        var settings = database(secrets, DatabaseRoles.GATEWAY);
        settings.put("gateway.admin-token", secrets.adminToken());
        return settings;
    }

    private Map<String, String> audit(LocalSecrets secrets, StaffIssuer issuer) throws IOException {
        var settings = database(secrets, DatabaseRoles.AUDIT);
        settings.put("quarkus.oidc.public-key", issuer.publicKey());
        settings.put("quarkus.oidc.token.issuer", StaffIssuer.ISSUER);
        settings.put("quarkus.oidc.token.audience", StaffIssuer.AUDIENCE);
        put(settings, "audit.erasures-lost-since", state.erasuresLostSince());
        put(settings, "audit.log-restored-to", state.logRestoredTo());
        return settings;
    }

    private static void put(Map<String, String> settings, String name, Path restored) throws IOException {
        if (Files.exists(restored)) {
            settings.put(name, Files.readString(restored).strip());
        }
    }

    private static Map<String, String> database(LocalSecrets secrets, DatabaseRoles roles) {
        var settings = new TreeMap<String, String>();
        settings.put("quarkus.datasource.username", roles.user());
        settings.put("quarkus.datasource.password", secrets.databasePassword(roles.user()));
        settings.put("quarkus.flyway.username", roles.owner());
        settings.put("quarkus.flyway.password", secrets.databasePassword(roles.owner()));
        return settings;
    }

    /// For `QUARKUS_CONFIG_LOCATIONS`. The values are URL-safe words of ours: nothing in them needs an escape.
    private void settings(String role, Map<String, String> settings) throws IOException {
        var text = settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
                .collect(Collectors.joining());
        PrivateFile.write(folder.resolve(role).resolve("service.properties"), text);
    }

    private static void copy(Path file, Path folder) throws IOException {
        PrivateFile.write(folder.resolve(file.getFileName()), PrivateFile.read(file));
    }

    /// The user of the broker's image has another number than ours, so all may read it: the volume is the fence.
    private void broker() throws IOException {
        var own = folder.resolve("kafka");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
        var password = PrivateFile.read(state.brokerPassword()).strip();
        Files.writeString(own.resolve("server.properties"), ContainerBroker.file("kafka", BROKER_DATA, password));
    }
}
