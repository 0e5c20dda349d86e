package dev.counterpoint.gateway.store;

/// Work on rows that have grown old. [Housekeeping] runs every bean of this type.
public interface HousekeepingTask {
    /// Names the task in logs and in the table of runs, the same in every version.
    String name();

    /// Does all the work there is now. Two gateways may run one task at once.
    void run() throws InterruptedException;
}
