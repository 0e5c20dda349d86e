package dev.counterpoint.local;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.counterpoint.infra.RepositoryRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may know whom, in the classes of all modules as the build has just made them.
class ArchitectureTest {
    private static final Path ROOT = RepositoryRoot.find();
    /// Reads the answers of servers with the HTTP client of Vert.x.
    private static final String WITH_CLIENT = "dev.counterpoint.engine.http..";

    private static final String[] FRAMEWORKS = {"io.quarkus..", "io.smallrye..", "io.vertx..", "jakarta.."};
    private static JavaClasses all;

    @BeforeAll
    static void readAllClasses() throws IOException {
        try (Stream<Path> folders = Files.find(ROOT, 5, (path, about) -> about.isDirectory() && isMainClasses(path))) {
            all = new ClassFileImporter().importPaths(folders.toList());
        }
        assertThat(all.size()).isGreaterThan(1000);
    }

    private static boolean isMainClasses(Path folder) {
        return folder.endsWith("target/classes")
                && Files.isDirectory(folder.resolve("dev/counterpoint"))
                && !folder.startsWith(ROOT.resolve("deploy/perf"));
    }

    @Test
    void noPackageImportsInACircle() {
        slices().matching("dev.counterpoint.(**)").should().beFreeOfCycles().check(all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway", "worker", "summarizer", "audit"})
    void nobodyImportsAServiceButItself(String service) {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.counterpoint." + service + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.counterpoint." + service + "..")
                .check(all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"harmony", "openai", "validator", "tlog"})
    void theCodecsAndTheWireTypesCanBeUsedAlone(String library) {
        noClasses()
                .that()
                .resideInAPackage("dev.counterpoint." + library + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.counterpoint.bus..",
                        "dev.counterpoint.prompt..",
                        "dev.counterpoint.engine..",
                        "dev.counterpoint.servicekit..",
                        "org.apache.kafka..")
                .check(all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"harmony", "openai", "validator", "tlog", "auditlog", "bus", "prompt", "engine", "infra"})
    void librariesKnowNoFramework(String library) {
        noClasses()
                .that()
                .resideInAPackage("dev.counterpoint." + library + "..")
                .and()
                .resideOutsideOfPackage(WITH_CLIENT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(FRAMEWORKS)
                .check(all);
    }

    @Test
    void theHttpEnginesClientIsAllTheyKnowOfAFramework() {
        noClasses()
                .that()
                .resideInAPackage(WITH_CLIENT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.quarkus..", "io.smallrye..", "io.vertx.ext..", "io.vertx.mutiny..", "jakarta..")
                .check(all);
    }

    @Test
    void enginesKnowNeitherTheBusOfKafkaNorTheirWorker() {
        noClasses()
                .that()
                .resideInAPackage("dev.counterpoint.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "dev.counterpoint.bus.kafka..", "dev.counterpoint.worker..")
                .check(all);
    }

    @Test
    void whatIsForTestsIsUsedByTestsAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..testkit..")
                .check(all);
    }

    @Test
    void nothingInTheGatewayKnowsItsHttpApi() {
        noClasses()
                .that()
                .resideInAPackage("dev.counterpoint.gateway..")
                .and()
                .resideOutsideOfPackage("dev.counterpoint.gateway.api..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.counterpoint.gateway.api..")
                .check(all);
    }

    @Test
    void aSimpleNameStandsOnceInTheTree() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            var twice = files
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/") && !isOutside(file))
                    .collect(groupingBy(file -> file.getFileName().toString()))
                    .values()
                    .stream()
                    .filter(same -> same.size() > 1)
                    .toList();
            assertThat(twice).isEmpty();
        }
    }

    /// Build output, package comments, and the programs of users that stand in the tree as examples.
    private static boolean isOutside(Path file) {
        var name = file.toString();
        return name.endsWith("/package-info.java")
                || List.of("/target/", "/src/test/clients/", "/deploy/examples/").stream()
                        .anyMatch(name::contains);
    }
}
