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
  # Everything that listens only once it is used, or that install.asadmin changes later, is on loopback from the start.
  sed -i 's/address="0\.0\.0\.0"/address="127.0.0.1"/; s/<network-listener port=/<network-listener address="127.0.0.1" port=/' \
    "$work/domains/$domain/config/domain.xml"
  mkdir -p "$work/osgi"
}

launch() {
  "$home/bin/asadmin" start-domain --domaindir "$work/domains" "$domain" > "$work/start.log" 2>&1 || {
    cat "$work/start.log" >&2
    return 1
  }
  pid=$(cat "$work/domains/$domain/config/pid")
  sed "s/8222/$port/g" "$root/server-config/$server/configure.asadmin" > "$work/configure.asadmin"
  echo "create-system-properties runstone.data-dir=$data" >> "$work/configure.asadmin"
  $admin multimode --file "$work/configure.asadmin" > "$work/configure.log" 2>&1 || true
  if grep -Ei 'failed|invalid|error' "$work/configure.log" >&2; then
    return 1
  fi
}

deploy_app() {
  $admin deploy --name runstone "$app" > "$work/deploy.log" 2>&1 || { cat "$work/deploy.log" >&2; return 1; }
}

stop() {
  "$home/bin/asadmin" stop-domain --domaindir "$work/domains" "$domain"
}
