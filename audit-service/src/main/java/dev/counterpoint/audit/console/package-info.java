/// The console: pages for compliance staff over the services of the API. It reads nothing by itself.
@NullMarked
package dev.counterpoint.audit.console;

import org.jspecify.annotations.NullMarked;
