// Placeholder of the module DragboardInterface.
