/// What staff asks for, and who decides it. What runs once it is approved stands in other packages.
@NullMarked
package dev.counterpoint.audit.requests;

import org.jspecify.annotations.NullMarked;
