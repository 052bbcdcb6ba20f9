/** The REST surface: resources, their bodies, and how failures look on the wire. */
@NullMarked
package io.runstone.rest;

import org.jspecify.annotations.NullMarked;
