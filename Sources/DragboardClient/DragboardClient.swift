// Placeholder of the module DragboardClient.
