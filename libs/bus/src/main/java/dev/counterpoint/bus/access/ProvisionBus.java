package dev.counterpoint.bus.access;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.PrivateFile;
import dev.counterpoint.bus.seal.SealException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.ResourceNotFoundException;
import org.apache.kafka.common.resource.ResourcePatternFilter;

/// Command that gives every service its account on the broker.
///
/// * `ProvisionBus accounts <folder>` writes the logins that a folder of keys lacks, `<role>.bus.properties`.
/// * `ProvisionBus apply <bootstrap> <admin.properties> <folder>` makes these accounts on a broker and lets each do
///   exactly what its service does. It may be run at any time: a new password is taken over, rules that are not
///   ours any more are removed, and topics that an earlier version made get the settings they need. The second
///   argument is a file of Kafka's client settings for an administrator.
/// * `ProvisionBus rotate <folder>` writes the logins anew, with other passwords by the other SCRAM mechanism. Then
///   `apply`: from then on a broker takes the old passwords and the new ones.
/// * `ProvisionBus retire <bootstrap> <admin.properties> <folder>`, once every service has its new login, takes the old
///   passwords away.
///
/// Exit status: 0 done, 1 refused, 2 wrong arguments.
public final class ProvisionBus {
    private static final int ITERATIONS = 4_096;

    private ProvisionBus() {}

    public static void main(String[] arguments) throws IOException {
        var given = List.of(arguments);
        try {
            if (given.size() == 2 && given.getFirst().equals("accounts")) {
                accounts(Path.of(given.get(1)));
            } else if (given.size() == 2 && given.getFirst().equals("rotate")) {
                rotate(Path.of(given.get(1)));
            } else if (given.size() == 4 && given.getFirst().equals("apply")) {
                apply(administrator(given), Path.of(given.get(3)));
            } else if (given.size() == 4 && given.getFirst().equals("retire")) {
                retire(administrator(given), Path.of(given.get(3)));
            } else {
                System.err.println("usage: ProvisionBus accounts|rotate <folder>\n"
                        + "       ProvisionBus apply|retire <bootstrap> <admin.properties> <folder>");
                System.exit(2);
            }
        } catch (SealException | KafkaException refused) {
            System.err.println(refused.getMessage());
            System.exit(1);
        }
    }

    private static KafkaClients administrator(List<String> arguments) {
        return new KafkaClients(arguments.get(1), BusAccount.settings(PrivateFile.read(Path.of(arguments.get(2)))));
    }

    /// Writes the logins that `folder` lacks.
    public static void accounts(Path folder) throws IOException {
        for (var role : ServiceRole.values()) {
            BusAccount.generate(folder, role);
        }
    }

    /// Writes the logins of `folder` anew. Those of before stay in force until [#retire].
    ///
    /// @throws SealException when a login is missing or is no password
    public static void rotate(Path folder) throws IOException {
        for (var role : ServiceRole.values()) {
            BusAccount.rotate(folder, role);
        }
    }

    /// Writes the login of `role` anew, with a password of the caller's choice.
    public static void account(Path folder, ServiceRole role, String password) throws IOException {
        BusAccount.write(folder, role, password);
    }

    /// Makes the accounts of `folder` on the broker of `administrator`, and repairs topics that an earlier version
    /// made.
    ///
    /// @throws KafkaException when the broker refuses or does not answer
    /// @throws SealException when a login is missing or is no password
    public static void apply(KafkaClients administrator, Path folder) {
        administer(administrator, admin -> {
            new Topics(admin).repair();
            for (var role : ServiceRole.values()) {
                provision(admin, role, BusAccount.of(folder, role));
            }
        });
    }

    /// Takes the passwords away that the logins of `folder` do not name; where there are none nothing happens.
    ///
    /// @throws KafkaException when the broker refuses or does not answer
    /// @throws SealException when a login is missing or is no password
    public static void retire(KafkaClients administrator, Path folder) {
        administer(administrator, admin -> {
            for (var role : ServiceRole.values()) {
                var account = BusAccount.of(folder, role);
                try {
                    alter(admin, new UserScramCredentialDeletion(account.name(), account.otherMechanism()));
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof ResourceNotFoundException)) {
                        throw e;
                    }
                }
            }
        });
    }

    private interface Administration {
        void with(Admin admin) throws ExecutionException, InterruptedException;
    }

    private static void administer(KafkaClients administrator, Administration work) {
        try (var admin = administrator.admin()) {
            work.with(admin);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while talking to the broker", e);
        }
    }

    private static void provision(Admin admin, ServiceRole role, BusAccount account)
            throws ExecutionException, InterruptedException {
        var scram = new ScramCredentialInfo(account.mechanism(), ITERATIONS);
        alter(admin, new UserScramCredentialUpsertion(account.name(), scram, account.password()));
        var wanted = AccessRules.of(role, account.name());
        var there = Set.copyOf(admin.describeAcls(rulesOf(account)).values().get());
        var missing = new HashSet<>(wanted);
        missing.removeAll(there);
        admin.createAcls(missing).all().get();
        var obsolete = new ArrayList<AclBindingFilter>();
        there.stream()
                .filter(rule -> !wanted.contains(rule))
                .map(AclBinding::toFilter)
                .forEach(obsolete::add);
        admin.deleteAcls(obsolete).all().get();
    }

    private static void alter(Admin admin, UserScramCredentialAlteration alteration)
            throws ExecutionException, InterruptedException {
        admin.alterUserScramCredentials(List.of(alteration)).all().get();
    }

    static AclBindingFilter rulesOf(BusAccount account) {
        return new AclBindingFilter(
                ResourcePatternFilter.ANY,
                new AccessControlEntryFilter("User:" + account.name(), null, AclOperation.ANY, AclPermissionType.ANY));
    }
}
