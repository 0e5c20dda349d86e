package dev.counterpoint.audit.console;

import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.UUID;

/// What sessions searched for and why they read, so that pages have addresses which name nobody. In memory only and
/// bounded: the oldest goes first. Thread-safe.
@ApplicationScoped
class KeptForms {
    private static final int SESSIONS_MAX = 500;
    private static final int FORMS_MAX = 20;

    private final ConsoleSession session;
    private final SequencedMap<String, SequencedMap<String, Map<String, String>>> forms = new LinkedHashMap<>();

    KeptForms(ConsoleSession session) {
        this.session = session;
    }

    /// @return the address of the form within this session
    synchronized String keep(Map<String, String> form) {
        var id = UUID.randomUUID().toString();
        var own = forms.computeIfAbsent(session.id(), _ -> new LinkedHashMap<>());
        forms.putLast(session.id(), own);
        own.put(id, Map.copyOf(form));
        if (own.size() > FORMS_MAX) {
            own.pollFirstEntry();
        }
        if (forms.size() > SESSIONS_MAX) {
            forms.pollFirstEntry();
        }
        return id;
    }

    /// @throws ProblemException 410 when it is gone, or another session's
    synchronized Map<String, String> find(String id) {
        var form = forms.getOrDefault(session.id(), new LinkedHashMap<>()).get(id);
        if (form == null) {
            throw new ProblemException(AuditProblem.forgotten());
        }
        return form;
    }
}
