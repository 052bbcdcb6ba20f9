package io.runstone.kernel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the output of one execution within a bound: of each stream the first half of the bound
 * and the last half, and between them a line that says how much was left out. The bound is on what
 * the text takes as JSON, see {@link JsonWeight}. Not thread-safe; its owner guards it.
 */
public final class OutputBuffer {
  private final Map<StreamName, Kept> kept = new EnumMap<>(StreamName.class);
  private final List<Output> head = new ArrayList<>();
  private final int half;

  /** So that output in tiny pieces does not grow without bound either. */
  private static final int ENTRY_WEIGHT = 60;

  private static final class Kept {
    long headWeight;
    long tailWeight;
    long dropped;
    final Deque<String> tail = new ArrayDeque<>();
  }

  /**
   * Creates an empty buffer.
   *
   * @param maxBytes how many bytes of each stream are kept, as JSON
   */
  public OutputBuffer(int maxBytes) {
    this.half = maxBytes / 2;
    for (StreamName name : StreamName.values()) {
      kept.put(name, new Kept());
    }
  }

  /** Adds text to a stream. */
  public void append(StreamName name, String text) {
    Kept stream = stream(name);
    int cut = JsonWeight.prefix(text, half - stream.headWeight);
    if (cut > 0) {
      String fits = text.substring(0, cut);
      stream.headWeight += JsonWeight.of(fits) + appendHead(name, fits);
    }
    if (cut < text.length()) {
      stream.headWeight = half; // later text may not overtake what went to the tail
      appendTail(stream, text.substring(cut));
    }
  }

  /** Adds what is not text of a stream, in its place. */
  public void add(Output output) {
    head.add(output);
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

  /** Appends, and returns what the entry itself weighs. */
  private int appendHead(StreamName name, String text) {
    int last = head.size() - 1;
    if (last >= 0 && head.get(last) instanceof Output.Stream previous && previous.name() == name) {
      if (previous.text().length() < 4096) { // bounds the copying of a program that prints letters
        head.set(last, new Output.Stream(name, previous.text() + text));
        return 0;
      }
    }
    head.add(new Output.Stream(name, text));
    return head.size() == 1 ? 0 : ENTRY_WEIGHT;
  }

  private void appendTail(Kept stream, String text) {
    stream.tail.addLast(text);
    stream.tailWeight += JsonWeight.of(text);
    while (stream.tailWeight > half) {
      String first = stream.tail.removeFirst();
      int excess = JsonWeight.removal(first, stream.tailWeight - half);
      stream.tailWeight -= JsonWeight.of(first.substring(0, excess));
      stream.dropped += excess;
      if (excess < first.length()) {
        stream.tail.addFirst(first.substring(excess));
      }
    }
  }
}
