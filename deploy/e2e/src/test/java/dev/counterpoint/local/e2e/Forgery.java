package dev.counterpoint.local.e2e;

import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/// One thing that an attacker appends.
///
/// @param name as in the table of outcomes
/// @param counted what tells that a service read the record and passed it over
/// @param maker makes it out of what stands on the bus
record Forgery(String name, Counted counted, Maker maker) {
    /// Where a service counts it. Metrics in the form that `/q/metrics` has.
    enum Counted {
        FRAMES("gateway-1", "counterpoint_bus_refused_total", "topic=\"frames\""),
        MODELS("gateway-1", "counterpoint_bus_refused_total", "topic=\"models\""),
        SUSPECTS("gateway-1", "counterpoint_bus_refused_total", "topic=\"suspects\""),
        AUDIT_LOG("gateway-1", "counterpoint_bus_refused_total", "topic=\"audit-log\""),
        JOBS("worker-1", "counterpoint_bus_refused_total", "topic=\"jobs\""),
        CONTROL("worker-1", "counterpoint_bus_refused_total", "topic=\"control\""),
        /// A job that its response does not need any more.
        NOT_NEEDED("worker-1", "counterpoint_worker_jobs_total", "outcome=\"not_needed\""),
        AUDIT("audit", "counterpoint_bus_refused_total", "topic=\"audit\""),
        ACCESS_LOG("audit", "counterpoint_bus_refused_total", "topic=\"access-log\""),
        /// A trace of a response that has one.
        SECOND_TRACE("audit", "audit_records_total", "first=\"false\""),
        /// Nowhere: it repeats what was said, or nobody listens to it.
        NOWHERE("", "", "");

        final String service;
        final String metric;
        final String label;

        Counted(String service, String metric, String label) {
            this.service = service;
            this.metric = metric;
            this.label = label;
        }
    }

    /// Makes the records of a forgery, which are all alike; mostly one.
    @FunctionalInterface
    interface Maker {
        List<ProducerRecord<String, byte[]>> make(AttackedResponse attacked);
    }
}
