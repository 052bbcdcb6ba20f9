package io.runstone.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles a {@link SeccompTable} into a classic BPF program; stateless.
 *
 * <p>A linear list of comparisons is fast enough: the kernel (5.11 and newer) keeps a bitmap of the
 * calls a filter always allows and does not run it for them.
 */
final class SeccompFilter {
  private static final int LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
  private static final int IF_EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
  private static final int IF_AT_LEAST = 0x35; // BPF_JMP | BPF_JGE | BPF_K
  private static final int IF_ANY_BIT = 0x45; // BPF_JMP | BPF_JSET | BPF_K
  private static final int RETURN = 0x06; // BPF_RET | BPF_K

  // struct seccomp_data { int nr; u32 arch; u64 instruction_pointer; u64 args[6]; }
  private static final int NUMBER = 0;
  private static final int ARCH = 4;
  private static final int ARGUMENTS = 16;
  private static final int X32_BIT = 0x40000000;

  private record Instruction(int code, int ifTrue, int ifFalse, int operand) {}

  private SeccompFilter() {}

  /**
   * The program as an array of little-endian {@code struct sock_filter}. A call by another ABI than
   * the machine's own ends the process: its numbers mean other calls.
   */
  static byte[] compile(SeccompTable table, SeccompArch arch) {
    List<Instruction> program = new ArrayList<>();
    program.add(new Instruction(LOAD, 0, 0, ARCH));
    program.add(new Instruction(IF_EQUAL, 1, 0, arch.audit()));
    program.add(result(SeccompAction.KILL));
    program.add(new Instruction(LOAD, 0, 0, NUMBER));
    if (arch.hasX32()) {
      program.add(new Instruction(IF_AT_LEAST, 0, 1, X32_BIT));
      program.add(result(SeccompAction.KILL));
    }
    for (SeccompRule rule : table.rules()) {
      Integer number = rule.numbers().get(arch);
      if (number != null) {
        program.addAll(rule(rule, number));
      }
    }
    program.add(result(SeccompAction.ALLOW));
    return bytes(program);
  }

  /** INVARIANT: the accumulator holds the call's number before and after. */
  private static List<Instruction> rule(SeccompRule rule, int number) {
    List<Instruction> body = new ArrayList<>();
    for (int last = rule.conditions().size() - 1; last >= 0; last--) {
      // From back to front, so that the distance to the end is known: 1 is the result's own place.
      body.addAll(0, condition(rule.conditions().get(last), body.size() + 1));
    }
    body.add(result(rule.action()));
    if (!rule.conditions().isEmpty()) {
      body.add(new Instruction(LOAD, 0, 0, NUMBER));
    }
    body.add(0, new Instruction(IF_EQUAL, 0, body.size(), number));
    return body;
  }

  /** Goes on behind itself if it holds, otherwise so many instructions further. */
  private static List<Instruction> condition(SeccompCondition condition, int toEnd) {
    List<Instruction> code = new ArrayList<>();
    code.add(new Instruction(LOAD, 0, 0, ARGUMENTS + 8 * condition.argument()));
    List<Integer> values = condition.values();
    for (int index = 0; index < values.size(); index++) {
      int behind = values.size() - 1 - index; // tests of this condition that follow
      boolean last = behind == 0;
      code.add(
          switch (condition.kind()) {
            case ANY_BIT -> new Instruction(IF_ANY_BIT, 0, toEnd, values.get(index));
            case ONE_OF -> new Instruction(IF_EQUAL, behind, last ? toEnd : 0, values.get(index));
            case NONE_OF -> new Instruction(IF_EQUAL, behind + toEnd, 0, values.get(index));
          });
    }
    return code;
  }

  private static Instruction result(SeccompAction action) {
    return new Instruction(RETURN, 0, 0, action.code());
  }

  private static byte[] bytes(List<Instruction> program) {
    ByteBuffer buffer = ByteBuffer.allocate(program.size() * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (Instruction instruction : program) {
      if (instruction.ifTrue() > 255 || instruction.ifFalse() > 255) {
        throw new IllegalArgumentException("a rule is too long for the jumps of classic BPF");
      }
      buffer.putShort((short) instruction.code());
      buffer.put((byte) instruction.ifTrue()).put((byte) instruction.ifFalse());
      buffer.putInt(instruction.operand());
    }
    return buffer.array();
  }
}
