package dev.counterpoint.harmony.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The codecs of others: installed under the bench's folder, measured in programs of their own. One that cannot be
/// installed is named in a line and left out.
final class Peers {
    static final String NATIVE = "openai-harmony 0.0.8";
    static final String QUICKTOK = "quicktok-v1 0.4.0";
    static final String GIGATOKEN = "gigatoken 0.10.0";

    private static final String VOCABULARY = "o200k_base.tiktoken";
    private static final String PASSES = "10";

    private final Path folder = Corpus.folder();
    private final Path sources = Path.of("src", "peers").toAbsolutePath();
    private final List<String> texts;
    private final Map<String, List<String>> commands = new LinkedHashMap<>();

    Peers(List<String> texts) {
        this.texts = texts;
    }

    void installAll() throws InterruptedException {
        install(NATIVE, this::installNative);
        install(QUICKTOK, () -> installPython("quicktok", QUICKTOK));
        install(GIGATOKEN, () -> installPython("gigatoken", GIGATOKEN));
    }

    /// Figures by peer.
    Map<String, List<Figure>> measure() throws InterruptedException {
        var figures = new LinkedHashMap<String, List<Figure>>();
        for (var peer : commands.entrySet()) {
            try {
                var lines = Commands.run(peer.getValue(), Map.of("TIKTOKEN_ENCODINGS_BASE", folder.toString()));
                figures.put(peer.getKey(), lines.stream().map(Figure::parse).toList());
            } catch (IOException e) {
                System.out.println("bench: " + peer.getKey() + " could not be measured: " + e.getMessage());
            }
        }
        return figures;
    }

    private interface Installation {
        List<String> command() throws IOException, InterruptedException;
    }

    private void install(String peer, Installation installation) throws InterruptedException {
        try {
            copyVocabulary();
            commands.put(peer, installation.command());
        } catch (IOException e) {
            System.out.println("bench: " + peer + " is not to be had here: " + e.getMessage());
        }
    }

    private void copyVocabulary() throws IOException {
        var file = folder.resolve(VOCABULARY);
        if (!Files.exists(file)) {
            try (InputStream in = Peers.class.getResourceAsStream("/com/knuddels/jtokkit/" + VOCABULARY)) {
                if (in == null) {
                    throw new IOException("no vocabulary on the class path");
                }
                Files.copy(in, file);
            }
        }
    }

    private List<String> installNative() throws IOException, InterruptedException {
        var target = folder.resolve("native");
        var manifest = sources.resolve("native").resolve("Cargo.toml");
        Commands.run(
                List.of(
                        "cargo",
                        "build",
                        "--release",
                        "--locked",
                        "--manifest-path",
                        manifest.toString(),
                        "--target-dir",
                        target.toString()),
                Map.of());
        return command(target.resolve("release").resolve("native-bench").toString());
    }

    private List<String> installPython(String program, String peer) throws IOException, InterruptedException {
        var environment = folder.resolve("python");
        var python = environment.resolve("bin").resolve("python").toString();
        if (!Files.exists(Path.of(python))) {
            Commands.run(List.of("python3", "-m", "venv", environment.toString()), Map.of());
        }
        Commands.run(List.of(python, "-m", "pip", "install", "-q", peer.replace(" ", "==")), Map.of());
        return command(python, sources.resolve("peer.py").toString(), program);
    }

    private List<String> command(String... program) {
        var command = new ArrayList<>(List.of(program));
        command.add(folder.toString());
        command.add(PASSES);
        command.addAll(texts);
        return command;
    }
}
