package io.runstone.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A client's connection: what was written, and whether the client is still there. */
public final class FakeConnection {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final ResponseStream stream = new ResponseStream(new Context(), new Out(), Runnable::run);

  /** Set to make every write fail. */
  public volatile boolean gone;

  private final AtomicInteger completions = new AtomicInteger();

  /** The stream over it; what is queued is written at once. */
  public ResponseStream stream() {
    return stream;
  }

  /** What the client got. */
  public String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  /** How often the response was completed. */
  public int completions() {
    return completions.get();
  }

  /** The client goes away, and a write notices. */
  public void breakOff() {
    gone = true;
    stream.write("?");
  }

  private final class Out extends ServletOutputStream {
    @Override
    public void write(int b) throws IOException {
      check();
      written.write(b);
    }

    @Override
    public void flush() throws IOException {
      check();
    }

    private void check() throws IOException {
      if (gone) {
        throw new IOException("connection reset");
      } else if (completions.get() > 0) {
        throw new AssertionError("written after the end");
      }
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new UnsupportedOperationException();
    }
  }

  private final class Context implements AsyncContext {
    @Override
    public void complete() {
      completions.incrementAndGet();
    }

    @Override
    public void setTimeout(long timeout) {}

    @Override
    public long getTimeout() {
      return 0;
    }

    @Override
    public void addListener(AsyncListener listener) {}

    @Override
    public void addListener(
        AsyncListener listener, ServletRequest request, ServletResponse response) {}

    @Override
    public ServletRequest getRequest() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ServletResponse getResponse() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
      return true;
    }

    @Override
    public void dispatch() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void dispatch(String path) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void dispatch(ServletContext context, String path) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void start(Runnable run) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) {
      throw new UnsupportedOperationException();
    }
  }
}
