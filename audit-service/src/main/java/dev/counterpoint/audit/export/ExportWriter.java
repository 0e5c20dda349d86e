package dev.counterpoint.audit.export;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.log.PublishedLog;
import dev.counterpoint.audit.records.RecordStore;
import dev.counterpoint.audit.requests.ActionRequest;
import dev.counterpoint.audit.requests.RequestedAction.Export;
import dev.counterpoint.audit.store.TransactionRole;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.OptionalLong;

/// Writes exports into encrypted files. A file is complete, and its hash in the log, before its first byte leaves; what
/// is not encrypted is in memory only, one record at a time. Thread-safe.
@ApplicationScoped
public class ExportWriter {
    private static final int PAGE = 20;
    private static final int PAGE_SECONDS_MAX = 600;

    private final RecordStore records;
    private final EventStore events;
    private final PublishedLog log;
    private final TransactionRole role;
    private final ObjectMapper json;

    ExportWriter(RecordStore records, EventStore events, PublishedLog log, TransactionRole role, ObjectMapper json) {
        this.records = records;
        this.events = events;
        this.log = log;
        this.role = role;
        this.json = json;
    }

    /// @param file encrypted; the caller deletes it
    /// @param manifest SHA-256 of the manifest, hexadecimal
    /// @param records how many there are, and of these opened
    public record Written(Path file, String manifest, int records, int opened) {}

    /// Must not run in a transaction, since it has one for each page of records.
    public Written write(ActionRequest request, Export export) throws IOException {
        var file = Files.createTempFile("export", ".age");
        try (var channel = AgeRecipients.encrypting(
                        Files.newByteChannel(file, StandardOpenOption.WRITE), export.recipients());
                var stream = Channels.newOutputStream(channel)) {
            var note = log.checkpoint().orElseThrow();
            var bundle = new ExportBundle(stream, note, log, events, json, export);
            var before = OptionalLong.of(Long.MAX_VALUE);
            while (before.isPresent()) {
                var wanted = export.records(request.askedAt()).below("seq", before.getAsLong());
                before = QuarkusTransaction.requiringNew()
                        .timeout(PAGE_SECONDS_MAX)
                        .call(() -> {
                            role.staff(export.tenant());
                            return records.visit(wanted, PAGE, bundle::add);
                        });
            }
            var manifest = QuarkusTransaction.requiringNew().call(() -> {
                role.staff(TransactionRole.EVERY_TENANT);
                return bundle.finish(request.id());
            });
            return new Written(file, HexFormat.of().formatHex(manifest), bundle.records(), bundle.opened());
        } catch (GeneralSecurityException failure) {
            Files.delete(file);
            throw new IllegalStateException("recipients were keys when they were given", failure);
        } catch (IOException | RuntimeException failure) {
            Files.delete(file);
            throw failure;
        }
    }
}
