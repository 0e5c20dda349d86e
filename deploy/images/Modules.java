import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Prints the modules of a Java for all jars below a folder: those that jdeps finds, and those that nothing names but a
/// provider's entry or a string. Run from source: `java Modules.java FOLDER`.
final class Modules {
    private static final List<String> BY_NAME = List.of(
            "java.management.rmi",
            "java.security.jgss",
            "java.security.sasl",
            "jdk.crypto.cryptoki",
            "jdk.jcmd",
            "jdk.jfr",
            "jdk.localedata",
            "jdk.management",
            "jdk.naming.dns",
            "jdk.net",
            "jdk.unsupported",
            "jdk.zipfs");

    private Modules() {}

    public static void main(String[] arguments) throws IOException {
        var classes = Files.createTempFile("classes", ".jar");
        try {
            merge(Path.of(arguments[0]), classes);
            var modules = new TreeSet<>(BY_NAME);
            modules.addAll(List.of(jdeps(classes).strip().split(",")));
            for (var module : modules) {
                if (ModuleFinder.ofSystem().find(module).isEmpty()) {
                    throw new IllegalStateException(module + " is no module of this JDK");
                }
            }
            System.out.println(String.join(",", modules));
        } finally {
            Files.delete(classes);
        }
    }

    /// All classes as one jar without modules: jdeps gives up at a jar whose module requires one that is not there, although
    /// nothing runs as a module here.
    private static void merge(Path folder, Path into) throws IOException {
        Set<String> written = new HashSet<>();
        try (var files = Files.walk(folder);
                var merged = new ZipOutputStream(Files.newOutputStream(into))) {
            merged.setLevel(Deflater.NO_COMPRESSION);
            for (var file : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
                // As this Java reads a jar of several releases.
                try (var jar = new JarFile(file.toFile(), false, JarFile.OPEN_READ, Runtime.version())) {
                    for (var entry : jar.versionedStream().toList()) {
                        var name = entry.getName();
                        if (name.endsWith(".class") && !name.endsWith("module-info.class") && written.add(name)) {
                            merged.putNextEntry(new ZipEntry(name));
                            jar.getInputStream(entry).transferTo(merged);
                        }
                    }
                }
            }
        }
    }

    private static String jdeps(Path classes) {
        var out = new ByteArrayOutputStream();
        var jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        // Libraries name optional ones that are not there.
        int status = jdeps.run(
                new PrintWriter(out, true),
                new PrintWriter(System.err, true),
                "--ignore-missing-deps",
                "--print-module-deps",
                classes.toString());
        if (status != 0) {
            throw new IllegalStateException("jdeps failed: " + out);
        }
        return out.toString();
    }
}
