package io.runstone.kernel;

/**
 * A Python exception that ended a cell.
 *
 * @param ename its class
 * @param evalue its text
 * @param traceback the formatted traceback, without colours
 */
public record ErrorInfo(String ename, String evalue, String traceback) {}
