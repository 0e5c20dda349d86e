/// Who may do what on the broker: the services' accounts, their logins, and the rules that hold them.
@NullMarked
package dev.counterpoint.bus.access;

import org.jspecify.annotations.NullMarked;
