package dev.counterpoint.engine.llama.tiny;

import dev.counterpoint.engine.llama.Sha256;
import dev.counterpoint.engine.llama.UnusableModelException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/// The model that comes with the worker: learned parameters of 2 to 4 MB, and the checksums of their
/// file and of the GGUF that is made of them. The training program's `tiny.ship` writes both.
public final class TinyModel {
    /// As clients name it.
    public static final String NAME = "counterpoint-tiny";

    /// A description of the model for people.
    public static final String DESCRIPTION = "Counterpoint's tiny demo model: gpt-oss architecture, about 2 million"
            + " parameters, trained on synthetic conversations; not OpenAI's gpt-oss";

    private static final String LEARNED = ".safetensors";
    private static final String EXPANDED = ".gguf";
    private static final int NAMED_BY = 16;

    private final String name;
    private final String sums;

    /// @param name of the resources beside this class, without their endings
    TinyModel(String name) {
        this.name = name;
        this.sums = new String(resource(name + ".sha256"), StandardCharsets.US_ASCII);
    }

    /// The GGUF, made when the folder does not have it whole: some 65 MB, in a few seconds, by one
    /// worker while the others wait for it.
    ///
    /// @param folder a cache; made when it is not there
    /// @throws UnusableModelException when the file cannot be made there; the message says why
    /// @throws IllegalStateException when the parameters are damaged, or are not what the checksums were made for
    public static Path in(Path folder) {
        return new TinyModel(NAME).expandedIn(folder);
    }

    Path expandedIn(Path folder) {
        var file = folder.resolve(name + "-" + sum(EXPANDED).substring(0, NAMED_BY) + EXPANDED);
        try {
            if (!isWhole(file)) {
                Files.createDirectories(folder);
                synchronized (TinyModel.class) { // a lock of a file is the process's, not the thread's
                    makeAlone(file);
                }
            }
            return file.toAbsolutePath();
        } catch (IOException e) {
            throw new UnusableModelException(file, "cannot be made: " + e, e);
        }
    }

    /// One process at a time: the others find it made when their turn comes.
    private void makeAlone(Path file) throws IOException {
        var lock = file.resolveSibling(name + ".lock");
        try (var channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            if (!isWhole(file)) {
                make(file);
            }
        }
    }

    private void make(Path file) throws IOException {
        var unfinished = file.resolveSibling(file.getFileName() + ".part");
        try {
            Expansion.write(learned(), unfinished);
            if (!isWhole(unfinished)) {
                throw new IllegalStateException(file.getFileName() + " was made with SHA-256 " + Sha256.of(unfinished)
                        + " instead of " + sum(EXPANDED));
            }
            try (var channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private boolean isWhole(Path file) throws IOException {
        return Files.exists(file) && Sha256.of(file).equals(sum(EXPANDED));
    }

    private Parameters learned() {
        byte[] content = resource(name + LEARNED);
        var actual = Sha256.of(content);
        if (!actual.equals(sum(LEARNED))) {
            throw new IllegalStateException(name + LEARNED + " in this build has SHA-256 " + actual + " instead of "
                    + sum(LEARNED) + ": the build is damaged");
        }
        return Parameters.read(content);
    }

    /// The checksum of one of the two files, as `sha256sum` writes it.
    private String sum(String ending) {
        var line = Pattern.compile("([0-9a-f]{64})  " + Pattern.quote(name + ending))
                .matcher(sums);
        if (!line.find()) {
            throw new IllegalStateException(name + ".sha256 in this build lacks " + name + ending);
        }
        return line.group(1);
    }

    private static byte[] resource(String file) {
        try (InputStream in = TinyModel.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not in this build");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
