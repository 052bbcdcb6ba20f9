package io.runstone.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything an administrator can set, checked and with its defaults applied. Immutable.
 *
 * <p>The keys and their meaning are in {@code docs/reference/configuration.md}; {@link
 * SettingsReader} is where a key becomes a field.
 */
public record Settings(
    Http http,
    Sessions sessions,
    Execution execution,
    Outputs outputs,
    Kernel kernel,
    Quota quota,
    Workspace workspace,
    Sandbox sandbox,
    Mcp mcp,
    AuthSettings auth,
    Audit audit,
    Upstream upstream) {

  /**
   * What the HTTP surfaces accept.
   *
   * @param baseUrl where clients reach this server, for the line that says it is ready
   * @param extraHosts host names allowed in {@code Host} and {@code Origin} besides the local ones,
   *     lower case
   * @param maxBodyBytes largest request body
   * @param bodyTimeout how long a request body may take to arrive
   */
  public record Http(
      Optional<String> baseUrl, Set<String> extraHosts, int maxBodyBytes, Duration bodyTimeout) {
    public Http {
      extraHosts = Set.copyOf(extraHosts);
    }
  }

  /**
   * Bounds on sessions; the counts can be changed over JMX while the server runs.
   *
   * @param perUser named sessions of one user
   * @param perNode kernels of this server, whoever they belong to
   * @param queueLength executions that may wait in one session
   * @param idleTimeout how long a session may be unused
   * @param maxLifetime how old a session may get
   * @param drainTimeout how long what runs may take to end when the server stops
   */
  public record Sessions(
      int perUser,
      int perNode,
      int queueLength,
      Duration idleTimeout,
      Duration maxLifetime,
      Duration drainTimeout) {}

  /**
   * Bounds on one execution.
   *
   * @param timeout what applies when a request names none
   * @param maxTimeout the most a request may ask for
   * @param watchInterval how often a client that waits for a running cell is looked for
   * @param interruptGrace how long a cell may take to obey an interrupt before it is killed
   */
  public record Execution(
      Duration timeout, Duration maxTimeout, Duration interruptGrace, Duration watchInterval) {}

  /**
   * Bounds on what an execution puts out, and on what is kept of it.
   *
   * @param keptBytes how many bytes of each of stdout and stderr a result keeps, as JSON in UTF-8
   * @param maxChars how many a program may write before it is interrupted
   * @param maxRichChars the same for rich output, binary in base64
   * @param maxFileBytes size of the file with the whole of a stream
   * @param storedBytes how much rich output of past executions is kept in memory
   * @param storedFileBytes how much disk the files of past executions may take
   * @param shownChars how many characters of text an MCP result shows
   */
  public record Outputs(
      int keptBytes,
      long maxChars,
      long maxRichChars,
      long maxFileBytes,
      long storedBytes,
      long storedFileBytes,
      int shownChars) {}

  /**
   * The Python processes.
   *
   * @param python the interpreter; empty for the first usable one on the search path
   * @param startTimeout how long a kernel may take to become ready
   * @param addressSpaceBytes RLIMIT_AS of each process
   * @param processes RLIMIT_NPROC of the kernel
   * @param openFiles RLIMIT_NOFILE of each process
   * @param fileBytes RLIMIT_FSIZE of each process
   * @param tmpBytes size of the private {@code /tmp}
   * @param memoryBytes memory of the whole kernel
   * @param cpuWeight share of the processor against other kernels, where there are control groups
   * @param shell plain Python, or the shell of IPython
   * @param preload modules that a kernel imports while it starts
   * @param warm kernels that wait ready for each workspace in use
   * @param warmTotal kernels that wait ready for all workspaces
   * @param warmBytes memory of all kernels that wait ready
   * @param warmMaxAge how old a waiting kernel gets
   */
  public record Kernel(
      Optional<Path> python,
      Duration startTimeout,
      long addressSpaceBytes,
      int processes,
      int openFiles,
      long fileBytes,
      long tmpBytes,
      long memoryBytes,
      int cpuWeight,
      String shell,
      List<String> preload,
      int warm,
      int warmTotal,
      long warmBytes,
      Duration warmMaxAge) {
    public Kernel {
      preload = List.copyOf(preload);
    }
  }

  /**
   * What each user may use; 0 is no bound.
   *
   * @param executionsPerHour executions
   * @param cpuSecondsPerHour processor time of executions
   * @param outputCharsPerHour characters in results, base64 of binary output included
   * @param requestsPerSecond requests, of which so many may also come at once
   * @param memoryBytes memory of all the user's kernels together
   */
  public record Quota(
      long executionsPerHour,
      long cpuSecondsPerHour,
      long outputCharsPerHour,
      int requestsPerSecond,
      long memoryBytes) {}

  /**
   * Bounds on the files of users.
   *
   * @param maxBytes how much one workspace may hold
   * @param minFreeBytes how much has to stay free on the file system of the workspaces
   */
  public record Workspace(long maxBytes, long minFreeBytes) {}

  /**
   * Confinement of kernels, and where their files lie.
   *
   * @param mode {@code auto}, {@code bubblewrap}, {@code namespaces} or {@code none}
   * @param controlGroups whether a control group is made for each kernel, where that is possible
   * @param uid user id of kernels when the server runs as root
   * @param uids how many user ids there are for kernels, from that on; with 1 all users share it
   * @param gid group id of kernels when the server runs as root
   * @param dataDirectory directory of workspaces and run-time files
   * @param searchPath directories in which programs are looked up, colon-separated
   */
  public record Sandbox(
      String mode,
      boolean controlGroups,
      long uid,
      int uids,
      long gid,
      Path dataDirectory,
      String searchPath) {}

  /**
   * The MCP endpoint.
   *
   * @param idleTimeout how long an MCP session may be unused
   * @param maxSessions MCP sessions of this server
   * @param sessionsPerUser MCP sessions of one user
   * @param resumeWindow how long a client may take to come back to a stream that broke, before its
   *     call is cancelled
   * @param replayChars how much of what was sent is kept for clients that come back
   */
  public record Mcp(
      Duration idleTimeout,
      int maxSessions,
      int sessionsPerUser,
      Duration resumeWindow,
      long replayChars) {}

  /**
   * The users' other MCP servers.
   *
   * @param file declares them; none if empty
   * @param keysFile the keys that tokens of users are encrypted with, the first one writes
   * @param clientMetadata whether authorization servers can reach {@code runstone.base-url}, to
   *     read there what this server is
   * @param maxSessions sessions of this server with upstreams
   * @param sessionsPerUser sessions of one user
   * @param sessionsPerServer sessions with one upstream
   * @param idleTimeout how long a session may be unused
   * @param callTimeout how long a call may take that names no time
   * @param maxResultBytes the largest answer of an upstream
   * @param callsPerExecution calls that one execution may make
   * @param parallelCalls calls of one execution at the same time
   */
  public record Upstream(
      Optional<Path> file,
      Optional<Path> keysFile,
      boolean clientMetadata,
      int maxSessions,
      int sessionsPerUser,
      int sessionsPerServer,
      Duration idleTimeout,
      Duration callTimeout,
      int maxResultBytes,
      int callsPerExecution,
      int parallelCalls) {}

  /**
   * The record of who decided what.
   *
   * @param on whether there is one
   * @param file the file that is written
   * @param maxBytes size at which a file is rotated
   * @param maxFiles how many files are kept, the one that is written included
   * @param sync whether the disk has to have a line before what it tells of may happen
   * @param required whether nothing is run that can't be audited
   */
  public record Audit(
      boolean on, Path file, long maxBytes, int maxFiles, boolean sync, boolean required) {}
}
