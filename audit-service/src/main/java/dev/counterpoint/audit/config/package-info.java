/// The settings of the audit service.
@NullMarked
package dev.counterpoint.audit.config;

import org.jspecify.annotations.NullMarked;
