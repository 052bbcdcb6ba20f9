"""What the worker has used, and the number that says which cell an interrupt is meant for."""

import resource
import struct


def cpu_seconds():
    """CPU time of this process and of the children it waited for."""
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        total += used.ru_utime + used.ru_stime
    return total


def allow_writing(allowed):
    """Whether files may grow; off while the workspace is over its quota, so that only deleting helps."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard if allowed else 0, hard))


def writing_is_off():
    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] == 0


def peak_memory_bytes():
    """The most memory that this process, or one of the children it waited for, has had resident."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(who).ru_maxrss for who in both) * 1024


def interrupt_target(target):
    return struct.unpack_from("<Q", target, 0)[0]


def set_interrupt_target(target, cell_id):
    target[0:8] = struct.pack("<Q", cell_id)
