#!/bin/sh
# Runs a command for as long as the process that started this script lives. Maven does not end what it started
# when it is terminated (exec-maven-plugin has a shutdown hook only for asynchronous children), so this does,
# even after "kill -9" of Maven. Linux only: the parent is read from /proc, where, unlike with "kill -0", a
# parent that is dead but not reaped does not count as alive.
"$@" &
child=$!

parent() {
  read -r _ _ _ ppid _ < "/proc/$$/stat"
  echo "$ppid"
}

stop() {
  trap '' INT TERM HUP
  kill "$child" 2>/dev/null
  for _ in 1 2 3 4 5 6 7 8; do
    kill -0 "$child" 2>/dev/null || break
    sleep 1
  done
  kill -9 "$child" 2>/dev/null
  wait "$child"
  exit $?
}
trap stop INT TERM HUP

started_by=$(parent)
while kill -0 "$child" 2>/dev/null; do
  [ "$(parent)" = "$started_by" ] || stop
  sleep 1 &
  wait $!
done
wait "$child"
