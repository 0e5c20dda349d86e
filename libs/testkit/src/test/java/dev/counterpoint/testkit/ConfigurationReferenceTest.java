package dev.counterpoint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConfigurationReferenceTest {
    /// How the sample runs.
    @ConfigMapping(prefix = "sample")
    interface Sample {
        /// One,
        /// on two lines | with a bar.
        @WithDefault("8")
        @Min(1)
        @Max(16)
        int slotsMax();

        /// As long as [#slotsMax()] says.
        @WithDefault("${other:5s}")
        Duration lapse();

        Optional<Path> folder();

        /// Under a name of its own.
        @WithName("own")
        @WithDefault("full")
        Mode mode();

        /// Not a setting but a group.
        Inner inner();

        /// The inner group; see [Sample].
        interface Inner {
            @WithDefault("true")
            boolean on();
        }
    }

    enum Mode {
        NONE,
        ALMOST_FULL
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface ConfigMapping {
        String prefix();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface WithDefault {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface WithName {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Min {
        long value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Max {
        long value();
    }

    @Test
    void saysWhatAnInterfaceSaysInItsOrder() {
        assertThat(ConfigurationReference.section(Sample.class)).isEqualTo("""
                ### `sample`

                How the sample runs.

                | setting | values | default | |
                |---|---|---|---|
                | `sample.slots-max` | whole number, at least 1, at most 16 | `8` | One, on two lines \\| with a bar. |
                | `sample.lapse` | duration | `${other:5s}` | As long as `slots-max` says. |
                | `sample.folder` | path |  |  |
                | `sample.own` | `none`, `almost-full` | `full` | Under a name of its own. |

                ### `sample.inner`

                The inner group; see `sample`.

                | setting | values | default | |
                |---|---|---|---|
                | `sample.inner.on` | `true`, `false` | `true` |  |
                """);
    }

    @Test
    void replacesTheSectionOfOneServiceOnly() {
        var page = """
                intro
                <!-- generated: a -->
                old
                <!-- end of a -->
                <!-- generated: b -->
                stays
                <!-- end of b -->
                """;

        assertThat(ConfigurationReference.replaced(page, "a", "new\n")).isEqualTo("""
                intro
                <!-- generated: a -->

                new

                <!-- end of a -->
                <!-- generated: b -->
                stays
                <!-- end of b -->
                """);
        assertThatThrownBy(() -> ConfigurationReference.replaced(page, "c", "new"))
                .hasMessageContaining("<!-- generated: c -->");
    }
}
