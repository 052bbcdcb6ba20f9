artifact=org.wildfly:wildfly-dist:39.0.1.Final:zip
folder=wildfly-39.0.1.Final
default_app=runstone.war
log=$work/standalone/log/server.log

configure() {
  cp -R "$home/standalone" "$work/standalone"
  JAVA_OPTS="-Djboss.server.base.dir=$work/standalone" \
    "$home/bin/jboss-cli.sh" "--file=$root/server-config/wildfly/configure.cli"
  if [ -n "$deploy" ]; then
    cp "$app" "$work/standalone/deployments/ROOT.war"
  fi
}

launch() {
  LAUNCH_JBOSS_IN_BACKGROUND=1 JBOSS_PIDFILE="$work/pid" "$home/bin/standalone.sh" \
    "-Djboss.server.base.dir=$work/standalone" "-Djboss.http.port=$port" \
    "-Djboss.management.http.port=$((port + 1000))" "-Drunstone.base-url=http://localhost:$port" \
    "-Drunstone.data-dir=$data" > "$work/console.log" 2>&1 &
  for _ in $(seq 100); do
    [ -s "$work/pid" ] && break
    sleep 0.1
  done
  pid=$(cat "$work/pid")
}

deploy_app() { :; }

stop() {
  kill "$pid"
}
