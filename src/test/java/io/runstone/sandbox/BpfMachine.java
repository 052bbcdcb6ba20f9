package io.runstone.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs the part of classic BPF that a system call filter uses, as the kernel does. */
final class BpfMachine {
  private final ByteBuffer program;

  BpfMachine(byte[] program) {
    this.program = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** What the filter returns for a call. */
  int run(int arch, int number, long... arguments) {
    ByteBuffer call = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    call.putInt(number).putInt(arch).putLong(0);
    for (long argument : arguments) {
      call.putLong(argument);
    }
    int accumulator = 0;
    int at = 0;
    while (true) {
      int code = program.getShort(8 * at);
      int ifTrue = program.get(8 * at + 2) & 0xFF;
      int ifFalse = program.get(8 * at + 3) & 0xFF;
      int operand = program.getInt(8 * at + 4);
      at++;
      switch (code) {
        case 0x20 -> accumulator = call.getInt(operand);
        case 0x15 -> at += accumulator == operand ? ifTrue : ifFalse;
        case 0x35 -> at += Integer.compareUnsigned(accumulator, operand) >= 0 ? ifTrue : ifFalse;
        case 0x45 -> at += (accumulator & operand) != 0 ? ifTrue : ifFalse;
        case 0x06 -> {
          return operand;
        }
        default -> throw new IllegalStateException("unknown instruction " + code);
      }
    }
  }
}
