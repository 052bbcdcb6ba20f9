package io.runstone.kernel.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.kernel.HostMethod;
import io.runstone.kernel.Output;
import io.runstone.kernel.StreamName;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {
  private static KernelMessage read(String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    byte[] frame = ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array();
    return Frames.read(new ByteArrayInputStream(frame));
  }

  @Test
  void readsWhatItWrites() throws IOException {
    byte[] frame = Frames.encode(Map.of("type", "ready", "python", "3.11\u2028"));
    assertThat(Frames.read(new ByteArrayInputStream(frame)))
        .isEqualTo(new KernelMessage.Ready("3.11\u2028"));
  }

  @Test
  void readsEveryMessage() throws IOException {
    assertThat(read("{'type':'stream','id':3,'name':'stderr','text':'x'}".replace('\'', '"')))
        .isEqualTo(new KernelMessage.Stream(OptionalLong.of(3), StreamName.STDERR, "x"));
    assertThat(
            read(
                "{'type':'done','id':3,'status':'ok','data':{'text/plain':'1','no':'x','a/b':5},'cpu':0.5,'peak_memory':9}"
                    .replace('\'', '"')))
        .isEqualTo(
            new KernelMessage.Done(
                3, Map.of("text/plain", "1"), Optional.empty(), false, Duration.ofMillis(500), 9));
    assertThat(
            read(
                "{'type':'worker_died','id':null,'status':'died','signal':11,'next_worker':2}"
                    .replace('\'', '"')))
        .isEqualTo(
            new KernelMessage.WorkerGone(
                OptionalLong.empty(),
                false,
                OptionalLong.of(11),
                OptionalLong.empty(),
                Duration.ZERO,
                0,
                2));
    assertThat(
            read(
                "{'type':'display','id':3,'data':{'text/plain':'1'},'display_id':'d','update':true}"
                    .replace('\'', '"')))
        .isEqualTo(
            new KernelMessage.Rich(
                3, new Output.DisplayData(Map.of("text/plain", "1"), Optional.of("d"), true)));
    assertThat(read("{'type':'clear','id':3,'wait':true}".replace('\'', '"')))
        .isEqualTo(new KernelMessage.Rich(3, new Output.ClearOutput(true)));
    assertThat(
            read(
                "{'type':'host_call','id':3,'call':4,'method':'search','body':'{}'}"
                    .replace('\'', '"')))
        .isEqualTo(new KernelMessage.HostCalled(3, 4, HostMethod.SEARCH, "{}"));
    assertThat(read("{'type':'host_call_off','id':3,'call':4}".replace('\'', '"')))
        .isEqualTo(new KernelMessage.HostCalledOff(3, 4));
    assertThat(read("{'type':'refused','id':3,'next_worker':2}".replace('\'', '"')))
        .isEqualTo(new KernelMessage.Refused(3, 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "nonsense",
        "{'type':'shout'}",
        "{'type':'ready'}",
        "{'type':'stream','id':1,'name':'stdlog','text':'x'}",
        "{'type':'stream','id':1,'name':'stdout'}",
        "{'type':'done','status':'ok'}",
        "{'type':'host_call','id':1,'call':1,'method':'shutdown','body':''}",
        "{'type':'host_call','id':1,'call':1,'method':'call','body':{}}",
        "{'type':'host_call','id':1,'method':'call','body':''}",
        "{'type':'done','id':1,'status':'error','error':{'ename':1}}",
        "{'type':'done','id':1,'status':'died'}"
      })
  void refusesWhatIsNotOfTheProtocol(String json) {
    assertThatThrownBy(() -> read(json.replace('\'', '"'))).isInstanceOf(ProtocolException.class);
  }

  @Test
  void refusesAFrameAboveTheBoundWithoutReadingIt() {
    byte[] header = ByteBuffer.allocate(4).putInt(Frames.MAX_BYTES + 1).array();
    assertThatThrownBy(() -> Frames.read(new ByteArrayInputStream(header)))
        .isInstanceOf(ProtocolException.class);
    byte[] negative = ByteBuffer.allocate(4).putInt(-1).array();
    assertThatThrownBy(() -> Frames.read(new ByteArrayInputStream(negative)))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void tellsAnEndFromAnError() {
    assertThatThrownBy(() -> Frames.read(new ByteArrayInputStream(new byte[0])))
        .isInstanceOf(EOFException.class);
    byte[] cut = ByteBuffer.allocate(6).putInt(100).array();
    assertThatThrownBy(() -> Frames.read(new ByteArrayInputStream(cut)))
        .isInstanceOf(EOFException.class);
  }
}
