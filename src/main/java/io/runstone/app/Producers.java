package io.runstone.app;

import io.runstone.concurrent.Threads;
import io.runstone.config.Settings;
import io.runstone.http.Exchanges;
import io.runstone.kernel.KernelEngine;
import io.runstone.kernel.WarmKernels;
import io.runstone.kernel.local.LocalKernels;
import io.runstone.sandbox.SandboxHost;
import io.runstone.security.RequestRate;
import io.runstone.security.audit.AuditLog;
import io.runstone.security.audit.FileAuditLog;
import io.runstone.upstream.ServerDirectory;
import io.runstone.upstream.Upstreams;
import io.runstone.upstream.broker.UpstreamControl;
import io.runstone.upstream.client.ClientSettings;
import io.runstone.upstream.client.HttpUpstreamConnector;
import io.runstone.upstream.credential.UpstreamLogins;
import io.runstone.upstream.declared.ServersFile;
import io.runstone.workspace.Workspaces;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.TimeUnit;

/** Makes the objects that know no container. */
@ApplicationScoped
class Producers {
  private static final long TEND_SECONDS = 5;

  @Resource private ManagedThreadFactory threadFactory;

  @Produces
  @Singleton
  Threads threads() {
    return new Threads(threadFactory);
  }

  @Produces
  @Singleton
  Exchanges exchanges(Settings settings, Threads threads) {
    return new Exchanges(settings.http(), threads);
  }

  @Produces
  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }

  @Produces
  @Singleton
  RequestRate requestRate(Settings settings) {
    return new RequestRate(settings.quota().requestsPerSecond(), System::nanoTime);
  }

  @Produces
  @Singleton
  AuditLog auditLog(Settings settings, Threads threads, Clock clock) {
    return FileAuditLog.open(settings.audit(), threads, clock);
  }

  void closeAuditLog(@Disposes AuditLog log) {
    log.close();
  }

  @Produces
  @Singleton
  UpstreamParts upstreamParts(Settings settings, Threads threads, AuditLog audit, Clock clock) {
    Settings.Upstream upstream = settings.upstream();
    ServerDirectory directory =
        upstream.file().isPresent()
            ? new ServersFile(upstream.file().orElseThrow(), upstream.callTimeout())
            : ServerDirectory.EMPTY;
    HttpUpstreamConnector connector =
        new HttpUpstreamConnector(
            ClientSettings.of("runstone", Version.current(), upstream.maxResultBytes()),
            threads,
            System::nanoTime);
    return new UpstreamParts(
        settings,
        threads,
        audit,
        clock,
        directory,
        upstream
            .file()
            .map(file -> UpstreamLogins.open(settings, threads, clock, directory::servers)),
        connector);
  }

  @Produces
  @Singleton
  Upstreams upstreams(UpstreamParts parts) {
    return parts.upstreams();
  }

  @Produces
  @Singleton
  UpstreamControl upstreamControl(UpstreamParts parts) {
    return parts.control();
  }

  @Produces
  @Singleton
  KernelEngine kernelEngine(Settings settings, Threads threads) {
    KernelEngine local = Threads.outsideTheApplication(() -> LocalKernels.open(settings, threads));
    Settings.Kernel kernel = settings.kernel();
    WarmKernels warm =
        new WarmKernels(
            local,
            new WarmKernels.Limits(
                kernel.warm(), kernel.warmTotal(), kernel.warmBytes(), kernel.warmMaxAge()),
            System::nanoTime);
    threads
        .timer("warm-kernels")
        .scheduleWithFixedDelay(warm::tend, TEND_SECONDS, TEND_SECONDS, TimeUnit.SECONDS);
    return warm;
  }

  void closeKernelEngine(@Disposes KernelEngine engine) {
    engine.close();
  }

  @Produces
  @Singleton
  Workspaces workspaces(Settings settings) throws IOException {
    Settings.Sandbox sandbox = settings.sandbox();
    SandboxHost host =
        SandboxHost.of(sandbox.searchPath(), sandbox.uid(), sandbox.gid(), sandbox.dataDirectory());
    return new Workspaces(sandbox.dataDirectory(), host, sandbox.uids());
  }
}
