package dev.counterpoint.audit.staff;

import dev.counterpoint.audit.Bus;
import dev.counterpoint.audit.Bus.Asked;
import dev.counterpoint.audit.Staff;
import dev.counterpoint.audit.Tables;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A tenant with records, and staff that may do everything: the ground of the tests of the API.
abstract class StoredRecords {
    final String tenant = "tenant-" + UUID.randomUUID();
    final Staff staff = Staff.everything();
    Bus bus;

    @BeforeEach
    void open() {
        bus = Bus.ofTest();
    }

    @AfterEach
    void close() {
        bus.close();
    }

    /// Appends a record and waits until it is stored.
    Asked stored(Asked asked) {
        bus.append(bus.whole(asked, "a thought"));
        Tables.await(1, "trace_record where response = ?", asked.id().toString());
        return asked;
    }
}
