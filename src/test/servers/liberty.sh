artifact=io.openliberty:openliberty-runtime:26.0.0.3:zip
folder=wlp
default_app=runstone.war
log=$work/usr/servers/runstone/logs/messages.log

configure() {
  mkdir -p "$work/usr/servers/runstone/apps"
  cp "$root/server-config/liberty/server.xml" "$work/usr/servers/runstone/"
  printf '%s\n' "-Drunstone.data-dir=$data" "-Drunstone.base-url=http://localhost:$port" \
    > "$work/usr/servers/runstone/jvm.options"
  echo "http.port=$port" > "$work/usr/servers/runstone/bootstrap.properties"
  if [ -n "$deploy" ]; then
    cp "$app" "$work/usr/servers/runstone/apps/runstone.war"
  fi
}

launch() {
  WLP_USER_DIR=$work/usr "$home/bin/server" start runstone > "$work/start.log" 2>&1 || {
    cat "$work/start.log" >&2
    return 1
  }
  pid=$(cat "$work/usr/servers/.pid/runstone.pid")
}

deploy_app() { :; }

stop() {
  WLP_USER_DIR=$work/usr "$home/bin/server" stop runstone
}
