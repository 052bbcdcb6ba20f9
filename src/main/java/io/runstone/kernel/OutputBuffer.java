package io.runstone.kernel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the output of one execution within a bound: of each stream the first half of the bound
 * and the last half, and between them a line that says how much was left out. Not thread-safe; its
 * owner guards it.
 */
public final class OutputBuffer {
  private final Map<StreamName, Kept> kept = new EnumMap<>(StreamName.class);
  private final List<Output> head = new ArrayList<>();
  private final int half;

  private static final class Kept {
    int headCharacters;
    int tailCharacters;
    long dropped;
    final Deque<String> tail = new ArrayDeque<>();
  }

  /**
   * Creates an empty buffer.
   *
   * @param maxCharacters how many characters of each stream are kept
   */
  public OutputBuffer(int maxCharacters) {
    this.half = maxCharacters / 2;
    for (StreamName name : StreamName.values()) {
      kept.put(name, new Kept());
    }
  }

  /** Adds text to a stream. */
  public void append(StreamName name, String text) {
    Kept stream = stream(name);
    int room = half - stream.headCharacters;
    int cut = Math.min(room, text.length());
    if (cut > 0 && cut < text.length() && Character.isHighSurrogate(text.charAt(cut - 1))) {
      cut--;
    }
    if (cut > 0) {
      appendHead(name, text.substring(0, cut));
      stream.headCharacters += cut;
    }
    if (cut < text.length()) {
      stream.headCharacters = half; // later text may not overtake what went to the tail
      appendTail(stream, text.substring(cut));
    }
  }

  /** Adds what is not text of a stream, in its place. */
  public void add(Output output) {
    head.add(output);
  }

  /** Whether a stream had more than is kept. */
  public boolean isCut(StreamName name) {
    return stream(name).dropped > 0;
  }

  /** Returns everything kept, in order of arrival as far as the bound allows. */
  public List<Output> outputs() {
    List<Output> all = new ArrayList<>(head);
    for (StreamName name : StreamName.values()) {
      Kept stream = stream(name);
      if (stream.dropped > 0) {
        all.add(new Output.Stream(name, "\n... " + stream.dropped + " characters left out ...\n"));
      }
      if (!stream.tail.isEmpty()) {
        all.add(new Output.Stream(name, String.join("", stream.tail)));
      }
    }
    return all;
  }

  private Kept stream(StreamName name) {
    return kept.computeIfAbsent(name, missing -> new Kept());
  }

  private void appendHead(StreamName name, String text) {
    int last = head.size() - 1;
    if (last >= 0 && head.get(last) instanceof Output.Stream previous && previous.name() == name) {
      if (previous.text().length() < 4096) { // bounds the copying of a program that prints letters
        head.set(last, new Output.Stream(name, previous.text() + text));
        return;
      }
    }
    head.add(new Output.Stream(name, text));
  }

  private void appendTail(Kept stream, String text) {
    stream.tail.addLast(text);
    stream.tailCharacters += text.length();
    while (stream.tailCharacters > half) {
      String first = stream.tail.removeFirst();
      int excess = Math.min(stream.tailCharacters - half, first.length());
      if (excess < first.length() && Character.isLowSurrogate(first.charAt(excess))) {
        excess++;
      }
      stream.tailCharacters -= excess;
      stream.dropped += excess;
      if (excess < first.length()) {
        stream.tail.addFirst(first.substring(excess));
      }
    }
  }
}
