"""Tells, from inside a sandbox, how it is confined: lines of name=value on standard output."""

import os
import socket


def outcome(action):
    """"yes" when the action succeeds, otherwise "no"."""
    try:
        action()
        return "yes"
    except OSError:
        return "no"


def status():
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        return dict(line.rstrip("\n").split(":", 1) for line in file)


def write_system_setting():
    os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))


def read_password_hashes():
    os.close(os.open("/etc/shadow", os.O_RDONLY))


facts = status()
print("pid=" + str(os.getpid()))
print("uid=" + facts["Uid"].split()[1])
print("capabilities=" + facts["CapEff"].strip())
print("seccomp=" + facts["Seccomp"].strip())
print("no_new_privs=" + facts["NoNewPrivs"].strip())
print("shadow_readable=" + outcome(read_password_hashes))
print("settings_writable=" + outcome(write_system_setting))
print("settings_mounted_read_only=" + ("yes" if os.statvfs("/proc/sys").f_flag & 1 else "no"))
print("interfaces=" + ",".join(sorted(name for _, name in socket.if_nameindex())))
print("workspace_writable=" + outcome(lambda: os.close(os.open("probe", os.O_CREAT | os.O_WRONLY))))
