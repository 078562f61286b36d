#!/bin/bash
# Runs a command with a systemd user manager of the user "nobody": manager.sh HOME COMMAND...
# The bus is dbus-daemon, or dbus-broker if DRAGBOARD_TEST_BUS has this value.
# The manager and the command see HOME as /run/home. The script needs root, uses a separate /run and a separate
# control group, and leaves nothing behind. If this is not possible, it exits with 77.
# `manager.sh --check` tests only whether this is possible.
set -uo pipefail
if [ "$1" = --check ]; then
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
  chmod 755 "$home"
  install -m 755 /bin/true "$home/dragboardd"
  "$0" "$home" true
  exit
fi
if [ "${MANAGER_INSIDE-}" != 1 ]; then
  [ "$(id -u)" = 0 ] && unshare -m true 2> /dev/null || exit 77
  # If the user "nobody" may not start the program, the test is not possible.
  setpriv "--reuid=$(id -u nobody)" --clear-groups "$1/dragboardd" --version > /dev/null 2>&1 || exit 77
  export MANAGER_INSIDE=1
  exec unshare -m --propagation private "$0" "$@"
fi
home=/run/home
source=$1
shift
user=$(id -u nobody)
as_user=(setpriv "--reuid=$user" "--regid=$(id -g nobody)" --clear-groups --inh-caps=-all)

groups=()
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
  [ -f "$hierarchy/cgroup.procs" ] || continue
  group=$hierarchy/dragboard-test-$$
  mkdir "$group" 2> /dev/null || continue
  groups+=("$group")
  chown -R "$user" "$group"
  echo $$ > "$group/cgroup.procs" || exit 77
done
journal=
leave() {
  local group try
  if [ -n "$journal" ]; then kill "$journal"; fi
  for group in "${groups[@]}"; do
    echo $$ > "$(dirname "$group")/cgroup.procs"
    for ((try = 0; try < 50; try++)); do
      find "$group" -depth -type d -exec rmdir {} \; 2> /dev/null
      [ -d "$group" ] || break
      sleep 0.1
    done
  done
}
trap leave EXIT
mount -t tmpfs tmpfs /run || exit 77
mkdir -p /run/systemd/system "/run/user/$user" $home
chown "$user" "/run/user/$user" && chmod 700 "/run/user/$user"
chown -R "$user" "$source"
mount --bind "$source" $home || exit 77

# The manager has its own bus, as in a login session, because a manager starts services only for its own bus.
units=$home/config/systemd/user
"${as_user[@]}" mkdir -p $units/sockets.target.wants
"${as_user[@]}" tee $units/dbus.socket > /dev/null <<< '[Socket]
ListenStream=%t/bus'
case ${DRAGBOARD_TEST_BUS-} in
  dbus-broker)
    bus="$(command -v dbus-broker-launch) --scope user" || exit 77
    bus+=$'\nType=notify\nSockets=dbus.socket'
    # The launcher of dbus-broker starts only if there is a journal.
    mkdir -p /run/systemd/journal
    python3 -c '
import os, socket
os.umask(0)
journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
journal.bind("/run/systemd/journal/socket")
while journal.recv(1 << 16): pass' &
    journal=$!
    until [ -S /run/systemd/journal/socket ]; do
      kill -0 $journal || exit 1
      sleep 0.05
    done
    ;;
  *) bus="$(command -v dbus-daemon) --session --address=systemd: --nofork --nopidfile --systemd-activation" ;;
esac
"${as_user[@]}" tee $units/dbus.service > /dev/null <<< "[Unit]
Requires=dbus.socket
[Service]
ExecStart=$bus"
"${as_user[@]}" ln -s ../dbus.socket $units/sockets.target.wants/

export HOME=$home XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config XDG_RUNTIME_DIR=/run/user/$user
unset DBUS_SESSION_BUS_ADDRESS
# Start only basic.target, because other units of the machine's users are not needed.
"${as_user[@]}" /lib/systemd/systemd --user --unit=basic.target < /dev/null > "$home/manager.log" 2>&1 &
manager=$!
export DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus
# The manager starts services for the bus only when it has started completely and owns its name on the bus.
has_started() {
  "${as_user[@]}" systemctl --user set-environment "DBUS_SESSION_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS" 2> /dev/null &&
    "${as_user[@]}" systemctl --user --quiet is-active basic.target &&
    "${as_user[@]}" dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / \
      org.freedesktop.DBus.NameHasOwner string:org.freedesktop.systemd1 2> /dev/null | grep -q true
}
for ((try = 0; try < 600; try++)); do
  if has_started; then break; fi
  kill -0 $manager 2> /dev/null || { cat "$home/manager.log"; exit 77; }
  sleep 0.1
done
cd $home
"${as_user[@]}" "$@"
status=$?
"${as_user[@]}" systemctl --user exit
wait $manager
# Only this script may exit with 77.
exit $((status == 77 ? 1 : status))
