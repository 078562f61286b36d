#!/bin/bash
# Runs a command beside a systemd of nobody's own: manager.sh HOME COMMAND...
# HOME is /run/home for all of them. It needs root, has a /run and a control group of its own, and
# leaves nothing behind; exits with 77 where that cannot be had.
set -uo pipefail
if [ "${MANAGER_INSIDE-}" != 1 ]; then
  [ "$(id -u)" = 0 ] && unshare -m true 2> /dev/null || exit 77
  # A program that nobody may not even start cannot be confined.
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
leave() {
  local group try
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

# Its bus is one of its own, as it is for who has logged in: a manager starts nothing for the bus of somebody else.
units=$home/config/systemd/user
"${as_user[@]}" mkdir -p $units/sockets.target.wants
"${as_user[@]}" tee $units/dbus.socket > /dev/null <<< '[Socket]
ListenStream=%t/bus'
"${as_user[@]}" tee $units/dbus.service > /dev/null <<< "[Unit]
Requires=dbus.socket
[Service]
ExecStart=$(command -v dbus-daemon) --session --address=systemd: --nofork --nopidfile --systemd-activation"
"${as_user[@]}" ln -s ../dbus.socket $units/sockets.target.wants/

export HOME=$home XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config XDG_RUNTIME_DIR=/run/user/$user
unset DBUS_SESSION_BUS_ADDRESS
# Other units that the machine starts for its users do not matter here.
"${as_user[@]}" /lib/systemd/systemd --user --unit=basic.target < /dev/null > "$home/manager.log" 2>&1 &
manager=$!
export DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus
# It starts what the bus asks for when its own start is over, and it has its name there.
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
