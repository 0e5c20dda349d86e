package dev.counterpoint.audit.log;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class EventRepository implements PanacheRepositoryBase<EventRow, String> {}
