// Placeholder of the module DragboardStore.
