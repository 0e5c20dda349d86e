package dev.counterpoint.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessUseTest {
    private static final String STAT =
            "42 (post (gres) x) S 1 42 42 0 -1 4194560 10 20 0 0 120 30 400 5 20 0 1 0 100 1 1 18446744073709551615";

    @Test
    void aNameWithBlanksAndParenthesesIsNoField() {
        assertThat(ProcessUse.cpuTicks(STAT, false)).isEqualTo(150);
    }

    @Test
    void whatEndedChildrenUsedCountsInATree() {
        assertThat(ProcessUse.cpuTicks(STAT, true)).isEqualTo(555);
    }

    @Test
    void memoryIsReadByItsName() {
        assertThat(ProcessUse.number(List.of("VmHWM:\t  9 kB", "VmRSS:\t   8260 kB"), "VmRSS:"))
                .isEqualTo(8260);
        assertThat(ProcessUse.number(List.of(), "RssShmem:")).isZero();
    }

    @Test
    void thisProcessUsesMemory() {
        assumeThat(Files.exists(Path.of("/proc/self/stat"))).isTrue();
        assertThat(ProcessUse.of(ProcessHandle.current()).rssBytes()).isGreaterThan(1_000_000);
    }
}
