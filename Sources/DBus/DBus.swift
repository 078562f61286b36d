// Placeholder of the module DBus.
