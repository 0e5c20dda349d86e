package dev.counterpoint.engine.llama;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/// Finds the shared library: in the operator's folder, else in the pinned package.
public final class LlamaLibrary {
    /// `libllama.so`, `libllama.so.0`, `libllama.v0.5.0.so`, but not `libllama-common.so`.
    private static final Pattern LIBRARY = Pattern.compile("libllama(\\.v?[0-9.]+)?\\.so(\\.[0-9.]+)?");

    private static final Pattern GLIBC_VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");
    private static final int GLIBC_MAJOR = 2;
    private static final int GLIBC_MINOR = 34;
    private static final String REMEDY =
            "; name a folder with your own build of llama.cpp " + LlamaApi.VERSION + ", or choose another engine";

    private LlamaLibrary() {}

    /// The file to load. Downloads the pinned package when it is needed and not yet there.
    ///
    /// @throws LlamaUnavailableException when there is none for this machine
    public static Path find(LibrarySource source) {
        var folder = source.folder();
        if (folder.isPresent()) {
            return libraryIn(folder.get()).orElseThrow(() -> missing(folder.get()));
        }
        checkMachine(System.getProperty("os.name", ""), System.getProperty("os.arch", ""), glibcVersion());
        var installed = new LlamaPackage(source.registry(), source.cache()).install();
        return libraryIn(installed).orElseThrow(() -> missing(installed));
    }

    /// Loads the library into this process, which proves that a worker can.
    ///
    /// @throws LlamaUnavailableException when there is none for this machine
    public static void check(LibrarySource source) {
        LlamaApi.load(find(source));
    }

    private static LlamaUnavailableException missing(Path folder) {
        return new LlamaUnavailableException("no libllama in folder " + folder);
    }

    private static Optional<Path> libraryIn(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new LlamaUnavailableException("the folder for libllama, " + folder + ", does not exist");
        }
        try (var files = Files.list(folder)) {
            return files.filter(file ->
                            LIBRARY.matcher(file.getFileName().toString()).matches())
                    .min(Path::compareTo)
                    .map(Path::toAbsolutePath);
        } catch (IOException e) {
            throw new LlamaUnavailableException("the folder for libllama, " + folder + ", cannot be read", e);
        }
    }

    /// The pinned package holds a build for x86-64 Linux with a glibc that is not too old.
    ///
    /// @param glibc version of the C library, empty when it is another one
    static void checkMachine(String system, String processor, String glibc) {
        if (!system.equals("Linux") || !processor.equals("amd64")) {
            throw new LlamaUnavailableException(
                    "the libllama that comes with this engine runs on Linux x86-64, this is " + system + " " + processor
                            + REMEDY);
        }
        var version = GLIBC_VERSION.matcher(glibc);
        if (!version.matches()) {
            throw new LlamaUnavailableException("libllama needs glibc, this system has another C library" + REMEDY);
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        if (major < GLIBC_MAJOR || (major == GLIBC_MAJOR && minor < GLIBC_MINOR)) {
            throw new LlamaUnavailableException("libllama needs glibc " + GLIBC_MAJOR + "." + GLIBC_MINOR
                    + " or newer, this system has " + glibc + REMEDY);
        }
    }

    @SuppressWarnings("restricted")
    private static String glibcVersion() {
        var linker = Linker.nativeLinker();
        var address = linker.defaultLookup().find("gnu_get_libc_version");
        if (address.isEmpty()) {
            return "";
        }
        var function = linker.downcallHandle(address.get(), FunctionDescriptor.of(ValueLayout.ADDRESS));
        try {
            return ((MemorySegment) function.invokeExact())
                    .reinterpret(Byte.MAX_VALUE)
                    .getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException("gnu_get_libc_version", e);
        }
    }
}
