package dev.counterpoint.structured;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Schemas made to cost much: each is refused with a reason, or compiled with its first mask, within a second and
/// in a process that has 256 MB, the vocabulary included.
///
/// System property `slowness`: how many times longer it may take here.
class HostileSchemaTest {
    private static final long MILLIS_MAX = 1000;
    private static final String MEMORY_MAX = "-Xmx256m";

    private final long slowness = Long.getLong("slowness", 20);

    @Test
    void everyOneEndsSoonInLittleMemory() throws IOException {
        var schemas = HostileSchemas.all();
        var wrong = new ArrayList<String>();
        int next = 0;
        while (next < schemas.size()) {
            for (var line : linesFrom(next)) {
                var parts = line.split(" ", 3);
                next = Integer.parseInt(parts[0]) + 1;
                var told = schemas.get(next - 1).name() + ": " + parts[1] + " ms, " + shortened(parts[2]);
                System.out.println("hostile schema " + told);
                if (Long.parseLong(parts[1]) > MILLIS_MAX * slowness || parts[2].startsWith("broken")) {
                    wrong.add(told);
                }
            }
            if (next < schemas.size()) {
                wrong.add(schemas.get(next).name() + ": took far too long, or all memory");
                next++;
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static List<String> linesFrom(int number) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        java,
                        MEMORY_MAX,
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HostileSchemaRun.class.getName(),
                        Integer.toString(number))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var output = process.inputReader()) {
            return output.lines()
                    .filter(line -> line.matches("[0-9]+ [0-9]+ .*"))
                    .toList();
        }
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(150, text.length()));
    }
}
