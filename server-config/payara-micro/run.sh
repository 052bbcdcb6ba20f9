#!/bin/sh
# Starts Runstone on Payara Micro for production. An example: adapt it.
#   RUNSTONE_HOME  folder with runstone.war, payara-micro.jar and this folder's files
#   RUNSTONE_PORT  HTTP port on loopback; a reverse proxy with TLS goes in front
set -eu
home=${RUNSTONE_HOME:-/opt/runstone}
port=${RUNSTONE_PORT:-8222}
# glibc keeps a heap per thread otherwise.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"

# JMX, on loopback and with a password. The two files must be readable by this user only; the options go before -jar.
#   -Dcom.sun.management.jmxremote.host=127.0.0.1
#   -Dcom.sun.management.jmxremote.port=8686
#   -Dcom.sun.management.jmxremote.rmi.port=8686
#   -Djava.rmi.server.hostname=127.0.0.1
#   -Dcom.sun.management.jmxremote.ssl=false
#   -Dcom.sun.management.jmxremote.authenticate=true
#   -Dcom.sun.management.jmxremote.password.file=/etc/runstone/jmx.password
#   -Dcom.sun.management.jmxremote.access.file=/etc/runstone/jmx.access

# --nohazelcast without --nocluster: together Payara ignores the former and listens on *:6900.
exec java @"$home/jvm.args" ${RUNSTONE_JVM_ARGS:-} \
  -jar "$home/payara-micro.jar" \
  --port "$port" --nohazelcast --disablephonehome --contextroot / \
  --prebootcommandfile "$home/pre-boot.asadmin" \
  --logproperties "$home/logging.properties" \
  --deploy "$home/runstone.war" "$@"
