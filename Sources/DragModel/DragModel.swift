// Placeholder of the module DragModel.
