package dev.counterpoint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `counterpoint audit verify since` and `mirror`: a log beside what was known of it.
class FollowedLogTest {
    private static final int SIZE = 1_000;
    private static final int LATER = 70_000;

    @TempDir
    Path folder;

    private Path known;
    private Path now;
    private Path copy;

    @BeforeEach
    void place() throws IOException {
        known = folder.resolve("known");
        now = Files.createDirectory(folder.resolve("now"));
        copy = folder.resolve("copy");
        Files.writeString(known, new SampleLog("a", SIZE).note().toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {SIZE, SIZE + 1, 1024, LATER})
    void acceptsALogThatOnlyGrew(int size) {
        new SampleLog("a", size).write(now);

        assertThat(CommandRun.verify("since", known, now))
                .isEqualTo(new CommandRun(0, CommandRun.json(true, "", null, size), ""));
    }

    @Test
    void namesARollBackAndAFork() throws IOException {
        new SampleLog("a", SIZE - 1).write(now);
        assertThat(CommandRun.verify("since", known, now).out())
                .isEqualTo(CommandRun.json(false, "rolled_back", SIZE - 1, SIZE - 1));

        var forked = Files.createDirectory(folder.resolve("forked"));
        new SampleLog("b", SIZE + 10).write(forked);
        assertThat(CommandRun.verify("since", known, forked).out())
                .isEqualTo(CommandRun.json(false, "forked", null, SIZE + 10));

        Files.writeString(known, Files.readString(known).replace("audit.example", "audit.exampla"));
        assertThat(CommandRun.verify("since", known, forked).out())
                .isEqualTo(CommandRun.json(false, "forged", null, null));
    }

    @Test
    void namesTilesThatAreNotThoseOfTheCheckpoint() throws IOException {
        new SampleLog("a", SIZE + 1).write(now);
        var tile = Files.readAllBytes(now.resolve("tile/0/003.p/233"));
        tile[100] ^= 1;
        Files.write(now.resolve("tile/0/003.p/233"), tile);
        assertThat(CommandRun.verify("since", known, now).out())
                .isEqualTo(CommandRun.json(false, "edited", null, SIZE + 1));

        Files.delete(now.resolve("tile/0/003.p/233"));
        assertThat(CommandRun.verify("since", known, now).out())
                .isEqualTo(CommandRun.json(false, "deleted", null, SIZE + 1));
    }

    @Test
    void copiesALogAndContinuesLater() {
        var log = new SampleLog("a", 0);
        for (int size : new int[] {0, 1, 256, SIZE, SIZE, 20_000}) {
            log.grow(size).write(now);

            assertThat(CommandRun.verify("mirror", now, copy))
                    .isEqualTo(new CommandRun(0, CommandRun.json(true, "", null, size), ""));
            assertThat(CommandRun.verify("log", copy).out()).isEqualTo(CommandRun.json(true, "", null, size));
        }
    }

    @Test
    void keepsItsCopyWhenTheLogForksOrRollsBack() throws IOException {
        // Given
        new SampleLog("a", SIZE).write(now);
        CommandRun.verify("mirror", now, copy);
        var forked = Files.createDirectory(folder.resolve("forked"));
        new SampleLog("b", SIZE + 500).write(forked);
        var older = Files.createDirectory(folder.resolve("older"));
        new SampleLog("a", SIZE - 1).write(older);
        // When
        var fork = CommandRun.verify("mirror", forked, copy);
        var rollBack = CommandRun.verify("mirror", older, copy);
        // Then
        assertThat(fork.out()).isEqualTo(CommandRun.json(false, "forked", null, SIZE + 500));
        assertThat(rollBack.out()).isEqualTo(CommandRun.json(false, "rolled_back", SIZE - 1, SIZE - 1));
        assertThat(CommandRun.verify("log", copy).out()).isEqualTo(CommandRun.json(true, "", null, SIZE));
    }

    @Test
    void takesNoEntryThatWasChangedOnItsWay() throws IOException {
        // Given
        new SampleLog("a", SIZE).write(now);
        CommandRun.verify("mirror", now, copy);
        new SampleLog("a", SIZE + 500).write(now);
        var bundle = now.resolve("tile/entries/004");
        var entries = Files.readAllBytes(bundle);
        // When
        var changed = entries.clone();
        changed[entries.length - 20] ^= 1;
        Files.write(bundle, changed);
        var run = CommandRun.verify("mirror", now, copy);
        // Then
        assertThat(run.out()).isEqualTo(CommandRun.json(false, "edited", SIZE, SIZE + 500));
        assertThat(CommandRun.verify("log", copy).out()).isEqualTo(CommandRun.json(true, "", null, SIZE));
        Files.write(bundle, entries);
        assertThat(CommandRun.verify("mirror", now, copy).out()).isEqualTo(CommandRun.json(true, "", null, SIZE + 500));
    }
}
