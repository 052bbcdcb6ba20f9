# Payara Server and GlassFish: a domain of its own in the temp folder, so the distribution stays as it is.
default_app=runstone.ear
domain=runstone-test
base=$((port + 1000))
admin_port=$((base + 48))
admin="$root/target/servers/$server/$folder/bin/asadmin --host 127.0.0.1 --port $admin_port"
log=$work/domains/$domain/logs/server.log

configure() {
  "$home/bin/asadmin" --user admin create-domain --nopassword=true --portbase "$base" \
    --domaindir "$work/domains" "$domain"
  # On loopback from the start, also what listens only once it is used, or is changed by configure.asadmin later.
  sed -i -e 's/address="0\.0\.0\.0"/address="127.0.0.1"/' \
    -e 's/<network-listener port=/<network-listener address="127.0.0.1" port=/' \
    "$work/domains/$domain/config/domain.xml"
}

start_domain() {
  "$home/bin/asadmin" start-domain --domaindir "$work/domains" "$domain" > "$work/start.log" 2>&1 || {
    cat "$work/start.log" >&2
    return 1
  }
  pid=$(cat "$work/domains/$domain/config/pid")
}

launch() {
  start_domain || return 1
  sed "s/8222/$port/g" "$root/server-config/$server/configure.asadmin" > "$work/configure.asadmin"
  echo "create-system-properties runstone.data-dir=$data" >> "$work/configure.asadmin"
  $admin multimode --file "$work/configure.asadmin" > "$work/configure.log" 2>&1 || true
  if grep -Ei 'failed|invalid|error' "$work/configure.log" >&2; then
    return 1
  fi
  stop > /dev/null && start_domain
}

deploy_app() {
  $admin deploy --name runstone "$app" > "$work/deploy.log" 2>&1 || { cat "$work/deploy.log" >&2; return 1; }
}

stop() {
  "$home/bin/asadmin" stop-domain --domaindir "$work/domains" "$domain"
}
