package dev.counterpoint.audit.api;

import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// The set-up of the API's tests: a tenant with records, and a staff member with every role.
abstract class StoredRecords {
    final String tenant = "tenant-" + UUID.randomUUID();
    final StaffClient staff = StaffClient.everything();
    TestBus bus;

    @BeforeEach
    void open() {
        bus = TestBus.ofTest();
    }

    @AfterEach
    void close() {
        bus.close();
    }

    /// Appends a record and waits until it is stored.
    Asked stored(Asked asked) {
        bus.append(bus.whole(asked, "a thought"));
        AuditTables.await(1, "trace_record where response = ?", asked.id().toString());
        return asked;
    }
}
