"""The two processes of a Runstone kernel: a supervisor and the worker that it forks."""
