package dev.counterpoint.infra;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The AOT cache of one program's JVM (JEP 483, 514 and 515): with it a service is ready in a third of the time, and
/// the slow compiler begins with what is known of its methods. The JVM ignores a cache that was made from other jars,
/// so that a stale or missing one costs nothing but that time.
///
/// @param file the cache; lies in the build output of its program
public record StartupCache(Path file) {
    /// What all services may do of what the JVM warns of. A cache holds linked classes and profiles only where it is
    /// recorded, assembled and read with the same of these.
    public static final List<String> SERVICE_FLAGS = List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    /// The cache of a jar that is started with `java -jar`.
    public static StartupCache of(Path jar) {
        return new StartupCache(jar.resolveSibling("startup.aot"));
    }

    /// The cache of the broker.
    public static StartupCache ofBroker() {
        return new StartupCache(RepositoryRoot.find().resolve("libs/local-infra/target/startup.aot"));
    }

    /// JVM flags that read the cache, none where it was not made.
    public List<String> reading() {
        return Files.exists(file)
                // A cache of another build is ignored in silence.
                ? List.of("-XX:AOTCache=" + file, "-Xlog:aot=off", "-Xlog:cds=off")
                : List.of();
    }

    /// JVM flags that record what [#assembling] needs.
    public List<String> recording() {
        return List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + recorded(), "-Xlog:aot=off", "-Xlog:cds=off");
    }

    /// JVM flags that make the cache from what was recorded; with the class path and the module flags of the recorded
    /// JVM.
    public List<String> assembling() {
        return List.of(
                "-XX:AOTMode=create",
                "-XX:AOTConfiguration=" + recorded(),
                "-XX:AOTCache=" + file,
                "-Xlog:aot=off",
                "-Xlog:cds=off");
    }

    /// What a training run recorded; of no use once the cache is made.
    public Path recorded() {
        return file.resolveSibling("startup.aotconf");
    }
}
